"""A command that made a path one more name of another file: what stands there is that file's, and stays. Pure.

A file with several names is changed in place, so that these stay one file. That is right where the entry changed
it under all of them, and would write over the other file where the entry only gave it this name.
"""

from sulcus_panel.core.model import COMMANDS, Entry, FileKind, LedgerPath
from sulcus_panel.core.safety import plain
from sulcus_panel.core.states import same_state
from sulcus_panel.core.undo.model import WRITABLE, Outcome, PathPlan, UndoFacts


def refused_if_shared(facts: UndoFacts, entry: Entry, plan: PathPlan) -> PathPlan:
    """Return the plan, or its refusal where other names of the file would change that a command left alone."""
    changes_one = {plan.disk.kind, plan.result.kind} == {FileKind.FILE} and not same_state(
        plan.disk, plan.result
    )
    if plan.path not in facts.linked or plan.outcome not in WRITABLE or not changes_one:
        return plan
    if entry.record.action_type not in COMMANDS or _has_twin(facts, entry, plan.path):
        return plan
    shown = plain(plan.path, 200)
    reason = (
        f"{shown} is a hard link, and what the command left alone under another name would change with it"
    )
    return plan.left_alone(Outcome.REFUSED, reason)


def _has_twin(facts: UndoFacts, entry: Entry, path: LedgerPath) -> bool:
    """Say whether the entry did the very same to another file with several names."""
    own = next(change for change in entry.record.changes if change.path == path)
    return any(
        each.path != path
        and each.path in facts.linked
        and same_state(each.before, own.before)
        and same_state(each.after, own.after)
        for each in entry.record.changes
    )
