"""Where the lines of one version stand in another: exact alignments, composed through every known version.

An alignment is the list of its edits; every line outside them stands unchanged. Edits are in order and half-open;
two may touch, and then their border is known. Pure; costs grow with the number of edits, never with the file.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sulcus_panel.core.diff import diff_hunks
from sulcus_panel.core.model import Hunk


class Edit(NamedTuple):
    """Lines `[a0, a1)` of the first version stand as lines `[b0, b1)` in the second."""

    a0: int
    a1: int
    b0: int
    b1: int


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
        (low, high), next_left, next_right = _cluster(first, second, left, right)
        a0, c0 = low - shift_a, low + shift_c
        for edit in first[left:next_left]:
            shift_a += (edit.b1 - edit.b0) - (edit.a1 - edit.a0)
        for edit in second[right:next_right]:
            shift_c += (edit.b1 - edit.b0) - (edit.a1 - edit.a0)
        composed.append(Edit(a0, high - shift_a, c0, high + shift_c))
        left, right = next_left, next_right
    return _real(composed)


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


def fill(edits: Sequence[Edit], a: Sequence[bytes], b: Sequence[bytes]) -> tuple[Edit, ...]:
    """Re-diff inside each gap, so that lines which went and came back count as standing.

    A gap that reads one way from its top and another from its bottom holds equal lines that cannot be told
    apart; it stays closed.
    """
    filled: list[Edit] = []
    for edit in edits:
        old, new = a[edit.a0 : edit.a1], b[edit.b0 : edit.b1]
        inner = edits_of(diff_hunks(b"".join(old), b"".join(new))) if old and new else ()
        if old == new:
            continue
        if not inner or inner != from_below(old, new):
            filled.append(edit)
            continue
        filled += [
            Edit(edit.a0 + part.a0, edit.a0 + part.a1, edit.b0 + part.b0, edit.b0 + part.b1) for part in inner
        ]
    return _real(filled)


def from_below(a: Sequence[bytes], b: Sequence[bytes], *, patience: bool = False) -> tuple[Edit, ...]:
    """Align two versions reading from the last line to the first: equal lines slide the other way."""
    hunks = diff_hunks(_upside_down(a), _upside_down(b), patience=patience)
    mirrored = (
        Edit(len(a) - edit.a1, len(a) - edit.a0, len(b) - edit.b1, len(b) - edit.b0)
        for edit in reversed(edits_of(hunks))
    )
    return _real(mirrored)


def _upside_down(lines: Sequence[bytes]) -> bytes:
    """Join lines last first; one without its newline is marked, as it would run into the next."""
    return b"".join(line if line.endswith(b"\n") else line + b"\0\n" for line in reversed(lines))


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
