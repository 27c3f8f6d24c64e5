"""What the person decided about a plan, and an acceptance of which nothing came: on the second timeline.

What does come of one is told by whoever writes the files, in the transaction that records it.
"""

from sulcus_panel.core.errors import SulcusError
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import Actor, Decision
from sulcus_panel.core.undo.model import Outcome, UndoPlan

_WORDS = {
    Decision.ACCEPT: ("undo.accepted", "Accepted"),
    Decision.REJECT: ("undo.rejected", "Kept"),
    Decision.DEFER: ("undo.deferred", "Put off"),
}


def record_decision(ledger: Ledger, actor: Actor, plan: UndoPlan, decision: Decision) -> None:
    """Record what was decided."""
    kind, verb = _WORDS[decision]
    _record(ledger, actor, plan, kind, f"{verb}: undo of {_numbers(plan)}", plan.outcome)


def record_failure(ledger: Ledger, actor: Actor, plan: UndoPlan, why: SulcusError | Outcome) -> None:
    """Record that an accepted plan changed nothing: for this error, or because it could not be applied."""
    if isinstance(why, SulcusError):
        told, outcome = str(why), why.code
    else:
        told, outcome = f"{why.replace('_', ' ')}: nothing was written", why.value
    _record(ledger, actor, plan, "undo.failed", f"Undo of {_numbers(plan)}: {told}", outcome)


def _record(ledger: Ledger, actor: Actor, plan: UndoPlan, kind: str, summary: str, outcome: str) -> None:
    seq_ids = tuple(item.entry.seq_id for item in plan.entries)
    detail = {"plan_digest": plan.digest, "outcome": outcome}
    ledger.record_governance(plan.workspace_id, actor, kind, summary, seq_ids=seq_ids, detail=detail)


def _numbers(plan: UndoPlan) -> str:
    return ", ".join(f"#{item.entry.seq_id}" for item in plan.entries)
