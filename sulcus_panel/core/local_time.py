"""A moment as the clock here shows it. What a caller or an old file says can lie where local time has no year."""

from datetime import datetime


def local_time(at: datetime) -> datetime:
    """Return it in local time; as it is where that would be before year 1 or after 9999."""
    try:
        return at.astimezone()
    except (OverflowError, ValueError, OSError):
        return at
