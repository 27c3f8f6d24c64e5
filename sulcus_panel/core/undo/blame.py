"""Who stands on these lines? A run of lines followed from version to version, and who touched it on the way.

Work that was itself undone does not stand there: an undo's exact hunk cancels the hunk that it took back.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sulcus_panel.core.model import FileState, SeqId, Step
from sulcus_panel.core.states import same_state
from sulcus_panel.core.undo.lines import Edit


@dataclass(frozen=True, slots=True)
class Passage:
    """From one known version to the next: what moved, whose work it was, and how well we know it.

    `exact` means that the edits were recorded when they happened, not found again by comparing. Several
    `seq_ids` share a passage where versions between them were not kept.
    """

    edits: tuple[Edit, ...]
    seq_ids: tuple[SeqId, ...] = ()
    outside: bool = False
    undo: bool = False
    exact: bool = False


@dataclass(frozen=True, slots=True)
class Who:
    """Entries that stand in the way, oldest first, and whether something outside the ledger does."""

    seq_ids: tuple[SeqId, ...] = ()
    outside: bool = False


NOBODY = Who()


@dataclass(frozen=True, slots=True)
class _Mark:
    """One hit on the followed run: whose, where its lines are by now, and how many lines it had replaced."""

    passage: Passage
    start: int
    end: int
    replaced: int


def meets(edit: Edit, start: int, end: int) -> bool:
    """Say whether an edit overlaps lines `[start, end)` of its first version; touching is not overlapping.

    Two insertions at the very same point do overlap: nothing says which comes first.
    """
    if edit.a0 == edit.a1 and start == end:
        return edit.a0 == start
    return edit.a0 < end and start < edit.a1


def standing_on(start: int, end: int, passages: Sequence[Passage]) -> Who:
    """Follow lines `[start, end)` of the oldest version through all passages; name who stands there now."""
    trail: list[_Mark] = []
    for passage in passages:
        hits = tuple(edit for edit in passage.edits if meets(edit, start, end))
        fresh = hits
        if passage.undo:
            trail, fresh = _cancel(trail, hits)
        trail = [_carried(mark, passage.edits) for mark in trail]
        trail += [_Mark(passage, hit.b0, hit.b1, hit.a1 - hit.a0) for hit in fresh]
        start, end = _follow(start, end, passage.edits)
    if not trail:
        return everybody(passages)
    return everybody([mark.passage for mark in trail])


def everybody(passages: Sequence[Passage]) -> Who:
    """Name everyone who took part in the passages that moved anything."""
    moved = [passage for passage in passages if passage.edits]
    seq_ids = dict.fromkeys(seq_id for passage in moved for seq_id in passage.seq_ids)
    return Who(tuple(seq_ids), any(passage.outside for passage in moved))


def _cancel(trail: list[_Mark], hits: tuple[Edit, ...]) -> tuple[list[_Mark], tuple[Edit, ...]]:
    """Strike out the marks that an undo's hits put back to what they had replaced."""
    fresh: list[Edit] = []
    for hit in hits:
        size = hit.b1 - hit.b0
        struck = next(
            (m for m in reversed(trail) if (m.start, m.end, m.replaced) == (hit.a0, hit.a1, size)), None
        )
        if struck is None:
            fresh.append(hit)
        else:
            trail = [mark for mark in trail if mark is not struck]
    return trail, tuple(fresh)


def _carried(mark: _Mark, edits: Sequence[Edit]) -> _Mark:
    start, end = _follow(mark.start, mark.end, edits)
    return _Mark(mark.passage, start, end, mark.replaced)


def _follow(start: int, end: int, edits: Sequence[Edit]) -> tuple[int, int]:
    """Map a run of lines through edits; it grows over every edit that it meets."""
    before = inside = 0
    low = high = None
    for edit in edits:
        growth = (edit.b1 - edit.b0) - (edit.a1 - edit.a0)
        if meets(edit, start, end):
            low = edit.b0 if low is None else low
            high = edit.b1 + max(0, end - edit.a1)
            inside += growth
        elif edit.a1 <= start:
            before += growth
    new_start, new_end = start + before, end + before + inside
    if low is None or high is None:
        return new_start, new_end
    return min(new_start, low), max(new_end, high)


def standing_since(left: FileState, steps: Sequence[Step], now: FileState) -> Who:
    """Name who changed a whole file since the state `left`: the way from there to `now` without detours."""
    trail: list[tuple[FileState, SeqId]] = []
    outside = False
    last = left
    for step in steps:
        outside = outside or not same_state(last, step.before)
        trail.append((last, step.seq_id))
        last = step.after
        back = next((at for at, (state, _) in enumerate(trail) if same_state(state, last)), None)
        if back is not None:
            trail, outside = trail[:back], False
    return Who(tuple(seq_id for _, seq_id in trail), outside or not same_state(last, now))
