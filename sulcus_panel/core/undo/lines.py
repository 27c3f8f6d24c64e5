"""Where the lines of one version stand in another, found by comparing the two texts. Pure."""

from collections.abc import Sequence

from sulcus_panel.core.diff.alignments import Edit, edits_of, overlap, real, shifted
from sulcus_panel.core.diff.hunks import differing_runs
from sulcus_panel.core.diff.one_run import one_run
from sulcus_panel.core.diff.shared_ends import shared_head, shared_tail

SMALL = 4000
"""Bytes below which texts are compared whole."""
MARGIN = 2000
"""Bytes that are kept of what two texts begin and end with, so that equal lines can slide there."""

Reading = tuple[Edit, ...]


def edits_between(old: bytes, new: bytes) -> Reading:
    """Compare two texts, where they begin and end alike no more than a margin."""
    start, end_old, end_new = middle(old, new)
    a, b = old[start:end_old], new[start:end_new]
    if a == b:
        return ()
    above = old.count(b"\n", 0, start)
    hunk = one_run(a, b)
    if hunk is not None:
        return shifted(edits_of([hunk]), above, above)
    return tuple(
        [Edit(a0 + above, a1 + above, b0 + above, b1 + above) for a0, a1, b0, b1 in differing_runs(a, b)]
    )


def middle(old: bytes, new: bytes) -> tuple[int, int, int]:
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
    return real(filled)
