"""Two texts compared once more, by other rules: what else could have become of their lines?

A differ is asked only about lines that can be read in another way. Lines that stand once in both texts, in one
order, are the same lines; between two of them nothing is in doubt if no line that went stands in the other text.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from sulcus_panel.core.diff.alignments import Edit, shifted
from sulcus_panel.core.diff.hunks import differing_runs
from sulcus_panel.core.undo.lines import Reading, middle

WORTH = 8_000
"""Bytes that a differ must be spared, to be asked once more on its own about a part."""

BESIDE = 2
"""Equal lines beyond a part that a differ looks at, where an edit may slide."""

FEW = 3
"""Landmarks that part two edits: one alone may be a copy, whose original was changed by the same step."""

Rows = list[bytes]
Run = tuple[int, int]


class _Part(NamedTuple):
    """Edits between two landmarks, the rows `[top, bottom)`, and what a differ sees of the old and the new text."""

    edits: Reading
    top: int
    bottom: int
    old: slice
    new: slice


def compared_anew(
    old: bytes, new: bytes, edits: Reading, runs: Sequence[Run] | None = None
) -> tuple[Reading, Reading]:
    """Compare two texts, whose `edits` are known, by patience, and from the last line up.

    Reading from below, equal lines slide the other way. Only what may matter to `runs` of the old text's lines is
    compared, where such are given: between them and all else stand landmarks.
    """
    start, end_old, end_new = middle(old, new)
    above = old.count(b"\n", 0, start)
    a, b = old[start:end_old], new[start:end_new]
    rows_a, rows_b = a.split(b"\n"), b.split(b"\n")
    known = shifted(edits, -above, -above)
    if _is_sure(known, rows_a, rows_b):
        return edits, edits
    parts = _parts(known, rows_a, rows_b)
    doubtful = [
        part
        for part in parts
        if (runs is None or _is_near(part, runs, above)) and not _is_sure(part.edits, rows_a, rows_b)
    ]
    if parts and not doubtful:
        return edits, edits
    ways = None
    if len(doubtful) * WORTH <= len(a):
        ways = _by_parts(parts, doubtful, rows_a, rows_b)
    if ways is None:
        ways = _by_patience(a, b), _from_below(rows_a, rows_b)
    patience, below = (shifted(way, above, above) for way in ways)
    return edits if patience == edits else patience, edits if below == edits else below


def _is_near(part: _Part, runs: Sequence[Run], above: int) -> bool:
    """Say whether a run of lines, counted from `above` rows further up, reaches a part or its landmarks."""
    top, bottom = part.top + above - 1, part.bottom + above + 1
    return any(start <= bottom and top <= end for start, end in runs)


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
    if min(edits[0].a0, edits[0].b0) < 0 or edits[-1].a1 > len(a) or edits[-1].b1 > len(b):
        return []
    landmarks = _Landmarks(a, b)
    crossed = landmarks.crossed(edits, a, b)
    parts: list[_Part] = []
    first, top = 0, landmarks.above(a, 0, edits[0].a0)
    for at, edit in enumerate(edits):
        end = edits[at + 1].a0 if at + 1 < len(edits) else len(a) - 1
        bottom, next_top = landmarks.below(a, edit.a1, end), landmarks.above(a, edit.a1, end)
        if at + 1 < len(edits) and (at in crossed or bottom >= next_top):
            continue
        low = max(edits[first - 1].a1 if first else 0, top - 1 - BESIDE)
        up, down = edits[first].b0 - edits[first].a0, edit.b1 - edit.a1
        old, new = slice(low, len(a)), slice(low + up, len(b))
        if bottom < end:
            high = min(end, bottom + 1 + BESIDE)
            old, new = slice(low, high), slice(low + up, high + down)
        parts.append(_Part(edits[first : at + 1], top, bottom if bottom < end else len(a), old, new))
        first, top = at + 1, next_top
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
        """Return the last of the first few landmarks within a run of rows, its end if it has fewer."""
        ones = (at for at in range(start, end) if self._is_one(rows[at]))
        return next(islice(ones, FEW - 1, None), end)

    def above(self, rows: Rows, start: int, end: int) -> int:
        """Return the row below the first of the last few landmarks within a run, its start if it has fewer."""
        ones = (at + 1 for at in range(end - 1, start - 1, -1) if self._is_one(rows[at]))
        return next(islice(ones, FEW - 1, None), start)


def _by_parts(
    parts: Sequence[_Part], doubtful: Sequence[_Part], a: Rows, b: Rows
) -> tuple[Reading, Reading] | None:
    """Ask a differ about the doubtful parts alone; None if it holds landmarks for other lines."""
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
