"""Does a hunk live on in other words? What was moved, split or joined, and changed at once, is not gone.

This is the distrust of a no-op, so doubt is enough: a name that only the turn brought and that stands in a new
line, or a new line that shares most words with a line of the hunk, and with none that it may have come of rather.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import chain, islice

from sulcus_panel.core.undo.blame import meets
from sulcus_panel.core.undo.heirs import ALIKE, FEW_WORDS, MARGIN, WORD, heirs
from sulcus_panel.core.undo.turn import Merge, span

NAME = re.compile(rb"[0-9]*[A-Za-z_\x80-\xff][A-Za-z0-9_\x80-\xff]*|[0-9]{4,}")
"""A word of letters, or a number long enough to be nobody else's."""
TELLING = 2
"""Letters of a name that says by itself where it comes from; a shorter one needs a line a little like it."""
MANY_BEARERS = 50
"""New lines beyond which a name is an everyday one: it does not say which of them to compare."""
MANY_PAIRS = 10_000
"""Pairs of lines beyond which too much came and went to tell."""

_Words = frozenset[bytes]
_Names = Mapping[int, frozenset[bytes]]
"""The hunk's lines that went, by their numbers, each with those of its names that new lines have."""


class Descent:
    """The lines that went and came under one reading of what came later."""

    def __init__(self, merge: Merge) -> None:
        self.merge = merge
        self._most: dict[int, float] = {}

    @cached_property
    def _gone(self) -> "_Lines":
        """The lines of the after-image that later work took away."""
        after, edits = self.merge.turn.after, self.merge.edits
        return _Lines({at: after[at] for edit in edits for at in range(edit.a0, edit.a1)})

    @cached_property
    def _came(self) -> "_Lines":
        """The disk's lines that it put in, but for those that stood before the turn or right after it."""
        turn, now = self.merge.turn, self.merge.now
        stood = {*turn.before, *turn.after}
        lines = (at for edit in self.merge.edits for at in range(edit.b0, edit.b1))
        return _Lines({at: now[at] for at in lines if now[at] not in stood})

    @cached_property
    def _before(self) -> bytes:
        return b"".join(self.merge.turn.before)

    @cached_property
    def _put(self) -> bytes:
        """All that later work put in."""
        return b"".join([line for edit in self.merge.edits for line in self.merge.now[edit.b0 : edit.b1]])

    def lives_on(self, index: int) -> bool:
        """Say whether a line of the hunk went, and a line that may have come of it stands somewhere."""
        names = self._names(index)
        if not names or not self._came.lines:
            return False
        return self._bears_a_name(names) or self._is_like(names) or self._has_heir(names)

    def is_named(self, index: int) -> bool:
        """Say whether a line of the hunk went, and a new line has a name that only the hunk had brought."""
        own = b"".join(self.merge.turn.after[slice(*span(self.merge.turn.hunks[index]))])
        if not any(name in self._put and name not in self._before for name in NAME.findall(own)):
            return False  # as nearly always, and told at once
        return self._bears_a_name(self._names(index))

    def _names(self, index: int) -> dict[int, frozenset[bytes]]:
        """Return which lines of a hunk went, each with those of its names that new lines have."""
        start, end = span(self.merge.turn.hunks[index])
        own = [at for at, line in self._gone.lines.items() if start <= at < end and line.strip()]
        return {at: self._came.names.intersection(NAME.findall(self._gone.lines[at])) for at in own}

    @cached_property
    def _known(self) -> "_Lines":
        """The text before the turn, as one line."""
        return _Lines({0: self._before})

    @cached_property
    def _taken(self) -> "_Lines":
        """The lines that the turn itself had taken away."""
        turn = self.merge.turn
        return _Lines(dict(enumerate(chain.from_iterable(map(turn.restores, turn.hunks)))))

    def _bears_a_name(self, own: _Names) -> bool:
        """Say whether a new line has a name that the hunk brought, and no other line that went is nearer to it."""
        return any(
            self._comes_of(own, name, line)
            for name in frozenset[bytes]().union(*own.values())
            if not self._known.with_name(name)
            for line in self._came.with_name(name)[:MANY_BEARERS]
        )

    def _comes_of(self, own: _Names, name: bytes, line: int) -> bool:
        """Say whether of all lines that went and have a name the nearest to a new line is one of the hunk."""
        here = there = -1.0
        for at in self._gone.with_name(name):
            shared = _shared(self._came.words(line), self._gone.words(at))
            if at in own:
                here = max(here, shared)
            else:
                there = max(there, shared)
        return here >= there and (len(name) >= TELLING or here > ALIKE - MARGIN)

    def _is_like(self, own: _Names) -> bool:
        """Say whether a new line elsewhere is like a line of the hunk, and like no other line more than that."""
        elsewhere = self._elsewhere(own)
        every = ((at, line) for at, names in own.items() for line in self._sharers(names) & elsewhere)
        pairs = list(islice(every, MANY_PAIRS))
        if len(pairs) == MANY_PAIRS:
            return True
        shares = ((_shared(self._gone.words(at), self._came.words(line)), line) for at, line in pairs)
        return any(here >= ALIKE and here >= self._nearest_of_all(line) for here, line in shares)

    def _sharers(self, names: Iterable[bytes]) -> set[int]:
        """Return the new lines that have one of some names, if that is no everyday one."""
        bearers = (self._came.with_name(name) for name in names if len(name) > TELLING)
        return {line for lines in bearers if len(lines) <= MANY_BEARERS for line in lines}

    def _nearest_of_all(self, line: int) -> float:
        """Return how much a new line shares with the nearest that went; out of reach if the turn took a nearer."""
        known = self._most.get(line)
        if known is None:
            words = self._came.words(line)
            gone, taken = (
                max((_shared(words, lines.words(at)) for at in lines.lines), default=0.0)
                for lines in (self._gone, self._taken)
            )
            known = self._most[line] = 2.0 if taken >= gone else gone
        return known

    def _has_heir(self, own: _Names) -> bool:
        """Say whether a new line elsewhere has plainly come of one of the hunk."""
        numbers = list(self._gone.lines)
        which = range(numbers.index(min(own)), numbers.index(max(own)) + 1)
        new = [self._came.lines[at] for at in sorted(self._elsewhere(own))]
        return any(heir is not None for heir in heirs(list(self._gone.lines.values()), which, new))

    def _elsewhere(self, own: _Names) -> set[int]:
        """Return the new lines but for those that took the hunk's very place: these were judged word by word."""
        inside = (edit for edit in self.merge.edits if meets(edit, min(own), max(own) + 1))
        return self._came.lines.keys() - {at for edit in inside for at in range(edit.b0, edit.b1)}


class _Lines:
    """Some lines by their numbers, of which few are asked for."""

    def __init__(self, lines: Mapping[int, bytes]) -> None:
        self.lines = lines
        self._words: dict[int, _Words] = {}
        self._bearers: dict[bytes, list[int]] = {}

    @cached_property
    def names(self) -> frozenset[bytes]:
        """All names in them."""
        return frozenset(NAME.findall(b"".join(self.lines.values())))

    def words(self, at: int) -> _Words:
        """Return what one of them says."""
        words = self._words.get(at)
        if words is None:
            words = self._words[at] = frozenset(WORD.findall(self.lines[at]))
        return words

    def with_name(self, name: bytes) -> list[int]:
        """Return which of them have a name."""
        found = self._bearers.get(name)
        if found is None:
            found = [at for at, line in self.lines.items() if name in line and name in self.words(at)]
            self._bearers[name] = found
        return found


def _shared(one: _Words, other: _Words) -> float:
    """Return the share that two lines have of the shorter one: a part of a line is like it, and so is the whole."""
    size = min(len(one), len(other))
    return len(one & other) / size if size >= FEW_WORDS else 0.0
