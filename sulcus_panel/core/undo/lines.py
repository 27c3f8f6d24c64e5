"""Where the lines of one version stand in another: exact alignments, composed through every known version.

An alignment is the list of its edits; every line outside them stands unchanged. Edits are in order and half-open;
two may touch, and then their border is known. Pure; costs grow with the number of edits, never with the file.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sulcus_panel.core.diff import diff_hunks
from sulcus_panel.core.model import Hunk

SMALL = 4000
"""Bytes below which texts are compared whole."""
MARGIN = 2000
"""Bytes that are kept of what two texts begin and end with, so that equal lines can slide there."""


class Edit(NamedTuple):
    """Lines `[a0, a1)` of the first version stand as lines `[b0, b1)` in the second."""

    a0: int
    a1: int
    b0: int
    b1: int


def edits_between(
    old: bytes, new: bytes, *, patience: bool = False, from_below: bool = False
) -> tuple[Edit, ...]:
    """Compare two texts, from the first line down or from the last one up; where they begin and end alike is quick.

    Reading from below, equal lines slide the other way.
    """
    start, end_old, end_new = _middle(old, new)
    a, b = old[start:end_old], new[start:end_new]
    above = old.count(b"\n", 0, start)
    edits = _mirrored(a, b) if from_below else edits_of(diff_hunks(a, b, patience=patience))
    return tuple(Edit(*(line + above for line in edit)) for edit in edits) if above else edits


def _middle(old: bytes, new: bytes) -> tuple[int, int, int]:
    """Return where two texts begin to differ and where they cease to, some lines of both ends included."""
    short = min(len(old), len(new))
    if old == new or short < SMALL:
        return 0, len(old), len(new)
    head = shared_head(old, new, short)
    tail = shared_tail(old, new, short - head)
    start = old.rfind(b"\n", 0, max(0, head - MARGIN)) + 1
    end = old.find(b"\n", min(len(old), len(old) - tail + MARGIN))
    kept = len(old) - (end + 1 if end >= 0 else len(old))
    return start, len(old) - kept, len(new) - kept


def shared_head(one: bytes, other: bytes, most: int) -> int:
    """Count the leading bytes that two texts share, comparing whole blocks."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def shared_tail(one: bytes, other: bytes, most: int) -> int:
    """Count the last bytes that two texts share, comparing whole blocks."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if one[len(one) - middle : len(one) - low] == other[len(other) - middle : len(other) - low]:
            low = middle
        else:
            high = middle - 1
    return low


def edits_of(hunks: Iterable[Hunk]) -> tuple[Edit, ...]:
    """Turn hunks into the alignment from before to after."""
    return _real(
        Edit(
            hunk.before_start,
            hunk.before_start + hunk.before_lines,
            hunk.after_start,
            hunk.after_start + hunk.after_lines,
        )
        for hunk in hunks
    )


def _real(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    return tuple(edit for edit in edits if edit.a0 < edit.a1 or edit.b0 < edit.b1)


def overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Say whether two runs of lines share a line, or a point lies inside a run; touching is not overlapping.

    Two points at the very same place do overlap: nothing says which comes first.
    """
    if one[0] == one[1] and other[0] == other[1]:
        return one == other
    return one[0] < other[1] and other[0] < one[1]


def compose(first: Sequence[Edit], second: Sequence[Edit]) -> tuple[Edit, ...]:
    """Return the alignment A→C from A→B and B→C. Edits that overlap in B become one, those that touch do not."""
    composed: list[Edit] = []
    left = right = 0
    shift_a = shift_c = 0  # A = B - shift_a before the next edit of `first`; C = B + shift_c likewise
    while left < len(first) or right < len(second):
        if alone := _alone(first, second, left, right):
            edit = first[left] if alone < 0 else second[right]
            growth = (edit.b1 - edit.b0) - (edit.a1 - edit.a0)
            if alone < 0:
                composed.append(Edit(edit.a0, edit.a1, edit.b0 + shift_c, edit.b1 + shift_c))
                shift_a, left = shift_a + growth, left + 1
            else:
                composed.append(Edit(edit.a0 - shift_a, edit.a1 - shift_a, edit.b0, edit.b1))
                shift_c, right = shift_c + growth, right + 1
            continue
        (low, high), next_left, next_right = _cluster(first, second, left, right)
        a0, c0 = low - shift_a, low + shift_c
        for edit in first[left:next_left]:
            shift_a += (edit.b1 - edit.b0) - (edit.a1 - edit.a0)
        for edit in second[right:next_right]:
            shift_c += (edit.b1 - edit.b0) - (edit.a1 - edit.a0)
        composed.append(Edit(a0, high - shift_a, c0, high + shift_c))
        left, right = next_left, next_right
    return _real(composed)


def _alone(first: Sequence[Edit], second: Sequence[Edit], left: int, right: int) -> int:
    """Return -1 where the next edit of `first` lies before that of `second`, 1 where it lies after, else 0."""
    if left == len(first):
        return 1
    if right == len(second):
        return -1
    if first[left].b1 < second[right].a0:
        return -1
    return 1 if second[right].a1 < first[left].b0 else 0


def compose_all(alignments: Sequence[tuple[Edit, ...]]) -> tuple[Edit, ...]:
    """Compose a whole way, neighbours first, so that a long one costs little more than its edits."""
    parts = list(alignments) or [()]
    while len(parts) > 1:
        odd = parts[-1:] if len(parts) % 2 else []
        parts = [compose(parts[at], parts[at + 1]) for at in range(0, len(parts) - 1, 2)] + odd
    return parts[0]


def _cluster(
    first: Sequence[Edit], second: Sequence[Edit], left: int, right: int
) -> tuple[tuple[int, int], int, int]:
    """Gather the next edit and all that overlap it in B's lines: their span, and where the rest begins."""
    starts = [(first[left].b0, first[left].b1)] if left < len(first) else []
    starts += [(second[right].a0, second[right].a1)] if right < len(second) else []
    span = min(starts)
    grew = True
    while grew:
        grew = False
        while left < len(first) and _within(span, (first[left].b0, first[left].b1)):
            span = span[0], max(span[1], first[left].b1)
            left, grew = left + 1, True
        while right < len(second) and _within(span, (second[right].a0, second[right].a1)):
            span = span[0], max(span[1], second[right].a1)
            right, grew = right + 1, True
    return span, left, right


def _within(span: tuple[int, int], run: tuple[int, int]) -> bool:
    return run == span or overlap(span, run)


def fill(
    edits: Sequence[Edit],
    a: Sequence[bytes],
    b: Sequence[bytes],
    runs: Sequence[tuple[int, int]] | None = None,
) -> tuple[Edit, ...]:
    """Close each gap that meets `runs` where its lines went and came back whole, as after a later turn's undo.

    A gap that came back in part stays open: equal lines may be new ones, and their order was decided later.
    """
    filled: list[Edit] = []
    for edit in edits:
        if runs is not None and not any(overlap((edit.a0, edit.a1), run) for run in runs):
            filled.append(edit)
            continue
        old, new = b"".join(a[edit.a0 : edit.a1]), b"".join(b[edit.b0 : edit.b1])
        if old == new:
            continue
        filled.append(edit)
    return _real(filled)


def _mirrored(old: bytes, new: bytes) -> tuple[Edit, ...]:
    (a, height_a), (b, height_b) = _upside_down(old), _upside_down(new)
    return _real(
        Edit(height_a - edit.a1, height_a - edit.a0, height_b - edit.b1, height_b - edit.b0)
        for edit in reversed(edits_of(diff_hunks(a, b)))
    )


def _upside_down(data: bytes) -> tuple[bytes, int]:
    """Return a text last line first, and how many lines it has; one without its newline is marked."""
    lines = data.split(b"\n")
    last = lines.pop()
    if last:
        lines.append(last + b"\0")
    lines.reverse()
    return b"\n".join([*lines, b""]), len(lines)


def holds(edits: Sequence[Edit], a: Sequence[bytes], b: Sequence[bytes]) -> bool:
    """Say whether every line outside the edits is the same in both: an alignment is proven, not believed."""
    at_a = at_b = 0
    for edit in (*edits, Edit(len(a), len(a), len(b), len(b))):
        if not (at_a <= edit.a0 <= edit.a1 <= len(a) and at_b <= edit.b0 <= edit.b1 <= len(b)):
            return False
        if a[at_a : edit.a0] != b[at_b : edit.b0]:
            return False
        at_a, at_b = edit.a1, edit.b1
    return True
