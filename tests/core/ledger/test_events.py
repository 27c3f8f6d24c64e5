from contextlib import suppress
from datetime import timedelta

from sulcus_panel.core.errors import NotFound
from sulcus_panel.core.events import Event, EventKind
from sulcus_panel.core.ledger import events as rooms
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import PERSON, DriftKind, LedgerPath, SeqId, Workspace
from tests.support.clock import FakeClock
from tests.support.ledgers import change, record


def kinds(ledger: Ledger, after: int = 0) -> list[EventKind]:
    return [event.kind for event in ledger.events.after(after)]


def test_a_new_row_is_told_with_its_paths_and_without_its_contents(
    ledger: Ledger, workspace: Workspace
) -> None:
    seen = ledger.events.newest
    ledger.append(workspace.id, record("one", change("caf\udce9.txt", b"secret", b"other")))
    [event] = ledger.events.after(seen)
    assert (event.kind, event.namespace) == (EventKind.ENTRY_RECORDED, workspace.namespace)
    assert event.body["paths"] == ["caf\\xe9.txt"]
    assert event.body["seq_id"] == 1
    assert "secret" not in str(event.body)
    ledger.append(workspace.id, record("one", change("a", b"1", b"2")))
    assert ledger.events.newest == event.id, "a row that was known is no news"


def test_what_is_taken_back_with_its_transaction_was_never_told(ledger: Ledger, workspace: Workspace) -> None:
    seen = ledger.events.newest
    with suppress(NotFound), ledger.write():
        ledger.append(workspace.id, record("one", change("a", b"1", b"2")))
        ledger.entry(SeqId(77))
    assert ledger.events.after(seen) == ()


def test_drift_is_told_when_it_begins_changes_and_ends(ledger: Ledger, workspace: Workspace) -> None:
    seen, path = ledger.events.newest, LedgerPath("a.txt")
    for kind in (DriftKind.CHANGED, DriftKind.CHANGED, DriftKind.MISSING, None, None):
        ledger.set_drift(workspace.id, {path: kind})
    assert [(event.kind, event.body.get("drift")) for event in ledger.events.after(seen)] == [
        (EventKind.DRIFT_DETECTED, "changed"),
        (EventKind.DRIFT_DETECTED, "missing"),
        (EventKind.DRIFT_CLEARED, None),
    ]


def test_governance_settings_and_failed_undos_are_told(ledger: Ledger, workspace: Workspace) -> None:
    seen = ledger.events.newest
    ledger.record_governance(workspace.id, PERSON, "config.set", "max_entries = 60")
    ledger.record_governance(workspace.id, PERSON, "undo.failed", "no", (SeqId(4), SeqId(5)))
    assert [(event.kind, event.body.get("id")) for event in ledger.events.after(seen)] == [
        (EventKind.GOVERNANCE_RECORDED, 2),
        (EventKind.CONFIG_CHANGED, None),
        (EventKind.GOVERNANCE_RECORDED, 3),
        (EventKind.UNDO_FAILED, 4),
        (EventKind.UNDO_FAILED, 5),
    ]


def test_they_come_by_pages_of_one_workspace_and_of_what_concerns_all(
    ledger: Ledger, workspace: Workspace
) -> None:
    elsewhere = ledger.add_workspace(None, "elsewhere")
    seen = ledger.events.newest
    ledger.record_governance(None, PERSON, "hooks.install", "")
    ledger.record_governance(elsewhere.id, PERSON, "x", "")
    ledger.record_governance(workspace.id, PERSON, "y", "")
    told = ledger.events.after(seen, workspace_id=workspace.id)
    assert [event.body["kind"] for event in told] == ["hooks.install", "y"]
    first, *_ = ledger.events.after(seen, limit=1)
    assert isinstance(first, Event)
    assert len(ledger.events.after(first.id)) == 2


def test_old_ones_go_and_no_id_is_given_twice(ledger: Ledger, workspace: Workspace, clock: FakeClock) -> None:
    ledger.record_governance(workspace.id, PERSON, "old", "")
    last = ledger.events.newest
    clock.advance(timedelta(days=rooms.DAYS, seconds=1).total_seconds())
    ledger.prune()
    assert ledger.events.after(0) == ()
    assert (ledger.events.oldest, ledger.events.newest) == (0, last)
    ledger.record_governance(workspace.id, PERSON, "new", "")
    assert [event.id for event in ledger.events.after(0)] == [last + 1]
