"""Two texts compared for showing: their lines, their hunks, and which line stands beside which.

All work that grows with the files is done by `compare`, meant for a worker; the rest answers at once.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum

from sulcus_panel.core.diff.hunks import count_lines, diff_hunks
from sulcus_panel.core.diff.shared_ends import shared_characters
from sulcus_panel.core.diff.shown import Side, as_utf8, both_sides
from sulcus_panel.core.diff.words import (
    MAX_CELLS,
    Pair,
    Span,
    by_position,
    pair_lines,
    word_spans,
)
from sulcus_panel.core.model import Hunk

MAX_WORD_PAIRS = 500
"""Lines in a hunk above which no words are marked."""
PAIRING_BUDGET = 40 * MAX_CELLS
"""Line pairs weighed in one comparison; hunks beyond it are paired by position."""


class DiffSide(IntEnum):
    """Before and after."""

    OLD = 0
    NEW = 1


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two texts and their differences; `pairs` only for the hunks whose lines are not paired by position.

    A difference is named by its number, `owner`; lines count from 0.
    """

    old: Side
    new: Side
    hunks: tuple[Hunk, ...]
    pairs: Mapping[int, tuple[Pair, ...]]
    columns: int
    """Columns of the widest line, never too few."""

    @property
    def counts(self) -> tuple[int, int]:
        """Lines added and removed."""
        return count_lines(self.hunks)

    def side(self, side: DiffSide) -> Side:
        """Return one of the two sides."""
        return self.new if side is DiffSide.NEW else self.old

    def pair_count(self, owner: int) -> int:
        """Return how many rows a difference takes side by side."""
        hunk = self.hunks[owner]
        pairs = self.pairs.get(owner)
        return len(pairs) if pairs is not None else max(hunk.before_lines, hunk.after_lines)

    def pair(self, owner: int, offset: int) -> Pair:
        """Return the lines that stand beside each other in one row of a difference."""
        hunk = self.hunks[owner]
        pairs = self.pairs.get(owner)
        if pairs is None:
            left = offset if offset < hunk.before_lines else None
            right = offset if offset < hunk.after_lines else None
        else:
            left, right = pairs[offset]
        return (
            None if left is None else hunk.before_start + left,
            None if right is None else hunk.after_start + right,
        )

    def pair_of(self, owner: int, side: DiffSide, line: int) -> Pair:
        """Return the pair that a line of a difference stands in."""
        hunk = self.hunks[owner]
        offset = line - (hunk.after_start if side is DiffSide.NEW else hunk.before_start)
        pairs = self.pairs.get(owner)
        if pairs is not None:
            offset = next(i for i, pair in enumerate(pairs) if pair[side] == offset)
        return self.pair(owner, offset)

    def lacks_newline(self, owner: int) -> tuple[bool, bool]:
        """Say for each side whether a difference holds its last line and that ends without LF."""
        hunk = self.hunks[owner]
        old_end, new_end = hunk.before_start + hunk.before_lines, hunk.after_start + hunk.after_lines
        return (
            hunk.before_lines > 0 and old_end == len(self.old.lines) and self.old.lacks_newline(old_end - 1),
            hunk.after_lines > 0 and new_end == len(self.new.lines) and self.new.lacks_newline(new_end - 1),
        )

    def texts(self, pair: Pair) -> tuple[str, str]:
        """Return both texts of a pair as they are shown; long ones are cut around their first difference."""
        old, new = pair
        if old is None or new is None:
            return (
                self.old.text(old) if old is not None else "",
                self.new.text(new) if new is not None else "",
            )
        focus = shared_characters(self.old.decoded(old), self.new.decoded(new))
        return self.old.text(old, focus), self.new.text(new, focus)

    def word_marks(self, owner: int, old: str, new: str) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
        """Return the characters that differ between two shown texts of a difference."""
        hunk = self.hunks[owner]
        if not old or not new or max(hunk.before_lines, hunk.after_lines) > MAX_WORD_PAIRS:
            return (), ()
        return word_spans(old, new)


def compare(old: bytes | None, new: bytes | None, *, ignore_whitespace: bool = False) -> Comparison:
    """Compare two texts for showing; None is a file that is not there."""
    left, right = both_sides(old, new)
    hunks = diff_hunks(as_utf8(old or b""), as_utf8(new or b""), ignore_whitespace=ignore_whitespace)
    columns = max(left.columns(), right.columns())
    return Comparison(left, right, hunks, dict(_alike(left, right, hunks)), columns)


def _alike(left: Side, right: Side, hunks: tuple[Hunk, ...]) -> Iterator[tuple[int, tuple[Pair, ...]]]:
    spent = 0
    for index, hunk in enumerate(hunks):
        cells = hunk.before_lines * hunk.after_lines
        if not 1 < cells <= MAX_CELLS or spent + cells > PAIRING_BUDGET:
            continue
        spent += cells
        pairs = pair_lines(
            [left.text(hunk.before_start + i) for i in range(hunk.before_lines)],
            [right.text(hunk.after_start + i) for i in range(hunk.after_lines)],
        )
        if pairs != tuple(by_position(range(hunk.before_lines), range(hunk.after_lines))):
            yield index, pairs
