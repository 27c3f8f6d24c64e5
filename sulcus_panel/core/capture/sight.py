"""What is at a path now, as the hook would have seen it."""

import os

from sulcus_panel.core.capture.place import resolve
from sulcus_panel.core.capture.spool import Sighting
from sulcus_panel.core.disk import look
from sulcus_panel.core.model import DiskFile, FileKind, LedgerPath


def sight(located: str) -> Sighting:
    """Look at a located path, and at what a link there leads to."""
    own = _look(located)
    if own.state.kind is not FileKind.SYMLINK:
        return Sighting(located, own)
    return Sighting(located, own, _look(resolve(located)))


def _look(located: str) -> DiskFile:
    drive, tail = os.path.splitdrive(located)
    return look(drive + os.sep, LedgerPath(tail.lstrip(os.sep).replace(os.sep, "/")))
