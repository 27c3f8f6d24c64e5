"""A file of lines that grows: read on from where it ended, up to its last whole line, and never twice."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from pathlib import Path

from sulcus_panel.core.capture.past.json_lines import MAX_LINE, json_lines
from sulcus_panel.core.capture.payload import time_of
from sulcus_panel.core.capture.plain_file import open_plain

NEAR = 2**20
"""Closer than this a place in a file need not be known."""


@dataclass(slots=True)
class GrowingFile:
    """One file, and how far it was read."""

    path: Path
    offset: int = 0
    in_long_line: bool = False
    """What comes next belongs to a line that is longer than any record."""

    def parts(self, begin_anew: Callable[[], None]) -> Iterator[bytes]:
        """The whole lines behind `offset`, some at a time; `begin_anew` comes first where the file was replaced.

        Raises:
            OSError: it is gone or cannot be read.
        """
        if os.stat(self.path).st_size == self.offset:
            return
        with open_plain(self.path) as file:
            if os.fstat(file.fileno()).st_size < self.offset:
                self.offset, self.in_long_line = 0, False
                begin_anew()
            file.seek(self.offset)
            while lines := self._whole_lines(file.read(MAX_LINE + 1)):
                yield lines
                file.seek(self.offset)

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


def offset_before(path: Path, since: datetime) -> int:
    """Where to begin to read lines that are ordered by time: before the first of `since`, seldom at the start.

    Raises:
        OSError: the file is gone or cannot be read.
    """
    low, high = 0, os.stat(path).st_size
    with open_plain(path) as file:
        while high - low > NEAR:
            middle = (low + high) // 2
            file.seek(middle)
            lines = BytesIO(file.read(NEAR).partition(b"\n")[2])
            times = (time_of(line.record, "timestamp") for line in json_lines(lines) if line.record)
            at = next((time for time in times if time is not None), None)
            if at is not None and at < since:
                low = middle
            else:
                high = middle
        if not low:
            return 0
        file.seek(low)
        return low + len(file.readline(MAX_LINE))
