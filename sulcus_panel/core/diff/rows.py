"""Two texts as rows for a view, unified or side by side, made one at a time when they are asked for.

`DiffRows` is a cheap, immutable list over a comparison: opening a fold, or the other layout, is a new
`DiffRows` over the same comparison.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from itertools import accumulate
from typing import overload

from sulcus_panel.core.diff.comparison import Comparison, DiffSide, compare
from sulcus_panel.core.diff.unified import NO_NEWLINE
from sulcus_panel.core.diff.words import Pair, Span

MIN_FOLD = 4
"""Unchanged lines that are worth a fold."""


class RowKind(IntEnum):
    """What a row shows. CHANGED stands side by side only; NOTE says that a side ends without a newline."""

    CONTEXT = 0
    ADDED = 1
    REMOVED = 2
    CHANGED = 3
    FOLD = 4
    NOTE = 5


@dataclass(frozen=True, slots=True)
class DiffRow:
    """One row as it is shown. Line numbers count from 1, None where the side has no line here.

    Spans are runs (start, end) of characters in the shown text. A FOLD hides `folded` lines, the first of
    which are `old_no` and `new_no`.
    """

    kind: RowKind
    old_no: int | None = None
    new_no: int | None = None
    old_text: str = ""
    new_text: str = ""
    old_spans: tuple[Span, ...] = ()
    new_spans: tuple[Span, ...] = ()
    folded: int = 0


@dataclass(frozen=True, slots=True)
class Place:
    """What a row stands for, without its text: lines counted from 0, and the hunk or fold it belongs to."""

    kind: RowKind
    old: int | None
    new: int | None
    owner: int = -1
    folded: int = 0


@dataclass(frozen=True, slots=True)
class _Piece:
    """A run of rows of one sort: unchanged lines, a fold, or (CHANGED) the rows of a hunk."""

    kind: RowKind
    old: int
    new: int
    count: int
    rows: int
    owner: int


class DiffRows(Sequence[DiffRow]):
    """The rows of a comparison in one layout, with `context` unchanged lines around each difference.

    `opened` names the folds that are open, by the number of the difference they stand before.
    """

    def __init__(
        self,
        comparison: Comparison,
        *,
        side_by_side: bool,
        context: int = 3,
        opened: frozenset[int] = frozenset(),
    ) -> None:
        self.comparison = comparison
        self.side_by_side = side_by_side
        self.context = context
        self.opened = opened
        self._pieces = tuple(self._cut())
        self._ends = list(accumulate(piece.rows for piece in self._pieces))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    @overload
    def __getitem__(self, index: int) -> DiffRow: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[DiffRow, ...]: ...
    def __getitem__(self, index: int | slice) -> DiffRow | tuple[DiffRow, ...]:
        if isinstance(index, slice):
            return tuple(self.row(i) for i in range(*index.indices(len(self))))
        return self.row(index + len(self) if index < 0 else index)

    @cached_property
    def differences(self) -> tuple[int, ...]:
        """The first row of each difference, in order."""
        return tuple(
            end - piece.rows
            for end, piece in zip(self._ends, self._pieces, strict=True)
            if piece.kind is RowKind.CHANGED
        )

    def with_opened(self, opened: frozenset[int]) -> "DiffRows":
        """Return the same rows with these folds open."""
        return DiffRows(self.comparison, side_by_side=self.side_by_side, context=self.context, opened=opened)

    def all_folds(self) -> frozenset[int]:
        """Return the name of every fold there can be."""
        return frozenset(range(len(self.comparison.hunks) + 1))

    def place(self, index: int) -> Place:
        """Say what the row at `index` stands for."""
        if not 0 <= index < len(self):
            raise IndexError(index)
        at = bisect_right(self._ends, index)
        piece = self._pieces[at]
        offset = index - (self._ends[at] - piece.rows)
        if piece.kind is RowKind.FOLD:
            return Place(RowKind.FOLD, piece.old, piece.new, piece.owner, piece.count)
        if piece.kind is RowKind.CONTEXT:
            return Place(RowKind.CONTEXT, piece.old + offset, piece.new + offset)
        if self.side_by_side:
            return self._beside(piece.owner, offset)
        return self._below(piece.owner, offset)

    def row(self, index: int) -> DiffRow:
        """Return the row at `index` with its texts and word marks."""
        place = self.place(index)
        old_no, new_no = _number(place.old), _number(place.new)
        if place.kind is RowKind.FOLD:
            return DiffRow(RowKind.FOLD, old_no, new_no, folded=place.folded)
        if place.kind is RowKind.NOTE:
            old_text, new_text = (NO_NEWLINE if line is not None else "" for line in (place.old, place.new))
            return DiffRow(RowKind.NOTE, old_text=old_text, new_text=new_text)
        old_text, new_text = self.comparison.texts(self._pair(place))
        old_spans: tuple[Span, ...] = ()
        new_spans: tuple[Span, ...] = ()
        if place.kind is not RowKind.CONTEXT:
            old_spans, new_spans = self.comparison.word_marks(place.owner, old_text, new_text)
        return DiffRow(
            place.kind,
            old_no,
            new_no,
            old_text if old_no else "",
            new_text if new_no else "",
            old_spans if old_no else (),
            new_spans if new_no else (),
        )

    def _pair(self, place: Place) -> Pair:
        """Return the lines whose texts a row is made from: its own and the one it is compared with."""
        if place.kind is RowKind.REMOVED and place.old is not None:
            return self.comparison.pair_of(place.owner, DiffSide.OLD, place.old)
        if place.kind is RowKind.ADDED and place.new is not None:
            return self.comparison.pair_of(place.owner, DiffSide.NEW, place.new)
        return place.old, place.new

    def find(self, side: DiffSide, line: int) -> int:
        """Return the row that shows `line` (from 0) of a side, or the fold that hides it, or the next row."""
        is_old = side is DiffSide.OLD
        at = bisect_right(self._pieces, line, key=lambda piece: piece.old if is_old else piece.new) - 1
        if at < 0:
            return 0
        piece = self._pieces[at]
        first = self._ends[at] - piece.rows
        if piece.kind is RowKind.FOLD:
            return first
        if piece.kind is RowKind.CONTEXT:
            return first + min(line - (piece.old if is_old else piece.new), piece.rows - 1)
        for index in range(first, first + piece.rows):
            place = self.place(index)
            if (place.old if is_old else place.new) == line:
                return index
        return first

    def same_row(self, other: "DiffRows", index: int) -> int:
        """Return the row here that shows what `index` shows in other rows of the same comparison."""
        place = other.place(index)
        if place.kind is RowKind.NOTE:
            return self.differences[place.owner]
        if place.new is not None:
            return self.find(DiffSide.NEW, place.new)
        return self.find(DiffSide.OLD, place.old or 0)

    def _cut(self) -> Iterator[_Piece]:
        old = new = 0
        hunks = self.comparison.hunks
        for index, hunk in enumerate(hunks):
            yield from self._unchanged(index, old, new, hunk.before_start - old)
            old, new = hunk.before_start + hunk.before_lines, hunk.after_start + hunk.after_lines
            yield _Piece(RowKind.CHANGED, hunk.before_start, hunk.after_start, 0, self._height(index), index)
        yield from self._unchanged(len(hunks), old, new, len(self.comparison.old.lines) - old)

    def _unchanged(self, owner: int, old: int, new: int, count: int) -> Iterator[_Piece]:
        head = self.context if owner else 0
        tail = self.context if owner < len(self.comparison.hunks) else 0
        hidden = count - head - tail
        if hidden < MIN_FOLD or owner in self.opened:
            head, hidden = count, 0
        for kind, start, size, rows in (
            (RowKind.CONTEXT, 0, head, head),
            (RowKind.FOLD, head, hidden, 1),
            (RowKind.CONTEXT, head + hidden, count - head - hidden, count - head - hidden),
        ):
            if size:
                yield _Piece(kind, old + start, new + start, size, rows, owner)

    def _height(self, owner: int) -> int:
        hunk = self.comparison.hunks[owner]
        notes = self.comparison.lacks_newline(owner)
        if self.side_by_side:
            return self.comparison.pair_count(owner) + any(notes)
        return hunk.before_lines + hunk.after_lines + sum(notes)

    def _beside(self, owner: int, offset: int) -> Place:
        if offset == self.comparison.pair_count(owner):
            old_note, new_note = self.comparison.lacks_newline(owner)
            return Place(RowKind.NOTE, 0 if old_note else None, 0 if new_note else None, owner)
        old, new = self.comparison.pair(owner, offset)
        kind = RowKind.CHANGED
        if old is None or new is None:
            kind = RowKind.ADDED if old is None else RowKind.REMOVED
        return Place(kind, old, new, owner)

    def _below(self, owner: int, offset: int) -> Place:
        hunk = self.comparison.hunks[owner]
        if offset < hunk.before_lines:
            return Place(RowKind.REMOVED, hunk.before_start + offset, None, owner)
        offset -= hunk.before_lines
        if self.comparison.lacks_newline(owner)[0]:
            if offset == 0:
                return Place(RowKind.NOTE, 0, None, owner)
            offset -= 1
        if offset < hunk.after_lines:
            return Place(RowKind.ADDED, None, hunk.after_start + offset, owner)
        return Place(RowKind.NOTE, None, 0, owner)


def _number(line: int | None) -> int | None:
    return None if line is None else line + 1


def diff_rows(
    old: bytes | None,
    new: bytes | None,
    *,
    context: int = 3,
    side_by_side: bool,
    ignore_whitespace: bool = False,
) -> tuple[DiffRow, ...]:
    """Return all rows at once, for small texts and for tests."""
    comparison = compare(old, new, ignore_whitespace=ignore_whitespace)
    return DiffRows(comparison, side_by_side=side_by_side, context=context)[:]
