"""Is nothing left of an entry that could be taken back? Asked of a plan that is shown; closing.py acts on it."""

from sulcus_panel.core.model import Entry, EntryState
from sulcus_panel.core.undo.model import EntryPlan, Outcome, UndoPlan

UNOPPOSED = frozenset({Outcome.ALREADY_UNDONE, Outcome.NOTHING_TO_UNDO, Outcome.UNDONE})


def to_close(plan: UndoPlan) -> tuple[Entry, ...]:
    """Return the entries that a yes to this plan closes without a write: nothing is left of them on disk."""
    if plan.can_apply or plan.outcome not in UNOPPOSED:
        return ()
    return tuple(each.entry for each in plan.entries if _may_close(plan, each))


def _may_close(plan: UndoPlan, each: EntryPlan) -> bool:
    """Say whether an entry is gone, or cancelled out; of parts nobody knows that they had not gone back before."""
    if plan.request.hunks is not None and each.entry.state is EntryState.PARTLY_UNDONE:
        return False
    return is_gone(each) or (plan.outcome is Outcome.UNDONE and each.outcome is Outcome.UNDONE)


def is_gone(plan: EntryPlan) -> bool:
    """Say whether nothing is left of an entry that is not closed yet, or a closing is itself taken back."""
    record = plan.entry.record
    moved = record.git is not None and bool(record.git.refs)
    closing = record.reverses is not None and not record.changes and not moved
    gone = plan.outcome is Outcome.ALREADY_UNDONE or (closing and plan.outcome is Outcome.NOTHING_TO_UNDO)
    stays = any(path.stays for path in plan.paths)
    return gone and not stays and plan.entry.state is not EntryState.UNDONE
