"""The ways in which a text's later history can be read: alignments from the after-image to the disk.

The first is composed of what was recorded. Where anything in it had to be found by comparing, the others say
whether the same texts allow another answer.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from sulcus_panel.core.undo.blame import Passage, everybody
from sulcus_panel.core.undo.lines import Edit, compose_all, edits_between, holds
from sulcus_panel.core.undo.turn import Lines, Merge, Reading, Turn, span

_NEAR = 4
"""Edits on each side of a hunk that are slid towards it."""
_FAR = 5000
"""Lines that an edit is slid at most."""


def recorded(turn: Turn, now: Lines, passages: Sequence[Passage]) -> tuple[Reading, bool, Sequence[Passage]]:
    """Compose the way from the after-image to the disk; one that does not hold gives way to a comparison.

    Returns the reading, whether all of it was recorded, and the passages that lead along it.
    """
    edits = compose_all([passage.edits for passage in passages])
    if holds(edits, turn.after, now):
        return edits, all(passage.exact for passage in passages), passages
    after, disk = b"".join(turn.after), b"".join(now)
    direct = edits_between(after, disk)
    who = everybody(passages)
    outside = who.outside or not who.seq_ids
    return direct, False, (Passage(direct, who.seq_ids, outside=outside, texts=(after, disk)),)


def others(merge: Merge, passages: Sequence[Passage]) -> Iterator[Reading]:
    """Yield other readings of the same texts: equal lines slid both ways, and every comparison made anew."""
    seen = {merge.edits}
    for up in (True, False):
        reading = slid(merge, up=up)
        if reading not in seen:
            seen.add(reading)
            yield reading
    steps = [passage.edits for passage in passages]
    for anew in (_by_patience, _from_below):
        parts = [anew(passage) for passage in passages]
        if parts == steps:
            continue
        reading = compose_all(parts)
        if reading not in seen:
            seen.add(reading)
            yield reading


def _by_patience(passage: Passage) -> Reading:
    """Compare a passage's texts by another rule; what was recorded has no other reading."""
    if passage.exact or passage.texts is None:
        return passage.edits
    return edits_between(*passage.texts, patience=True)


def _from_below(passage: Passage) -> Reading:
    """Compare a passage's texts from their last lines up."""
    if passage.exact or passage.texts is None:
        return passage.edits
    return edits_between(*passage.texts, from_below=True)


def slid(merge: Merge, *, up: bool) -> Reading:
    """Push the pure insertions and deletions near each hunk up (or down) as far as equal lines allow."""
    edits = merge.edits
    near: set[int] = set()
    ends = [edit.a1 for edit in edits]
    for hunk in merge.turn.hunks:
        low = bisect_left(ends, span(hunk)[0])
        high = bisect_left(ends, span(hunk)[1])
        near.update(range(max(0, low - _NEAR), min(len(edits), high + 1 + _NEAR)))
    moved = list(edits)
    for index in sorted(near, reverse=not up):
        edit = moved[index]
        if (edit.a0 == edit.a1) != (edit.b0 == edit.b1):
            step = _room(moved, index, merge.turn.after, merge.now, up=up)
            moved[index] = Edit(edit.a0 + step, edit.a1 + step, edit.b0 + step, edit.b1 + step)
    return tuple(moved)


def _room(edits: Sequence[Edit], index: int, after: Lines, now: Lines, *, up: bool) -> int:
    edit = edits[index]
    lines, start, end = (after, edit.a0, edit.a1) if edit.a0 < edit.a1 else (now, edit.b0, edit.b1)
    step = 0
    if up:
        stop = max(-_FAR, (edits[index - 1].a1 if index else 0) - edit.a0)
        while step > stop and lines[start + step - 1] == lines[end + step - 1]:
            step -= 1
        return step
    stop = min(_FAR, (edits[index + 1].a0 if index + 1 < len(edits) else len(after)) - edit.a1)
    while step < stop and lines[start + step] == lines[end + step]:
        step += 1
    return step
