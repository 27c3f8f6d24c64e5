"""The histories' entries in the words of their model, read from the ledger's hunks where these are its lines."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from sulcus_panel.core.model import Change, Entry
from tests.support.history_model import Deed, is_move, parts_of
from tests.support.history_states import Line, State, Text


@dataclass
class Record:
    """An entry of the ledger as the model knows it."""

    seq_id: int
    deeds: tuple[Deed, ...]
    turn: str = ""
    reverses: int | None = None
    taken: frozenset[int] | None = None
    """The parts of `reverses` that it took back, None for all."""
    reversed_by: list[int] = field(default_factory=list)

    @property
    def hunks(self) -> frozenset[int]:
        """The numbers of all its hunks."""
        return frozenset(range(sum(deed.hunks for deed in self.deeds)))

    @property
    def parts(self) -> frozenset[int]:
        """The numbers of all that can be chosen: behind the hunks, the deeds without any."""
        return frozenset(range(len(self.hunks) + sum(not deed.hunks for deed in self.deeds)))

    @property
    def is_all_hunks(self) -> bool:
        """True where choosing every hunk is choosing everything."""
        return all(deed.hunks for deed in self.deeds)

    @property
    def can_choose(self) -> bool:
        """True where the model knows each hunk for itself."""
        return all(
            deed.hunks <= 1 or (deed.told and len(deed.parts) == deed.hunks and not deed.moves_lines)
            for deed in self.deeds
        )


def with_its_file(record: Record, chosen: frozenset[int] | None) -> frozenset[int] | None:
    """What is chosen, and both sides of a moved file where one of them is: the file is never twice or nowhere."""
    move = is_move(record.deeds)
    if chosen is None or move is None:
        return chosen
    sides = {deed.first + number for deed in move for number in range(deed.hunks)}
    return chosen | sides if chosen & sides else chosen


def taken_by(
    record: Record,
    told: tuple[int, ...] | None,
    chosen: frozenset[int] | None,
    before: tuple[frozenset[int], bool],
) -> frozenset[int] | None:
    """The parts that an undo took back, None for all, as it `told`.

    Those that others had taken `before`, where that is sure, may be left to these.
    """
    covered, sure = before
    if told is None:
        assert chosen is None or (chosen >= record.hunks and record.is_all_hunks), (chosen, record)
        return None
    asked = record.parts if chosen is None else chosen
    assert not sure or asked - covered <= set(told) <= asked, (told, asked, covered)
    return frozenset(told)


def was_moved_away(path: str, later: Sequence[Record]) -> bool:
    """Whether what stood at a path stands elsewhere since, by the last of the later records, oldest first.

    So a file that an entry made is not as if it had never been: who took it elsewhere may stand in the way.
    """
    last = next((one for one in reversed(later) if any(deed.path == path for deed in one.deeds)), None)
    move = None if last is None else is_move(last.deeds)
    return move is not None and move[0].path == path


def deeds_of(entry: Entry, passages: Mapping[str, tuple[State, State]]) -> tuple[Deed, ...]:
    """The deeds of an entry, in its own order and with its own numbers of hunks."""
    deeds, first = [], 0
    for change in entry.record.changes:
        if change.path in passages:
            before, after = passages[change.path]
            runs, told = _runs(change, before, after)
            parts = (
                parts_of(before, after, runs) if isinstance(before, Text) and isinstance(after, Text) else ()
            )
            deeds.append(Deed(change.path, before, after, parts, first, len(change.hunks), told))
        first += len(change.hunks)
    return tuple(deeds)


def _runs(change: Change, before: State, after: State) -> tuple[list[tuple[int, int, int, int]], bool]:
    """The runs of lines that a change changed: as recorded, where a recorded line is a line of the model.

    And whether they are that.
    """
    if not (isinstance(before, Text) and isinstance(after, Text)):
        return [], True
    if not any(line.tail for line in (*before.lines, *after.lines)):
        runs = [
            (h.before_start, h.before_start + h.before_lines, h.after_start, h.after_start + h.after_lines)
            for h in change.hunks
        ]
        if _holds(runs, before.lines, after.lines):
            return runs, True
    same = SequenceMatcher(None, before.lines, after.lines, autojunk=False)
    return [(a0, a1, b0, b1) for tag, a0, a1, b0, b1 in same.get_opcodes() if tag != "equal"], False


def _holds(runs: Sequence[tuple[int, int, int, int]], before: Sequence[Line], after: Sequence[Line]) -> bool:
    made: list[Line] = []
    at = 0
    for a0, a1, b0, b1 in runs:
        made += [*before[at:a0], *after[b0:b1]]
        at = a1
    return [*made, *before[at:]] == list(after)
