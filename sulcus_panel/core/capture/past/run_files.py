"""The files of past runs: which are meant, which come first, and what is in one whose lines bear no times."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from sulcus_panel.core.capture.past.json_lines import JsonLine, json_lines, told
from sulcus_panel.core.capture.payload import text_of
from sulcus_panel.core.capture.plain_file import open_plain
from sulcus_panel.core.safety import plain

NEVER = datetime.fromtimestamp(0, UTC)


def files_in(paths: Sequence[Path], *patterns: str) -> tuple[Path, ...]:
    """These files, each once, folders replaced by all files below them that fit one of the patterns."""
    result: dict[Path, None] = {}
    for path in paths:
        below = [one for pattern in patterns for one in path.rglob(pattern)] if path.is_dir() else [path]
        result.update(dict.fromkeys(sorted(below)))
    return tuple(result)


def oldest_first(paths: Iterable[Path]) -> tuple[Path, ...]:
    """These files by when they were written to last."""
    return tuple(sorted(paths, key=_age))


@dataclass(frozen=True, slots=True)
class UntimedLines:
    """A file's records with their lines' numbers; all have the file's own time."""

    lines: tuple[JsonLine, ...]
    at: datetime
    problems: tuple[str, ...]


def read_untimed(path: Path, key: str, otherwise: str) -> UntimedLines:
    """The records in which a text stands under `key`; `otherwise` says what a file is without any."""
    name = plain(path.name)
    try:
        with open_plain(path) as file:
            at = _written(file)
            lines = list(json_lines(file))
    except OSError as error:
        return UntimedLines((), NEVER, (f"{name}: {error.strerror or error}",))
    good = tuple(line for line in lines if line.record is not None and text_of(line.record, key))
    problems = told(name, [line for line in lines if line.record is None])
    return UntimedLines(good, at, problems if good else (*problems, f"{name}: {otherwise}"))


def _written(file: BinaryIO) -> datetime:
    try:
        return datetime.fromtimestamp(os.fstat(file.fileno()).st_mtime, UTC)
    except (OverflowError, ValueError):
        return NEVER


def _age(path: Path) -> tuple[float, str, str]:
    try:
        return path.stat().st_mtime, path.name, str(path)
    except OSError:
        return 0.0, path.name, str(path)
