"""Who stands on these lines? A run of lines followed from version to version, and who touched it on the way.

Work that was itself undone does not stand there: an undo's exact hunk cancels the hunk that it took back.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count

from sulcus_panel.core.diff.alignments import Edit, overlap
from sulcus_panel.core.model import FileState, SeqId, Step
from sulcus_panel.core.states import same_state


@dataclass(frozen=True, slots=True)
class Passage:
    """From one known version to the next: what moved, whose work it was, and how well we know it.

    Edits that are not exact were found by comparing `texts`. Several `seq_ids` share a passage where versions
    between them were not kept. `kin` is an undo of the entry in question, or of what
    that reverses.
    """

    edits: tuple[Edit, ...]
    seq_ids: tuple[SeqId, ...] = ()
    outside: bool = False
    undo: bool = False
    kin: bool = False
    texts: tuple[bytes, bytes] | None = None

    @property
    def exact(self) -> bool:
        """Say whether all its edits were seen when they happened."""
        return all(edit.exact for edit in self.edits)


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


@dataclass(frozen=True, slots=True)
class _Followed:
    """Where a run of lines is by now, the hits that stand on it, and whether a redo brought it back."""

    run: Run
    trail: tuple[_Mark, ...] = ()
    revived: bool = False


def standing_on(start: int, end: int, passages: Sequence[Passage]) -> Who:
    """Follow lines `[start, end)` of the oldest version through all passages; name who stands there now."""
    trail = _followed((start, end), passages).trail
    return everybody([mark.passage for mark in trail] or passages)


def is_revived(start: int, end: int, passages: Sequence[Passage]) -> bool:
    """Say whether lines `[start, end)` went and an undo brought them back, and something is left of them.

    What came of them since need not be equal to them.
    """
    now = _followed((start, end), passages)
    return start < end and now.revived and now.run[0] < now.run[1]


def built_on(point: int, passages: Sequence[Passage]) -> list[Run]:
    """Return where lines stand now that a passage put in right at a point of the oldest version.

    Composed with what went beside the point before, they may look as if they had taken the place of that. Likewise
    what took the place of lines on both sides of a point that an undo had brought back.
    """
    now = _followed((point, point), passages)
    marks = (mark for mark in now.trail if not mark.replaced or (now.revived and _is_around(mark)))
    return [mark.run for mark in marks if mark.run[0] < mark.run[1]]


def _is_around(mark: _Mark) -> bool:
    """Say whether a hit replaced lines on both sides of the followed run, which was a point by then."""
    start, end = mark.inside.get(_FOLLOWED, (0, mark.replaced))
    return start == end


def _followed(run: Run, passages: Sequence[Passage]) -> _Followed:
    numbers = count()
    now = _Followed(run)
    for passage in passages:
        now = _passed(now, passage, numbers)
    return now


def _passed(then: _Followed, passage: Passage, numbers: Iterator[int]) -> _Followed:
    """Follow a run of lines, and what stands on it, through one passage."""
    run, trail, revived = then.run, then.trail, then.revived
    met = _met(run, passage.edits)
    hits = passage.edits[met.start : met.stop]
    struck = _struck(trail, hits) if passage.undo else []
    gone = {mark.number for mark, _ in struck}
    fresh = [hit for hit in hits if all(hit is not other for _, other in struck)]
    marks = [
        _Mark(next(numbers), passage, (hit.b0, hit.b1), hit.a1 - hit.a0, _inside(hit, run, trail))
        for hit in fresh
    ]
    if passage.undo and any(hit.a0 <= run[0] and run[1] <= hit.a1 for hit in fresh):
        revived = False
    run = followed(run, passage.edits)
    trail = tuple(
        replace(mark, run=followed(mark.run, passage.edits)) for mark in trail if mark.number not in gone
    )
    for mark, hit in struck:
        run = _revived(mark, hit, _FOLLOWED, run)
        revived = revived or _FOLLOWED in mark.inside
        trail = tuple(replace(old, run=_revived(mark, hit, old.number, old.run)) for old in trail)
    return _Followed(run, (*trail, *marks), revived)


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
        run = followed(run, passage.edits)
    return None


def mapped(run: Run, passages: Sequence[Passage]) -> Run:
    """Map a run of lines of the oldest version to the newest one; it grows over every edit that it meets."""
    for passage in passages:
        run = followed(run, passage.edits)
    return run


def is_pinned(start: int, end: int, passages: Sequence[Passage]) -> bool:
    """Say whether lines `[start, end)` of the oldest version are where the passages say, however they are read.

    In every passage what lies next to them, above and below, was seen as it happened, or nothing changed there.
    """
    return all(passages[number].edits[at].exact for number, at in edits_around(start, end, passages))


def edits_around(
    start: int, end: int, passages: Sequence[Passage], *, within: int | None = None
) -> Iterator[tuple[int, int]]:
    """Yield `(passage, edit)` numbers of what meets lines `[start, end)` of the oldest version on their way.

    Of each passage also the nearest edit above them and the nearest below, `within` so many lines.
    """
    run: Run = (start, end)
    for number, passage in enumerate(passages):
        met = _met(run, passage.edits)
        for at in range(max(0, met.start - 1), min(met.stop + 1, len(passage.edits))):
            edit = passage.edits[at]
            if within is None or (edit.a0 <= run[1] + within and run[0] <= edit.a1 + within):
                yield number, at
        run = followed(run, passage.edits)


def touching(run: Run, passages: Sequence[Passage]) -> Iterator[tuple[int, int, Edit]]:
    """Yield every edit that meets or touches a run of lines of the oldest version on its way.

    With it the number of its passage, and where the run began by then.
    """
    for number, passage in enumerate(passages):
        for edit in passage.edits:
            if edit.a0 <= run[1] and run[0] <= edit.a1:
                yield number, run[0], edit
        run = followed(run, passage.edits)


def comes_of(line: int, start: int, end: int, passages: Sequence[Passage]) -> bool:
    """Say whether a line of the newest version has come of lines `[start, end)` of the oldest.

    One that was put in on its own has not, whatever it says; what an undo put in may have.
    """
    low, high = line, line + 1
    for passage in reversed(passages):
        low, high = _back((low, high), passage.edits)
        if low >= high:
            return passage.undo
    return low < end and start < high


def _back(run: Run, edits: Sequence[Edit]) -> Run:
    """Map a run of lines back through edits; it grows to all that an edit replaced."""
    low, high = run
    first = last = 0
    for edit in edits:
        if edit.b0 <= low < edit.b1:
            low, first = edit.a0, 0
            break
        if edit.b1 > low:
            break
        first = edit.a1 - edit.b1
    for edit in edits:
        if edit.b0 < high <= edit.b1:
            high, last = edit.a1, 0
            break
        if edit.b1 >= high:
            break
        last = edit.a1 - edit.b1
    return low + first, high + last


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


def followed(run: Run, edits: Sequence[Edit]) -> Run:
    """Map a run of lines through edits; it grows over every edit that it meets."""
    start, end = run
    met = _met(run, edits)
    before = edits[met.start - 1].b1 - edits[met.start - 1].a1 if met.start else 0
    if not met:
        return start + before, end + before
    first, last = edits[met.start], edits[met.stop - 1]
    inside = sum((edit.b1 - edit.b0) - (edit.a1 - edit.a0) for edit in edits[met.start : met.stop])
    new_start, new_end = start + before, end + before + inside
    return min(new_start, first.b0), max(new_end, last.b1 + max(0, end - last.a1))


def _met(run: Run, edits: Sequence[Edit]) -> range:
    """Return which edits meet a run of lines; those before it lie above, even if there are none."""
    first = bisect_left(edits, run[0], key=_end)
    while first < len(edits) and edits[first].a1 == run[0] and not meets(edits[first], *run):
        first += 1
    last = first
    while last < len(edits) and meets(edits[last], *run):
        last += 1
    return range(first, last)


def _end(edit: Edit) -> int:
    return edit.a1


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
