"""From one list of ids to the next in the fewest runs of rows, so that a view keeps its place."""

from array import array
from dataclasses import dataclass

MOST_RUNS = 200
"""More runs than this cost a view more than starting over."""


@dataclass(frozen=True, slots=True)
class RowRun:
    """Rows `first` to `last`, both meant."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class RowMoves:
    """First take out `removed` (old rows, last run first), then put in `inserted` (new rows)."""

    removed: tuple[RowRun, ...]
    inserted: tuple[RowRun, ...]


def row_moves(old: "array[int]", new: "array[int]") -> RowMoves | None:
    """Return how `old` becomes `new`; None where the order of what stays is another, or too much moved."""
    grown = len(new) - len(old)
    if grown > 0 and new[grown:] == old:
        return RowMoves((), (RowRun(0, grown - 1),))
    known, wanted = set(old), set(new)
    if [each for each in old if each in wanted] != [each for each in new if each in known]:
        return None
    removed = _runs([row for row, each in enumerate(old) if each not in wanted])
    inserted = _runs([row for row, each in enumerate(new) if each not in known])
    if len(removed) + len(inserted) > MOST_RUNS:
        return None
    return RowMoves(tuple(reversed(removed)), tuple(inserted))


def _runs(rows: list[int]) -> list[RowRun]:
    runs: list[RowRun] = []
    for row in rows:
        if runs and runs[-1].last == row - 1:
            runs[-1] = RowRun(runs[-1].first, row)
        else:
            runs.append(RowRun(row, row))
    return runs
