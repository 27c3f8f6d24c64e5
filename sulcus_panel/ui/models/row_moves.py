"""From one list of ids to the next in the fewest runs of rows, so that a view keeps its place.

It is asked after every write, of as many as 50,000 rows: what stays is compared as whole arrays. Where rows went
and came in many places, as in a ledger sorted by file, that takes longer than a window may stand still: a worker
does it.
"""

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


@dataclass(frozen=True, slots=True)
class KnownMoves:
    """What a worker found out: the way from the rows of one `version` to others; None as `row_moves` says it."""

    version: int
    moves: RowMoves | None


@dataclass(frozen=True, slots=True)
class ShownIds:
    """The ids that were shown at one moment, for a worker to compare with; `ids` belongs to it alone."""

    version: int
    ids: "array[int]"

    def moves_to(self, new: "array[int]") -> KnownMoves:
        """Compare, in whatever thread."""
        return KnownMoves(self.version, row_moves(self.ids, new))


def row_moves(old: "array[int]", new: "array[int]") -> RowMoves | None:
    """Return how `old` becomes `new`; None where the order of what stays is another, or too much moved."""
    return _at_the_ends(old, new) or _anywhere(old, new)


def _at_the_ends(old: "array[int]", new: "array[int]") -> RowMoves | None:
    """The usual case without a look at each row: new ones above or below, old ones let go of at the end."""
    if not old:
        return RowMoves((), (RowRun(0, len(new) - 1),) if new else ())
    if old[0] not in new:
        return None
    top = new.index(old[0])
    stays = _alike(old, 0, new, top)
    if stays < len(old) and old[-1] in new:
        return None
    if not set(old[stays:]).isdisjoint(new[:top] + new[top + stays :]):
        return None
    removed = [RowRun(stays, len(old) - 1)] if stays < len(old) else []
    inserted = [RowRun(0, top - 1)] if top else []
    if top + stays < len(new):
        inserted.append(RowRun(top + stays, len(new) - 1))
    return RowMoves(tuple(removed), tuple(inserted))


def _anywhere(old: "array[int]", new: "array[int]") -> RowMoves | None:
    known, wanted = set(old), set(new)
    removed: list[RowRun] = []
    inserted: list[RowRun] = []
    row_before = row = _alike(old, 0, new, 0)
    while row_before < len(old) or row < len(new):
        gone = _outside(old, row_before, wanted)
        come = _outside(new, row, known)
        if gone:
            removed.append(RowRun(row_before, row_before + gone - 1))
        if come:
            inserted.append(RowRun(row, row + come - 1))
        row_before, row = row_before + gone, row + come
        stays = _alike(old, row_before, new, row)
        if not (gone or come or stays) or len(removed) + len(inserted) > MOST_RUNS:
            return None
        row_before, row = row_before + stays, row + stays
    return RowMoves(tuple(reversed(removed)), tuple(inserted))


def _outside(ids: "array[int]", start: int, others: set[int]) -> int:
    """Return how many ids from `start` on are not among the others."""
    end = start
    while end < len(ids) and ids[end] not in others:
        end += 1
    return end - start


def _alike(one: "array[int]", start: int, other: "array[int]", other_start: int) -> int:
    """Return how many ids from these places on are the same: strides that double, then halve."""
    most = min(len(one) - start, len(other) - other_start)
    found, stride = 0, 1
    while stride:
        stride = min(stride, most - found)
        at, other_at = start + found, other_start + found
        if stride and one[at : at + stride] == other[other_at : other_at + stride]:
            found += stride
            stride *= 2
        else:
            stride //= 2
    return found
