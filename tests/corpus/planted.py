"""Turns planted in other people's text, with later work around them: what an undo must give is known.

A document is a list of items: lines that everybody shares, and slots that hold one text before the turn and
another after it. Later work inserts, deletes, copies and moves items, touching the slots' borders as it likes;
the truth is the same list rendered with the slots as they were before the turn.
"""

import random
import re
import sysconfig
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sulcus_panel.core.capture.adapter import TextEdit, ToolCall, ToolKind
from sulcus_panel.core.diff.alignments import Edit, compose
from sulcus_panel.core.model import Hunk

WORD = re.compile(rb"[A-Za-z_]{3,}")
JUNK = [b"\n", b"        return None\n", b"}\n", b"    pass\n", b"\n", b"    else:\n"]


@dataclass(slots=True)
class Slot:
    """What the turn found and what it left, line by line."""

    before: list[bytes]
    after: list[bytes]


Item = bytes | Slot


@dataclass(slots=True)
class Agent:
    """Asks for every change by an edit tool: with one to three lines around it, more until they stand once."""

    chance: random.Random
    calls: list[tuple[bytes, bytes, ToolCall]] = field(default_factory=list)

    def turns(self, before: bytes, after: bytes, hunks: Sequence[Hunk]) -> None:
        """Ask for the whole turn in one call, from top to bottom."""
        lines, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
        edits: list[TextEdit] = []
        growth = 0
        for hunk in hunks:
            start = hunk.before_start + growth
            put = new[hunk.after_start : hunk.after_start + hunk.after_lines]
            if lines[start : start + hunk.before_lines] == put:
                continue
            edits.append(self.edit(lines, start, start + hunk.before_lines, put))
            lines[start : start + hunk.before_lines] = put
            growth += hunk.after_lines - hunk.before_lines
        self.calls.append((before, after, ToolCall("MultiEdit", ToolKind.EDIT, edits=tuple(edits))))

    def works(self, after: bytes, edit: Edit) -> None:
        """Ask for one later change; the text before it is what the last call left."""
        before = self.calls[-1][1] if self.calls else after
        if before == after:
            return
        lines = before.splitlines(keepends=True)
        put = after.splitlines(keepends=True)[edit.b0 : edit.b1]
        call = ToolCall("Edit", ToolKind.EDIT, edits=(self.edit(lines, edit.a0, edit.a1, put),))
        self.calls.append((before, after, call))

    def edit(self, lines: Sequence[bytes], start: int, end: int, put: Sequence[bytes]) -> TextEdit:
        low, high = max(0, start - self.chance.randint(1, 3)), end + self.chance.randint(1, 3)
        text = b"".join(lines)
        while text.count(b"".join(lines[low:high])) != 1 and (low > 0 or high < len(lines)):
            low, high = max(0, low - 1), high + 1
        above, below = b"".join(lines[low:start]), b"".join(lines[end:high])
        old, new = above + b"".join(lines[start:end]) + below, above + b"".join(put) + below
        return TextEdit(old.decode("utf-8", "surrogateescape"), new.decode("utf-8", "surrogateescape"))


@dataclass(frozen=True, slots=True)
class Planted:
    """One case: `versions` lead from the after-image to the disk. No `truth`: only a conflict is right."""

    name: str
    before: bytes
    versions: tuple[bytes, ...]
    steps: tuple[tuple[Edit, ...], ...]
    """Every later change as it happened, one after the other."""
    hunks: tuple[Hunk, ...]
    """What the turn did, as it happened."""
    calls: tuple[tuple[bytes, bytes, ToolCall], ...]
    """The turn, and then every later change, as an agent would ask for it: what was there, what came of it."""
    truth: bytes | None


def sources() -> list[Path]:
    """Return the texts to plant in: the standard library's own sources."""
    root = Path(sysconfig.get_paths()["stdlib"])
    return sorted(path for path in root.glob("*.py") if 2_000 < path.stat().st_size < 60_000)


def planted(seed: int, texts: Sequence[bytes], count: int, *, calm: bool = False) -> Iterator[Planted]:
    """Yield `count` cases, always the same ones for a seed; `calm` leaves out copies and moves."""
    chance = random.Random(seed)
    for number in range(count):
        text, other = chance.choice(texts), chance.choice(texts)
        yield _Story(chance, text.splitlines(keepends=True), other.splitlines(keepends=True), calm).told(
            f"{seed}-{number}"
        )


@dataclass(slots=True)
class _Story:
    chance: random.Random
    lines: list[bytes]
    foreign: list[bytes]
    calm: bool
    items: list[Item] = field(default_factory=list)
    spoilt: bool = False
    done: list[str] = field(default_factory=list)
    steps: list[tuple[Edit, ...]] = field(default_factory=list)
    agent: Agent = field(default_factory=lambda: Agent(random.Random(0)))

    def told(self, name: str) -> Planted:
        size = self.chance.choice([30, 80, 200, 400])
        start = self.chance.randrange(max(1, len(self.lines) - size))
        self.items = list(self.lines[start : start + size])
        for _ in range(self.chance.choice([1, 1, 1, 2, 3])):
            self.plant()
        before, versions = self.rendered(after=False), [self.rendered(after=True)]
        hunks = self.recorded()
        self.agent = Agent(random.Random(name))
        self.agent.turns(before, versions[0], hunks)
        for _ in range(self.chance.choice([1, 1, 2, 3, 6])):
            for _ in range(self.chance.choice([1, 2, 4, 8])):
                self.work()
            versions.append(self.rendered(after=True))
        truth = None if self.spoilt else self.rendered(after=False)
        return Planted(
            f"{name} {' '.join(self.done)}",
            before,
            tuple(versions),
            tuple(self.steps),
            hunks,
            tuple(self.agent.calls),
            truth,
        )

    def recorded(self) -> tuple[Hunk, ...]:
        hunks: list[Hunk] = []
        old = new = 0
        for item in self.items:
            if isinstance(item, Slot):
                hunks.append(Hunk(old, len(item.before), new, len(item.after)))
            old += 1 if isinstance(item, bytes) else len(item.before)
            new += _height(item)
        return tuple(hunk for hunk in hunks if hunk.before_lines or hunk.after_lines)

    def rendered(self, *, after: bool) -> bytes:
        parts: list[bytes] = []
        for item in self.items:
            parts += [item] if isinstance(item, bytes) else item.after if after else item.before
        return b"".join(parts)

    def put(self, at: int, count: int, new: Sequence[Item]) -> None:
        """Let `new` items take the place of `count` others, and note which lines that concerns."""
        start = sum(map(_height, self.items[:at]))
        old = sum(map(_height, self.items[at : at + count]))
        self.items[at : at + count] = new
        edit = Edit(start, start + old, start, start + sum(map(_height, new)))
        self.steps.append((edit,))
        self.agent.works(self.rendered(after=True), edit)

    def plant(self) -> None:
        at = self.chance.randrange(len(self.items))
        old = [
            item for item in self.items[at : at + self.chance.choice([1, 1, 2, 4])] if isinstance(item, bytes)
        ]
        how = self.chance.choice(["insert", "replace", "delete", "word", "word"])
        if how == "word" and WORD.search(old[0] if old else b""):
            line = old[0]
            found = self.chance.choice(list(WORD.finditer(line)))
            new = line[: found.start()] + b"turned" + line[found.end() :]
            self.items[at : at + 1] = [Slot([line], [new])]
            return
        if how == "insert":
            self.items[at:at] = [Slot([], self.some_lines())]
        elif old:
            put = [] if how == "delete" else self.some_lines()
            head = _shared(old, put)
            tail = _shared(old[head:][::-1], put[head:][::-1])
            slot = Slot(old[head : len(old) - tail], put[head : len(put) - tail])
            self.items[at : at + len(old)] = [*old[:head], slot, *old[len(old) - tail :]]

    def some_lines(self) -> list[bytes]:
        """Return lines from elsewhere, from this very text, or such as stand in every file."""
        size = self.chance.choice([1, 1, 2, 3, 8])
        kind = self.chance.choice(["foreign", "own", "junk"])
        if kind == "junk":
            return self.chance.choices(JUNK, k=min(size, 3))
        if kind == "own":
            here = [item for item in self.items if isinstance(item, bytes)]
            at = self.chance.randrange(max(1, len(here) - size))
            return here[at : at + size]
        at = self.chance.randrange(max(1, len(self.foreign) - size))
        return self.foreign[at : at + size]

    def work(self) -> None:
        """Let later work happen somewhere, half of it near a slot."""
        slots = [at for at, item in enumerate(self.items) if isinstance(item, Slot)]
        at = self.chance.randrange(len(self.items) + 1)
        if slots and self.chance.random() < 0.5:
            at = min(max(0, self.chance.choice(slots) + self.chance.randint(-3, 3)), len(self.items))
        ways = [self.insert, self.insert, self.delete, self.replace, self.word]
        how = self.chance.choice(ways if self.calm else [*ways, self.copy, self.move])
        how(at)
        self.done.append(how.__name__)

    def is_border(self, at: int) -> bool:
        """Say whether a gap touches a slot that left no lines: nothing tells on which side an insertion is."""
        return any(isinstance(item, Slot) and not item.after for item in self.items[max(0, at - 1) : at + 1])

    def insert(self, at: int) -> None:
        if not self.is_border(at):
            self.put(at, 0, self.some_lines())

    def delete(self, at: int) -> None:
        while at < len(self.items) and isinstance(self.items[at], bytes) and self.chance.random() < 0.6:
            self.put(at, 1, [])

    def replace(self, at: int) -> None:
        if at < len(self.items) and isinstance(self.items[at], bytes) and not self.is_border(at):
            new = self.some_lines()
            below = self.items[at + 1] if at + 1 < len(self.items) else b""
            if isinstance(below, Slot) and new[-len(below.before) :] == below.before:
                return  # that takes the turn back: nothing is left to do
            self.put(at, 1, new)

    def word(self, at: int) -> None:
        """Change one word of a line, that of a slot's line too if it is not the turn's."""
        if at >= len(self.items):
            return
        item = self.items[at]
        if isinstance(item, bytes):
            self.put(at, 1, [WORD.sub(b"later", item, count=1)])
        elif len(item.before) == len(item.after) == 1:
            self.word_of(item)
            self.put(at, 1, [item])
        elif len(item.after) > 1:
            spot = self.chance.randrange(len(item.after))
            if any(word in line for word in WORD.findall(item.after[spot])[:1] for line in item.before):
                return  # the same word stands there before the turn: whether it is the turn's, nobody knows
            changed = WORD.sub(b"later", item.after[spot], count=1)
            self.spoilt = self.spoilt or changed != item.after[spot]
            item.after[spot] = changed
            above = sum(map(_height, self.items[:at])) + spot
            self.steps.append((Edit(above, above + 1, above, above + 1),))
            self.agent.works(self.rendered(after=True), self.steps[-1][0])

    def word_of(self, slot: Slot) -> None:
        before, after = list(WORD.finditer(slot.before[0])), list(WORD.finditer(slot.after[0]))
        same = [
            at for at in range(len(before)) if len(before) == len(after) and before[at][0] == after[at][0]
        ]
        if not same:
            return
        at = self.chance.choice(same)
        for lines, found in ((slot.before, before[at]), (slot.after, after[at])):
            lines[0] = lines[0][: found.start()] + b"later" + lines[0][found.end() :]

    def copy(self, at: int) -> None:
        """Copy some items, slots as they read by now, to another place."""
        size = self.chance.choice([2, 4, 8])
        block = self.items[at : at + size]
        lines = [line for item in block for line in ([item] if isinstance(item, bytes) else item.after)]
        to = self.chance.randrange(len(self.items) + 1)
        if not self.is_border(to):
            self.put(to, 0, lines)

    def move(self, at: int) -> None:
        size = self.chance.choice([1, 3, 6, 10])
        block = self.items[at : at + size]
        if self.is_border(at) or self.is_border(at + size):
            return
        self.put(at, len(block), [])
        to = self.chance.randrange(len(self.items) + 1)
        if self.is_border(to):
            to = 0 if not self.is_border(0) else at
        self.put(to, 0, block)
        put, cut = self.steps.pop(), self.steps.pop()
        self.steps.append(compose(cut, put))


def _shared(one: Sequence[bytes], other: Sequence[bytes]) -> int:
    """Count the lines that two runs begin with alike."""
    return next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )


def _height(item: Item) -> int:
    return 1 if isinstance(item, bytes) else len(item.after)
