"""Take one turn's hunks out of a text and keep everything that came later, or say who is in the way.

A strict three-way merge on lines: base is the turn's after-image, ours the disk, theirs the before-image. The
alignment is composed of recorded hunks. What had to be found by comparing is proven by its neighbours, which
stand nowhere else, or by every other reading of the same texts; where those disagree, nothing is written.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from sulcus_panel.core.diff import split_lines
from sulcus_panel.core.model import Hunk
from sulcus_panel.core.undo import places, readings
from sulcus_panel.core.undo.blame import Passage, standing_on
from sulcus_panel.core.undo.judge import AT_THE_END, is_gone, judge
from sulcus_panel.core.undo.lines import fill
from sulcus_panel.core.undo.model import HunkOutcome
from sulcus_panel.core.undo.readings import Reading
from sulcus_panel.core.undo.turn import CLEAN, WRITTEN, Lines, Turn, Verdict, span

__all__ = ["CLEAN", "Answer", "Turn", "Verdict", "take_back"]

AMBIGUOUS = "ambiguous: these lines stand more than once"


@dataclass(frozen=True, slots=True)
class Answer:
    """A verdict for every hunk, and the text with the chosen ones taken back that have a result.

    `hunks` lead exactly from the disk's text to `result`.
    """

    verdicts: tuple[Verdict, ...]
    result: bytes
    hunks: tuple[Hunk, ...]


def take_back(turn: Turn, disk: bytes, passages: Sequence[Passage], chosen: Iterable[int]) -> Answer:
    """Take the chosen hunks of `turn` out of `disk`; `passages` lead from the after-image to `disk`."""
    now = tuple(split_lines(disk))
    wanted = frozenset(chosen)
    edits, exact, known = readings.recorded(turn, now, disk, passages)
    first = judge(turn, now, edits, wanted)
    verdicts = list(first)
    if not (exact and all(verdict.clean for verdict in first)):
        verdicts = _Look(turn, now, disk, edits, wanted, exact, known).again(first)
    verdicts = _parted(verdicts, wanted)
    named = [_named(turn, hunk, verdict, known) for hunk, verdict in zip(turn.hunks, verdicts, strict=True)]
    return _splice(turn, now, tuple(named), wanted)


class _Look:
    """A second look where something is not known but compared."""

    def __init__(
        self, turn: Turn, now: Lines, disk: bytes, edits: Reading, chosen: frozenset[int], exact: bool, known
    ) -> None:
        self.turn, self.now, self.disk, self.edits, self.chosen, self.exact = turn, now, disk, edits, chosen, exact
        self.passages=known
        self.after_text = places.Text(turn.after, b"".join(turn.after))
        self.now_text = places.Text(now, disk)

    def again(self, first: Sequence[Verdict]) -> list[Verdict]:
        """Judge every hunk again; what recorded hunks alone decided stands, and what is proven by its place."""
        best = list(first)
        if not all(verdict.clean for verdict in first):
            best = self._filled(best)
        doubtful = [index for index in range(len(best)) if not self._is_sure(index, first[index], best[index])]
        if not doubtful:
            return best
        later, earlier = self._later(), self._earlier()
        for index in doubtful:
            best[index] = self._weighed(
                index, best[index], [verdicts[index] for verdicts in later], [verdicts[index] for verdicts in earlier]
            )
        return best

    def _filled(self, best: list[Verdict]) -> list[Verdict]:
        filled = fill(self.edits, self.turn.after, self.now)
        if filled == self.edits:
            return best
        self.edits = filled
        again = judge(self.turn, self.now, filled, self.chosen)
        return [own if own.clean else new for own, new in zip(best, again, strict=True)]

    def _later(self) -> list[tuple[Verdict, ...]]:
        """Judge under every other way to read what came later."""
        ways = readings.others(self.turn, self.now, self.edits, self.passages)
        return [judge(self.turn, self.now, reading, self.chosen) for reading in ways]

    def _earlier(self) -> list[tuple[Verdict, ...]]:
        """Judge under the other ways to read what the turn did, where that was found by comparing."""
        if self.turn.recorded:
            return []
        ways = (self.turn.slid(up=True), self.turn.slid(up=False))
        return [judge(turn, self.now, self.edits, self.chosen) for turn in ways if turn.hunks != self.turn.hunks]

    def _is_sure(self, index: int, first: Verdict, best: Verdict) -> bool:
        if self.exact and first.clean:
            return True
        return places.stands_alone(self.turn, self.turn.hunks[index], best, self.after_text, self.now_text)

    def _weighed(self, index: int, best: Verdict, later: Sequence[Verdict], earlier: Sequence[Verdict]) -> Verdict:
        """Weigh a verdict against the other readings: a clean answer falls when one of them gives another."""
        hunk = self.turn.hunks[index]
        if not best.clean:
            found = places.moved(self.turn, hunk, self.edits, self.after_text, self.now_text)
            best = found or self._agreed(hunk, best, later) 
        if not best.clean:
            best = next((verdict for verdict in earlier if verdict.clean), best)
        if best.outcome not in WRITTEN | CLEAN:
            return best
        if best.outcome is HunkOutcome.ALREADY_UNDONE and not self._is_done(hunk, later):
            return replace(best, outcome=HunkOutcome.CONFLICT, reason=AMBIGUOUS)
        if best.outcome is not HunkOutcome.MOVED and places.uprooted(self.turn, hunk, self.edits, self.after_text, self.now_text):
            return replace(best, outcome=HunkOutcome.CONFLICT, reason=AMBIGUOUS)
        if any(self._differs(best, verdict) for verdict in (*later, *earlier)):
            return replace(best, outcome=HunkOutcome.CONFLICT, reason=AMBIGUOUS)
        return best

    def _agreed(self, hunk: Hunk, best: Verdict, other: Sequence[Verdict]) -> Verdict:
        """Take what every other reading agrees on where the first is stuck, if the hunk's lines do stand there.

        Where the hunk left no lines, a comparison knows less than the recorded steps: it cannot be overruled.
        """
        lines = self.turn.after[slice(*span(hunk))]
        if not other or not lines or any(verdict != other[0] for verdict in other):
            return best
        stands = other[0].outcome is HunkOutcome.UNDONE and self.now[other[0].start : other[0].end] == lines
        return other[0] if stands else best

    def _is_done(self, hunk: Hunk, other: Sequence[Verdict]) -> bool:
        """Distrust a no-op: nobody may hold that there is something to undo, and the lines must be gone."""
        if places.left_traces(self.turn, hunk, self.edits, self.after_text, self.now_text):
            return False
        return all(verdict.outcome is HunkOutcome.ALREADY_UNDONE for verdict in other)

    def _differs(self, one: Verdict, other: Verdict) -> bool:
        if not other.clean or (one.start, one.end, one.restored) == (other.start, other.end, other.restored):
            return False
        return not one.gives(other, self.now)


def _named(turn: Turn, hunk: Hunk, verdict: Verdict, passages: Sequence[Passage]) -> Verdict:
    if verdict.clean:
        return verdict
    start, end = span(hunk)
    if verdict.reason == AT_THE_END:
        start, end = max(0, start - 1), min(len(turn.after), end + 1)
    return replace(verdict, who=standing_on(start, end, passages))


def _splice(turn: Turn, now: Lines, verdicts: tuple[Verdict, ...], chosen: frozenset[int]) -> Answer:
    """Build the result and the exact hunks that lead to it; hunks judged together are one patch."""
    result: list[bytes] = []
    hunks: list[Hunk] = []
    at = 0
    for verdict in _patches(verdicts, chosen):
        result += now[at : verdict.start]
        hunks.append(Hunk(verdict.start, verdict.end - verdict.start, len(result), len(verdict.restored)))
        result += verdict.restored
        at = verdict.end
    result += now[at:]
    return Answer(verdicts, b"".join(result), tuple(hunks))


def _patches(verdicts: Sequence[Verdict], chosen: Iterable[int]) -> list[Verdict]:
    """Return what the chosen hunks would write, in the disk's order."""
    patches = [
        verdicts[index]
        for index in sorted(chosen)
        if verdicts[index].outcome in WRITTEN and index == min(verdicts[index].together, default=index)
    ]
    return sorted(patches, key=lambda verdict: (verdict.start, verdict.end))


def _parted(verdicts: list[Verdict], chosen: frozenset[int]) -> list[Verdict]:
    """Refuse patches that run into each other, as a moved block may run into lines of another hunk."""
    patches = _patches(verdicts, chosen)
    ends = list(accumulate((patch.end for patch in patches), max))
    bad = {
        (patch.start, patch.end)
        for index, patch in enumerate(patches)
        if index and patch.start < ends[index - 1] or patches[index + 1 :] and patches[index + 1].start < patch.end
    }
    return [
        replace(verdict, outcome=HunkOutcome.CONFLICT, reason=AMBIGUOUS)
        if bad and verdict.outcome in WRITTEN and (verdict.start, verdict.end) in bad
        else verdict
        for verdict in verdicts
    ]
