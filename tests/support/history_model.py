"""What an undo must give, decided without the engine: whose lines stand where, and what every deed did to them.

A deed is what one entry did to one path. Where nobody has touched its place since, taking it back MUST give
exactly one result; where later work is near, the engine MAY refuse, but what it calls undone must be right;
where later work stands on the deed itself, it must NEVER write.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum

from tests.support.history_states import (
    Blob,
    Line,
    Link,
    State,
    Text,
    keeps_order,
    may_have_moved,
    numbers,
    same_content,
)


class Fate(IntEnum):
    """What may become of a deed, the weightiest last."""

    NOTHING = 0
    """It is as if it had never been."""
    MUST = 1
    GONE = 2
    """Later work took the place of all of it: nothing may be written for it, and it may stand in the way."""
    MAY = 3
    NEVER = 4


@dataclass(frozen=True, slots=True)
class Part:
    """One run of lines that a deed changed, and the lines around it right afterwards."""

    before: tuple[Line, ...]
    after: tuple[Line, ...]
    above: int | None
    below: int | None

    @property
    def removed(self) -> tuple[Line, ...]:
        stay = set(numbers(self.after))
        return tuple(line for line in self.before if line.number not in stay)

    @property
    def added(self) -> tuple[Line, ...]:
        stood = set(numbers(self.before))
        return tuple(line for line in self.after if line.number not in stood)

    @property
    def reworded(self) -> tuple[tuple[Line, Line], ...]:
        was = {line.number: line for line in self.before}
        return tuple((was[line.number], line) for line in self.after if line.number in was)


@dataclass(frozen=True, slots=True)
class Deed:
    """What an entry did to one path. `first` is the number of its first part among all of the entry's."""

    path: str
    before: State
    after: State
    parts: tuple[Part, ...] = ()
    first: int = 0
    hunks: int = 0
    told: bool = True
    """The parts are the entry's own hunks; equal lines may let these begin and end within lines of the model."""

    @property
    def moves_lines(self) -> bool:
        """True where a line went from one place of the file to another."""
        if not (isinstance(self.before, Text) and isinstance(self.after, Text)):
            return False
        gone = {line.number for part in self.parts for line in part.removed}
        return bool(gone & {line.number for part in self.parts for line in part.added}) or any(
            was == now for part in self.parts for was, now in part.reworded
        )

    def leaves_lines_in(self, now: State) -> bool:
        """True where a line of the path is one that this deed wrote, in just these words."""
        if not (isinstance(self.before, Text) and isinstance(self.after, Text) and isinstance(now, Text)):
            return False
        return bool(set(now.lines) & set(self.after.lines) - set(self.before.lines))

    @property
    def only_mode(self) -> bool:
        return self.before is not None and same_content(self.before, self.after)


@dataclass(frozen=True, slots=True)
class Answer:
    """A fate, and the state that it leads to; `exact` where the order of its lines is known too."""

    fate: Fate
    state: State
    exact: bool = True
    free: bool = False
    """The deed itself moved lines about, so that where they stood before says nothing."""
    cut: frozenset[Line] = frozenset()
    """Lines that the deed moved and that later work deleted: as cut and put elsewhere, they may come back."""
    along: frozenset[int] = frozenset()
    """Lines that come back in place of others, which were moved since."""

    def allows(self, result: State, versions: Sequence[Text], now: State) -> bool:
        """Whether `result` is what taking the deed back gives; `versions` are the path's texts, up to `now`."""
        if self.exact or not (isinstance(self.state, Text) and isinstance(result, Text)):
            return result == self.state
        lines = [line for line in result.lines if line not in self.cut]
        same = sorted(self.state.lines, key=_number) == sorted(lines, key=_number)
        order = self.free or keeps_order(result, versions, now, self.along)
        return same and result.mode == self.state.mode and order


def _number(line: Line) -> int:
    return line.number


def answer(deed: Deed, now: State, chosen: frozenset[int] | None, in_force: frozenset[int]) -> Answer:
    """What taking back this deed, or only the chosen of its parts, makes of the path as it is now.

    `in_force` are the parts that no undo has taken back.
    """
    if isinstance(deed.before, Text) and isinstance(deed.after, Text) and not deed.only_mode:
        return _text_answer(deed, now, chosen, in_force)
    if deed.only_mode:
        return _mode_answer(deed, now)
    if same_content(now, deed.before):
        return Answer(Fate.NOTHING, now)
    return _whole_answer(deed, now) if same_content(now, deed.after) else Answer(Fate.NEVER, now)


def _whole_answer(deed: Deed, now: State) -> Answer:
    """The path is what the deed left."""
    if deed.before is None:
        moded = isinstance(now, Text | Blob) and _mode(now) != _mode(deed.after)
        return Answer(Fate.NEVER if moded else Fate.MUST, now if moded else None)
    if isinstance(deed.before, Link) or not isinstance(now, Text | Blob):
        return Answer(Fate.MUST, deed.before)
    mode = _mode_back(deed, now)
    return Answer(Fate.NEVER, now) if mode is None else Answer(Fate.MUST, replace(deed.before, mode=mode))


def _mode(state: State) -> int | None:
    return state.mode if isinstance(state, Text | Blob) else None


def _mode_back(deed: Deed, now: Text | Blob) -> int | None:
    """The permissions of the result; None where somebody else has changed them too."""
    before, after = _mode(deed.before), _mode(deed.after)
    if before is None or after is None or before == after:
        return now.mode
    return before if now.mode in {before, after} else None


def _mode_answer(deed: Deed, now: State) -> Answer:
    if not isinstance(now, Text | Blob):
        return Answer(Fate.NEVER, now)
    mode = _mode_back(deed, now)
    if mode is None:
        return Answer(Fate.NEVER, now)
    if mode == now.mode:
        return Answer(Fate.NOTHING, now)
    return Answer(Fate.MUST if same_content(now, deed.after) else Fate.MAY, replace(now, mode=mode))


def _text_answer(deed: Deed, now: State, chosen: frozenset[int] | None, in_force: frozenset[int]) -> Answer:
    if not isinstance(now, Text):
        return Answer(Fate.NEVER, now)
    assert isinstance(deed.before, Text)
    whole = chosen is None or chosen >= set(range(len(deed.parts)))
    mode = _mode_back(deed, now) if whole else now.mode
    if mode is None:
        return Answer(Fate.NEVER, now)
    shows = in_force or any(part.added or part.reworded for part in deed.parts)
    if whole and shows and same_content(now, deed.after):
        return Answer(Fate.MUST, replace(deed.before, mode=mode))
    if same_content(now, deed.before) and mode == now.mode:
        return Answer(Fate.NOTHING, now)
    if deed.moves_lines:
        return _moved_answer(deed, now, mode)
    lines, fates, exact = now.lines, [], True
    for index, part in enumerate(deed.parts):
        if chosen is None or index in chosen:
            fate, lines, sure = _part_answer(part, lines, in_force=index in in_force)
            fates.append(fate)
            exact = exact and sure
    result = Text(lines, mode)
    worst = max(fates, default=Fate.NOTHING)
    if worst in {Fate.NOTHING, Fate.GONE} and mode != now.mode:
        worst = Fate.MAY
    if worst is Fate.GONE and Fate.MUST in fates:
        worst = Fate.MAY
    return Answer(worst, result if worst in {Fate.MUST, Fate.MAY} else now, exact, along=_along(deed, now))


def _along(deed: Deed, now: Text) -> frozenset[int]:
    """The lines that were replaced by lines which may have been moved since: they come back where those are.

    Equal lines between may have parted a run of lines into one replaced line each.
    """
    assert isinstance(deed.after, Text)
    places = {line.number: at for at, line in enumerate(deed.after.lines)}
    row = [places[line.number] for line in now.lines if line.number in places]
    found: set[int] = set()
    for part in deed.parts:
        moved = [_is_moved(places[line.number], row) for line in part.added]
        if len(part.added) == len(part.removed):
            found.update(was.number for was, has in zip(part.removed, moved, strict=True) if has)
        elif any(moved):
            found.update(line.number for line in part.removed)
    return frozenset(found)


def _is_moved(place: int, row: Sequence[int]) -> bool:
    return place in row and may_have_moved(place, row)


def _moved_answer(deed: Deed, now: Text, mode: int) -> Answer:
    """A deed that moved lines about: which lines come out is known, where they stand is the engine's."""
    was, then = _by_number(deed.before), _by_number(deed.after)
    present = _by_number(now)
    if any(present.get(number, line) != line for number, line in then.items() if number not in was):
        return Answer(Fate.NEVER, now)
    kept: list[Line] = []
    for line in now.lines:
        both = line.number in was and line.number in then
        back = _unworded(line, was[line.number], then[line.number]) if both else line
        if back is None:
            return Answer(Fate.NEVER, now)
        if line.number in was or line.number not in then:
            kept.append(back)
    back_again = [line for number, line in was.items() if number not in then and number not in present]
    touched = {line.number for part in deed.parts for line in part.before} & then.keys()
    cut = frozenset(was[number] for number in touched if number not in present)
    return Answer(Fate.MAY, Text((*kept, *back_again), mode), exact=False, free=True, cut=cut)


def _by_number(state: State) -> dict[int, Line]:
    assert isinstance(state, Text)
    return {line.number: line for line in state.lines}


def _part_answer(
    part: Part, lines: tuple[Line, ...], *, in_force: bool
) -> tuple[Fate, tuple[Line, ...], bool]:
    """The fate of one part, the lines without it, and whether their order is certain."""
    present = {line.number: line for line in lines}
    if any(present.get(line.number, line) != line for line in part.added):
        return Fate.NEVER, lines, True
    reset: dict[int, Line] = {}
    gone = 0
    for was, then in part.reworded:
        line = present.get(then.number)
        if line is None:
            gone += 1
            continue
        back = _unworded(line, was, then)
        if back is None:
            return Fate.NEVER, lines, True
        reset[then.number] = back
    if not _is_visible(part, present, reset, in_force=in_force):
        return Fate.GONE, lines, True
    if gone:
        return Fate.NEVER, lines, True
    return _placed(part, lines, reset)


def _unworded(line: Line, was: Line, then: Line) -> Line | None:
    """The line as it is with the deed's words taken back; None where one of them was changed again."""
    for slot, (old, new) in enumerate(zip(was.words, then.words, strict=True)):
        if old != new and line.words[slot] not in {old, new}:
            return None
        if old != new:
            line = line.with_word(slot, old)
    return line


def _is_visible(
    part: Part, present: Mapping[int, Line], reset: Mapping[int, Line], *, in_force: bool
) -> bool:
    """Whether anything of the part is left in the file."""
    if any(line.number in present for line in part.added):
        return True
    if any(present[number] != line for number, line in reset.items()):
        return True
    pure = not part.added and not part.reworded
    return pure and in_force and any(line.number not in present for line in part.removed)


def _placed(
    part: Part, lines: tuple[Line, ...], reset: Mapping[int, Line]
) -> tuple[Fate, tuple[Line, ...], bool]:
    row, run = numbers(lines), numbers(part.after)
    start = _start_of(part, row)
    if start is not None:
        end = start + len(run)
        around = (row[start - 1] if start else None, row[end] if end < len(row) else None)
        whole = lines[start:end] == part.after and around == (part.above, part.below)
        back = tuple(reset.get(line.number, line) for line in part.before)
        return (Fate.MUST if whole else Fate.MAY), (*lines[:start], *back, *lines[end:]), True
    added, present = set(numbers(part.added)), set(row)
    missing = [line for line in part.removed if line.number not in present]
    if part.added and part.removed and not added <= present and len(missing) == len(part.removed):
        return Fate.NEVER, lines, True
    kept = tuple(reset.get(line.number, line) for line in lines if line.number not in added)
    return Fate.MAY, (*kept, *missing), False


def _start_of(part: Part, row: tuple[int, ...]) -> int | None:
    """Where the part's run stands in one piece; for a run of nothing, between its two neighbours."""
    run = numbers(part.after)
    if run:
        if any(line.number in row for line in part.removed):
            return None
        return next((at for at in range(len(row)) if row[at : at + len(run)] == run), None)
    if any(line.number in row for line in part.removed):
        return None
    for at in range(len(row) + 1):
        around = (row[at - 1] if at else None, row[at] if at < len(row) else None)
        if around == (part.above, part.below):
            return at
    return None


def parts_of(before: Text, after: Text, runs: Sequence[tuple[int, int, int, int]]) -> tuple[Part, ...]:
    """The parts of a deed from its runs: lines `[a0, a1)` of `before` became `[b0, b1)` of `after`."""
    row = numbers(after.lines)
    return tuple(
        Part(
            before.lines[a0:a1],
            after.lines[b0:b1],
            row[b0 - 1] if b0 else None,
            row[b1] if b1 < len(row) else None,
        )
        for a0, a1, b0, b1 in runs
    )


def is_move(deeds: Sequence[Deed]) -> tuple[Deed, Deed] | None:
    """The one deed that took a file away and the one that put the same bytes elsewhere, if there is one pair."""
    gone = [deed for deed in deeds if deed.before is not None and deed.after is None]
    come = [deed for deed in deeds if deed.after is not None and deed.before is None]
    pairs = [(one, other) for one in gone for other in come if same_content(one.before, other.after)]
    return pairs[0] if len(pairs) == 1 else None


def lost_its_place(deed: Deed, since: Sequence[Text], now: State) -> bool:
    """Whether nothing may tell where lines that a deed cut stood; `since` are the path's texts after it.

    Their neighbours alone do. One of them was away, or what came in between them stands beyond one of them: who
    of them was moved?
    """
    present = set(numbers(now.lines)) if isinstance(now, Text) else set()
    for part in deed.parts:
        sides = {side for side in (part.above, part.below) if side is not None and not part.after}
        for row in (numbers(text.lines) for text in since):
            if not sides <= set(row):
                return True
            if not part.after and present & set(_between(row, part.above, part.below)):
                return True
    return False


def _between(row: Sequence[int], above: int | None, below: int | None) -> Sequence[int]:
    start = 0 if above is None else row.index(above) + 1
    return row[start : len(row) if below is None else row.index(below)]
