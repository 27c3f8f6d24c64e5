"""Transcripts as they grow: which of them tell of calls that nobody else told of.

Each is read on from where it ended, and of all that was read nothing stays but what is still open. What such calls
did is then told by the whole transcript, which is seldom asked for: hooks tell of almost all.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from sulcus_panel.core.capture.harnesses.claude.live import ClaudeCode
from sulcus_panel.core.capture.harnesses.claude.places import main_of, with_subagents
from sulcus_panel.core.capture.harnesses.claude.transcript import Reader
from sulcus_panel.core.capture.past.entries import uid_of
from sulcus_panel.core.capture.past.growing_file import GrowingFile, offset_before
from sulcus_panel.core.capture.past.importer import Wanted
from sulcus_panel.core.capture.past.records import ReadCall

LONGEST_CALL = timedelta(minutes=15)
"""So much earlier than its answer a call may stand: a command may run for ten minutes."""
ADAPTER = ClaudeCode()


class TranscriptTails:
    """The transcripts that `find` names, as far as they were written to since then, and their subagents'."""

    def __init__(self, find: Callable[[Wanted], tuple[Path, ...]], since: datetime) -> None:
        self._find = find
        self._since = since
        self._tails: dict[Path, _Tail] = {}

    def suspects(self, is_known: Callable[[str], bool], ripe: datetime) -> tuple[Path, ...]:
        """The sessions with answered calls up to `ripe` that are not known, each by its main transcript."""
        mains = {main_of(path) for path in self._tails}
        for path in with_subagents([*mains, *self._find(self._is_new)]):
            if path not in self._tails and _written(path) >= self._since.timestamp():
                self._tails[path] = _Tail(GrowingFile(path), self._since, self._since)
        return tuple(
            dict.fromkeys(
                main_of(path) for path, tail in self._tails.items() if tail.has_unknown(is_known, ripe)
            )
        )

    def settle(self, paths: Sequence[Path]) -> None:
        """What was found unknown in these is settled."""
        for path, tail in self._tails.items():
            if main_of(path) in paths:
                tail.unknown.clear()

    def _is_new(self, path: Path) -> bool:
        """A session's subagents may write while it waits for them."""
        return path not in self._tails and any(
            _written(one) >= self._since.timestamp() for one in with_subagents([path])
        )


@dataclass(slots=True)
class _Tail:
    file: GrowingFile
    since: datetime
    last: datetime
    reader: Reader = field(default_factory=Reader)
    told: dict[str, datetime] = field(default_factory=dict)
    """Calls that are not looked for yet: by uid, when they were answered."""
    unknown: set[str] = field(default_factory=set)
    is_begun: bool = False

    def has_unknown(self, is_known: Callable[[str], bool], ripe: datetime) -> bool:
        """Read on; whether there are calls up to `ripe` that are not known and not settled."""
        with suppress(OSError):  # gone or locked: what it told until now is looked for all the same
            self._read_on()
        due = [uid for uid, at in self.told.items() if at <= ripe]
        for uid in due:
            del self.told[uid]
        self.unknown.update(uid for uid in due if not is_known(uid))
        return bool(self.unknown)

    def _read_on(self) -> None:
        if not self.is_begun:
            self.file.offset = offset_before(self.file.path, self.since - LONGEST_CALL)
            self.is_begun = True
        for lines in self.file.parts(self._begin_anew):
            self.last = self.reader.read_part(self.file.path, lines, self.last)
            for call in self.reader.let_go():
                uid = "" if isinstance(call, ReadCall) else uid_of(ADAPTER, call)
                if uid and call.stamp.at >= self.since:
                    self.told[uid] = call.stamp.at

    def _begin_anew(self) -> None:
        self.reader = Reader()


def _written(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
