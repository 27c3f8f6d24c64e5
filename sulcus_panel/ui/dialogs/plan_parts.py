"""What a plan does, entry by entry and path by path, as cards to be built when they come into sight.

Where the plan cannot be carried out, what stands in the way comes first.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtWidgets import QWidget

from sulcus_panel.core.model import LedgerPath
from sulcus_panel.core.safety import plain
from sulcus_panel.core.undo.model import (
    WRITTEN,
    EntryPlan,
    HunkOutcome,
    HunkPlan,
    Outcome,
    PathPlan,
    UndoPlan,
    Write,
)
from sulcus_panel.ui.dialogs import undo_words as words
from sulcus_panel.ui.dialogs.card_list import Part
from sulcus_panel.ui.dialogs.choices import is_left_out, moves_to_tick, numbers_of
from sulcus_panel.ui.dialogs.effect_card import EffectCard
from sulcus_panel.ui.dialogs.file_line import FileLine, Line
from sulcus_panel.ui.dialogs.hunk_card import (
    ConflictCard,
    HunkCard,
    MoveCard,
    SeenCard,
    WriteCard,
    move_text,
)
from sulcus_panel.ui.dialogs.moves import Move, moves_of_entry, written_moves
from sulcus_panel.ui.dialogs.outcome_words import path_status
from sulcus_panel.ui.dialogs.plain_label import PlainLabel
from sulcus_panel.ui.dialogs.status import Mood, Status

MOST_BYTES_A_PAGE = 400_000
"""Of all files of a plan together; what comes after these is not compared while the window waits."""
IN_THE_WAY, REST = "What stands in the way", "What would go back"
MOVES_BACK = Status("goes back to its old name, with all that was changed in it since", Mood.QUIET)
UNSURE = "may not be this command's work"
LEFT_OUT = Status("stays as it is", Mood.QUIET)


@dataclass(frozen=True, slots=True)
class Makers:
    """What makes that which can be ticked: the card of a hunk, the line of a file."""

    hunk: Callable[[HunkPlan], HunkCard]
    line: Callable[[Line], FileLine] = FileLine


def parts_of(plan: UndoPlan, make: Makers) -> Iterator[Part]:
    """Yield the parts of a plan."""
    if len(plan.entries) == 1:
        yield from _paths(plan, plan.entries[0], make)
        return
    bad = [item for item in plan.entries if words.is_in_the_way(item)]
    good = [item for item in plan.entries if not words.is_in_the_way(item)]
    yield from _section(IN_THE_WAY, bad)
    for item in bad:
        yield from _entry(plan, item)
    yield from _section(REST if bad else "", good)
    for item in good:
        yield from _entry(plan, item)


def writes_of(plan: UndoPlan) -> Iterator[Part]:
    """Yield what becomes of each path of the disk; a file that moves is told once."""
    moves = written_moves(plan)
    moved = {path for move in moves for path in (move.old, move.new)}
    for move in moves:
        yield Part(partial(MoveCard, move), "file")
    room = MOST_BYTES_A_PAGE
    for write in plan.writes:
        if write.path not in moved:
            room -= _size(write)
            yield Part(partial(WriteCard, write, compared=room >= 0), "file")


def _paths(plan: UndoPlan, item: EntryPlan, make: Makers) -> Iterator[Part]:
    yield from _effect(item)
    unsure = () if item.entry.record.ran is None else item.entry.record.ran.unsure
    bad = [path for path in item.paths if path.outcome not in words.IN_NOBODYS_WAY]
    good = [path for path in item.paths if path.outcome in words.IN_NOBODYS_WAY]
    if len(item.paths) > 1 and not plan.can_apply:
        yield from _section(IN_THE_WAY, bad)
    for path in bad:
        yield from _path(path, make, unsure)
    if bad and not plan.can_apply:
        yield from _section(REST, good)
    paths = {path.path: path for path in item.paths}
    moves = moves_to_tick(plan)
    moved = {path for move in moves for path in (move.old, move.new)}
    for move in moves:
        line = _move_line(move, paths)
        goes = not is_left_out(paths[move.old])
        yield Part(partial(make.line, line), "file", goes, move, partial(_renew, line))
    for path in good:
        if path.path not in moved:
            yield from _path(path, make, unsure)


def _path(path: PathPlan, make: Makers, unsure: Container[str]) -> Iterator[Part]:
    status = LEFT_OUT if is_left_out(path) else path_status(path)
    shown = _doubtful(status) if path.path in unsure else status
    part = () if path.part is None or path.stays else (path.part,)
    line = Line(words.path_text(path.path), shown, plain(path.path), part)
    hunks = () if path.stays else _doubted(path)
    yield Part(partial(make.line, line), "" if hunks else "file", key=path.path, renew=partial(_renew, line))
    for hunk in hunks:
        goes = hunk.chosen and hunk.outcome in WRITTEN
        key = (path.path, hunk.index, hunk.disk_lines, hunk.removes, hunk.restores)
        yield Part(partial(make.hunk, hunk), "part", goes, key, partial(_show_hunk, hunk))
    if path.outcome is not Outcome.REVIEW:  # there it is decided, and a warning names who was later
        told = {hunk.conflict for hunk in path.hunks if hunk.conflict is not None}
        yield from _conflicts(path, told, status.text)


def _doubtful(status: Status) -> Status:
    mood = Mood.CAUTION if status.mood in (Mood.GOOD, Mood.QUIET) else status.mood
    return Status(f"{UNSURE}; {status.text}", mood)


def _entry(plan: UndoPlan, item: EntryPlan) -> Iterator[Part]:
    yield Part(partial(_entry_line, item), "change", item.outcome in {Outcome.UNDONE, Outcome.REVIEW})
    yield from _effect(item)
    for move in moves_of_entry(plan, item.paths):
        yield Part(partial(FileLine, Line(move_text(move), MOVES_BACK)))
    for path in item.paths:
        seen = [hunk for hunk in path.hunks if hunk.chosen and hunk.outcome is HunkOutcome.REVIEW]
        for hunk in seen:
            yield Part(partial(SeenCard, hunk), "part")
        if path.outcome is not Outcome.REVIEW:
            yield from _conflicts(path, {hunk.conflict for hunk in seen}, words.entry_status(item).text)


def _effect(item: EntryPlan) -> Iterator[Part]:
    if item.effect is not None:
        yield Part(partial(EffectCard, item.effect), "effect")


def _conflicts(path: PathPlan, told: Iterable[object], said: str) -> Iterator[Part]:
    for conflict in path.conflicts:
        if conflict not in told:
            yield Part(partial(ConflictCard, conflict, said), "conflict")


def _section(text: str, of: Sequence[object]) -> Iterator[Part]:
    if text and of:
        yield Part(partial(PlainLabel, text, name="section_title"))


def _size(write: Write) -> int:
    return len(write.disk_content or b"") + len(write.result_content or b"")


def _doubted(path: PathPlan) -> tuple[HunkPlan, ...]:
    """Return the parts of a path; where the file as a whole is to be looked at, so is each that goes."""
    if path.outcome is not Outcome.REVIEW or any(hunk.outcome is HunkOutcome.REVIEW for hunk in path.hunks):
        return path.hunks
    return tuple(
        replace(hunk, outcome=HunkOutcome.REVIEW) if hunk.chosen and hunk.outcome in WRITTEN else hunk
        for hunk in path.hunks
    )


def _show_hunk(hunk: HunkPlan, card: QWidget) -> None:
    if isinstance(card, HunkCard):
        card.show_hunk(hunk)


def _move_line(move: Move, paths: Mapping[LedgerPath, PathPlan]) -> Line:
    both = (paths[move.old], paths[move.new])
    status = LEFT_OUT if is_left_out(both[0]) else MOVES_BACK
    return Line(move_text(move), status, parts=tuple(number for path in both for number in numbers_of(path)))


def _entry_line(item: EntryPlan) -> QWidget:
    line = FileLine(Line(words.entry_line(item), words.entry_status(item)))
    line.setObjectName("entry_line")
    line.setContentsMargins(0, 0, 0, 0)
    return line


def _renew(line: Line, widget: QWidget) -> None:
    if isinstance(widget, FileLine):
        widget.show_line(line)
