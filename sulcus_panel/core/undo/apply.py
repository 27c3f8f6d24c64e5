"""The one door to an undo's writes: look again under a lock, and carry out only what is still what was shown.

How the writing is done: carry_out.py. What a killed process left is settled first: recover.py.
"""

from collections.abc import Callable, Collection

from sulcus_panel.core.errors import LedgerBusy, StalePlan
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import Workspace
from sulcus_panel.core.undo.carry_out import CarryOut, Hands
from sulcus_panel.core.undo.closing import close
from sulcus_panel.core.undo.facts import gather_facts
from sulcus_panel.core.undo.lock import undo_lock
from sulcus_panel.core.undo.model import UndoFacts, UndoPlan, UndoResult
from sulcus_panel.core.undo.plan import PlannedUndo, plan_with_hunks
from sulcus_panel.core.undo.results import not_agreed

__all__ = ["Hands", "apply_undo"]

LOCK_SECONDS = 10.0


def apply_undo(
    ledger: Ledger,
    workspace: Workspace,
    plan: UndoPlan,
    hands: Hands,
    consents: Collection[str] = (),
    planning: Callable[[UndoFacts], PlannedUndo] = plan_with_hunks,
) -> UndoResult:
    """Carry out `plan` if it still says what it said; the result tells what the disk says afterwards.

    A plan that cannot be applied, or has nothing to do, is answered with its own outcomes and writes nothing;
    what is gone already is closed. So is one answered that needs a consent which `consents` does not name (by
    its key): it is held.

    Raises:
        StalePlan: disk or ledger moved on since the plan was made; nothing was changed.
        LedgerBusy: another undo is under way and does not end, or one of the same was interrupted and waits.
        NotFound, LedgerFull, LedgerCorrupt: as said there; nothing was changed.
    """
    with undo_lock(ledger, LOCK_SECONDS) as held:
        if not held:
            raise LedgerBusy("Another undo is under way", hint="Try again in a moment.")
        if ledger.open_undos():
            from sulcus_panel.core.undo import recover  # here, for hardly an undo finds one that was cut off

            recover.recover_locked(ledger, hands.fs)
            recover.refuse_overlap(ledger, workspace.id, plan.writes, plan.request.seq_ids)
        planned = planning(gather_facts(ledger, workspace, plan.request, hands.clock()))
        if planned.plan.digest != plan.digest:
            raise StalePlan(
                "Something has changed since this was shown", "Nothing was done.", "Look at it again."
            )
        if not planned.plan.can_apply or workspace.root is None:
            return close(ledger, workspace, planned.plan, hands)
        missing = [each.text for each in planned.plan.consents if each.key not in consents]
        if missing:
            return not_agreed(planned.plan, missing)
        if planned.plan.running:
            from sulcus_panel.core.undo.carry_effects import CarryEffects  # files have no use for it

            return CarryEffects(ledger, workspace, planned.plan, hands).run(workspace.root)
        return CarryOut(ledger, workspace, planned, hands).run(workspace.root)
