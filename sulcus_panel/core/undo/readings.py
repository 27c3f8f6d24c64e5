"""The ways in which a text's later history can be read: alignments from the after-image to the disk.

The first is composed of what was recorded. Where anything in it had to be found by comparing, the others say
whether the same texts allow another answer.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice

from sulcus_panel.core.diff import split_lines
from sulcus_panel.core.diff.alignments import Edit, compose_all, holds, real, shifted
from sulcus_panel.core.undo.anew import compared_anew
from sulcus_panel.core.undo.blame import Passage, edits_around, everybody, followed
from sulcus_panel.core.undo.lines import edits_between
from sulcus_panel.core.undo.turn import Lines, Merge, Reading, Turn, span

_NEAR = 4
"""Edits on each side of a hunk that are slid towards it."""
_BESIDE = 100
"""Lines from which an edit of one passage may slide to a hunk, as a copy does that stands beside the original."""
_FAR = 5000
"""Lines that an edit is slid at most."""
_COPIES = 3
"""Copies of a hunk's lines that are looked at in one edit beside it."""
_FEW = 12
"""Hunks beyond which all lines between the first and the last one count as theirs."""


def recorded(turn: Turn, now: Lines, passages: Sequence[Passage]) -> tuple[Reading, Sequence[Passage]]:
    """Compose the way from the after-image to the disk; one that does not hold gives way to a comparison.

    Returns the reading, and the passages that lead along it.
    """
    edits = compose_all([passage.edits for passage in passages])
    if holds(edits, turn.after, now):
        return edits, passages
    after, disk = b"".join(turn.after), b"".join(now)
    direct = edits_between(after, disk)
    who = everybody(passages)
    outside = who.outside or not who.seq_ids
    return direct, (Passage(direct, who.seq_ids, outside=outside, texts=(after, disk)),)


def others(merge: Merge, passages: Sequence[Passage]) -> Iterator[Reading]:
    """Yield other readings of the same texts: equal lines slid both ways, and every comparison made anew."""
    seen = {merge.edits}
    steps = [passage.edits for passage in passages]
    for up in (True, False):
        reading = slid(merge, up=up)
        if reading not in seen:
            seen.add(reading)
            yield reading
    for parts in _compared_anew(merge.turn, passages):
        if parts == steps:
            continue
        reading = compose_all(parts)
        if reading not in seen:
            seen.add(reading)
            yield reading


def pushed(merge: Merge, passages: Sequence[Passage]) -> list[Reading]:
    """Return the readings in which what every passage put in or took out beside the hunks slides up, or down.

    Only equal lines of the passage's own texts let it slide.
    """
    near: dict[int, set[int]] = {}
    for hunk in merge.turn.hunks:
        for number, at in edits_around(*span(hunk), passages, within=_BESIDE):
            if may_slide(passages[number].edits[at]):
                near.setdefault(number, set()).add(at)
    ups, downs = ([passage.edits for passage in passages] for _ in range(2))
    known: dict[int, Lines] = {}
    for number, which in near.items():
        texts = passages[number].texts
        if texts is not None:
            edits, order = passages[number].edits, sorted(which)
            lines = partial(_split, known, *texts)
            ups[number] = _slid(edits, order, lines, up=True)
            downs[number] = _slid(edits, order, lines, up=False)
    steps = [passage.edits for passage in passages]
    return [compose_all(parts) for parts in (ups, downs) if parts != steps]


def _split(known: dict[int, Lines], old: bytes, new: bytes, edit: Edit) -> Lines:
    """Return the lines of the text in which an edit slides; what one passage made is what the next one found."""
    text = old if edit.a0 < edit.a1 else new
    lines = known.get(id(text))
    if lines is None:
        lines = known[id(text)] = tuple(split_lines(text))
    return lines


def parted(merge: Merge) -> list[Reading]:
    """Return the readings in which a hunk stands within what an edit beside it put in: which one is the copy?

    The edit ends above these lines then, and the lines that were taken for the hunk's came in below them; or the
    other way round.
    """
    found: dict[Reading, None] = {}
    for hunk in merge.turn.hunks:
        start, end = span(hunk)
        if start < end:
            at = bisect_left(merge.edits, start + 1, key=_upto)
            found.update(dict.fromkeys(_parted_above(merge, at - 1, end)))
            found.update(dict.fromkeys(_parted_below(merge, at, start)))
    return list(found)


def _upto(edit: Edit) -> int:
    return edit.a1


def _parted_above(merge: Merge, at: int, end: int) -> Iterator[Reading]:
    """Look for the lines from an edit to a hunk's `end` among those that the edit put in."""
    if at < 0:
        return
    edit, edits = merge.edits[at], merge.edits
    size = end - edit.a1
    if edit.exact or size > _BESIDE or (at + 1 < len(edits) and edits[at + 1].a0 < end):
        return
    for place in _within(merge, (edit.a1, end), (edit.b0, edit.b1 + size - 1)):
        above = Edit(edit.a0, edit.a1, edit.b0, place)
        below = Edit(end, end, place + size, edit.b1 + size)
        yield real((*edits[:at], above, below, *edits[at + 1 :]))


def _parted_below(merge: Merge, at: int, start: int) -> Iterator[Reading]:
    """Look for the lines from a hunk's `start` to an edit among those that the edit put in."""
    if at >= len(merge.edits):
        return
    edit, edits = merge.edits[at], merge.edits
    size = edit.a0 - start
    if edit.exact or size > _BESIDE or (at and edits[at - 1].a1 > start):
        return
    for place in _within(merge, (start, edit.a0), (edit.b0 - size + 1, edit.b1)):
        above = Edit(start, start, edit.b0 - size, place)
        below = Edit(edit.a0, edit.a1, place + size, edit.b1)
        yield real((*edits[:at], above, below, *edits[at + 1 :]))


def _within(merge: Merge, run: tuple[int, int], new: tuple[int, int]) -> list[int]:
    """Find where lines of the after-image stand within a run of the disk's, a few times at most."""
    wanted = merge.turn.after[slice(*run)]
    low, high = max(0, new[0]), new[1] - len(wanted) + 1
    places = (at for at in range(low, high) if merge.now[at : at + len(wanted)] == wanted)
    return list(islice(places, _COPIES)) if wanted else []


def _compared_anew(turn: Turn, passages: Sequence[Passage]) -> tuple[list[Reading], list[Reading]]:
    """Compare every passage anew in two ways, as far as that may matter to the turn's hunks."""
    spans = [span(hunk) for hunk in turn.hunks]
    if len(spans) > _FEW:
        spans = [(spans[0][0], spans[-1][1])]
    ways: tuple[list[Reading], list[Reading]] = ([], [])
    runs = [spans, spans]
    for passage in passages:
        for at, edits in enumerate(_anew(passage, [*runs[0], *runs[1]])):
            ways[at].append(edits)
            runs[at] = [followed(run, edits) for run in runs[at]]
    return ways


def _anew(passage: Passage, runs: Sequence[tuple[int, int]]) -> tuple[Reading, Reading]:
    """Compare a passage's texts anew, in two ways; what was seen as it happened stays and bounds the rest."""
    if passage.exact or passage.texts is None:
        return passage.edits, passage.edits
    if not any(edit.exact for edit in passage.edits):
        return compared_anew(*passage.texts, passage.edits, runs)
    old, new = (split_lines(text) for text in passage.texts)
    found: tuple[list[Edit], list[Edit]] = ([], [])
    loose: list[Edit] = []
    a0 = b0 = 0
    for edit in (*passage.edits, Edit(len(old), len(old), len(new), len(new), exact=True)):
        if not edit.exact:
            loose.append(edit)
            continue
        between = b"".join(old[a0 : edit.a0]), b"".join(new[b0 : edit.b0])
        ways = compared_anew(*between, shifted(loose, -a0, -b0))
        for parts, way in zip(found, ways, strict=True):
            parts += [*shifted(way, a0, b0), edit]
        loose, a0, b0 = [], edit.a1, edit.b1
    return real(found[0]), real(found[1])


def slid(merge: Merge, *, up: bool) -> Reading:
    """Push the pure insertions and deletions near each hunk up (or down) as far as equal lines allow.

    What was seen as it happened stays where it is.
    """
    edits = merge.edits
    near: set[int] = set()
    ends = [edit.a1 for edit in edits]
    for hunk in merge.turn.hunks:
        low = bisect_left(ends, span(hunk)[0])
        high = bisect_left(ends, span(hunk)[1])
        near.update(range(max(0, low - _NEAR), min(len(edits), high + 1 + _NEAR)))
    return _slid(edits, sorted(near), partial(_either, merge.turn.after, merge.now), up=up)


def _either(after: Lines, now: Lines, edit: Edit) -> Lines:
    return after if edit.a0 < edit.a1 else now


def _slid(edits: Reading, which: Sequence[int], lines: Callable[[Edit], Lines], *, up: bool) -> Reading:
    moved = list(edits)
    for index in which if up else reversed(which):
        edit = moved[index]
        if may_slide(edit):
            step = _room(moved, index, lines(edit), up=up)
            moved[index] = Edit(edit.a0 + step, edit.a1 + step, edit.b0 + step, edit.b1 + step)
    return tuple(moved)


def may_slide(edit: Edit) -> bool:
    """Say whether equal lines may leave its place open: a pure insertion or deletion that nobody saw."""
    return not edit.exact and (edit.a0 == edit.a1) != (edit.b0 == edit.b1)


def _room(edits: Sequence[Edit], index: int, lines: Lines, *, up: bool) -> int:
    edit = edits[index]
    start, end = (edit.a0, edit.a1) if edit.a0 < edit.a1 else (edit.b0, edit.b1)
    step = 0
    if up:
        stop = max(-_FAR, (edits[index - 1].a1 if index else 0) - edit.a0)
        while step > stop and lines[start + step - 1] == lines[end + step - 1]:
            step -= 1
        return step
    stop = min(_FAR, edits[index + 1].a0 - edit.a1 if index + 1 < len(edits) else len(lines) - end)
    while step < stop and lines[start + step] == lines[end + step]:
        step += 1
    return step
