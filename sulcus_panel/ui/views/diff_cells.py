"""Rows to cells: what stands in one pane of the diff view, before any pixel. Pure."""

from dataclasses import dataclass, replace
from enum import IntEnum

from sulcus_panel.core.diff import DiffRow, DiffRows, DiffSide, RowKind
from sulcus_panel.core.diff.unified import NO_NEWLINE
from sulcus_panel.core.diff.words import Span


class Tone(IntEnum):
    """How a cell is coloured. MISSING is the hatched place beside lines that only the other side has."""

    PLAIN = 0
    ADDED = 1
    REMOVED = 2
    MISSING = 3
    FOLD = 4
    NOTE = 5


MOST_MEASURED = 2_000
"""Rows up to which the widest shown line is looked for; above, the widest of the whole file will do."""
SIGNS = {Tone.ADDED: "+", Tone.REMOVED: "-"}


@dataclass(frozen=True, slots=True)
class Cell:
    """One row in one pane: a line number for each number column, the text and its marked words."""

    tone: Tone
    numbers: tuple[int | None, ...]
    text: str = ""
    spans: tuple[Span, ...] = ()
    side: DiffSide = DiffSide.NEW

    @property
    def sign(self) -> str:
        """The sign that says the same as the colour."""
        return SIGNS.get(self.tone, "")

    @property
    def line(self) -> int | None:
        """The line of its side, counted from 0, or None where the cell shows none."""
        number = self.numbers[self.side] if len(self.numbers) > 1 else self.numbers[0]
        return None if number is None or self.tone is Tone.FOLD else number - 1


def cells_of(row: DiffRow, side_by_side: bool) -> tuple[Cell, ...]:
    """Return the cells of a row: one for both sides, or one for each."""
    if row.kind is RowKind.FOLD:
        fold = Cell(Tone.FOLD, (None, None), fold_text(row.folded))
        return (fold, fold) if side_by_side else (fold,)
    if side_by_side:
        return _side_cell(row, DiffSide.OLD), _side_cell(row, DiffSide.NEW)
    return (_unified_cell(row),)


def fold_text(count: int) -> str:
    """Return what a fold says."""
    return f"⋯  {count:,} unchanged {'line' if count == 1 else 'lines'}  ⋯"


def _unified_cell(row: DiffRow) -> Cell:
    numbers = (row.old_no, row.new_no)
    if row.kind is RowKind.REMOVED:
        return Cell(Tone.REMOVED, numbers, row.old_text, row.old_spans, DiffSide.OLD)
    if row.kind is RowKind.NOTE:
        return Cell(Tone.NOTE, numbers, row.old_text or row.new_text)
    tone = Tone.ADDED if row.kind is RowKind.ADDED else Tone.PLAIN
    return Cell(tone, numbers, row.new_text, row.new_spans)


def _side_cell(row: DiffRow, side: DiffSide) -> Cell:
    is_old = side is DiffSide.OLD
    number, text, spans = (
        (row.old_no, row.old_text, row.old_spans) if is_old else (row.new_no, row.new_text, row.new_spans)
    )
    if row.kind is RowKind.NOTE:
        return Cell(Tone.NOTE if text else Tone.MISSING, (None,), text, side=side)
    if number is None:
        return Cell(Tone.MISSING, (None,), side=side)
    tone = Tone.PLAIN
    if row.kind is not RowKind.CONTEXT:
        tone = Tone.REMOVED if is_old else Tone.ADDED
    return Cell(tone, (number,), text, spans, side)


def columns_shown(rows: DiffRows) -> int:
    """Return the columns of the widest line that is not folded away; never too few."""
    if len(rows) > MOST_MEASURED:
        return rows.comparison.columns
    places = [rows.place(index) for index in range(len(rows))]
    shown = [place for place in places if place.kind not in (RowKind.FOLD, RowKind.NOTE)]
    widest = len(NO_NEWLINE) if any(place.kind is RowKind.NOTE for place in places) else 0
    for side in DiffSide:
        whole = rows.comparison.side(side)
        lines = [place.new if side is DiffSide.NEW else place.old for place in shown]
        part = replace(whole, lines=[whole.lines[line] for line in lines if line is not None])
        widest = max(widest, part.columns())
    return widest


def text_between(rows: DiffRows, first: int, last: int, side: DiffSide) -> str:
    """Return the lines of some rows as they are in the file, folded ones included, for the clipboard.

    Side by side only `side` counts; unified each row gives the line it shows, and `side` is not asked.
    """
    lines: list[str] = []
    for index in range(first, last + 1):
        place = rows.place(index)
        if place.kind is RowKind.NOTE:
            continue
        shown = side
        if not rows.side_by_side:
            shown = DiffSide.OLD if place.kind is RowKind.REMOVED else DiffSide.NEW
        line = place.new if shown is DiffSide.NEW else place.old
        if line is not None:
            source = rows.comparison.side(shown)
            lines += [source.raw(line + i) for i in range(max(1, place.folded))]
    ended = [line if line.endswith("\n") else line + "\n" for line in lines[:-1]]
    return "".join(ended + lines[-1:])
