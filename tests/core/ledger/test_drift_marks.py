"""A mark says how a path drifted and since when. What it does to entries: test_entries.py."""

from sulcus_panel.core.ledger.encoding import to_micros
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import DriftKind, LedgerPath, Workspace
from tests.support.clock import FakeClock

A, B = LedgerPath("a.txt"), LedgerPath("b.txt")


def since(ledger: Ledger) -> int:
    return ledger._db.number("SELECT at FROM drift")


def test_the_time_of_a_mark_is_when_it_became_what_it_is(
    ledger: Ledger, workspace: Workspace, clock: FakeClock
) -> None:
    ledger.set_drift(workspace.id, {A: DriftKind.CHANGED})
    first = to_micros(clock.now)
    clock.advance(60)
    ledger.set_drift(workspace.id, {A: DriftKind.CHANGED})
    assert since(ledger) == first
    ledger.set_drift(workspace.id, {A: DriftKind.MISSING})
    assert since(ledger) == to_micros(clock.now)
    assert ledger.drift(workspace.id) == {A: DriftKind.MISSING}


def test_only_the_paths_named_are_set_or_cleared(ledger: Ledger, workspace: Workspace) -> None:
    ledger.set_drift(workspace.id, {B: DriftKind.CHANGED, A: DriftKind.RECREATED})
    ledger.set_drift(workspace.id, {LedgerPath("never.txt"): None})
    assert list(ledger.drift(workspace.id).items()) == [(A, DriftKind.RECREATED), (B, DriftKind.CHANGED)]
    ledger.set_drift(workspace.id, {A: None})
    assert ledger.drift(workspace.id) == {B: DriftKind.CHANGED}


def test_the_same_path_in_another_workspace_is_another_file(ledger: Ledger, workspace: Workspace) -> None:
    other = ledger.add_workspace(None, "other")
    ledger.set_drift(workspace.id, {A: DriftKind.CHANGED})
    ledger.set_drift(other.id, {A: DriftKind.MISSING})
    ledger.set_drift(workspace.id, {A: None})
    assert ledger.drift(other.id) == {A: DriftKind.MISSING}
