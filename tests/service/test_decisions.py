"""The second timeline says what was decided about which changes, and why nothing came of it."""

import pytest

from sulcus_panel.core.errors import StalePlan, SulcusError
from sulcus_panel.core.model import PERSON, Decision, GovernanceRecord
from sulcus_panel.core.undo.model import Outcome, UndoRequest
from sulcus_panel.service.decisions import record_decision, record_failure
from sulcus_panel.service.operations import Operations
from tests.support.ledger_builder import LedgerBuilder


def newest(build: LedgerBuilder) -> GovernanceRecord:
    return build.ledger.governance(build.workspace.id, limit=1)[0]


@pytest.mark.parametrize(
    ("decision", "kind", "summary"),
    [
        (Decision.ACCEPT, "undo.accepted", "Accepted: undo of #2, #1"),
        (Decision.REJECT, "undo.rejected", "Kept: undo of #2, #1"),
        (Decision.DEFER, "undo.deferred", "Put off: undo of #2, #1"),
    ],
)
def test_a_decision_names_its_changes_and_its_plan(
    build: LedgerBuilder, operations: Operations, decision: Decision, kind: str, summary: str
) -> None:
    entries = (build.write("a.txt", "1\n"), build.write("b.txt", "1\n"))
    plan = operations.plan(UndoRequest(tuple(entry.seq_id for entry in entries)))
    record_decision(build.ledger, PERSON, plan, decision)
    told = newest(build)
    assert (told.kind, told.summary, told.actor, told.seq_ids) == (kind, summary, PERSON, (2, 1))
    assert told.detail == {"plan_digest": plan.digest, "outcome": "undone"}


@pytest.mark.parametrize(
    ("reason", "why", "outcome"),
    [
        (StalePlan("It has changed", "Nothing was done."), "It has changed: Nothing was done.", "stale_plan"),
        (Outcome.NOTHING_TO_UNDO, "nothing to undo: nothing was written", "nothing_to_undo"),
    ],
)
def test_a_failure_says_why_nothing_came_of_it(
    build: LedgerBuilder, operations: Operations, reason: SulcusError | Outcome, why: str, outcome: str
) -> None:
    entry = build.write("a.txt", "1\n")
    record_failure(build.ledger, PERSON, operations.plan(UndoRequest((entry.seq_id,))), reason)
    told = newest(build)
    assert (told.kind, told.summary) == ("undo.failed", f"Undo of #1: {why}")
    assert told.detail["outcome"] == outcome
