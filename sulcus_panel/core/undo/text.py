"""Take one turn's hunks out of a text and keep everything that came later, or say who is in the way.

A strict three-way merge on lines: base is the turn's after-image, ours the disk, theirs the before-image.
Edits that merely touch do not conflict; two insertions at one point with different text do; an equal result
is "already undone"; any overlap is a conflict. The alignment is composed of recorded hunks; where something
had to be found by comparing, a second, independent comparison must not give another clean answer.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from sulcus_panel.core.diff import diff_hunks, split_lines
from sulcus_panel.core.model import Hunk
from sulcus_panel.core.undo.blame import NOBODY, Passage, Who, everybody, meets, standing_on
from sulcus_panel.core.undo.lines import Edit, compose_all, edits_of, fill, holds
from sulcus_panel.core.undo.model import HunkOutcome

Lines = tuple[bytes, ...]
CLEAN = frozenset({HunkOutcome.UNDONE, HunkOutcome.ALREADY_UNDONE})


@dataclass(frozen=True, slots=True)
class Turn:
    """What a turn did to one text. Applying `hunks` to `before` gives `after`."""

    before: Lines
    after: Lines
    hunks: tuple[Hunk, ...]

    @classmethod
    def of(cls, before: bytes, after: bytes, recorded: Sequence[Hunk]) -> "Turn":
        """Build a turn; recorded hunks are used where they prove right, else the two texts are compared."""
        old, new = tuple(split_lines(before)), tuple(split_lines(after))
        hunks = tuple(recorded)
        if not hunks or not holds(edits_of(hunks), old, new):
            hunks = diff_hunks(before, after)
        return cls(old, new, hunks)

    def restores(self, hunk: Hunk) -> Lines:
        """Return the lines that stood there before the turn."""
        return self.before[hunk.before_start : hunk.before_start + hunk.before_lines]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of one hunk, the lines `[start, end)` of the disk it is about, and who stands there."""

    outcome: HunkOutcome
    start: int
    end: int
    reason: str = ""
    who: Who = NOBODY


@dataclass(frozen=True, slots=True)
class Answer:
    """A verdict for every hunk, and the text with the chosen clean ones taken back.

    `hunks` lead exactly from the disk's text to `result`.
    """

    verdicts: tuple[Verdict, ...]
    result: bytes
    hunks: tuple[Hunk, ...]


def take_back(turn: Turn, disk: bytes, passages: Sequence[Passage], chosen: Iterable[int]) -> Answer:
    """Take the chosen hunks of `turn` out of `disk`; `passages` lead from the after-image to `disk`."""
    now = tuple(split_lines(disk))
    edits, exact, known = _align(turn, now, disk, passages)
    verdicts = list(_merge(turn, now, edits))
    if any(verdict.outcome is HunkOutcome.CONFLICT for verdict in verdicts) or not exact:
        verdicts = _second_look(turn, now, edits, verdicts, exact=exact)
    named = [_named(turn, hunk, verdict, known) for hunk, verdict in zip(turn.hunks, verdicts, strict=True)]
    return _splice(turn, now, tuple(named), frozenset(chosen))


def _align(
    turn: Turn, now: Lines, disk: bytes, passages: Sequence[Passage]
) -> tuple[tuple[Edit, ...], bool, Sequence[Passage]]:
    """Compose the way from the after-image to the disk; one that does not hold gives way to a comparison."""
    edits = compose_all([passage.edits for passage in passages])
    if holds(edits, turn.after, now):
        return edits, all(passage.exact for passage in passages), passages
    direct = edits_of(diff_hunks(b"".join(turn.after), disk))
    blamed = everybody(passages)
    return direct, False, (Passage(direct, blamed.seq_ids, outside=blamed.outside or not blamed.seq_ids),)


def _merge(turn: Turn, now: Lines, edits: Sequence[Edit]) -> tuple[Verdict, ...]:
    """Judge every hunk under one alignment."""
    ends = [edit.a1 for edit in edits]
    verdicts: list[Verdict] = []
    at = 0
    while at < len(turn.hunks):
        met, upto = _cluster(turn.hunks, edits, ends, at)
        group = turn.hunks[at:upto]
        if met:
            verdicts += [_overlap(turn, group, now, edits[met.start : met.stop])] * len(group)
        else:
            verdicts.append(_free(turn, group[0], now, edits, ends))
        at = upto
    return tuple(verdicts)


def _cluster(hunks: Sequence[Hunk], edits: Sequence[Edit], ends: list[int], at: int) -> tuple[range, int]:
    """Gather the hunks from `at` on that share an overlapping edit, and the range of the edits they meet."""
    met = _met(hunks[at], edits, ends)
    upto = at + 1
    while met and upto < len(hunks):
        more = _met(hunks[upto], edits, ends)
        if not more or more.start >= met.stop:
            break
        met = range(met.start, more.stop)
        upto += 1
    return met, upto


def _met(hunk: Hunk, edits: Sequence[Edit], ends: list[int]) -> range:
    start, end = hunk.after_start, hunk.after_start + hunk.after_lines
    first = bisect_left(ends, start)
    while first < len(edits) and edits[first].a0 <= end and not meets(edits[first], start, end):
        first += 1
    last = first
    while last < len(edits) and meets(edits[last], start, end):
        last += 1
    return range(first, last)


def _free(turn: Turn, hunk: Hunk, now: Lines, edits: Sequence[Edit], ends: list[int]) -> Verdict:
    """Place a hunk that no later edit overlaps: its lines stand together, or its point is known."""
    at = hunk.after_start
    before = bisect_left(ends, at)
    # Edits that end at the point lie before it; one that starts there lies after it, unless it is empty.
    while before < len(edits) and edits[before].a1 == at:
        before += 1
    shift = edits[before - 1].b1 - edits[before - 1].a1 if before else 0
    start, end = at + shift, at + shift + hunk.after_lines
    if _fuses(turn.restores(hunk), now, start, end):
        reason = "the end of the file has changed since"
        return Verdict(HunkOutcome.CONFLICT, start, end, reason)
    return Verdict(HunkOutcome.UNDONE, start, end)


def _fuses(restored: Lines, now: Lines, start: int, end: int) -> bool:
    """Say whether putting the lines there would glue two together, one of them lacking its newline."""
    lines = [*now[max(0, start - 1) : start], *restored, *now[end : end + 1]]
    return any(not line.endswith(b"\n") for line in lines[:-1])


def _overlap(turn: Turn, hunks: Sequence[Hunk], now: Lines, edits: Sequence[Edit]) -> Verdict:
    """Judge hunks that later edits overlap: the same result on both sides is fine, anything else is not."""
    low = min(edits[0].a0, hunks[0].after_start)
    high = max(edits[-1].a1, hunks[-1].after_start + hunks[-1].after_lines)
    start = edits[0].b0 - (edits[0].a0 - low)
    end = edits[-1].b1 + (high - edits[-1].a1)
    wanted: list[bytes] = []
    at = low
    for hunk in hunks:
        wanted += turn.after[at : hunk.after_start]
        wanted += turn.restores(hunk)
        at = hunk.after_start + hunk.after_lines
    wanted += turn.after[at:high]
    if tuple(wanted) == now[start:end]:
        return Verdict(HunkOutcome.ALREADY_UNDONE, start, end)
    return Verdict(HunkOutcome.CONFLICT, start, end, "later work stands on these lines")


def _second_look(
    turn: Turn, now: Lines, edits: tuple[Edit, ...], first: list[Verdict], *, exact: bool
) -> list[Verdict]:
    """Look again where something is not known but compared: into the gaps, then by another alignment.

    What only recorded hunks decided stands. A clean answer found by comparing falls when patience, from the
    after-image straight to the disk, cleanly says something else.
    """
    all_clean = all(verdict.outcome in CLEAN for verdict in first)
    filled = first if all_clean else list(_merge(turn, now, fill(edits, turn.after, now)))
    direct = edits_of(diff_hunks(b"".join(turn.after), b"".join(now), patience=True))
    second = _merge(turn, now, direct)
    judged: list[Verdict] = []
    for hunk, own, refilled, other in zip(turn.hunks, first, filled, second, strict=True):
        best = own if own.outcome in CLEAN else refilled
        surely = exact and own.outcome in CLEAN
        if not surely and _disagree(turn, hunk, now, best, other):
            best = replace(
                best, outcome=HunkOutcome.CONFLICT, reason="ambiguous: these lines stand more than once"
            )
        judged.append(best)
    return judged


def _disagree(turn: Turn, hunk: Hunk, now: Lines, one: Verdict, other: Verdict) -> bool:
    if one.outcome not in CLEAN or other.outcome not in CLEAN or one == other:
        return False
    return _alone(turn, hunk, now, one) != _alone(turn, hunk, now, other)


def _alone(turn: Turn, hunk: Hunk, now: Lines, verdict: Verdict) -> Lines:
    if verdict.outcome is HunkOutcome.ALREADY_UNDONE:
        return now
    return (*now[: verdict.start], *turn.restores(hunk), *now[verdict.end :])


def _named(turn: Turn, hunk: Hunk, verdict: Verdict, passages: Sequence[Passage]) -> Verdict:
    if verdict.outcome is not HunkOutcome.CONFLICT:
        return verdict
    start, end = hunk.after_start, hunk.after_start + hunk.after_lines
    if verdict.reason.startswith("the end"):
        start, end = max(0, start - 1), min(len(turn.after), end + 1)
    return replace(verdict, who=standing_on(start, end, passages))


def _splice(turn: Turn, now: Lines, verdicts: tuple[Verdict, ...], chosen: frozenset[int]) -> Answer:
    """Build the result and the exact hunks that lead to it."""
    result: list[bytes] = []
    hunks: list[Hunk] = []
    at = 0
    order = sorted(index for index in chosen if verdicts[index].outcome is HunkOutcome.UNDONE)
    for index in order:
        verdict = verdicts[index]
        restored = turn.restores(turn.hunks[index])
        result += now[at : verdict.start]
        hunks.append(Hunk(verdict.start, verdict.end - verdict.start, len(result), len(restored)))
        result += restored
        at = verdict.end
    result += now[at:]
    return Answer(verdicts, b"".join(result), tuple(hunks))
