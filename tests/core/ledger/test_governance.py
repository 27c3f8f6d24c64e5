from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import PERSON, SeqId, Workspace
from tests.support.clock import FakeClock
from tests.support.ledgers import AGENT


def test_records_come_newest_first_with_all_they_say(
    ledger: Ledger, workspace: Workspace, clock: FakeClock
) -> None:
    ledger.record_governance(None, PERSON, "hooks.install", "Hooks installed")
    clock.advance(1)
    made = ledger.record_governance(
        workspace.id, AGENT, "undo.applied", "Undid #3", (SeqId(3),), {"plan": "ab", "path": "caf\udce9"}
    )
    assert (made.at, made.namespace, made.actor) == (clock.now, workspace.namespace, AGENT)
    assert (made.seq_ids, made.detail) == ((3,), {"plan": "ab", "path": "caf\udce9"})
    newest, oldest, _ = ledger.governance(None)
    assert newest == made
    assert (oldest.kind, oldest.namespace) == ("hooks.install", None)


def test_they_can_be_asked_for_by_workspace_kind_and_page(ledger: Ledger, workspace: Workspace) -> None:
    for kind in ("undo.accepted", "undo.applied", "undo%", "config.set"):
        ledger.record_governance(workspace.id, PERSON, kind, kind)
    ledger.record_governance(None, PERSON, "undo.elsewhere", "")
    of_undo = ledger.governance(workspace.id, kind_prefix="undo.")
    assert [found.kind for found in of_undo] == ["undo.applied", "undo.accepted"]
    assert [found.kind for found in ledger.governance(workspace.id, kind_prefix="undo%")] == ["undo%"]
    assert len(ledger.governance(None, limit=2)) == 2
    assert [found.kind for found in ledger.governance(None, before=3)] == ["undo.accepted", "workspace.added"]
