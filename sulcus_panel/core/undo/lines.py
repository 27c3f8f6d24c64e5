"""Where the lines of one version stand in another: exact alignments, composed through every known version.

An alignment is the list of its edits; every line outside them stands unchanged. Edits are in order, maximal
(two that touch are one), and half-open. Pure; costs grow with the number of edits, never with the file.
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
    """Turn recorded hunks into the alignment from before to after, joining those that touch."""
    return join(
        Edit(
            hunk.before_start,
            hunk.before_start + hunk.before_lines,
            hunk.after_start,
            hunk.after_start + hunk.after_lines,
        )
        for hunk in hunks
    )


def join(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Make edits maximal: no unchanged line between two means one edit, and an empty one is none."""
    joined: list[Edit] = []
    for edit in edits:
        if joined and joined[-1].a1 == edit.a0 and joined[-1].b1 == edit.b0:
            last = joined.pop()
            edit = Edit(last.a0, edit.a1, last.b0, edit.b1)  # noqa: PLW2901 - the merged edit takes its place
        joined.append(edit)
    return tuple(edit for edit in joined if edit.a0 < edit.a1 or edit.b0 < edit.b1)


def compose(first: Sequence[Edit], second: Sequence[Edit]) -> tuple[Edit, ...]:
    """Return the alignment A→C from A→B and B→C. Edits that meet in B, if only at a point, become one."""
    composed: list[Edit] = []
    left = right = 0
    shift_a = shift_c = 0  # A = B - shift_a before the next edit of `first`; C = B + shift_c likewise
    while left < len(first) or right < len(second):
        low, high, next_left, next_right = _cluster(first, second, left, right)
        a0, c0 = low - shift_a, low + shift_c
        for edit in first[left:next_left]:
            shift_a += (edit.b1 - edit.b0) - (edit.a1 - edit.a0)
        for edit in second[right:next_right]:
            shift_c += (edit.b1 - edit.b0) - (edit.a1 - edit.a0)
        composed.append(Edit(a0, high - shift_a, c0, high + shift_c))
        left, right = next_left, next_right
    return join(composed)


def _cluster(
    first: Sequence[Edit], second: Sequence[Edit], left: int, right: int
) -> tuple[int, int, int, int]:
    """Gather the edits that meet, in B's lines, with the next one: their span and where the rest begins."""
    starts = [first[left].b0] if left < len(first) else []
    starts += [second[right].a0] if right < len(second) else []
    low = high = min(starts)
    grew = True
    while grew:
        grew = False
        while left < len(first) and first[left].b0 <= high:
            high = max(high, first[left].b1)
            left += 1
            grew = True
        while right < len(second) and second[right].a0 <= high:
            high = max(high, second[right].a1)
            right += 1
            grew = True
    return low, high, left, right


def fill(edits: Sequence[Edit], a: Sequence[bytes], b: Sequence[bytes]) -> tuple[Edit, ...]:
    """Re-diff inside each gap, so that lines which went and came back count as standing."""
    filled: list[Edit] = []
    for edit in edits:
        if edit.a0 == edit.a1 or edit.b0 == edit.b1:
            filled.append(edit)
            continue
        inner = diff_hunks(b"".join(a[edit.a0 : edit.a1]), b"".join(b[edit.b0 : edit.b1]))
        filled += [
            Edit(edit.a0 + part.a0, edit.a0 + part.a1, edit.b0 + part.b0, edit.b0 + part.b1)
            for part in edits_of(inner)
        ]
    return join(filled)


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
