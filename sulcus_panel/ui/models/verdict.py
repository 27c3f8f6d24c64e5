"""Can it be undone? Fully, partly or not, why, and what the button offers: said before anyone clicks."""

from collections.abc import Collection
from dataclasses import dataclass

from sulcus_panel.core.model import DriftKind, EntryState, LedgerPath, Undoability
from sulcus_panel.core.safety import plain
from sulcus_panel.core.undo.model import Outcome, UndoPlan
from sulcus_panel.ui.models.entry_details import EntryDetails
from sulcus_panel.ui.models.ledger_row import UndoCell, undo_cell
from sulcus_panel.ui.models.wording import numbers


@dataclass(frozen=True, slots=True)
class Verdict:
    """A heading, a sentence or two, and the button."""

    title: str
    text: str
    is_good: bool
    button: UndoCell


_TITLES = {
    Undoability.FULLY: "Can be undone fully.",
    Undoability.PARTLY: "Can be undone in part.",
    Undoability.NOT: "Cannot be undone.",
}
_OUTCOMES = {
    Outcome.UNDONE: "Can be undone fully.",
    Outcome.PARTLY_UNDONE: "Can be undone in part.",
    Outcome.CONFLICT: "Later work stands on these lines.",
    Outcome.REVIEW: "Can be undone after a look.",
    Outcome.NOTHING_TO_UNDO: "Nothing is left to undo.",
    Outcome.SUPERSEDED: "Nothing is left to undo.",
    Outcome.ALREADY_UNDONE: "Already undone.",
}
SAID_BY_BANNER = "drift"
"""The code of warnings that repeat what the banner over the diff says."""


def verdict(details: EntryDetails, barred: str = "") -> Verdict:
    """Return what the details say about undoing this entry; `barred` says why nothing can be undone at all."""
    found = _verdict(details)
    button = undo_cell(details.entry, barred)
    if button == found.button:
        return found
    text = " ".join(part for part in (f"Not from here: {barred}.", found.text) if part)
    return Verdict(found.title, text, False, button)


def _verdict(details: EntryDetails) -> Verdict:
    entry = details.entry
    button = undo_cell(entry)
    if entry.state is EntryState.UNDONE and entry.record.takes_back:
        return Verdict("Redone.", "What this undo had taken back is there again.", True, button)
    if entry.state is EntryState.UNDONE:
        by = "" if entry.undone_by is None else f" Taken back by #{entry.undone_by}."
        what = "The file is" if entry.paths else "All is"
        return Verdict("Undone.", f"{what} as if this change had not been made.{by}", True, button)
    if entry.record.takes_back:
        return Verdict("This is an undo.", "Redo brings the change back.", True, button)
    if details.plan is not None:
        return _of_plan(details.plan, button)
    reason = details.plan_error or entry.undo_reason
    good = entry.undoability is Undoability.FULLY and not details.plan_error
    return Verdict(_TITLES[entry.undoability], _sentence(reason, entry.paths), good, button)


def _of_plan(plan: UndoPlan, button: UndoCell) -> Verdict:
    title = _OUTCOMES.get(plan.outcome, "Cannot be undone as it stands.")
    paths = {path for item in plan.entries for path in item.entry.paths}
    if button.is_partial and plan.can_apply:
        title = "Can be undone as it stands."
    elif button.is_partial and _some_goes(plan):
        text = f"{_sentence(button.reason, paths)} The rest can go back alone."
        return Verdict(_TITLES[Undoability.PARTLY], text, False, button)
    said = [_what_happens(plan, title)]
    said += [conflict.reason for conflict in plan.conflicts[:2] if not _says(conflict.reason, title, said[0])]
    if plan.safe_set:
        said.append(f"With {numbers(plan.safe_set)} undone too, it goes.")
    if button.is_partial and not any(warning.code == "not_kept" for warning in plan.warnings):
        said.append(button.reason)
    if plan.can_apply and DriftKind.CHANGED in plan.drift.values():
        said.append("What was changed outside the agents stays.")
    said += [warning.text for warning in plan.warnings if warning.code != SAID_BY_BANNER][:2]
    text = " ".join(dict.fromkeys(_sentence(each, paths) for each in said if each))
    return Verdict(title, text, plan.outcome is Outcome.UNDONE and plan.can_apply, button)


def _some_goes(plan: UndoPlan) -> bool:
    """True where parts of a change in several files go back, although others do not."""
    paths = [path for item in plan.entries for path in item.paths]
    return any(path.outcome is Outcome.UNDONE and path.hunks for path in paths)


def _what_happens(plan: UndoPlan, title: str) -> str:
    """Return the plan's own sentence without what the title has said."""
    text = plan.explanation.what_happens
    if plan.can_apply:
        return text
    text = text.removeprefix("nothing: ")
    for conflict in plan.conflicts[:1]:
        if _says(conflict.reason, title):
            text = text.removesuffix(f" ({conflict.reason})")
    return text


def _says(reason: str, *said: str) -> bool:
    return any(reason.casefold() in text.casefold() for text in said)


def _sentence(text: str, paths: Collection[LedgerPath]) -> str:
    """Return `text` as a sentence. A path at its beginning is a name and keeps its letters."""
    text = plain(text, 600).strip()
    if not text:
        return ""
    names = {name for path in paths for name in (plain(path, 120), plain(path.rpartition("/")[2], 120))}
    begins_with_name = not text.split(maxsplit=1)[0].strip(",:;").isalpha() or any(
        text.startswith(name) for name in names if name
    )
    first = text[0] if begins_with_name else text[0].upper()
    return first + text[1:] + ("" if text[-1] in ".!?…" else ".")
