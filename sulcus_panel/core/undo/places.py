"""Where a hunk's lines stand in a text, told by their neighbours: proof that a place is the only one.

Searching never decides by distance or by likeness: lines are found with equal neighbours on both sides, exactly
once before and exactly once now, or not at all.
"""

from collections.abc import Sequence

from sulcus_panel.core.diff.alignments import Edit
from sulcus_panel.core.model import Hunk
from sulcus_panel.core.undo.heirs import heirs
from sulcus_panel.core.undo.model import HunkOutcome
from sulcus_panel.core.undo.turn import Lines, Merge, Reading, Run, Turn, Verdict, fuses, span

NEIGHBOURS = (1, 2, 3, 5, 8)
"""Lines on one side of a hunk that are tried in turn, until they are told from all others."""

FAR = 20
"""Neighbours that are compared at most on each side of a place."""

TELLING = 8
"""Bytes that lines must have, blanks aside, to be no everyday ones."""

MANY = 200
"""Places beyond which lines say nothing about where they are."""

CONTEXTS = (1, 2, 3, 5, 8, 13)
"""Neighbouring lines on each side that are tried in turn, until they tell a place from all others."""


class Text:
    """A text's bytes and lines, for finding runs of lines in it."""

    def __init__(self, lines: Lines) -> None:
        self.lines = lines
        self._data = b"\n" + b"".join(lines)

    def count(self, run: Sequence[bytes], most: int = 2) -> int:
        """Count where a run of lines stands, up to `most`; runs may overlap."""
        needle = b"\n" + b"".join(run)
        found = at = 0
        while found < most:
            at = self._data.find(needle, at) + 1
            if not at:
                break
            found += 1
        return found

    def places(self, run: Sequence[bytes], most: int = 50) -> list[int]:
        """Return the lines at which a run stands, `most` of them at most."""
        needle = b"\n" + b"".join(run)
        found: list[int] = []
        line = at = 0
        while len(found) < most:
            hit = self._data.find(needle, at)
            if hit < 0:
                break
            line += self._data.count(b"\n", at, hit + 1) - (not found and at == 0)
            found.append(line)
            at = hit + 1
        return found

    def find(self, run: Sequence[bytes]) -> int:
        """Return the first line at which a run of lines stands; it does stand there."""
        return self._data.count(b"\n", 0, self._data.index(b"\n" + b"".join(run)))


def stands_alone(turn: Turn, hunk: Hunk, verdict: Verdict, after: Text, now: Text) -> bool:
    """Say whether the hunk stands where the verdict says, and every other place fits its neighbours less."""
    start, end = span(hunk)
    own = turn.after[start:end]
    if verdict.outcome is not HunkOutcome.UNDONE or now.lines[verdict.start : verdict.end] != own:
        return False
    if not own:
        return _between(turn.after, start, verdict.start, after, now)
    places = now.places(own, MANY)
    if len(places) == MANY:
        return False
    here = _fit(turn.after, start, end, now.lines, verdict.start)
    if not any(line.strip() for line in own) and not all(here):
        return False
    others = [_fit(turn.after, start, end, now.lines, place) for place in places if place != verdict.start]
    return all(here != fit and here[0] >= fit[0] and here[1] >= fit[1] for fit in others)


def _fit(after: Lines, start: int, end: int, now: Sequence[bytes], place: int) -> tuple[int, int]:
    """Count the neighbours above and below that stand beside a place as they stood beside the hunk."""
    above = below = 0
    while above < min(FAR, start, place) and after[start - 1 - above] == now[place - 1 - above]:
        above += 1
    last = place + end - start
    while below < min(FAR, len(after) - end, len(now) - last) and after[end + below] == now[last + below]:
        below += 1
    return above, below


def _between(lines: Lines, point: int, place: int, after: Text, now: Text) -> bool:
    """Say whether a point lies between two neighbours, both known by what stands nowhere else."""
    sides = (_anchor(lines, point, -1, after), _anchor(lines, point, 1, after))
    if not all(sides):
        return False
    above, below = sides
    return (
        now.lines[place - len(above) : place] == above
        and now.lines[place : place + len(below)] == below
        and now.count(above) == 1 == now.count(below)
    )


def _anchor(lines: Lines, border: int, sign: int, after: Text) -> Lines:
    """Return the fewest lines above (-1) or below (1) a border that stand once; () if there are none."""
    for count in NEIGHBOURS:
        low, high = (border - count, border) if sign < 0 else (border, border + count)
        if low < 0 or high > len(lines):
            break
        if after.count(lines[low:high]) == 1:
            return lines[low:high]
    return ()


def moved(merge: Merge, hunk: Hunk, after: Text, now: Text) -> Verdict | None:
    """Follow a hunk whose lines were cut out and put in elsewhere; None if unsure.

    Its neighbours must have gone with it, unless nothing has to be put back.
    """
    start, end = span(hunk)
    turn, edits = merge.turn, merge.edits
    if not any(edit.a0 <= start and end <= edit.a1 for edit in edits):
        return None
    own, restored = turn.after[start:end], turn.restores(hunk)
    run, above = _with_neighbours(turn.after, start, end, after)
    if not run or now.count(run) != 1:
        run, above = (own, 0) if not restored and after.count(own) == 1 else ((), 0)
    if now.count(run) != 1 or not _tells(run, own) or _copied(own, after, now):
        return None
    if _copied(turn.after[max(0, start - 1) : end + 1], after, now):
        return None
    there = now.find(run) + above
    until = there + end - start
    if not any(edit.b0 <= there and until <= edit.b1 for edit in edits):
        return None
    if fuses(restored, now.lines, there, until):
        return None
    return Verdict(HunkOutcome.MOVED, there, until, restored)


def _with_neighbours(lines: Lines, start: int, end: int, after: Text) -> tuple[Lines, int]:
    """Return a run of lines with as many neighbours on both sides as tell it from all others; () if none do.

    A blank line needs more of them: one neighbour that stands once says too little.
    """
    for context in CONTEXTS:
        low, high = start - context, end + context
        if low < 0 or high > len(lines):
            break
        run = lines[low:high]
        if _tells(run, lines[start:end]) and after.count(run) == 1:
            return run, context
    return (), 0


def _copied(run: Lines, after: Text, now: Text) -> bool:
    """Say whether lines that are no everyday ones stand more often than they did: one place is a copy."""
    if len(b"".join(run).strip()) < TELLING:
        return False
    return now.count(run, MANY) > after.count(run, MANY)


def uprooted(merge: Merge, hunk: Hunk, after: Text, now: Text) -> bool:
    """Say whether a neighbour of the hunk was cut out by later work and stands elsewhere now.

    The hunk may have gone with it: nothing tells on which side it belongs. What went and came back is where it was.
    """
    start, end = span(hunk)
    turn = merge.turn
    edits = tuple(edit for edit in merge.edits if not came_back(edit, merge))
    own = turn.after[start:end]
    if any(line.strip() for line in own) and not any(_inserted(at, edits) for at in now.places(own)):
        return False
    for border, sign, nearest in ((start, -1, start - 1), (end, 1, end)):
        run = _anchor(turn.after, border, sign, after)
        if run and any(edit.a0 <= nearest < edit.a1 for edit in edits) and now.count(run):
            return True
    return False


def came_back(edit: Edit, merge: Merge) -> bool:
    """Say whether lines stand there which are just those that went."""
    return merge.turn.after[edit.a0 : edit.a1] == merge.now[edit.b0 : edit.b1]


def _tells(run: Lines, own: Lines) -> bool:
    """Say whether a run says enough to be known again: its own lines, or several of its neighbours."""
    return any(line.strip() for line in own) or sum(bool(line.strip()) for line in run) >= 2


def left_traces(merge: Merge, index: int, after: Text, now: Text, back: Sequence[Run]) -> bool:
    """Say whether anything that the hunk left stands in lines that came later: what was cut may have moved.

    Among equal lines it may be read further up or down, and then it left the same lines in another order. Lines
    that are `back` where they stood before the turn are no traces of it.
    """
    turn = merge.turn
    hunk = turn.hunks[index]
    own = turn.after[slice(*span(hunk))]
    telling = [(line,) for line in own if line.strip() and after.count((line,)) == 1]
    runs: list[Lines] = []
    if any(line.strip() for line in own):
        up, down = turn.room(index)
        start, end = span(hunk)
        runs = [turn.after[start + at : end + at] for at in range(max(up, -FAR), min(down, FAR) + 1)]
        runs += telling
    return any(
        _inserted(at, merge.edits) and not is_within(at, at + len(run), back)
        for run in runs
        for at in now.places(run)
    )


def crossed(merge: Merge) -> set[int]:
    """Return the hunks whose old line lives on in another hunk's new one, with later work in between or on it.

    Where the lines between them stand beyond that one once more, a comparison may pair lines that have nothing in
    common: on which side of the later work did the old line stand? Was the new one the turn's, or did it stay?
    """
    turn = merge.turn
    new = [(at, line) for at, hunk in enumerate(turn.hunks) for line in range(*span(hunk))]
    old = [(at, line) for at, hunk in enumerate(turn.hunks) for line in turn.restores(hunk)]
    found = heirs([line for _, line in old], range(len(old)), [turn.after[line] for _, line in new])
    pairs = ((at, *new[heir]) for (at, _), heir in zip(old, found, strict=True) if heir is not None)
    return {each for at, other, line in pairs if at != other for each in _crossing(merge, at, other, line)}


def _crossing(merge: Merge, one: int, other: int, line: int) -> tuple[int, ...]:
    """Return which of two hunks are in doubt; an old line of `one` lives on in the `line` of the other."""
    after, edits = merge.turn.after, merge.edits
    low, high = (span(merge.turn.hunks[at]) for at in sorted((one, other)))
    between = after[low[1] : high[0]]
    beyond = after[line + 1 :][: len(between)] if one < other else after[max(0, line - len(between)) : line]
    if between != beyond:
        return ()
    if any(edit.a0 <= line < edit.a1 for edit in edits):
        return one, other
    return (one,) if any(low[1] <= edit.a0 and edit.a1 <= high[0] for edit in edits) else ()


def is_within(start: int, end: int, runs: Sequence[Run]) -> bool:
    """Say whether lines `[start, end)` lie within one of the runs."""
    return any(low <= start and end <= high for low, high in runs)


def _inserted(line: int, edits: Reading) -> bool:
    return any(edit.b0 <= line < edit.b1 for edit in edits)
