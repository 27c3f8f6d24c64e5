"""Which of the four steps is where, in every phase of the undo sheet."""

from enum import StrEnum

from sulcus_panel.core.model import FileKind
from sulcus_panel.core.undo.gone import to_close
from sulcus_panel.core.undo.model import Outcome, UndoPlan
from sulcus_panel.ui.dialogs import undo_words as words
from sulcus_panel.ui.dialogs.choices import choices_in
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
_MARK = {
    Phase.READY: "only marks it, no file is written",
    Phase.APPLYING: "marking it, no file is written",
    Phase.DONE: "marked, no file was written",
}
"""What the last step is where nothing is left on disk to take back."""
_SAVE = {
    Phase.READY: "checked on disk, can be removed again",
    Phase.DONE: "verified on disk, can be removed again",
}
"""What it is where an old copy is saved and nothing is taken back."""


def steps_of(phase: Phase, plan: UndoPlan | None) -> tuple[Step, ...]:
    """Return the four steps as they stand in `phase`."""
    preview = _PREVIEW.get(phase) or (_parts(plan) if plan is not None else "")
    last = _last(phase, plan) if plan is not None else None
    notes = (
        "what happened, what will",
        preview,
        _CONFIRM.get(phase, "nothing is changed yet"),
        last or _APPLY.get(phase, "checked on disk, can be redone"),
    )
    names = ("Explain", "Preview", "Confirm", "Apply")
    return tuple(
        Step(name, note, state) for name, note, state in zip(names, notes, _STATES[phase], strict=True)
    )


def _last(phase: Phase, plan: UndoPlan) -> str | None:
    if plan.outcome is Outcome.COPY_SAVED:
        return _SAVE.get(phase)
    return _MARK.get(phase) if to_close(plan) else None


def _parts(plan: UndoPlan) -> str:
    if len(plan.entries) > 1:
        return f"{len(plan.entries)} changes, {_files(plan)}"
    if plan.effects and not plan.entries[0].paths:
        return words.files(plan) if plan.running else "no file, nothing to move"
    choices = choices_in(plan)
    if len(choices) < 2 and not any(path.hunks for item in plan.entries for path in item.paths):
        return _files(plan)
    chosen = sum(choice.chosen for choice in choices)
    return f"{_count(len(choices), 'part')}, {chosen} chosen"


def _files(plan: UndoPlan) -> str:
    """Count what is written, folders apart; where nothing can be, what was asked about."""
    if plan.running and not plan.writes:
        return words.files(plan)
    if not plan.writes:
        return _count(len({path.path for item in plan.entries for path in item.paths}), "file")
    folders = sum(FileKind.DIRECTORY in {write.disk.kind, write.result.kind} for write in plan.writes)
    told = [(len(plan.writes) - folders, "file"), (folders, "folder")]
    return ", ".join(_count(number, noun) for number, noun in told if number)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
