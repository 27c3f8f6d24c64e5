"""Which of the four steps is where, in every phase of the undo sheet."""

from enum import StrEnum

from sulcus_panel.core.undo.model import UndoPlan
from sulcus_panel.ui.dialogs.step_list import Step, StepState


class Phase(StrEnum):
    """What the sheet is doing. UNPLANNED: no plan could be made. BLOCKED: it cannot be done as it is.

    UNSURE: written, but the disk or the ledger did not confirm it.
    """

    PLANNING = "planning"
    UNPLANNED = "unplanned"
    READY = "ready"
    BLOCKED = "blocked"
    APPLYING = "applying"
    DONE = "done"
    UNSURE = "unsure"
    FAILED = "failed"


_STATES = {
    Phase.PLANNING: (StepState.DONE, StepState.NOW, StepState.TODO, StepState.TODO),
    Phase.UNPLANNED: (StepState.DONE, StepState.STOPPED, StepState.TODO, StepState.TODO),
    Phase.READY: (StepState.DONE, StepState.DONE, StepState.NOW, StepState.TODO),
    Phase.BLOCKED: (StepState.DONE, StepState.STOPPED, StepState.TODO, StepState.TODO),
    Phase.APPLYING: (StepState.DONE, StepState.DONE, StepState.DONE, StepState.NOW),
    Phase.DONE: (StepState.DONE, StepState.DONE, StepState.DONE, StepState.DONE),
    Phase.UNSURE: (StepState.DONE, StepState.DONE, StepState.DONE, StepState.STOPPED),
    Phase.FAILED: (StepState.DONE, StepState.DONE, StepState.DONE, StepState.STOPPED),
}
_PREVIEW = {Phase.PLANNING: "looking at the disk", Phase.UNPLANNED: "could not be made"}
_CONFIRM = {
    Phase.BLOCKED: "not possible as it stands",
    Phase.APPLYING: "you said yes",
    Phase.DONE: "you said yes",
    Phase.UNSURE: "you said yes",
    Phase.FAILED: "you said yes",
}
_APPLY = {
    Phase.APPLYING: "writing and reading back",
    Phase.DONE: "verified on disk, can be redone",
    Phase.UNSURE: "written, but not confirmed",
    Phase.FAILED: "not done; the reason is beside",
}


def steps_of(phase: Phase, plan: UndoPlan | None) -> tuple[Step, ...]:
    """Return the four steps as they stand in `phase`."""
    preview = _PREVIEW.get(phase) or (_parts(plan) if plan is not None else "")
    notes = (
        "what happened, what will",
        preview,
        _CONFIRM.get(phase, "nothing is changed yet"),
        _APPLY.get(phase, "checked on disk, can be redone"),
    )
    names = ("Explain", "Preview", "Confirm", "Apply")
    return tuple(
        Step(name, note, state) for name, note, state in zip(names, notes, _STATES[phase], strict=True)
    )


def _parts(plan: UndoPlan) -> str:
    hunks = [hunk for item in plan.entries for path in item.paths for hunk in path.hunks]
    if len(plan.entries) > 1:
        return f"{len(plan.entries)} changes, {_count(len(plan.writes), 'file')}"
    if not hunks:
        return _count(len(plan.writes), "file")
    chosen = sum(hunk.chosen for hunk in hunks)
    return f"{_count(len(hunks), 'part')}, {chosen} chosen"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
