"""Time and ids that a test decides: nothing here looks at the machine's clock."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count

NOON = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)
"""Where every fake clock starts unless a test says otherwise."""


class FakeClock:
    """A clock to be called like `utc_now`; it stands still until the test moves it."""

    def __init__(self, start: datetime = NOON) -> None:
        self.now = start

    def __call__(self) -> datetime:
        """The time, as an aware UTC datetime."""
        return self.now

    def advance(self, seconds: float = 0, *, days: float = 0) -> datetime:
        """Move on by that much and give the new time."""
        self.now += timedelta(days=days, seconds=seconds)
        return self.now


def counting_ids(prefix: str = "id") -> Callable[[], str]:
    """A source of ids: prefix-1, prefix-2, …"""
    numbers = count(1)
    return lambda: f"{prefix}-{next(numbers)}"
