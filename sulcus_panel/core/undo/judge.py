"""A turn's hunks judged under one reading of what came later: free, overlapped, merged, or in conflict.

Touching is not overlapping. An equal result on both sides is "already undone"; what overlaps is merged word by
word where that is certain, and shown for review where it is not quite.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from sulcus_panel.core.diff.alignments import Edit
from sulcus_panel.core.model import Hunk
from sulcus_panel.core.undo.blame import meets
from sulcus_panel.core.undo.heirs import heir, heirs
from sulcus_panel.core.undo.model import WRITTEN, HunkOutcome
from sulcus_panel.core.undo.tokens import Merged, merge_tokens
from sulcus_panel.core.undo.turn import Lines, Merge, Reading, Run, Verdict, fuses, span

IN_THE_WAY = "later work stands on these lines"
TOUCHED = "later work touches the same words"
ECHOED = "later work has put something alike beside it"
WORD = re.compile(rb"[A-Za-z0-9_\x80-\xff]+")
AT_THE_END = "the end of the file has changed since"


def judge(merge: Merge) -> tuple[Verdict, ...]:
    """Judge every hunk under one reading; chosen hunks that share an edit are judged together."""
    edits, hunks = merge.edits, merge.turn.hunks
    ends = [edit.a1 for edit in edits]
    verdicts: list[Verdict] = []
    at = 0
    while at < len(hunks):
        met, upto = _cluster(hunks, edits, ends, at)
        if met:
            verdicts += _cluster_verdicts(merge, edits[met.start : met.stop], range(at, upto))
        else:
            verdicts.append(_free(merge, at, ends))
        at = upto
    return tuple(verdicts)


def _cluster(hunks: Sequence[Hunk], edits: Reading, ends: list[int], at: int) -> tuple[range, int]:
    """Gather the hunks from `at` on that share an overlapping edit, and the range of the edits they meet."""
    met = _met(hunks[at], edits, ends)
    upto = at + 1
    while met and upto < len(hunks):
        more = _met(hunks[upto], edits, ends)
        if not more or more.start >= met.stop:
            break
        met = range(met.start, max(met.stop, more.stop))
        upto += 1
    return met, upto


def _met(hunk: Hunk, edits: Reading, ends: list[int]) -> range:
    start, end = span(hunk)
    first = bisect_left(ends, start)
    while first < len(edits) and edits[first].a0 <= end and not meets(edits[first], start, end):
        first += 1
    last = first
    while last < len(edits) and meets(edits[last], start, end):
        last += 1
    return range(first, last)


def _free(merge: Merge, index: int, ends: list[int]) -> Verdict:
    """Place a hunk that no later edit overlaps: its lines stand together, or its point is known."""
    turn, now, edits = merge.turn, merge.now, merge.edits
    hunk = turn.hunks[index]
    at = hunk.after_start
    before = bisect_left(ends, at)
    # Edits that end at the point lie before it; one that starts there lies after it, unless it is empty.
    while before < len(edits) and edits[before].a1 == at:
        before += 1
    shift = edits[before - 1].b1 - edits[before - 1].a1 if before else 0
    start, end = at + shift, at + shift + hunk.after_lines
    restored = turn.restores(hunk)
    if fuses(restored, now, start, end):
        return Verdict(HunkOutcome.CONFLICT, start, end, reason=AT_THE_END)
    beside = edits[max(0, before - 1) : before + 1]
    if not hunk.after_lines and any(
        start in (edit.b0, edit.b1) and _echoes(restored, edit, now) for edit in beside
    ):
        return Verdict(HunkOutcome.REVIEW, start, end, restored, ECHOED)
    return Verdict(HunkOutcome.UNDONE, start, end, restored)


def _echoes(restored: Lines, edit: Edit, now: Lines) -> bool:
    """Say whether an edit put in more lines than it took, one with all the words of a line that would return."""
    if edit.b1 - edit.b0 <= edit.a1 - edit.a0:
        return False
    wanted = [Counter(WORD.findall(line)) for line in restored]
    found = [Counter(WORD.findall(line)) for line in now[edit.b0 : edit.b1]]
    return any(words.total() > 1 and words <= other for words in wanted for other in found)


def _cluster_verdicts(merge: Merge, edits: Reading, indexes: range) -> list[Verdict]:
    """Judge the chosen hunks of a cluster as one, and each of the others as if it were chosen alone."""
    together = tuple(index for index in indexes if index in merge.chosen)
    joint = _overlap(merge, edits, together) if together else None
    return [
        joint if joint is not None and index in merge.chosen else _overlap(merge, edits, (index,))
        for index in indexes
    ]


def _overlap(merge: Merge, edits: Reading, indexes: tuple[int, ...]) -> Verdict:
    """Judge hunks that later edits overlap: the same result on both sides is fine, then words are merged."""
    turn = merge.turn
    hunks = [turn.hunks[index] for index in indexes]
    low = min(edits[0].a0, hunks[0].after_start)
    high = max(edits[-1].a1, span(hunks[-1])[1])
    start = edits[0].b0 - (edits[0].a0 - low)
    end = edits[-1].b1 + (high - edits[-1].a1)
    wanted = turn.without(hunks, low, high)
    if wanted == merge.now[start:end]:
        return Verdict(HunkOutcome.ALREADY_UNDONE, start, end)
    verdict = _by_words(merge, indexes, (low, high), (start, end), wanted)
    if not verdict.clean and len(hunks) == 1 and hunks[0].after_lines == 1:
        return _by_heir(merge, indexes, (low, high), (start, end)) or verdict
    return verdict


def _by_heir(merge: Merge, indexes: tuple[int, ...], base: Run, disk: Run) -> Verdict | None:
    """Judge a single line within a passage that was rewritten, by the one line that has come of it.

    Lines that would come back with it have no certain place among those that stand beside it now.
    """
    hunk = merge.turn.hunks[indexes[0]]
    at = hunk.after_start
    found = heir(merge.turn.after[slice(*base)], at - base[0], merge.now[slice(*disk)])
    if found is None:
        return None
    place = disk[0] + found, disk[0] + found + 1
    verdict = _by_words(merge, indexes, (at, at + 1), place, merge.turn.restores(hunk))
    if verdict.outcome not in WRITTEN or len(verdict.restored) > verdict.end - verdict.start:
        return None
    made = (*merge.now[disk[0] : verdict.start], *verdict.restored, *merge.now[verdict.end : disk[1]])
    return None if _doubles(made, merge.now[slice(*disk)], merge.turn.without([hunk], *base)) else verdict


def _by_words(merge: Merge, indexes: tuple[int, ...], base: Run, disk: Run, wanted: Lines) -> Verdict:
    known = merge.by_words.get((indexes, base, disk, wanted))
    if known is None:
        now = merge.now[slice(*disk)]
        merged = merge_tokens(merge.turn.after[slice(*base)], now, wanted)
        if merged is not None and _doubles(merged.lines, now, wanted):
            merged = None
        known = merge.by_words[indexes, base, disk, wanted] = _verdict(merge, indexes, disk, merged)
    return known


def _doubles(lines: Lines, now: Lines, wanted: Lines) -> bool:
    """Say whether a merge has a line that says something more often than either side: both had put it there."""
    here, there = Counter(now), Counter(wanted)
    made = Counter(lines)
    return any(
        made[line] > max(here[line], there[line]) and len(WORD.findall(line)) > 1
        for line in here.keys() & there.keys()
    )


def _verdict(merge: Merge, indexes: tuple[int, ...], disk: Run, merged: Merged | None) -> Verdict:
    start, end = disk
    now = merge.now
    if merged is None or fuses(merged.lines, now, start, end):
        return Verdict(HunkOutcome.CONFLICT, start, end, reason=IN_THE_WAY, together=indexes)
    if merged.lines == now[start:end]:
        return Verdict(HunkOutcome.ALREADY_UNDONE, start, end, together=indexes)
    start, end, lines = _trimmed(start, end, merged.lines, now)
    if merged.sure:
        return Verdict(HunkOutcome.UNDONE, start, end, lines, together=indexes)
    return Verdict(HunkOutcome.REVIEW, start, end, lines, TOUCHED, together=indexes)


def _trimmed(start: int, end: int, lines: Lines, now: Lines) -> tuple[int, int, Lines]:
    """Leave out the lines at both ends that stay as they are."""
    low, high = 0, len(lines)
    while start < end and low < high and now[start] == lines[low]:
        start, low = start + 1, low + 1
    while start < end and low < high and now[end - 1] == lines[high - 1]:
        end, high = end - 1, high - 1
    return start, end, lines[low:high]


def is_superseded(merge: Merge, hunk: Hunk) -> bool:
    """Say whether no line of the hunk is left, nor a line that has come of it, nor any that took just its place.

    Later work that stands in place of exactly these lines can be taken back first; that is a conflict. So is a
    file of which no line is left at all: it is another one.
    """
    start, end = span(hunk)
    met = [edit for edit in merge.edits if meets(edit, start, end)]
    if not met or start == end or met[0].a0 > start or met[-1].a1 < end:
        return False
    if any(one.a1 < other.a0 for one, other in pairwise(met)):
        return False
    low, high = (met[0].a0, met[-1].a1), (met[0].b0, met[-1].b1)
    if (low == (start, end) and high[0] < high[1]) or low == (0, len(merge.turn.after)):
        return False
    old, new = merge.turn.after[slice(*low)], merge.now[slice(*high)]
    return all(found is None for found in heirs(old, range(start - low[0], end - low[0]), new))
