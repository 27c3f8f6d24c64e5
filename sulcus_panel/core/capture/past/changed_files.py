"""A harness whose files are written anew, or cannot be read in parts: each is a suspect whenever it has changed.

A file that is at rest and was read is not opened again, and none that was last written to before the watch began.
"""

import os
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from sulcus_panel.core.capture.past.importer import Wanted

_Mark = tuple[tuple[int, int], ...]
"""Size and time of writing of a file, and of the log that SQLite keeps beside a database."""
LOG = "-wal"


class ChangedFiles:
    """The files that `find` names, as far as they were written to since then."""

    def __init__(
        self, find: Callable[[Wanted], tuple[Path, ...]], since: datetime, *, at_rest: bool = False
    ) -> None:
        """With `at_rest` a file is none while it is written to: its calls bear no time of their own."""
        self._find = find
        self._at_rest = at_rest
        self._since = since.timestamp()
        self._asked: dict[Path, tuple[_Mark, bool]] = {}
        self._settled: dict[Path, _Mark] = {}

    def suspects(self, is_known: Callable[[str], bool], ripe: datetime) -> tuple[Path, ...]:  # noqa: ARG002 - only a whole reading tells
        """Those that changed since they were settled; one that was written to after `ripe` will be one again."""
        suspects = []
        for path in self._find(self._is_changed):
            mark = _mark(path)
            rests = _newest(mark) <= ripe.timestamp()
            if rests or not self._at_rest:
                self._asked[path] = (mark, rests)
                suspects.append(path)
        return tuple(suspects)

    def settle(self, paths: Sequence[Path]) -> None:
        """Not to be read again before they change; one that may still tell of a young call is."""
        for path in paths:
            mark, at_rest = self._asked.pop(path, ((), False))
            if at_rest:
                self._settled[path] = mark

    def _is_changed(self, path: Path) -> bool:
        mark = _mark(path)
        return _newest(mark) >= self._since and self._settled.get(path) != mark


def _mark(path: Path) -> _Mark:
    marks = []
    for name in (str(path), f"{path}{LOG}"):
        try:
            found = os.stat(name)
        except OSError:
            continue
        marks.append((found.st_size, found.st_mtime_ns))
    return tuple(marks)


def _newest(mark: _Mark) -> float:
    return max((written / 1e9 for _, written in mark), default=0.0)
