"""A second look at what had to be found by comparing.

A hunk is proven by its place, where no other place fits its neighbours as well; else by every other reading of
the same texts. Where those give another clean answer, or the change still stands somewhere, nothing is written.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

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
    meets,
)
from sulcus_panel.core.undo.descent import Descent
from sulcus_panel.core.undo.judge import IN_THE_WAY, is_superseded, judge
from sulcus_panel.core.undo.lines import fill
from sulcus_panel.core.undo.model import WRITTEN, HunkOutcome
from sulcus_panel.core.undo.returns import Returns
from sulcus_panel.core.undo.turn import Merge, Run, Verdict, span

REPLACED = "later work has replaced these lines and others around them"
AMBIGUOUS = "ambiguous: these lines stand more than once"


class SecondLook:
    """The facts of one merge, with the other readings judged once they are asked for."""

    def __init__(self, merge: Merge, passages: Sequence[Passage]) -> None:
        self.merge = merge
        self.passages = passages
        self.after = places.Text(merge.turn.after)
        self.now = places.Text(merge.now)
        self.returns = Returns(merge.turn, passages, self.after, self.now)
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
                found += self.returns.came_back(hunk)
        return found

    def _takes(self, verdict: Verdict) -> bool:
        """Say whether a verdict would take lines away that stand where they stood before the turn."""
        is_nothing = verdict.outcome not in WRITTEN or verdict.start == verdict.end
        return not is_nothing and places.is_within(verdict.start, verdict.end, self.back)

    def _settled(self, index: int, first: Verdict, best: Verdict) -> Verdict:
        if self.returns.came_back(self.merge.turn.hunks[index]):
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
        if not hunk.after_lines and self.returns.are_back(hunk):
            return False
        return not any(self._differs(best, verdicts[index]) for verdicts in self._pushed)

    def _is_open(self, hunk: Hunk) -> bool:
        """Say whether the place of lines that the hunk cut is in doubt, or whether they stand there already."""
        doubts = (self._is_uprooted, self._is_built_on, self.returns.are_back)
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
        if self.returns.stand_beside(index, best) and not self.after.count(best.restored, 1):
            return Verdict(HunkOutcome.ALREADY_UNDONE, best.start, best.start)
        if self._is_built_on(self.merge.turn.hunks[index]):
            return replace(best, outcome=HunkOutcome.CONFLICT, reason=IN_THE_WAY)
        stuck = any(not verdicts[index].clean for verdicts in self._later)
        stands = self.returns.stand_beside(index, best) or self.returns.stand_anew(best.restored)
        part = best.outcome is HunkOutcome.UNDONE and self.returns.came_back_in_part(
            self.merge.turn.hunks[index]
        )
        if stuck or stands or part:
            return replace(best, outcome=HunkOutcome.CONFLICT, reason=AMBIGUOUS)
        return None

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

    def _differs(self, one: Verdict, other: Verdict) -> bool:
        """Say whether another clean answer gives another text; a no-op says nothing against a followed move."""
        if not other.clean or (
            one.outcome is HunkOutcome.MOVED and other.outcome is HunkOutcome.ALREADY_UNDONE
        ):
            return False
        same_place = (one.start, one.end, one.restored) == (other.start, other.end, other.restored)
        return not same_place and not one.gives(other, self.merge.now)
