"""Take one turn's hunks out of a text and keep everything that came later, or say who is in the way.

A strict three-way merge on lines: base is the turn's after-image, ours the disk, theirs the before-image. The
alignment is composed of recorded hunks (readings), every hunk is judged under it (judge), and what had to be
found by comparing is looked at again (doubt).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from sulcus_panel.core.diff import split_lines
from sulcus_panel.core.model import Hunk
from sulcus_panel.core.undo import readings
from sulcus_panel.core.undo.blame import Passage, everybody, standing_on
from sulcus_panel.core.undo.doubt import AMBIGUOUS, SecondLook
from sulcus_panel.core.undo.judge import AT_THE_END, judge
from sulcus_panel.core.undo.line_ends import (
    CRLF,
    LF,
    foreign_end,
    in_one_kind,
    is_mixed,
    other_ends,
    with_ends,
)
from sulcus_panel.core.undo.lines import edits_between
from sulcus_panel.core.undo.model import WRITTEN, HunkOutcome, Resolution
from sulcus_panel.core.undo.resolve import resolved
from sulcus_panel.core.undo.turn import CLEAN, Lines, Merge, Turn, Verdict, span

TWO_KINDS = "the file would have two kinds of line ends"
"""A turn that made its line ends one kind goes back as a whole, or not at all."""

__all__ = ["CLEAN", "Answer", "Turn", "Verdict", "take_back"]


@dataclass(frozen=True, slots=True)
class Answer:
    """A verdict for every hunk, and the text with the chosen ones taken back that have a result.

    `hunks` lead exactly from the disk's text to `result`.
    """

    verdicts: tuple[Verdict, ...]
    result: bytes
    hunks: tuple[Hunk, ...]


def take_back(
    turn: Turn,
    disk: bytes,
    passages: Sequence[Passage],
    chosen: Iterable[int],
    resolution: Resolution = Resolution.KEEP,
) -> Answer:
    """Take the chosen hunks of `turn` out of `disk`; `passages` lead from the after-image to `disk`.

    `resolution` is what the person decided about later work that stands in the way.
    """
    now = tuple(split_lines(disk))
    wanted = frozenset(chosen)
    if passages and all(
        passage.undo for passage in passages
    ):  # only what stood before can come back: in its own ends
        return _splice(now, _decided(turn, now, passages, wanted, resolution), wanted)
    end = other_ends(turn, now)
    if end is None:
        return _in_its_ends(turn, (disk, now), passages, wanted, resolution)
    verdicts = _decided(turn, with_ends(now, end), passages, wanted, resolution)
    own = LF if end == CRLF else CRLF
    return _splice(
        now, tuple(replace(each, restored=with_ends(each.restored, own)) for each in verdicts), wanted
    )


def _in_its_ends(
    turn: Turn,
    text: tuple[bytes, Lines],
    passages: Sequence[Passage],
    chosen: frozenset[int],
    resolution: Resolution,
) -> Answer:
    """Take hunks back so that a file with one kind of line end keeps one kind."""
    disk, now = text
    end = foreign_end(turn, disk)
    unified = in_one_kind(turn, end) if end is not None else None
    if unified is not None:
        after = b"".join(unified.after)
        who = everybody(passages)
        outside = who.outside or not who.seq_ids
        step = Passage(edits_between(after, disk), who.seq_ids, outside=outside, texts=(after, disk))
        return _splice(now, _decided(unified, now, [step], chosen, resolution), chosen)
    verdicts = _decided(turn, now, passages, chosen, resolution)
    answer = _splice(now, verdicts, chosen)
    if end is None or not is_mixed(answer.result) or answer.result == b"".join(turn.before):
        return answer
    refused = tuple(_refused(each, passages) if each.outcome in WRITTEN else each for each in verdicts)
    return _splice(now, refused, chosen)


def _refused(verdict: Verdict, passages: Sequence[Passage]) -> Verdict:
    return replace(verdict, outcome=HunkOutcome.CONFLICT, reason=TWO_KINDS, who=everybody(passages))


def _decided(
    turn: Turn, now: Lines, passages: Sequence[Passage], chosen: frozenset[int], resolution: Resolution
) -> tuple[Verdict, ...]:
    """Return what becomes of every hunk, who stands in the way named."""
    edits, known = readings.recorded(turn, now, passages)
    merge = Merge(turn, now, edits, chosen)
    verdicts = list(judge(merge))
    exact = turn.exact and all(passage.exact for passage in known)
    if not (exact and all(_stands(verdict) for verdict in verdicts)):
        verdicts = SecondLook(merge, known).settle(verdicts)
    verdicts = resolved(merge, verdicts, resolution)
    return tuple(
        _named(turn, hunk, verdict, known)
        for hunk, verdict in zip(turn.hunks, _parted(verdicts, chosen), strict=True)
    )


def _stands(verdict: Verdict) -> bool:
    """Say whether lines of the hunk itself give way, untouched: recorded steps then leave no doubt."""
    return verdict.outcome is HunkOutcome.UNDONE and verdict.start < verdict.end and not verdict.together


def _named(turn: Turn, hunk: Hunk, verdict: Verdict, passages: Sequence[Passage]) -> Verdict:
    if verdict.clean:
        return verdict
    start, end = span(hunk)
    if verdict.reason == AT_THE_END:
        start, end = max(0, start - 1), min(len(turn.after), end + 1)
    return replace(verdict, who=standing_on(start, end, passages))


def _splice(now: Lines, verdicts: tuple[Verdict, ...], chosen: frozenset[int]) -> Answer:
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
        for index in sorted(index for index in chosen if index < len(verdicts))
        if verdicts[index].outcome in WRITTEN and index == min(verdicts[index].together, default=index)
    ]
    return sorted(patches, key=lambda verdict: (verdict.start, verdict.end))


def _parted(verdicts: list[Verdict], chosen: frozenset[int]) -> list[Verdict]:
    """Refuse patches that run into each other, as a moved block may run into lines of another hunk."""
    patches = _patches(verdicts, chosen)
    ends = [0, *accumulate((patch.end for patch in patches), max)]
    bad: set[tuple[int, int]] = set()
    for index, patch in enumerate(patches):
        if patch.start < ends[index]:
            bad |= {
                (other.start, other.end)
                for other in patches
                if other.end > patch.start and other.start < patch.end
            }
            bad.add((patch.start, patch.end))
    if not bad:
        return verdicts
    return [
        replace(verdict, outcome=HunkOutcome.CONFLICT, reason=AMBIGUOUS)
        if verdict.outcome in WRITTEN and (verdict.start, verdict.end) in bad
        else verdict
        for verdict in verdicts
    ]
