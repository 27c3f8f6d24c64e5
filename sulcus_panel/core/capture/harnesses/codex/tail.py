"""Rollouts as they grow: each is read on from where it ended, up to its last whole line."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from sulcus_panel.core.capture.harnesses.codex.rollout import COMPRESSED, new_thread, transcript_of
from sulcus_panel.core.capture.harnesses.codex.thread import Thread
from sulcus_panel.core.capture.past.entries import Importing, NoBackups, imported_run
from sulcus_panel.core.capture.past.growing_file import GrowingFile
from sulcus_panel.core.capture.past.into_ledger import ImportedRun
from sulcus_panel.core.capture.past.json_lines import json_lines
from sulcus_panel.core.capture.payload import time_of

FIND_EVERY = 3
"""Readings between two looks for new files: there may be thousands."""


class RolloutTail:
    """All rollouts that `find` names, from the first time that it does so."""

    def __init__(self, find: Callable[[], tuple[Path, ...]]) -> None:
        self._find = find
        self._open: dict[Path, _Tailed] = {}
        self._readings = 0

    def read_on(self) -> bool:
        """Read what was written since the last time, whole lines only; whether there was anything."""
        is_due = self._readings % FIND_EVERY == 0
        self._readings += 1
        for path in self._find() if is_due else ():
            if path.suffix != COMPRESSED and path not in self._open:
                number = len(self._open)
                self._open[path] = _Tailed(GrowingFile(path), number, new_thread(path, number))
        return sum(tailed.read_on() for tailed in self._open.values()) > 0

    def run(self, importing: Importing) -> ImportedRun:
        """Everything read so far, without what `importing` says is known."""
        threads = [tailed.thread for tailed in self._open.values()]
        return imported_run(transcript_of(threads), importing, NoBackups())


@dataclass(slots=True)
class _Tailed:
    file: GrowingFile
    number: int
    thread: Thread
    last: datetime | None = None

    def read_on(self) -> bool:
        """Take in the new whole lines; a file that is gone or unreadable has none."""
        is_more = False
        try:
            for lines in self.file.parts(self._begin_anew):
                self.last = self.last or datetime.fromtimestamp(os.stat(self.file.path).st_mtime, UTC)
                is_more |= self._take(lines, self.last)
        except OSError:
            return is_more
        return is_more

    def _begin_anew(self) -> None:
        self.thread = new_thread(self.file.path, self.number)

    def _take(self, lines: bytes, otherwise: datetime) -> bool:
        is_more = False
        for line in json_lines(BytesIO(lines)):
            if line.record is not None:
                self.last = otherwise = time_of(line.record, "timestamp") or otherwise
                self.thread.take(line.record, otherwise)
                is_more = True
        return is_more
