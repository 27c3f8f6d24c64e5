"""Who stands on these lines? A run of lines followed from version to version, and who touched it on the way.

Work that was itself undone does not stand there: an undo's exact hunk cancels the hunk that it took back.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count

from sulcus_panel.core.model import FileState, SeqId, Step
from sulcus_panel.core.states import same_state
from sulcus_panel.core.undo.lines import Edit, overlap


@dataclass(frozen=True, slots=True)
class Passage:
    """From one known version to the next: what moved, whose work it was, and how well we know it.

    `exact` means that the edits were recorded when they happened; else they were found by comparing `texts`.
    Several `seq_ids` share a passage where versions between them were not kept.
    """

    edits: tuple[Edit, ...]
    seq_ids: tuple[SeqId, ...] = ()
    outside: bool = False
    undo: bool = False
    exact: bool = False
    texts: tuple[bytes, bytes] | None = None


@dataclass(frozen=True, slots=True)
class Who:
    """Entries that stand in the way, oldest first, and whether something outside the ledger does."""

    seq_ids: tuple[SeqId, ...] = ()
    outside: bool = False


NOBODY = Who()


Run = tuple[int, int]

_FOLLOWED = -1
"""The key of the followed run itself among the runs that a mark remembers."""


@dataclass(frozen=True, slots=True)
class _Mark:
    """One hit on the followed run: whose, where its lines are by now, and what an undo of it must find again.

    `inside` are the runs that lay within the replaced lines, counted from their first.
    """

    number: int
    passage: Passage
    run: Run
    replaced: int
    inside: Mapping[int, Run]


def meets(edit: Edit, start: int, end: int) -> bool:
    """Say whether an edit overlaps lines `[start, end)` of its first version; touching is not overlapping."""
    return overlap((edit.a0, edit.a1), (start, end))


def standing_on(start: int, end: int, passages: Sequence[Passage]) -> Who:
    """Follow lines `[start, end)` of the oldest version through all passages; name who stands there now."""
    run: Run = (start, end)
    trail: list[_Mark] = []
    numbers = count()
    for passage in passages:
        hits = [edit for edit in passage.edits if meets(edit, *run)]
        struck = _struck(trail, hits) if passage.undo else []
        gone = {mark.number for mark, _ in struck}
        fresh = [
            _Mark(next(numbers), passage, (hit.b0, hit.b1), hit.a1 - hit.a0, _inside(hit, run, trail))
            for hit in hits
            if all(hit is not other for _, other in struck)
        ]
        run = _follow(run, passage.edits)
        trail = [
            replace(mark, run=_follow(mark.run, passage.edits)) for mark in trail if mark.number not in gone
        ]
        for mark, hit in struck:
            run = _revived(mark, hit, _FOLLOWED, run)
            trail = [replace(old, run=_revived(mark, hit, old.number, old.run)) for old in trail]
        trail += fresh
    return everybody([mark.passage for mark in trail] or passages)


def _inside(hit: Edit, run: Run, trail: Sequence[_Mark]) -> dict[int, Run]:
    """Remember which followed runs lie wholly within the lines that are being replaced."""
    runs = {_FOLLOWED: run} | {mark.number: mark.run for mark in trail}
    return {
        key: (start - hit.a0, end - hit.a0)
        for key, (start, end) in runs.items()
        if hit.a0 <= start and end <= hit.a1
    }


def _revived(mark: _Mark, hit: Edit, key: int, run: Run) -> Run:
    """Return where a run is that came back with the lines which an undo put back."""
    if key not in mark.inside:
        return run
    start, end = mark.inside[key]
    return hit.b0 + start, hit.b0 + end


def cut_by(start: int, end: int, passages: Sequence[Passage]) -> int | None:
    """Return which passage first met lines `[start, end)` of the oldest version; None if none did."""
    run: Run = (start, end)
    for number, passage in enumerate(passages):
        if any(meets(edit, *run) for edit in passage.edits):
            return number
        run = _follow(run, passage.edits)
    return None


def born_in(line: int, passages: Sequence[Passage]) -> int | None:
    """Return which passage put a line of the newest version there; None if it was there from the start."""
    for number in reversed(range(len(passages))):
        shift = 0
        for edit in passages[number].edits:
            if edit.b0 <= line < edit.b1:
                return number
            if edit.b1 <= line:
                shift = edit.a1 - edit.b1
        line += shift
    return None


def everybody(passages: Sequence[Passage]) -> Who:
    """Name everyone who took part in the passages that moved anything."""
    moved = [passage for passage in passages if passage.edits]
    seq_ids = dict.fromkeys(seq_id for passage in moved for seq_id in passage.seq_ids)
    return Who(tuple(seq_ids), any(passage.outside for passage in moved))


def _struck(trail: Sequence[_Mark], hits: Sequence[Edit]) -> list[tuple[_Mark, Edit]]:
    """Find the marks that an undo's hits put back to what they had replaced."""
    struck: list[tuple[_Mark, Edit]] = []
    for hit in hits:
        back = ((hit.a0, hit.a1), hit.b1 - hit.b0)
        mark = next((mark for mark in reversed(trail) if (mark.run, mark.replaced) == back), None)
        if mark is not None:
            struck.append((mark, hit))
    return struck


def _follow(run: Run, edits: Sequence[Edit]) -> Run:
    """Map a run of lines through edits; it grows over every edit that it meets."""
    start, end = run
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
