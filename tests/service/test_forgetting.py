from pathlib import Path

import pytest

from sulcus_panel.core.capture.shell.keeping import Baselines
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


def test_copies_that_looks_at_commands_made_of_the_file_go_too(
    build: LedgerBuilder, operations: Operations
) -> None:
    build.session()
    build.turn("x")
    build.write("a.txt", b"1\n")
    baselines = Baselines(str(build.home.root), str(build.root))
    baselines.make()
    copy = Path(baselines.copies) / "1-1-1-2"
    copy.write_bytes(b"1\n")
    operations.forget(build.workspace.id, LedgerPath("a.txt"))
    assert not copy.exists()
