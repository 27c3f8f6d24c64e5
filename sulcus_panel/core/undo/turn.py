"""What a turn did to one text, and what becomes of each of its hunks: the words of the text engine."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from sulcus_panel.core.diff import split_lines
from sulcus_panel.core.diff.alignments import Edit, edits_of, holds, hunks_of
from sulcus_panel.core.model import Hunk
from sulcus_panel.core.undo.blame import NOBODY, Who
from sulcus_panel.core.undo.lines import edits_between
from sulcus_panel.core.undo.model import WRITTEN, HunkOutcome

Lines = tuple[bytes, ...]
Run = tuple[int, int]
Reading = tuple[Edit, ...]

CLEAN = frozenset({HunkOutcome.UNDONE, HunkOutcome.ALREADY_UNDONE, HunkOutcome.MOVED})
"""Outcomes that need nobody's eye."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What a turn did to one text. Applying `hunks` to `before` gives `after`."""

    before: Lines
    after: Lines
    hunks: tuple[Hunk, ...]

    @property
    def exact(self) -> bool:
        """Say whether all hunks were seen when they happened, none found by comparing."""
        return all(hunk.exact for hunk in self.hunks)

    @classmethod
    def of(cls, before: bytes, after: bytes, recorded: Sequence[Hunk]) -> "Turn":
        """Build a turn; recorded hunks are used where they prove right, else the two texts are compared."""
        old, new = tuple(split_lines(before)), tuple(split_lines(after))
        hunks = tuple(recorded)
        if hunks and holds(edits_of(hunks), old, new):
            return cls(old, new, hunks)
        return cls(old, new, hunks_of(edits_between(before, after)))

    def restores(self, hunk: Hunk) -> Lines:
        """Return the lines that stood there before the turn."""
        return self.before[hunk.before_start : hunk.before_start + hunk.before_lines]

    def slid(self, *, up: bool) -> "Turn":
        """Return the same turn with its pure insertions and deletions read as far up (or down) as they go.

        What was seen as it happened stays where it is.
        """
        hunks = list(self.hunks)
        for index in range(len(hunks)) if up else reversed(range(len(hunks))):
            hunk = hunks[index]
            if has_open_place(hunk):
                room = self._room(hunks, index, up=up)
                hunks[index] = Hunk(
                    hunk.before_start + room, hunk.before_lines, hunk.after_start + room, hunk.after_lines
                )
        return replace(self, hunks=tuple(hunks))

    def room(self, index: int) -> tuple[int, int]:
        """Return how many lines a hunk can be read further up (0 or less) and further down."""
        if not has_open_place(self.hunks[index]):
            return 0, 0
        return self._room(self.hunks, index, up=True), self._room(self.hunks, index, up=False)

    def _room(self, hunks: Sequence[Hunk], index: int, *, up: bool) -> int:
        hunk = hunks[index]
        inserted = hunk.after_lines > 0
        lines = self.after if inserted else self.before
        start, size = (
            (hunk.after_start, hunk.after_lines) if inserted else (hunk.before_start, hunk.before_lines)
        )
        room = 0
        if up:
            most = hunk.after_start - (span(hunks[index - 1])[1] if index else 0)
            while -room < most and lines[start + room - 1] == lines[start + size + room - 1]:
                room -= 1
            return room
        after = hunks[index + 1].after_start if index + 1 < len(hunks) else len(self.after)
        most = after - span(hunk)[1]
        while room < most and lines[start + room] == lines[start + size + room]:
            room += 1
        return room

    def without(self, hunks: Sequence[Hunk], low: int, high: int) -> Lines:
        """Return lines `[low, high)` of the after-image as they would be without these hunks."""
        lines: list[bytes] = []
        at = low
        for hunk in hunks:
            lines += self.after[at : hunk.after_start]
            lines += self.restores(hunk)
            at = hunk.after_start + hunk.after_lines
        lines += self.after[at:high]
        return tuple(lines)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of one hunk: lines `[start, end)` of the disk would give way to `restored`.

    Hunks that were judged `together` share one place and its lines. `who` stands there, where anybody does.
    """

    outcome: HunkOutcome
    start: int
    end: int
    restored: Lines = ()
    reason: str = ""
    who: Who = NOBODY
    together: tuple[int, ...] = ()

    @property
    def clean(self) -> bool:
        """True where the hunk can go back, or has gone back, without a person's eye."""
        return self.outcome in CLEAN

    def gives(self, other: "Verdict", now: Lines) -> bool:
        """Say whether this hunk taken back alone gives the same text as by another verdict."""
        low, high = min(self.start, other.start), max(self.end, other.end)
        return self.within(low, high, now) == other.within(low, high, now)

    def within(self, low: int, high: int, now: Lines) -> Lines:
        """Return what lines `[low, high)` of the disk would be; they hold the verdict's own."""
        if self.outcome not in WRITTEN:
            return now[low:high]
        return (*now[low : self.start], *self.restored, *now[self.end : high])


@dataclass(frozen=True, slots=True)
class Merge:
    """A turn against the disk's lines, under one reading of what came between; `chosen` hunks are taken back."""

    turn: Turn
    now: Lines
    edits: Reading
    chosen: frozenset[int]
    by_words: dict[tuple[tuple[int, ...], Run, Run, Lines], Verdict] = field(
        default_factory=dict, repr=False, compare=False
    )
    """What word merges came to, by hunks, both runs, the lines wanted: other readings ask for the same again."""


def has_open_place(hunk: Hunk) -> bool:
    """Say whether equal lines may leave the place of a hunk open: a pure insertion or deletion that nobody saw."""
    return not hunk.exact and (hunk.before_lines == 0) != (hunk.after_lines == 0)


def span(hunk: Hunk) -> tuple[int, int]:
    """Return the lines `[start, end)` of the after-image that a hunk left."""
    return hunk.after_start, hunk.after_start + hunk.after_lines


def fuses(restored: Lines, now: Lines, start: int, end: int) -> bool:
    """Say whether putting the lines there would glue two together, one of them lacking its newline."""
    lines = [*now[max(0, start - 1) : start], *restored, *now[end : end + 1]]
    return any(not line.endswith(b"\n") for line in lines[:-1])
