import pytest

from sulcus_panel.core.errors import LedgerBusy
from sulcus_panel.core.model import LedgerPath
from sulcus_panel.core.undo.lock import undo_lock
from sulcus_panel.service import forgetting
from sulcus_panel.service.operations import Operations
from tests.support.ledger_builder import LedgerBuilder


def test_an_undo_at_work_is_waited_for_and_then_nothing_is_forgotten(
    build: LedgerBuilder, operations: Operations, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forgetting, "WAIT_SECONDS", 0.05)
    build.session()
    build.turn("x")
    entry = build.write("a.txt", b"1\n")
    with undo_lock(build.ledger, 0), pytest.raises(LedgerBusy):
        operations.forget(build.workspace.id, LedgerPath("a.txt"))
    assert operations.entry(entry.seq_id).record.changes[0].after.kept
