"""The files of one chat as its edits left them, where no commit tells: forward, then back from how they are now.

A chat that made a file knows it; where the reply's lines do not stand in what is known, somebody else has
written, and nothing is known until the next certainty. Pure but for `now`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from sulcus_panel.core.capture.edits import Unknown
from sulcus_panel.core.capture.harnesses.aider.blocks import Block, apply_blocks, take_back
from sulcus_panel.core.capture.past.records import Sides

NO_BASE = Unknown("the chat history does not hold the file as it was before")
NO_AFTER = Unknown("the chat history does not hold the file as it was after")
NOT_READ = Unknown("the edit was asked for in a format that is not read")

State = bytes | Unknown | None


@dataclass(frozen=True, slots=True)
class Edit:
    """What one round did to one file. `known`: a commit tells both sides.

    `is_gap`: nobody knows what it did to any file.
    """

    path: str
    blocks: tuple[Block, ...] = ()
    created: bool = False
    known: Sides | None = None
    is_gap: bool = False
    moved_to: str = ""


def sides_of(edits: Sequence[Edit], now: Callable[[str], bytes | None]) -> tuple[Sides, ...]:
    """Both sides of each edit, in order. `now`: how a file was left, None where it cannot be asked."""
    found = _forward(edits)
    later: dict[str, bytes | None] = {}
    is_cut = False
    for at in range(len(edits) - 1, -1, -1):
        edit, sides = edits[at], found[at]
        if edit.is_gap:
            later, is_cut = {}, True
            continue
        if edit.known is None and isinstance(sides.after, Unknown):
            left = None if is_cut else now(edit.path)
            sides = found[at] = _worked_back(edit, sides, later.get(edit.path, left))
        later[edit.path] = sides.before if isinstance(sides.before, bytes) else None
    return tuple(found)


def _forward(edits: Sequence[Edit]) -> list[Sides]:
    states: dict[str, State] = {}
    found: list[Sides] = []
    for edit in edits:
        if edit.is_gap:
            states.clear()
            found.append(Sides(NO_BASE, NO_AFTER))
            continue
        if edit.known is not None:
            sides = edit.known
        else:
            before = None if edit.created else states.get(edit.path, NO_BASE)
            sides = Sides(before, _after(before, edit))
            if isinstance(sides.after, Unknown) and not isinstance(before, Unknown) and not edit.created:
                sides = Sides(NO_BASE, sides.after)
        found.append(sides)
        states[edit.path] = sides.after
    return found


def _after(before: State, edit: Edit) -> State:
    if not edit.blocks:
        return NOT_READ
    if isinstance(before, Unknown):
        whole = edit.blocks[-1] if edit.blocks[-1].old is None else None
        return apply_blocks(None, (whole,)) if whole is not None else NO_AFTER
    return apply_blocks(before, edit.blocks)


def _worked_back(edit: Edit, sides: Sides, after: bytes | None) -> Sides:
    if after is None or not edit.blocks:
        return sides
    if edit.created:
        return replace(sides, after=after) if apply_blocks(None, edit.blocks) == after else sides
    before = take_back(after, edit.blocks)
    return sides if before is None else Sides(before, after, worked_back=True)
