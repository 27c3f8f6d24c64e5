"""What can be chosen of one change: each hunk, each file without any, and as a whole a file that moves. No Qt."""

from collections.abc import Iterator
from dataclasses import dataclass

from sulcus_panel.core.states import moves_in
from sulcus_panel.core.undo.model import WRITABLE, HunkOutcome, Outcome, PathPlan, UndoPlan
from sulcus_panel.ui.dialogs.moves import Move, moves_of_entry

GOING = (HunkOutcome.UNDONE, HunkOutcome.MOVED, HunkOutcome.ALREADY_UNDONE)
FILE_GOES = WRITABLE - {Outcome.REVIEW} | {Outcome.ALREADY_UNDONE}


@dataclass(frozen=True, slots=True)
class Choice:
    """What one tick chooses, by its numbers; `is_clean` where no look is needed, None where that is not told."""

    parts: tuple[int, ...]
    chosen: bool
    is_clean: bool | None


def choices_in(plan: UndoPlan) -> tuple[Choice, ...]:
    """Return what can be ticked; nothing in several changes at once, of which each goes as a whole."""
    if len(plan.entries) != 1:
        return ()
    paths = {path.path: path for path in plan.entries[0].paths}
    moves = moves_to_tick(plan)
    moved = {path for move in moves for path in (move.old, move.new)}
    found = [_whole(paths[move.old], paths[move.new]) for move in moves]
    for path in paths.values():
        if path.path not in moved and not path.stays:
            found += _of_path(path)
    return tuple(found)


def moves_to_tick(plan: UndoPlan) -> tuple[Move, ...]:
    """Return the files of one change that move back, and those that would if they were not left out."""
    (item,) = plan.entries
    told = moves_of_entry(plan, item.paths)
    known = {move.new for move in told}
    left = {path.path for path in item.paths if is_left_out(path)}
    changes = item.entry.record.changes
    pairs = (Move(changes[old].path, changes[new].path) for old, new in moves_in(changes))
    return (*told, *(move for move in pairs if {move.old, move.new} <= left and move.new not in known))


def is_left_out(path: PathPlan) -> bool:
    """Say whether nobody asks for a path."""
    nothing = path.outcome is Outcome.NOTHING_TO_UNDO and not path.reason and not path.stays
    return nothing and path.disk.kind is path.result.kind


def numbers_in(plan: UndoPlan) -> tuple[int, ...]:
    """Return the numbers of all parts of a plan, those too that cannot be ticked."""
    return tuple(number for item in plan.entries for path in item.paths for number in numbers_of(path))


def numbers_of(path: PathPlan) -> Iterator[int]:
    """Yield the numbers of all parts of a path."""
    yield from (hunk.index for hunk in path.hunks)
    if path.part is not None:
        yield path.part


def _of_path(path: PathPlan) -> Iterator[Choice]:
    for hunk in path.hunks:
        yield Choice((hunk.index,), hunk.chosen, hunk.outcome in GOING)
    if path.part is not None:
        yield _whole(path)


def _whole(*paths: PathPlan) -> Choice:
    numbers = tuple(number for path in paths for number in numbers_of(path))
    if any(is_left_out(path) for path in paths):
        return Choice(numbers, chosen=False, is_clean=None)
    return Choice(numbers, chosen=True, is_clean=all(path.outcome in FILE_GOES for path in paths))
