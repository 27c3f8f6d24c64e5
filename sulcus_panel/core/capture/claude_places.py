"""Where a Claude Code run was, and what its paths are called in the workspace that stands for its root.

A run may have happened on another machine: its paths are compared by their letters, macOS's /private and
Windows' backslashes and drive letters included. Only the finding of transcripts and git tops looks at the
disk.
"""

import os
import posixpath
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from sulcus_panel.core.capture.claude_json import text_of
from sulcus_panel.core.capture.claude_transcript import read_heads
from sulcus_panel.core.capture.import_ledger import SessionFacts
from sulcus_panel.core.capture.place import git_top, spelled
from sulcus_panel.core.model import LedgerPath

MAX_KEY = 200
"""Claude Code cuts a project folder's name here and adds a hash."""

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


def path_map(sessions: Sequence[SessionFacts], root: str, recorded_root: str | None) -> PathMap:
    """The map for a run: `root` stands for `recorded_root`, None: where the sessions started."""
    here = tuple(dict.fromkeys(comparable(name) for name in (root, os.path.realpath(root))))
    recorded = comparable(recorded_root) if recorded_root else _recorded_root(sessions, here)
    return PathMap(tuple(dict.fromkeys((recorded, *here) if recorded else here)))


def _recorded_root(sessions: Sequence[SessionFacts], here: Sequence[str]) -> str:
    """The folder in which most sessions started, or the git top above it where that still exists."""
    started = [comparable(one.cwds[0]) for one in sessions if one.cwds and one.parent is None]
    started = started or [comparable(one.cwds[0]) for one in sessions if one.cwds]
    if not started or any(_is_below(cwd, root) for cwd in started for root in here):
        return ""
    ranked = Counter(started).most_common()
    chosen = ranked[0][0]
    above = [cwd for cwd, _ in ranked if _is_below(chosen, cwd)]
    chosen = min(above, key=len)
    return git_top(chosen) or chosen if os.path.isdir(chosen) else chosen


def _is_below(path: str, root: str) -> bool:
    return path == root or path.startswith(root.rstrip("/") + "/")


def project_key(root: str) -> str:
    """The name of a project's folder: every UTF-16 unit that is no ASCII letter or digit becomes `-`."""
    return "".join(
        char if char.isascii() and char.isalnum() else "-" * (2 if ord(char) > 0xFFFF else 1) for char in root
    )


def find_transcripts(config_dir: Path, root: str) -> tuple[Path, ...]:
    """The transcripts of all sessions that ran at or below `root`, subagents included, oldest file first.

    Folders are found by name and believed by the cwd inside the records; where no folder has the name (it
    can be overridden), all are looked into.
    """
    projects = config_dir / "projects"
    try:
        folders = sorted(folder for folder in projects.iterdir() if folder.is_dir())
    except OSError:
        return ()
    roots = tuple(dict.fromkeys((root, os.path.realpath(root))))
    keys = {project_key(name)[:MAX_KEY] for spelled in roots for name in (spelled, "/private" + spelled)}
    named = [folder for folder in folders if any(_has_key(folder.name, key) for key in keys)]
    names = tuple(comparable(name) for name in roots)
    found = [path for folder in named for path in _sessions_in(folder, names)]
    if not found:
        found = [path for folder in folders for path in _sessions_in(folder, names)]
    return with_subagents(sorted(found, key=_age))


def with_subagents(paths: Sequence[Path]) -> tuple[Path, ...]:
    """These files, folders replaced by the transcripts in them, each session followed by its subagents'."""
    result: dict[Path, None] = {}
    for path in paths:
        own = sorted(path.rglob("*.jsonl")) if path.is_dir() else [path]
        for one in own:
            result[one] = None
            result.update(dict.fromkeys(sorted((one.parent / one.stem / "subagents").glob("*.jsonl"))))
    return tuple(result)


def config_of(paths: Sequence[Path]) -> Path | None:
    """The config folder in which these transcripts lie, None where they lie elsewhere."""
    for path in paths:
        for parent in path.resolve().parents:
            if parent.name == "projects":
                return parent.parent
    return None


def _has_key(name: str, key: str) -> bool:
    return name == key or name.startswith(key + "-") or (len(key) == MAX_KEY and name.startswith(key))


def _sessions_in(folder: Path, roots: Sequence[str]) -> Iterator[Path]:
    for path in sorted(folder.glob("*.jsonl")):
        cwd = next((cwd for record in islice(read_heads(path), 200) if (cwd := text_of(record, "cwd"))), "")
        if cwd and any(_is_below(comparable(cwd), root) for root in roots):
            yield path


def _age(path: Path) -> tuple[float, str]:
    try:
        return path.stat().st_mtime, path.name
    except OSError:
        return 0.0, path.name
