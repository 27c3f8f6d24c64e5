"""Two texts compared once more, by other rules: what else could have become of their lines?

A differ is asked only about lines that can be read in another way. Lines that stand once in both texts, in one
order, are the same lines; between two of them nothing is in doubt if no line that went stands in the other text.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from sulcus_panel.core.diff.alignments import Edit, shifted
from sulcus_panel.core.diff.hunks import differing_runs
from sulcus_panel.core.undo.lines import Reading, middle

WORTH = 8_000
"""Bytes that a differ must be spared, to be asked once more on its own about a part."""

BESIDE = 2
"""Equal lines beyond a part that a differ looks at, where an edit may slide."""

Rows = list[bytes]


class _Part(NamedTuple):
    """Edits between two landmarks, the rows `[top, bottom)`, and what a differ sees of the old and the new text."""

    edits: Reading
    top: int
    bottom: int
    old: slice
    new: slice


def compared_anew(old: bytes, new: bytes, edits: Reading) -> tuple[Reading, Reading]:
    """Compare two texts, whose `edits` are known, by patience, and from the last line up.

    Reading from below, equal lines slide the other way.
    """
    start, end_old, end_new = middle(old, new)
    above = old.count(b"\n", 0, start)
    a, b = old[start:end_old], new[start:end_new]
    rows_a, rows_b = a.split(b"\n"), b.split(b"\n")
    known = shifted(edits, -above, -above) if above else edits
    if _is_sure(known, rows_a, rows_b):
        return edits, edits
    ways = _by_parts(_parts(known, rows_a, rows_b), rows_a, rows_b)
    if ways is None:
        ways = _by_patience(a, b), _from_below(rows_a, rows_b)
    patience, below = (shifted(way, above, above) if above else way for way in ways)
    return edits if patience == edits else patience, edits if below == edits else below


def _is_sure(edits: Reading, a: Rows, b: Rows) -> bool:
    """Say whether no line that went stands in the other text among the edits or right beside, nor one that came.

    What is left is the same on both sides, then, line by line: nothing can be paired in any other way.
    """
    if not edits:
        return True
    first, last = edits[0], edits[-1]
    if min(first.a0, first.b0) < 0 or last.a1 > len(a) or last.b1 > len(b):
        return False
    gone: set[bytes] = set()
    come: set[bytes] = set()
    for edit in edits:
        gone.update(a[edit.a0 : edit.a1])
        come.update(b[edit.b0 : edit.b1])
    beside_a, beside_b = max(0, first.a0 - 1), max(0, first.b0 - 1)
    return gone.isdisjoint(b[beside_b : last.b1 + 1]) and come.isdisjoint(a[beside_a : last.a1 + 1])


def _parts(edits: Reading, a: Rows, b: Rows) -> list[_Part]:
    """Part two texts at their landmarks; nothing where that is no use."""
    if len(edits) < 2 or min(edits[0].a0, edits[0].b0) < 0 or edits[-1].a1 > len(a) or edits[-1].b1 > len(b):
        return []
    landmarks = _Landmarks(a, b)
    crossed = landmarks.crossed(edits, a, b)
    parts: list[_Part] = []
    first, top = 0, landmarks.above(a, 0, edits[0].a0)
    for at, edit in enumerate(edits):
        end = edits[at + 1].a0 if at + 1 < len(edits) else len(a) - 1
        bottom = landmarks.below(a, edit.a1, end)
        if at + 1 < len(edits) and (at in crossed or bottom == end):
            continue
        low = max(edits[first - 1].a1 if first else 0, top - 1 - BESIDE)
        up, down = edits[first].b0 - edits[first].a0, edit.b1 - edit.a1
        old, new = slice(low, len(a)), slice(low + up, len(b))
        if bottom < end:
            high = min(end, bottom + 1 + BESIDE)
            old, new = slice(low, high), slice(low + up, high + down)
        parts.append(_Part(edits[first : at + 1], top, bottom if bottom < end else len(a), old, new))
        first, top = at + 1, landmarks.above(a, edit.a1, end)
    return parts


class _Landmarks:
    """The rows that stand once in either text."""

    def __init__(self, a: Rows, b: Rows) -> None:
        self._one, self._other = Counter(a), Counter(b)

    def _is_one(self, row: bytes) -> bool:
        return self._one[row] == 1 == self._other.get(row)

    def crossed(self, edits: Reading, a: Rows, b: Rows) -> set[int]:
        """Return after which edits no landmark counts, since a row that stands once has moved across."""
        come = {row: at for at, edit in enumerate(edits) for row in b[edit.b0 : edit.b1]}
        found: set[int] = set()
        for at, edit in enumerate(edits):
            ends = [come[row] for row in a[edit.a0 : edit.a1] if row in come and self._is_one(row)]
            if ends:
                found.update(range(min(at, *ends), max(at, *ends)))
        return found

    def below(self, rows: Rows, start: int, end: int) -> int:
        """Return the first landmark within a run of the old text's rows, its end if there is none."""
        return next((at for at in range(start, end) if self._is_one(rows[at])), end)

    def above(self, rows: Rows, start: int, end: int) -> int:
        """Return the row below the last landmark within a run of rows, its start if there is none."""
        return next((at + 1 for at in range(end - 1, start - 1, -1) if self._is_one(rows[at])), start)


def _by_parts(parts: Sequence[_Part], a: Rows, b: Rows) -> tuple[Reading, Reading] | None:
    """Ask a differ about the doubtful parts alone; None if that is no use, or if it holds landmarks for others."""
    doubtful = [part for part in parts if not _is_sure(part.edits, a, b)]
    if not parts or len(doubtful) * WORTH > sum(map(len, a)):
        return None
    found: tuple[list[Edit], list[Edit]] = ([], [])
    for part in parts:
        ways = _ways(part, a, b) if part in doubtful else (part.edits, part.edits)
        if any(way and (way[0].a0 < part.top or way[-1].a1 > part.bottom) for way in ways):
            return None
        found[0].extend(ways[0])
        found[1].extend(ways[1])
    return tuple(found[0]), tuple(found[1])


def _ways(part: _Part, a: Rows, b: Rows) -> tuple[Reading, Reading]:
    rows_a, rows_b = _rows(a, part.old), _rows(b, part.new)
    patience = _by_patience(b"\n".join(rows_a), b"\n".join(rows_b))
    below = _from_below(rows_a, rows_b)
    return shifted(patience, part.old.start, part.new.start), shifted(below, part.old.start, part.new.start)


def _rows(rows: Rows, run: slice) -> Rows:
    """Return a run of rows as those of a text of its own."""
    return rows[run] if run.stop == len(rows) else [*rows[run], b""]


def _by_patience(a: bytes, b: bytes) -> Reading:
    return tuple([Edit(*run) for run in differing_runs(a, b, patience=True)])


def _from_below(rows_a: Rows, rows_b: Rows) -> Reading:
    (a, height_a), (b, height_b) = _upside_down(rows_a), _upside_down(rows_b)
    runs = reversed(differing_runs(a, b))
    return tuple(
        [Edit(height_a - a1, height_a - a0, height_b - b1, height_b - b0) for a0, a1, b0, b1 in runs]
    )


def _upside_down(rows: Rows) -> tuple[bytes, int]:
    """Return a text last line first, and how many lines it has; one without its newline is marked."""
    last = [rows[-1] + b"\0"] if rows[-1] else []
    return b"\n".join([*last, *rows[-2::-1], b""]), len(rows) - 1 + len(last)
