"""A second look at what had to be found by comparing.

A hunk is proven by its place, where no other place fits its neighbours as well; else by every other reading of
the same texts. Where those give another clean answer, or the change still stands somewhere, nothing is written.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from sulcus_panel.core.diff import split_lines
from sulcus_panel.core.diff.alignments import Edit
from sulcus_panel.core.model import Hunk
from sulcus_panel.core.undo import places, readings
from sulcus_panel.core.undo.blame import (
    Passage,
    born_in,
    built_on,
    comes_of,
    cut_by,
    is_pinned,
    is_revived,
    mapped,
    meets,
    touching,
)
from sulcus_panel.core.undo.descent import Descent
from sulcus_panel.core.undo.judge import IN_THE_WAY, is_superseded, judge
from sulcus_panel.core.undo.lines import fill
from sulcus_panel.core.undo.model import WRITTEN, HunkOutcome
from sulcus_panel.core.undo.turn import Lines, Merge, Run, Verdict, span

REPLACED = "later work has replaced these lines and others around them"
AMBIGUOUS = "ambiguous: these lines stand more than once"


class SecondLook:
    """The facts of one merge, with the other readings judged once they are asked for."""

    def __init__(self, merge: Merge, passages: Sequence[Passage]) -> None:
        self.merge = merge
        self.passages = passages
        self.after = places.Text(merge.turn.after)
        self.now = places.Text(merge.now)
        self.back: list[Run] = []

    def settle(self, first: Sequence[Verdict]) -> list[Verdict]:
        """Judge every hunk again; what recorded hunks alone decided stands, and what is proven by its place."""
        best = list(first)
        if not all(verdict.clean for verdict in first):
            self.merge, best = self._filled(best)
        self.back = self._put_back(best)
        settled = [self._settled(index, first[index], verdict) for index, verdict in enumerate(best)]
        self.back += self._stand_again(settled)
        return [
            replace(verdict, outcome=HunkOutcome.CONFLICT, reason=AMBIGUOUS)
            if self._strays(verdict)
            or self._is_overwritten(index, verdict)
            or self._takes(verdict)
            or self._is_crossed(index, verdict)
            else verdict
            for index, verdict in enumerate(settled)
        ]

    def _put_back(self, verdicts: Sequence[Verdict]) -> list[Run]:
        """Find the disk's lines that stand where they stood before the turn, given back by whoever it was."""
        found: list[Run] = []
        for hunk, verdict in zip(self.merge.turn.hunks, verdicts, strict=True):
            restored = self.merge.turn.restores(hunk)
            if verdict.outcome is HunkOutcome.ALREADY_UNDONE and restored:
                starts = range(verdict.start, verdict.end - len(restored) + 1)
                runs = ((at, at + len(restored)) for at in starts)
                found += (run for run in runs if self.merge.now[slice(*run)] == restored)
        return found

    def _stand_again(self, settled: Sequence[Verdict]) -> list[Run]:
        """Find the lines for whose sake a cut is called undone already: at its place, or wherever they are."""
        found: list[Run] = []
        for hunk, verdict in zip(self.merge.turn.hunks, settled, strict=True):
            restored = self.merge.turn.restores(hunk)
            if verdict.outcome is HunkOutcome.ALREADY_UNDONE and not hunk.after_lines and restored:
                runs = (
                    (verdict.start - len(restored), verdict.start),
                    (verdict.start, verdict.start + len(restored)),
                )
                found += (run for run in runs if run[0] >= 0 and self.merge.now[slice(*run)] == restored)
                found += self._came_back(hunk)
        return found

    def _takes(self, verdict: Verdict) -> bool:
        """Say whether a verdict would take lines away that stand where they stood before the turn."""
        is_nothing = verdict.outcome not in WRITTEN or verdict.start == verdict.end
        return not is_nothing and places.is_within(verdict.start, verdict.end, self.back)

    def _settled(self, index: int, first: Verdict, best: Verdict) -> Verdict:
        if self._came_back(self.merge.turn.hunks[index]):
            return Verdict(HunkOutcome.ALREADY_UNDONE, best.start, best.start)
        if self._is_sure(index, first, best):
            return best
        return self._told(index, self._weighed(index, best))

    def _is_crossed(self, index: int, verdict: Verdict) -> bool:
        return verdict.outcome in WRITTEN and index in self._crossed

    @cached_property
    def _crossed(self) -> set[int]:
        turn = self.merge.turn
        is_open = len(turn.hunks) > 1 and not turn.exact and self.merge.edits
        return places.crossed(self.merge) if is_open else set()

    def _is_overwritten(self, index: int, verdict: Verdict) -> bool:
        """Say whether later work changed a line that may be the turn's own or an equal one beside it: which is it?

        Likewise where lines went: among equal lines nothing tells on which side of later work they stood.
        """
        if verdict.outcome is not HunkOutcome.UNDONE:
            return False
        hunk = self.merge.turn.hunks[index]
        return any(edit.a0 < edit.a1 or not hunk.after_lines for edit in self._within_reach(index))

    def _within_reach(self, index: int) -> list[Edit]:
        """Gather the later edits of the lines between which equal lines leave the hunk's place open."""
        up, down = self.merge.turn.room(index)
        if up == down:
            return []
        start, end = span(self.merge.turn.hunks[index])
        return [edit for edit in self.merge.edits if meets(edit, start + up, end + down)]

    def _strays(self, verdict: Verdict) -> bool:
        """Say whether a merge would take lines for the hunk's own that later work put in on their own: copies."""
        if verdict.outcome not in WRITTEN or not verdict.together or verdict.outcome is HunkOutcome.MOVED:
            return False
        turn, now = self.merge.turn, self.merge.now
        hunks = [turn.hunks[index] for index in verdict.together]
        start, end = span(hunks[0])[0], span(hunks[-1])[1]
        own = {line for hunk in hunks for line in turn.after[slice(*span(hunk))] if line.strip()}
        only = verdict.end - verdict.start == 1
        lines = [at for at in range(verdict.start, verdict.end) if only or now[at] in own]
        return any(not comes_of(at, start, end, self.passages) for at in lines[: places.MANY])

    def _told(self, index: int, verdict: Verdict) -> Verdict:
        """Tell a hunk that is in nobody's way any more from one that later work stands on."""
        hunk = self.merge.turn.hunks[index]
        if verdict.reason != IN_THE_WAY or self._left_traces(index) or not is_superseded(self.merge, hunk):
            return verdict
        if self._descent.is_named(index):
            return verdict
        return replace(verdict, outcome=HunkOutcome.SUPERSEDED, reason=REPLACED)

    def _filled(self, first: list[Verdict]) -> tuple[Merge, list[Verdict]]:
        """Look into the gaps of the reading, for lines that went and came back."""
        turn = self.merge.turn
        stuck = [span(hunk) for hunk, own in zip(turn.hunks, first, strict=True) if not own.clean]
        edits = fill(self.merge.edits, turn.after, self.merge.now, stuck)
        if edits == self.merge.edits:
            return self.merge, first
        filled = replace(self.merge, edits=edits)
        return filled, [own if own.clean else new for own, new in zip(first, judge(filled), strict=True)]

    @cached_property
    def _descent(self) -> Descent:
        return Descent(self.merge)

    @cached_property
    def _pushed(self) -> list[tuple[Verdict, ...]]:
        """Every hunk with what each later passage put in or took out read as far up, and as far down, as may be."""
        ways = [*readings.pushed(self.merge, self.passages), *readings.parted(self.merge)]
        return [judge(replace(self.merge, edits=edits)) for edits in ways]

    @cached_property
    def _later(self) -> list[tuple[Verdict, ...]]:
        """Every hunk under each other way to read what came later."""
        ways = readings.others(self.merge, self.passages)
        return [*self._pushed, *(judge(replace(self.merge, edits=edits)) for edits in ways)]

    @cached_property
    def _earlier(self) -> list[tuple[Verdict, ...]]:
        """Every hunk under each other way to read what the turn did, where that was found by comparing."""
        turn = self.merge.turn
        if turn.exact:
            return []
        ways = (turn.slid(up=True), turn.slid(up=False))
        return [judge(replace(self.merge, turn=way)) for way in ways if way.hunks != turn.hunks]

    def _is_sure(self, index: int, first: Verdict, best: Verdict) -> bool:
        hunk = self.merge.turn.hunks[index]
        exact = hunk.exact and is_pinned(*span(hunk), self.passages)
        if exact and first.outcome is HunkOutcome.ALREADY_UNDONE:
            return self._is_gone(index)
        if exact and first.outcome is HunkOutcome.UNDONE:
            return hunk.after_lines > 0 or not self._is_open(hunk)
        if self._within_reach(index) or not places.stands_alone(
            self.merge.turn, hunk, best, self.after, self.now
        ):
            return False
        if not hunk.after_lines and (self._went_elsewhere(hunk) or self._came_back_in_part(hunk)):
            return False
        return not any(self._differs(best, verdicts[index]) for verdicts in self._pushed)

    def _is_open(self, hunk: Hunk) -> bool:
        """Say whether the place of lines that the hunk cut is in doubt, or whether they stand there already."""
        doubts = (self._is_uprooted, self._is_built_on, self._went_elsewhere, self._came_back_in_part)
        return any(doubt(hunk) for doubt in doubts)

    def _weighed(self, index: int, best: Verdict) -> Verdict:
        """Weigh a verdict against all that speaks against it."""
        hunk = self.merge.turn.hunks[index]
        if best.outcome is HunkOutcome.ALREADY_UNDONE:
            if self._is_done(index):
                return best
            best = replace(best, outcome=HunkOutcome.CONFLICT, reason=AMBIGUOUS)
        if not best.clean:
            best = self._moved(hunk) or self._agreed(index) or self._by_sliding(index) or best
        if best.outcome not in WRITTEN:
            return best
        ambiguous = replace(best, outcome=HunkOutcome.CONFLICT, reason=AMBIGUOUS)
        if best.outcome is not HunkOutcome.MOVED and self._is_uprooted(hunk):
            return ambiguous
        cut = None if hunk.after_lines else self._cut(index, best)
        if cut is not None:
            return cut
        others = [verdicts[index] for verdicts in (*self._later, *self._earlier)]
        return ambiguous if any(self._differs(best, other) for other in others) else best

    def _cut(self, index: int, best: Verdict) -> Verdict | None:
        """Weigh lines that would come back against where they stand already, and against every other reading."""
        if self._stands_beside(index, best) and not self.after.count(best.restored, 1):
            return Verdict(HunkOutcome.ALREADY_UNDONE, best.start, best.start)
        if self._is_built_on(self.merge.turn.hunks[index]):
            return replace(best, outcome=HunkOutcome.CONFLICT, reason=IN_THE_WAY)
        stuck = any(not verdicts[index].clean for verdicts in self._later)
        stands = self._stands_beside(index, best) or self._stands_anew(best.restored)
        part = best.outcome is HunkOutcome.UNDONE and self._came_back_in_part(self.merge.turn.hunks[index])
        if stuck or stands or part:
            return replace(best, outcome=HunkOutcome.CONFLICT, reason=AMBIGUOUS)
        return None

    def _stands_beside(self, index: int, best: Verdict) -> bool:
        """Say whether lines that would come back stand right there, as they did not when the turn had cut them."""
        if not any(line.strip() for line in best.restored):
            return False
        at, room = self.merge.turn.hunks[index].after_start, self.merge.turn.room(index)
        stood = any(_beside(best.restored, self.merge.turn.after, at + slid) for slid in (0, *room))
        return not stood and _beside(best.restored, self.merge.now, best.start)

    def _stands_anew(self, restored: Lines) -> bool:
        """Say whether lines that were gone after the turn stand somewhere: would they come back, or be doubled?"""
        telling = any(line.strip() for line in restored)
        return telling and self.now.count(restored, 1) > self.after.count(restored, 1)

    def _came_back(self, hunk: Hunk) -> list[Run]:
        """Find where lines are now that a later step put back just as the hunk took them out, if any are left."""
        if hunk.after_lines or not hunk.before_lines:
            return []
        return [
            mapped(put, self.passages[number + 1 :])
            for number, point, edit in touching(span(hunk), self.passages)
            for put in _put_back(hunk, edit, point)
            if self._is_left(hunk, number, put)
        ]

    def _is_left(self, hunk: Hunk, number: int, put: tuple[int, int]) -> bool:
        """Say whether lines that a passage put in are those that the hunk took out, and have not all gone since.

        A blank line is nobody's in particular, unless an undo brought it back.
        """
        restored = self.merge.turn.restores(hunk)
        if not (self.passages[number].undo or any(line.strip() for line in restored)):
            return False
        return self._stays(number, put) and self._put_in(number, put) == restored

    def _stays(self, number: int, put: Run) -> bool:
        """Say whether something is left of lines that a passage put in."""
        later = self.passages[number + 1 :]
        return any(comes_of(line, *put, later) for line in range(*mapped(put, later)))

    def _put_in(self, number: int, put: Run) -> Lines:
        """Return the lines that a passage put in; what has come of them, where its texts are not known."""
        texts = self.passages[number].texts
        if texts is None:
            return self.now.lines[slice(*mapped(put, self.passages[number + 1 :]))]
        return tuple(split_lines(texts[1])[slice(*put)])

    def _came_back_in_part(self, hunk: Hunk) -> bool:
        """Say whether a line that the hunk cut came back at its place with others, and something of it is left."""
        cut = {line for line in self.merge.turn.restores(hunk) if len(line.strip()) >= places.TELLING}
        gone = {line for line in cut if not self.after.count((line,), 1)}
        return bool(gone) and any(
            line in gone and self._stays(number, (at, at + 1))
            for number, _, edit in touching(span(hunk), self.passages)
            for at, line in enumerate(self._put_in(number, (edit.b0, edit.b1)), edit.b0)
        )

    def _is_done(self, index: int) -> bool:
        """Distrust a no-op: the hunk's lines must be gone, and nobody may hold that there is something to undo."""
        if not self._is_gone(index):
            return False
        return all(verdicts[index].outcome is HunkOutcome.ALREADY_UNDONE for verdicts in self._later)

    def _is_gone(self, index: int) -> bool:
        return not (self._left_traces(index) or self._descent.lives_on(index))

    def _moved(self, hunk: Hunk) -> Verdict | None:
        """Follow the hunk to where the very step that cut it out put it."""
        found = places.moved(self.merge, hunk, self.after, self.now)
        if found is None or self._takes(found):
            return None
        start, end = span(hunk)
        beside = 0 if start < end else 1
        born = {born_in(line, self.passages) for line in range(found.start - beside, found.end + beside)}
        cut = cut_by(start - beside, end + beside, self.passages)
        return found if born == {cut} and not self._brings_back(cut) else None

    def _brings_back(self, cut: int | None) -> bool:
        """Say whether what cut lines out is an undo: equal ones that it put elsewhere had stood there before."""
        return cut is not None and self.passages[cut].undo

    def _agreed(self, index: int) -> Verdict | None:
        """Take what every other reading agrees on where the first is stuck, if the hunk's lines do stand there.

        Where the hunk left no lines, a comparison knows less than the recorded steps: it cannot be overruled.
        """
        own = self.merge.turn.after[slice(*span(self.merge.turn.hunks[index]))]
        stands = self.now.count(own, places.MANY) if own else 0
        if not stands or stands != self.after.count(own, places.MANY) or not self._later:
            return None
        found = self._later[0][index]
        if found.outcome is not HunkOutcome.UNDONE or self.merge.now[found.start : found.end] != own:
            return None
        alike = all(verdicts[index] == found for verdicts in self._later)
        return found if alike and not self._takes(found) else None

    def _by_sliding(self, index: int) -> Verdict | None:
        """Read the turn's own insertion or deletion where nobody stands in its way."""
        found = next((verdicts[index] for verdicts in self._earlier if verdicts[index].clean), None)
        if found is not None and found.outcome is HunkOutcome.ALREADY_UNDONE and not self._is_gone(index):
            return None
        return found

    def _left_traces(self, index: int) -> bool:
        """Say whether something of the hunk stands there still: in other places, or in other words."""
        return places.left_traces(self.merge, index, self.after, self.now, self.back) or is_revived(
            *span(self.merge.turn.hunks[index]), self.passages
        )

    def _is_uprooted(self, hunk: Hunk) -> bool:
        return places.uprooted(self.merge, hunk, self.after, self.now)

    def _is_built_on(self, hunk: Hunk) -> bool:
        """Say whether lines came in just where the hunk cut some: on which side of them did these stand?"""
        if hunk.after_lines:
            return False
        edits = (edit for edit in self.merge.edits if places.came_back(edit, self.merge))
        same = [(edit.b0, edit.b1) for edit in edits]
        return any(not places.is_within(*run, same) for run in built_on(hunk.after_start, self.passages))

    def _went_elsewhere(self, hunk: Hunk) -> bool:
        """Say whether lines that the hunk cut stand elsewhere: an undo put them there, or they came back."""
        restored = self.merge.turn.restores(hunk)
        if hunk.after_lines or not self._stands_anew(restored):
            return False
        born = {born_in(line, self.passages) for line in self.now.places(restored)}
        if any(number is not None and self.passages[number].undo for number in born):
            return True
        return any(_puts_in(hunk, edit, point) for _, point, edit in touching(span(hunk), self.passages))

    def _differs(self, one: Verdict, other: Verdict) -> bool:
        """Say whether another clean answer gives another text; a no-op says nothing against a followed move."""
        if not other.clean or (
            one.outcome is HunkOutcome.MOVED and other.outcome is HunkOutcome.ALREADY_UNDONE
        ):
            return False
        same_place = (one.start, one.end, one.restored) == (other.start, other.end, other.restored)
        return not same_place and not one.gives(other, self.merge.now)


def _puts_in(hunk: Hunk, edit: Edit, point: int) -> bool:
    """Say whether an edit puts as many lines in at a point as a hunk cut, and takes nothing."""
    return edit.a0 == edit.a1 == point and edit.b1 - edit.b0 == hunk.before_lines


def _put_back(hunk: Hunk, edit: Edit, point: int) -> Iterator[Run]:
    """Yield the lines of an edit that may be those which a hunk cut at a point.

    All of them; or of what replaced the lines beside the place those that begin or end there.
    """
    size = hunk.before_lines
    if _puts_in(hunk, edit, point):
        yield edit.b0, edit.b1
    if edit.a0 == edit.a1 or edit.b1 - edit.b0 < size:
        return
    if edit.a0 == point:
        yield edit.b0, edit.b0 + size
    if edit.a1 == point:
        yield edit.b1 - size, edit.b1


def _beside(run: Sequence[bytes], lines: Sequence[bytes], at: int) -> bool:
    """Say whether a run of lines stands right above a place, or right below."""
    return run in (lines[max(0, at - len(run)) : at], lines[at : at + len(run)])
