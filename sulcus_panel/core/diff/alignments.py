"""Which lines of one text stand where in another: exact alignments, and several of them composed into one.

An alignment is the list of its edits; every line outside them stands unchanged. Edits are in order and half-open;
two may touch, and then their border is known. Pure; costs grow with the number of edits, never with the text.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sulcus_panel.core.model import Hunk


class Edit(NamedTuple):
    """Lines `[a0, a1)` of the first version stand as lines `[b0, b1)` in the second.

    `exact`: seen as it happened; else it was found by comparing, and equal lines around it may allow another place.
    """

    a0: int
    a1: int
    b0: int
    b1: int
    exact: bool = False


def edits_of(hunks: Iterable[Hunk]) -> tuple[Edit, ...]:
    """Turn hunks into the alignment from before to after."""
    return real(
        Edit(
            hunk.before_start,
            hunk.before_start + hunk.before_lines,
            hunk.after_start,
            hunk.after_start + hunk.after_lines,
            hunk.exact,
        )
        for hunk in hunks
    )


def seen(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Return the same edits as such that were seen when they happened."""
    return tuple(edit._replace(exact=True) for edit in edits)


def shifted(edits: Iterable[Edit], a: int, b: int) -> tuple[Edit, ...]:
    """Return the same edits `a` lines further down in the first text and `b` in the second."""
    return tuple([_moved(edit, a, b) for edit in edits]) if a or b else tuple(edits)


def hunks_of(edits: Iterable[Edit]) -> tuple[Hunk, ...]:
    """Turn an alignment into hunks without their texts."""
    return tuple(Hunk(e.a0, e.a1 - e.a0, e.b0, e.b1 - e.b0, exact=e.exact) for e in edits)


def real(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Leave out what changes nothing."""
    return tuple(edit for edit in edits if edit.a0 < edit.a1 or edit.b0 < edit.b1)


def overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Say whether two runs of lines share a line, or a point lies inside a run; touching is not overlapping.

    Two points at the very same place do overlap: nothing says which comes first.
    """
    if one[0] == one[1] and other[0] == other[1]:
        return one == other
    return one[0] < other[1] and other[0] < one[1]


def compose(first: Sequence[Edit], second: Sequence[Edit]) -> tuple[Edit, ...]:
    """Return the alignment A→C from A→B and B→C. Edits that overlap in B become one, those that touch do not.

    What became one was seen as it happened if all its parts were.
    """
    composed: list[Edit] = []
    left = right = 0
    shift_a = shift_c = 0  # A = B - shift_a before the next edit of `first`; C = B + shift_c likewise
    while left < len(first) and right < len(second):
        one, other = first[left], second[right]
        if one.b1 < other.a0:
            composed.append(_moved(one, 0, shift_c) if shift_c else one)
            shift_a, left = one.b1 - one.a1, left + 1
        elif other.a1 < one.b0:
            composed.append(_moved(other, -shift_a, 0) if shift_a else other)
            shift_c, right = other.b1 - other.a1, right + 1
        else:
            (low, high), next_left, next_right = _cluster(first, second, left, right)
            a0, c0 = low - shift_a, low + shift_c
            parts = [*first[left:next_left], *second[right:next_right]]
            if left < next_left:
                shift_a = first[next_left - 1].b1 - first[next_left - 1].a1
            if right < next_right:
                shift_c = second[next_right - 1].b1 - second[next_right - 1].a1
            if a0 < high - shift_a or c0 < high + shift_c:
                exact = all(edit.exact for edit in parts)
                composed.append(Edit(a0, high - shift_a, c0, high + shift_c, exact))
            left, right = next_left, next_right
    composed += shifted(first[left:], 0, shift_c)
    composed += shifted(second[right:], -shift_a, 0)
    return tuple(composed)


def _moved(edit: Edit, a: int, b: int) -> Edit:
    a0, a1, b0, b1, exact = edit
    return Edit(a0 + a, a1 + a, b0 + b, b1 + b, exact)


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
    span = min(first[left][2:4], second[right][:2])
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
