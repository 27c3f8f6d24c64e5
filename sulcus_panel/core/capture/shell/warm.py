"""A file that was saved between two looks is copied at once, so that the next look has its bytes already.

A look has little time for copies before the agent goes on; what it leaves to its child may be gone by then. A copy
is named for the file's identity, so one made early is as good as one made by the look.
"""

import os
import stat
from collections.abc import Iterable
from pathlib import Path

from sulcus_panel.core.capture.shell.keeping import ROOT, Baselines
from sulcus_panel.core.capture.shell.scan import Item


def keep_warm(home: Path, located: Iterable[str]) -> int:
    """Copy these files into the baselines of the trees that they are in; how many were seen there.

    A tree that no hook has looked at yet has no baseline, and gets none here.
    """
    trees = [(root, Baselines(str(home), root)) for root in _roots(home)]
    if not trees:
        return 0
    for _, baselines in trees:
        baselines.measure()
    seen = 0
    for path in located:
        item = _item(path)
        for root, baselines in trees if item is not None else ():
            if item is not None and path.startswith(root.rstrip("/") + "/"):
                baselines.keep(path, item)
                seen += 1
    return seen


def _roots(home: Path) -> list[str]:
    """The trees that have a baseline."""
    try:
        folders = sorted((home / "baselines").iterdir())
    except OSError:
        return []
    found = []
    for folder in folders:
        try:
            root = os.fsdecode((folder / ROOT).read_bytes())
        except OSError:
            continue
        if root and (folder / "copies").is_dir():
            found.append(root)
    return found


def _item(path: str) -> Item | None:
    """What a look would see there; None for what is no file."""
    try:
        found = os.lstat(path)
    except (OSError, ValueError):
        return None
    if not stat.S_ISREG(found.st_mode):
        return None
    name = path.rpartition("/")[2]
    return name, found.st_ctime_ns, found.st_mtime_ns, found.st_size, found.st_ino, found.st_mode, ""
