"""What the disk said no with, in words that tell a person what to do, and whether trying again could help."""

import errno

from sulcus_panel.core.errors import SulcusError
from sulcus_panel.core.undo.model import Outcome
from sulcus_panel.core.undo.task import Refused

_HINTS = {
    errno.EACCES: "the folder or the file may not be written to by you",
    errno.EPERM: "it is protected against changes (immutable), or belongs to somebody else",
    errno.EROFS: "nothing can be written there",
    errno.ENOSPC: "make room and try again",
    errno.EDQUOT: "your quota is used up: make room and try again",
    errno.EBUSY: "something is mounted there, or it is in use",
    errno.ETXTBSY: "it is running at the moment",
    errno.ENAMETOOLONG: "its name leaves no room for a file beside it",
}
_FORBIDDEN = {errno.EACCES, errno.EPERM, errno.EROFS, errno.ETXTBSY}


def told(error: SulcusError | OSError) -> str:
    """Say what stopped a write."""
    if isinstance(error, SulcusError):
        return str(error)
    said = (error.strerror or str(error)).lower()
    hint = _HINTS.get(error.errno or 0, "")
    return f"the disk refused: {said}" + (f" ({hint})" if hint else "")


def outcome_of(error: SulcusError | OSError) -> Outcome:
    """Tell what is forbidden, and stays so, from what failed."""
    if isinstance(error, Refused) or (isinstance(error, OSError) and error.errno in _FORBIDDEN):
        return Outcome.REFUSED
    return Outcome.FAILED
