"""Recorded paths -> ledger paths: what a past run's files are called in the workspace that stands for its root.

A run may have happened on another machine: its paths are compared by their letters, macOS's /private and
Windows' backslashes and drive letters included. Only the finding of git tops looks at the disk.
"""

import os
import posixpath
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from sulcus_panel.core.capture.past.records import SessionFacts
from sulcus_panel.core.capture.place import git_top, spelled
from sulcus_panel.core.model import LedgerPath

_WINDOWS = re.compile(r"[A-Za-z]:[\\/]|\\\\")
_PRIVATE = re.compile(r"/private(?=/(?:var|tmp|etc)(?:/|$))")


@dataclass(frozen=True, slots=True)
class PathMap:
    """Recorded paths -> ledger paths. `roots` are the comparable names of the root, in order of use."""

    roots: tuple[str, ...]

    def locate(self, path: str, cwd: str) -> str:
        """The comparable absolute name of a recorded path, which may be relative to `cwd` (before 2.1.89)."""
        path, cwd = spelled(path), spelled(cwd)
        if path.startswith("/") or _WINDOWS.match(path):
            return comparable(path)
        if _WINDOWS.match(cwd):
            path = path.replace("\\", "/")
        return posixpath.normpath(posixpath.join(comparable(cwd or "/"), path))

    def name(self, located: str) -> LedgerPath:
        """Relative to the root where it is below one, else absolute: a file outside the workspace."""
        for root in self.roots:
            below = root.rstrip("/") + "/"
            if located.startswith(below):
                return LedgerPath(located[len(below) :])
        return LedgerPath(located)


def comparable(path: str) -> str:
    """A path in the one spelling in which two of them can be compared: `/` separates, no `..` or /private."""
    if _WINDOWS.match(path):
        path = path.replace("\\", "/")
        return posixpath.normpath(path[0].upper() + path[1:])
    path = (
        posixpath.normpath("/" + path.lstrip("/"))
        if path.startswith("/")
        else posixpath.normpath(path or ".")
    )
    return _PRIVATE.sub("", path, count=1)


def names_of(root: str) -> tuple[str, ...]:
    """The comparable names of a folder of this machine: the one it is given, and the one that leads to."""
    return tuple(dict.fromkeys(comparable(name) for name in (root, os.path.realpath(root))))


def path_map(sessions: Sequence[SessionFacts], root: str, recorded_root: str | None) -> PathMap:
    """The map for a run: `root` stands for `recorded_root`, None: where the sessions started."""
    here = names_of(root)
    recorded = comparable(recorded_root) if recorded_root else _recorded_root(sessions, here)
    return PathMap(tuple(dict.fromkeys((recorded, *here) if recorded else here)))


def _recorded_root(sessions: Sequence[SessionFacts], here: Sequence[str]) -> str:
    """The folder in which most sessions started, or the git top above it where that still exists."""
    started = [comparable(one.cwds[0]) for one in sessions if one.cwds and one.parent is None]
    started = started or [comparable(one.cwds[0]) for one in sessions if one.cwds]
    if not started or any(is_below(cwd, root) for cwd in started for root in here):
        return ""
    ranked = Counter(started).most_common()
    chosen = ranked[0][0]
    above = [cwd for cwd, _ in ranked if is_below(chosen, cwd)]
    chosen = min(above, key=len)
    return git_top(chosen) or chosen if os.path.isdir(chosen) else chosen


def is_among(folder: str, roots: Sequence[str]) -> bool:
    """Whether a recorded folder is at or below one of these; an empty one, of which nothing is known, is not."""
    return bool(folder) and any(is_below(comparable(folder), root) for root in roots)


def is_below(path: str, root: str) -> bool:
    """Whether a comparable path is the root or lies below it."""
    return path == root or path.startswith(root.rstrip("/") + "/")
