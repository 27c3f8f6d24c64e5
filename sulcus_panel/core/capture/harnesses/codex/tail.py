"""Rollouts as they grow: each is read on from where it ended, up to its last whole line."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from sulcus_panel.core.capture.harnesses.codex.rollout import COMPRESSED, new_thread, transcript_of
from sulcus_panel.core.capture.harnesses.codex.thread import Thread
from sulcus_panel.core.capture.past.into_ledger import ImportedRun
from sulcus_panel.core.capture.past.json_lines import MAX_LINE, json_lines
from sulcus_panel.core.capture.past.run import Importing, NoBackups, imported_run
from sulcus_panel.core.capture.payload import time_of
from sulcus_panel.core.capture.plain_file import open_plain

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
                self._open[path] = _Tailed(path, number, new_thread(path, number))
        return sum(tailed.read_on() for tailed in self._open.values()) > 0

    def run(self, importing: Importing) -> ImportedRun:
        """Everything read so far, without what `importing` says is known."""
        threads = [tailed.thread for tailed in self._open.values()]
        return imported_run(transcript_of(threads), importing, NoBackups())


@dataclass(slots=True)
class _Tailed:
    path: Path
    number: int
    thread: Thread
    offset: int = 0
    last: datetime | None = None
    in_long_line: bool = False
    """What comes next belongs to a line that is longer than any record."""

    def read_on(self) -> bool:
        """Take in the whole lines behind `offset`; a file that is gone or unreadable has none."""
        is_more = False
        try:
            if os.stat(self.path).st_size == self.offset:
                return False
            with open_plain(self.path) as file:
                found = os.fstat(file.fileno())
                if found.st_size < self.offset:  # written anew
                    self.offset, self.thread = 0, new_thread(self.path, self.number)
                self.last = self.last or datetime.fromtimestamp(found.st_mtime, UTC)
                file.seek(self.offset)
                while lines := self._whole_lines(file.read(MAX_LINE + 1)):
                    is_more |= self._take(lines, self.last)
                    file.seek(self.offset)
        except OSError:
            return is_more
        return is_more

    def _whole_lines(self, data: bytes) -> bytes:
        """The lines that end in these bytes, which stand at `offset`; it moves behind them."""
        end = data.rfind(b"\n") + 1
        if not end and len(data) > MAX_LINE:
            self.offset, self.in_long_line = self.offset + len(data), True
            return b"\n"
        self.offset += end
        start = data.find(b"\n") + 1 if self.in_long_line else 0
        self.in_long_line = self.in_long_line and not end
        return data[start:end] or (data[:end] and b"\n")

    def _take(self, lines: bytes, otherwise: datetime) -> bool:
        is_more = False
        for line in json_lines(BytesIO(lines)):
            if line.record is not None:
                self.last = otherwise = time_of(line.record, "timestamp") or otherwise
                self.thread.take(line.record, otherwise)
                is_more = True
        return is_more
