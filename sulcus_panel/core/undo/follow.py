"""A file's history followed to where it was moved and back, so that work on it there counts for its lines. Pure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from sulcus_panel.core.model import FileKind, LedgerPath, SeqId, Step

Moved = Mapping[tuple[SeqId, LedgerPath], LedgerPath]
"""Where an entry took a file from a path."""


def followed(
    path: LedgerPath, steps: Sequence[Step], moved: Moved, steps_at: Callable[[LedgerPath], Sequence[Step]]
) -> tuple[Step, ...]:
    """Return the steps of a path with each absence replaced by what happened to the file where it was meanwhile.

    `steps_at` gives all steps of another path. An absence of which that is not known stays one.
    """
    found: list[Step] = []
    at = 0
    while at < len(steps):
        leave, come = steps[at], steps[at + 1] if at + 1 < len(steps) else None
        place = moved.get((leave.seq_id, path)) if leaves(leave) else None
        meanwhile = None
        if place is not None and come is not None and comes(come):
            meanwhile = _between(steps_at(place), leave.seq_id, come.seq_id)
        if come is None or meanwhile is None:
            found.append(leave)
            at += 1
            continue
        found += [replace(leave, after=leave.before, hunks=()), *meanwhile]
        found.append(replace(come, before=come.after, hunks=()))
        at += 2
    return tuple(found)


def leaves(step: Step) -> bool:
    """Say whether a file is no longer at its path after a step."""
    return step.before.kind is FileKind.FILE and step.after.kind is FileKind.ABSENT


def comes(step: Step) -> bool:
    """Say whether a file is at its path only after a step."""
    return step.before.kind is FileKind.ABSENT and step.after.kind is FileKind.FILE


def _between(steps: Sequence[Step], came: SeqId, left: SeqId) -> Sequence[Step] | None:
    """Return what happened between a file's coming and its leaving, None unless it was there all the time."""
    first = next((at for at, step in enumerate(steps) if step.seq_id == came and comes(step)), None)
    if first is None:
        return None
    last = next((at for at in range(first + 1, len(steps)) if leaves(steps[at])), None)
    if last is None or steps[last].seq_id != left:
        return None
    between = steps[first + 1 : last]
    stayed = all(step.before.kind is step.after.kind is FileKind.FILE for step in between)
    return between if stayed else None
