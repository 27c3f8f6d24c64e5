"""What a sheet is opened about: how its plan is made, and what a no or a later means for it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from sulcus_panel.core.errors import NotFound
from sulcus_panel.core.holds import Hold, HoldState
from sulcus_panel.core.model import Decision, SeqId
from sulcus_panel.core.undo.model import UndoPlan, UndoRequest
from sulcus_panel.service.interface import Verbs
from sulcus_panel.service.operations import Selection
from sulcus_panel.ui.models.hold_words import question, reason

Planner = Callable[[Verbs, tuple[int, ...] | None], UndoPlan]
"""Makes the plan, for these hunks only or for all (None)."""
Decliner = Callable[[Verbs, UndoPlan, Decision], None]
PUT_OFF = "Marked to be decided later. Nothing was changed."
STILL_WAITS = "It goes on waiting for you. Nothing was changed."
ENDS = {
    HoldState.ACCEPTED: "It was undone.",
    HoldState.REJECTED: "Somebody said no: all was kept.",
    HoldState.SETTLED: "These changes were undone meanwhile.",
}


def _decline_plan(operations: Verbs, plan: UndoPlan, decision: Decision) -> None:
    operations.decline(plan, decision)


@dataclass(frozen=True, slots=True)
class Question:
    """What the person is asked."""

    planner: Planner
    about: object
    """Two questions about the same are one."""
    decline: Decliner = _decline_plan
    put_off: str = PUT_OFF
    """What is said after "later"."""
    asked: str = ""
    """Who asks for it and why it waits, where somebody else does."""
    hunks: tuple[int, ...] | None = None
    """The parts that are asked for; None for all."""


def about_entries(seq_ids: tuple[SeqId, ...]) -> Question:
    """Ask whether to take back these entries."""
    return Question(partial(plan_request, UndoRequest(seq_ids)), ("undo", seq_ids))


def about_turn(workspace_id: int, turn_id: str) -> Question:
    """Ask whether to take back everything of a turn."""
    return Question(partial(_plan_turn, workspace_id, turn_id), ("turn", workspace_id, turn_id))


def about_redo(seq_ids: tuple[SeqId, ...]) -> Question:
    """Ask whether to bring back what was undone."""
    return Question(partial(_plan_redo, seq_ids), ("redo", seq_ids))


def about_hold(hold: Hold) -> Question:
    """Ask whether to do what somebody else asked for: a no answers him, a later leaves it waiting."""
    return Question(
        partial(_plan_hold, hold.id),
        ("hold", hold.id),
        partial(_decline_hold, hold.id),
        STILL_WAITS,
        f"{question(hold)}. {reason(hold)}",
        hold.request.hunks,
    )


def plan_request(request: UndoRequest, operations: Verbs, hunks: tuple[int, ...] | None) -> UndoPlan:
    """Plan a request, of these hunks only where any are given."""
    return operations.plan(replace(request, hunks=hunks))


def _plan_redo(seq_ids: tuple[SeqId, ...], operations: Verbs, hunks: tuple[int, ...] | None) -> UndoPlan:
    plan = operations.plan_redo(seq_ids)
    return plan if hunks is None else operations.plan(UndoRequest(plan.request.seq_ids, hunks))


def _plan_turn(workspace_id: int, turn_id: str, operations: Verbs, hunks: tuple[int, ...] | None) -> UndoPlan:
    plan = operations.plan_selection(workspace_id, Selection(turn_id=turn_id))
    return plan if hunks is None else operations.plan(UndoRequest(plan.request.seq_ids, hunks))


def _plan_hold(hold_id: int, operations: Verbs, hunks: tuple[int, ...] | None) -> UndoPlan:
    """Plan what was asked for. Raises NotFound where it no longer waits."""
    hold = operations.holds.get(hold_id)
    if hold.state is not HoldState.WAITING:
        raise NotFound("This request no longer waits", ENDS[hold.state], "There is nothing left to decide.")
    return plan_request(operations.holds.request(hold_id), operations, hunks)


def _decline_hold(hold_id: int, operations: Verbs, _plan: UndoPlan, decision: Decision) -> None:
    if decision is Decision.REJECT:
        operations.holds.reject(hold_id)
