"""A ledger that cannot be written is opened to be read, and the reason is there to be told."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from sulcus_panel.core.errors import LedgerFull, LedgerTooNew
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.service.opening import open_or_read
from sulcus_panel.service.operations import Operations


def test_a_ledger_of_this_version_is_opened_to_be_written(tmp_path: Path) -> None:
    operations, why = open_or_read(DataHome(tmp_path / "data"))
    with operations:
        assert (operations.read_only, why) == (False, None)


def test_a_ledger_of_a_newer_version_is_opened_to_be_read(tmp_path: Path) -> None:
    home = DataHome(tmp_path / "data")
    with Operations.open(home) as operations:
        workspace = operations.register(tmp_path)
    with closing(sqlite3.connect(home.database)) as newer:
        newer.execute("PRAGMA user_version = 999")
    operations, why = open_or_read(home)
    with operations:
        assert operations.read_only
        assert isinstance(why, LedgerTooNew)
        assert operations.workspaces() == (workspace,)
        assert operations.refresh_drift(workspace.id) == {}


def test_where_no_ledger_can_be_made_there_is_none_to_read(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")
    with pytest.raises(LedgerFull):
        open_or_read(DataHome(tmp_path / "data" / "below"))
