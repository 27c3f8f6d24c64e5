"""What the undo sheet says of a plan, in plain sentences. No Qt; records are made plain text."""

from dataclasses import dataclass

from sulcus_panel.core.credentials import redacted
from sulcus_panel.core.model import DriftKind, Entry, LedgerPath
from sulcus_panel.core.safety import plain
from sulcus_panel.core.undo.gone import to_close
from sulcus_panel.core.undo.model import (
    Conflict,
    EntryPlan,
    HunkOutcome,
    HunkPlan,
    Outcome,
    Resolution,
    UndoPlan,
    UndoResult,
)
from sulcus_panel.core.undo.words import DRIFT
from sulcus_panel.ui.dialogs.outcome_words import outcome_status, result_title
from sulcus_panel.ui.dialogs.status import Mood, Status
from sulcus_panel.ui.models.wording import decapitalised, numbers

LONGEST_PATH = 160
LONGEST_COMMAND = 72
"""As much as stands beside the steps without being cut a second time."""
NOTHING_CHOSEN = "Nothing is chosen: tick at least one part."
NOTHING_TO_WRITE = "There is nothing to write: no part is chosen, or the disk already is as it would be."
ALREADY_MARKED = "There is nothing left to do: this is undone already."
ONLY_CLEAN = "Untick what stays to take back the rest."
IN_NOBODYS_WAY = (
    Outcome.UNDONE,
    Outcome.COPY_SAVED,
    Outcome.REVIEW,
    Outcome.ALREADY_UNDONE,
    Outcome.NOTHING_TO_UNDO,
)
"""Outcomes of an entry or a path that stand in nobody's way."""


@dataclass(frozen=True, slots=True)
class Wording:
    """The words that differ between an undo, a redo, and a batch of them."""

    verb: str
    title: str
    subtitle: str
    accept: str
    keep: str = "Keep it"
    later: str = "Decide later"


def wording(plan: UndoPlan) -> Wording:
    """Return the sheet's title and the words on its buttons."""
    redo = plan.is_redo
    verb = "Redo" if redo else "Undo"
    count = len(plan.entries)
    mark = ("Mark as not undone" if redo else "Mark as undone") if to_close(plan) else ""
    keep = "Leave it" if mark else "Keep it"
    if count != 1:
        return Wording(verb, f"{verb} {count} changes", files(plan), mark or f"{verb} {count} changes", keep)
    entry = plan.entries[0].entry
    if plan.outcome is Outcome.COPY_SAVED:
        title = f"Save the old copy from before #{entry.seq_id}"
        return Wording("Save", title, _target(entry), "Save the old copy", "Leave it")
    named = entry.record.reverses if redo and entry.record.reverses is not None else entry.seq_id
    return Wording(verb, f"{verb} change #{named}", _target(entry), mark or f"{verb} this change", keep)


def result_note(result: UndoResult, plan: UndoPlan) -> str:
    """Say in one sentence what came of a plan, for when its sheet is closed by then."""
    title = result_title(result, redo=plan.is_redo).text
    why = plain(next((each.reason for each in result.results if each.reason), ""), 400)
    said = f"{wording(plan).title}: {title[0].lower()}{title[1:]}"
    return f"{said} ({why})." if why else f"{said}."


def path_text(path: LedgerPath | str) -> str:
    """Return a path as plain text; of a long one the beginning and the name, which tell it from others."""
    if len(path) <= LONGEST_PATH:
        return plain(path)
    kept = LONGEST_PATH // 2
    return f"{plain(path[:kept])}…{plain(path[-kept:])}"


_HUNK_WORDS = {
    HunkOutcome.UNDONE: Status("goes back cleanly", Mood.GOOD),
    HunkOutcome.MOVED: Status("the lines stand elsewhere now; goes back there", Mood.CAUTION),
    HunkOutcome.ALREADY_UNDONE: Status("already as it was before", Mood.QUIET),
    HunkOutcome.SUPERSEDED: Status("later work has replaced these lines", Mood.QUIET),
}


def hunk_status(hunk: HunkPlan, *, redo: bool = False) -> Status:
    """Say what becomes of one hunk, naming who stands in the way."""
    if hunk.outcome is HunkOutcome.REVIEW and hunk.chosen:
        reason = "" if hunk.conflict is None else hunk.conflict.reason
        return outcome_status(Outcome.REVIEW, reason)
    if hunk.conflict is not None and hunk.outcome is not HunkOutcome.REVIEW:
        return Status(conflict_words(hunk.conflict), Mood.BAD if hunk.chosen else Mood.QUIET)
    if not hunk.chosen:
        return Status("stays as it is", Mood.QUIET)
    if redo and hunk.outcome is HunkOutcome.UNDONE:
        return Status("comes back cleanly", Mood.GOOD)
    return _HUNK_WORDS.get(hunk.outcome) or Status("stands in conflict", Mood.BAD)


def hunk_title(hunk: HunkPlan) -> str:
    """Return `Line 42`, `Lines 42–43`, or where nothing stands now, `Before line 42`."""
    if hunk.disk_lines is None:
        return f"Part {hunk.index + 1}"
    start, end = hunk.disk_lines
    if end <= start:
        return f"Before line {start + 1}"
    return f"Line {start + 1}" if end == start + 1 else f"Lines {start + 1}–{end}"


def conflict_words(conflict: Conflict, *, named: bool = False) -> str:
    """Name who stands on the lines: `#842 stands on these lines`; `named`, for where several files are shown."""
    where, was = ("this file", "was") if conflict.lines is None else ("these lines", "were")
    if named:
        name = path_text(conflict.path)
        where = name if conflict.lines is None else f"lines of {name}"
    who = numbers(conflict.with_seq_ids)
    if who and conflict.outside:
        return f"{who} and a change outside the agents stand on {where}"
    if who:
        return f"{who} {'stands' if len(conflict.with_seq_ids) == 1 else 'stand'} on {where}"
    if conflict.outside:
        return f"{where if named else where.capitalize()} {was} changed outside the agents"
    return plain(conflict.reason, 400) or "Later work stands here"


def drift_words(path: LedgerPath, kind: DriftKind, plan: UndoPlan) -> str:
    """Say that a path has drifted, and what that means for this plan."""
    said = f"{path_text(path)} {DRIFT[kind]}."
    if kind is DriftKind.CHANGED and plan.can_apply and plan.request.resolution is not Resolution.TAKE_ALL:
        said += " What was changed there is not part of this and stays."
    return said


def why_not(plan: UndoPlan) -> str:
    """Return the reason why the plan cannot be accepted, or an empty string."""
    if plan.can_apply or to_close(plan):
        return ""
    conflicts = plan.conflicts
    if conflicts:
        first = conflicts[0]
        more = f" (and {len(conflicts) - 1} more)" if len(conflicts) > 1 else ""
        named = len({path.path for item in plan.entries for path in item.paths}) > 1
        who = conflict_words(first, named=named)
        said = f"Not possible: {who if named else decapitalised(who)}{more}."
        parts = sum(hunk.chosen for item in plan.entries for path in item.paths for hunk in path.hunks)
        return f"{said} {ONLY_CLEAN}" if len(plan.entries) == 1 and parts > 1 else said
    if plan.outcome is Outcome.ALREADY_UNDONE:
        return ALREADY_MARKED
    for passed_over in ((*IN_NOBODYS_WAY, Outcome.NOT_TRIED), (Outcome.UNDONE, Outcome.REVIEW)):
        for item in plan.entries:
            if item.outcome not in passed_over:
                return f"#{item.entry.seq_id}: {_trouble(item)}."
    return NOTHING_TO_WRITE


def _trouble(item: EntryPlan) -> str:
    """Say what is wrong with an entry, naming the file where it has several."""
    path = next((path for path in item.paths if path.outcome is item.outcome), None)
    said = outcome_status(item.outcome, item.reason or (path.reason if path is not None else "")).text
    return f"{path_text(path.path)}: {said}" if path is not None and len(item.paths) > 1 else said


def entry_line(item: EntryPlan) -> str:
    """Return one row of a batch: `#846  webhook.py`."""
    return f"#{item.entry.seq_id}  {_target(item.entry)}"


def is_in_the_way(item: EntryPlan) -> bool:
    """True where this entry itself keeps its batch from going back."""
    return item.outcome not in IN_NOBODYS_WAY and item.outcome is not Outcome.NOT_TRIED


def entry_status(item: EntryPlan) -> Status:
    """Say what becomes of one entry of a batch."""
    if item.outcome is Outcome.NOT_TRIED:
        return Status("would go back", Mood.QUIET)
    return outcome_status(item.outcome, item.reason)


def stands_in_the_way(plan: UndoPlan) -> str:
    """Say who would have to be taken back too: `#842 stands on these lines`."""
    whole = all(conflict.lines is None for conflict in plan.conflicts)
    verb = "stands" if len(plan.safe_set) == 1 else "stand"
    return f"{numbers(plan.safe_set)} {verb} on {'this file' if whole else 'these lines'}."


def files(plan: UndoPlan) -> str:
    """Count the files of a plan, or the references that it moves instead."""
    if moved := sum(len(effect.delta.refs) for effect in plan.running if effect.delta is not None):
        return "1 reference of git" if moved == 1 else f"{moved} references of git"
    paths = {path.path for item in plan.entries for path in item.paths}
    return "1 file" if len(paths) == 1 else f"{len(paths)} files"


def _target(entry: Entry) -> str:
    record = entry.record
    if record.command:  # its target path is only the first of the files that it changed
        return plain(redacted(record.command), LONGEST_COMMAND)
    return path_text(record.target_path or redacted(record.summary))
