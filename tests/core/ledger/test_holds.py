import pytest

from sulcus_panel.core.errors import NotFound
from sulcus_panel.core.events import EventKind
from sulcus_panel.core.holds import HoldRequest, HoldState
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import SeqId, Workspace
from tests.support.ledgers import AGENT

ONE = HoldRequest((SeqId(3),), hunks=(0, 2))


def test_a_request_waits_and_is_told_once(ledger: Ledger, workspace: Workspace) -> None:
    with ledger.write():
        made = ledger.holds.add(workspace.id, AGENT, ONE, "somebody else's change", 5)
        same = ledger.holds.add(workspace.id, AGENT, ONE, "somebody else's change", 6)
        other = ledger.holds.add(workspace.id, AGENT, HoldRequest((SeqId(3),), redo=True), "", 7)
    assert same == made
    assert (made.request, made.state, made.actor, made.namespace) == (
        ONE,
        HoldState.WAITING,
        AGENT,
        workspace.namespace,
    )
    assert ledger.holds.find(workspace.id, waiting_only=True) == (other, made)
    told = [event.body["hold_id"] for event in ledger.events.after(0) if event.kind is EventKind.UNDO_HELD]
    assert told == [made.id, other.id]


def test_a_hold_is_decided_once(ledger: Ledger, workspace: Workspace) -> None:
    with ledger.write():
        made = ledger.holds.add(workspace.id, AGENT, ONE, "", 5)
        assert ledger.holds.decide(made.id, HoldState.ACCEPTED, "undone", 9)
        assert not ledger.holds.decide(made.id, HoldState.REJECTED, "", 10)
        again = ledger.holds.add(workspace.id, AGENT, ONE, "", 11)
    decided = ledger.holds.by_id(made.id)
    assert (decided.state, decided.outcome) == (HoldState.ACCEPTED, "undone")
    assert again.id != made.id, "what was decided does not answer a new request"
    assert ledger.holds.find(None, waiting_only=True) == (again,)
    assert ledger.holds.find(None, waiting_only=False) == (again, decided)
    with pytest.raises(NotFound, match="no hold 77"):
        ledger.holds.by_id(77)
