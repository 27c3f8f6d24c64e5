"""Where Codex keeps its rollouts: `sessions/YYYY/MM/DD/rollout-….jsonl`, and flat in `archived_sessions`."""

import os
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from sulcus_panel.core.capture.harnesses.codex.rollout import COMPRESSED, open_rollout
from sulcus_panel.core.capture.harnesses.codex.thread import Thread
from sulcus_panel.core.capture.past.json_lines import json_lines
from sulcus_panel.core.capture.past.path_map import is_among, names_of

FOLDERS = ("sessions", "archived_sessions")
HEAD_LINES = 12
"""The folder stands in the first record; before 2025's autumn in one of the first messages."""
EPOCH = datetime.fromtimestamp(0, UTC)


def find_rollouts(
    home: Path, root: str, began_in: dict[str, str], changed_since: float = 0.0
) -> tuple[Path, ...]:
    """The rollouts of all threads that ran at or below `root`, subagents included, oldest file first.

    `began_in` is what is known of files that were looked into before; it is added to.
    """
    roots = names_of(root)
    found = []
    for path, age in _rollouts(home):
        if age >= changed_since and is_among(_cwd_of(path, began_in), roots):
            found.append((age, path))
    return tuple(Path(path) for _, path in sorted(found))


def rollouts_in(paths: Sequence[Path]) -> tuple[Path, ...]:
    """These files, folders replaced by the rollouts in them; a packed one only where it lies alone."""
    result: dict[Path, None] = {}
    for path in paths:
        own = (
            sorted([*path.rglob("*.jsonl"), *path.rglob(f"*.jsonl{COMPRESSED}")]) if path.is_dir() else [path]
        )
        names = frozenset(own)
        result.update(
            dict.fromkeys(one for one in own if one.suffix != COMPRESSED or one.with_suffix("") not in names)
        )
    return tuple(result)


def _rollouts(home: Path) -> Iterator[tuple[str, float]]:
    """Every rollout and when it was written to last; a packed one only where it lies alone."""
    ages = {path: age for folder in FOLDERS for path, age in _files(home / folder)}
    for path, age in ages.items():
        if not (path.endswith(COMPRESSED) and path.removesuffix(COMPRESSED) in ages):
            yield path, age


def _files(folder: Path) -> Iterator[tuple[str, float]]:
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    for entry in entries:
        try:
            if entry.is_dir(follow_symlinks=False):
                yield from _files(Path(entry.path))
            elif entry.name.startswith("rollout-") and entry.name.endswith((".jsonl", f".jsonl{COMPRESSED}")):
                yield entry.path, entry.stat().st_mtime
        except OSError:
            continue


def _cwd_of(path: str, began_in: dict[str, str]) -> str:
    """Where a thread began; what its file does not tell yet it may tell in a moment."""
    cwd = began_in.get(path) or _read_cwd(path)
    if cwd:
        began_in[path] = cwd
    return cwd


def _read_cwd(path: str) -> str:
    thread = Thread("", path)
    try:
        with open_rollout(Path(path)) as file:
            for line in islice(json_lines(file), HEAD_LINES):
                if line.record is not None:
                    thread.take(line.record, EPOCH)
                if thread.cwd:
                    break
    except OSError:
        return ""
    return thread.cwd
