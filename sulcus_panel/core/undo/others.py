"""A person takes back the files of one entry that can go back, and leaves the others as they are. Pure.

Such a row is partly undone then. What goes back is what would have gone back with all of them.
"""

from sulcus_panel.core.safety import plain
from sulcus_panel.core.undo.model import STUCK, WRITABLE, Outcome, PathPlan
from sulcus_panel.core.undo.words import REASONS

_UNOPPOSED = WRITABLE | {Outcome.ALREADY_UNDONE, Outcome.NOTHING_TO_UNDO}


def cannot_go(plan: PathPlan) -> bool:
    """Say whether a path holds all of its entry back."""
    return plan.outcome not in _UNOPPOSED


def left_out(plan: PathPlan) -> PathPlan:
    """Return the plan of a path that stays as it is, for nobody asks for it any more; why it must is told."""
    why = REASONS.get(plan.reason, plan.reason)
    if plan.outcome in STUCK and not why:
        why = "later work stands there"
    return plan.staying(f"stays as it is ({plain(why or 'it cannot go back', 300)})")
