"""What a path holds, in the words of the histories' model: lines with names of their own, never bytes.

A line is known by its number for ever; each of its words by a version. So whose line stands where is read off
a file's bytes without comparing texts, which is what the engine under test does.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from sulcus_panel.core.model import FileKind

TAILS = (b"", b"}\n", b"}\n\n")
"""Lines that stand in a file many times, the same each time."""

_LINE = re.compile(rb"n(\d+) p(\d+) -> q(\d+) ; r(\d+)\n(\}\n\n|\}\n|)")
_BLOB = re.compile(rb"\0blob (\d+)")


class Foreign(AssertionError):
    """Bytes that nobody in the history ever wrote."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line with three words, and the plain lines that always follow it."""

    number: int
    words: tuple[int, int, int]
    tail: int = 0

    def with_word(self, slot: int, version: int) -> "Line":
        """The same line with another word in one place."""
        words = list(self.words)
        words[slot] = version
        return replace(self, words=(words[0], words[1], words[2]))


@dataclass(frozen=True, slots=True)
class Text:
    """A file of lines."""

    lines: tuple[Line, ...]
    mode: int

    kind = FileKind.FILE


@dataclass(frozen=True, slots=True)
class Blob:
    """A file that is not text."""

    number: int
    mode: int

    kind = FileKind.FILE


@dataclass(frozen=True, slots=True)
class Link:
    """A symbolic link."""

    target: str

    kind = FileKind.SYMLINK


State = Text | Blob | Link | None
"""None where nothing is."""


def content(state: State) -> bytes | None:
    """The bytes on disk (of a link: its text)."""
    match state:
        case Text():
            return b"".join(map(_text_of, state.lines))
        case Blob():
            return b"\0blob %d" % state.number
        case Link():
            return state.target.encode()
        case None:
            return None


def _text_of(line: Line) -> bytes:
    return b"n%d p%d -> q%d ; r%d\n" % (line.number, *line.words) + TAILS[line.tail]


def parsed(kind: FileKind, data: bytes | None, mode: int | None) -> State:
    """The state that these bytes are.

    Raises:
        Foreign: no line of the history looks like that.
    """
    if kind is FileKind.ABSENT:
        return None
    if data is None:
        raise Foreign(f"{kind} without bytes")
    if kind is FileKind.SYMLINK:
        return Link(data.decode())
    blob = _BLOB.fullmatch(data)
    if blob is not None:
        return Blob(int(blob[1]), mode or 0)
    lines, at = [], 0
    while at < len(data):
        found = _LINE.match(data, at)
        if found is None:
            raise Foreign(f"these bytes were never written: {data[at : at + 60]!r}")
        number, p, q, r = map(int, found.groups()[:4])
        lines.append(Line(number, (p, q, r), TAILS.index(found[5])))
        at = found.end()
    return Text(tuple(lines), mode or 0)


def same_content(one: State, other: State) -> bool:
    """Whether both are the same but for permissions."""
    return (one is None) == (other is None) and _bare(one) == _bare(other)


def _bare(state: State) -> object:
    """A state without its mode; files are their bytes, so that an empty text is an empty file."""
    return (None if state is None else state.kind, content(state))


def numbers(lines: Iterable[Line]) -> tuple[int, ...]:
    """Which lines these are."""
    return tuple(line.number for line in lines)


def keeps_order(
    result: Text, versions: Sequence[Text], now: State, along: frozenset[int] = frozenset()
) -> bool:
    """Whether any two lines stand as they did when they last stood in one file; `versions` are oldest first.

    A line that was moved since among those of `now` is where it was moved to: it says nothing of the other.
    Neither do the lines that went `along` with one that was moved, as what stood in its place before.
    """
    places = [{line.number: at for at, line in enumerate(version.lines)} for version in versions]
    row = numbers(result.lines)
    steps = [numbers(version.lines) for version in versions]
    steps += [numbers(now.lines)] if isinstance(now, Text) else []
    for at, first in enumerate(row):
        for second in row[at + 1 :]:
            both = (
                index for index in reversed(range(len(places))) if {first, second} <= places[index].keys()
            )
            seen = next(both, None)
            if seen is None or places[seen][first] < places[seen][second] or {first, second} & along:
                continue
            if not any(_was_moved(one, steps[seen:]) for one in (first, second)):
                return False
    return len(set(row)) == len(row)


def _was_moved(number: int, steps: Sequence[Sequence[int]]) -> bool:
    """Whether a line may have been moved by a step, or by all of them together, as far as its neighbours tell."""
    for before, after in (*pairwise(steps), (steps[0], steps[-1])):
        places = {one: at for at, one in enumerate(before)}
        row = [places[one] for one in after if one in places]
        if number in after and number in places and may_have_moved(places[number], row):
            return True
    return False


def may_have_moved(one: int, row: Sequence[int]) -> bool:
    """Whether the others alone keep as much of their order as all do together."""
    return _in_order(row) == _in_order([other for other in row if other != one])


def _in_order(row: Sequence[int]) -> int:
    """How many, at the most, stand in rising order."""
    longest: list[int] = []
    for at, one in enumerate(row):
        longest.append(1 + max((longest[before] for before in range(at) if row[before] < one), default=0))
    return max(longest, default=0)
