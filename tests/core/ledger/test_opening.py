import multiprocessing
import os
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from sulcus_panel.core.errors import LedgerFull, LedgerTooNew, NotFound, UnsafePath
from sulcus_panel.core.ledger.checking import integrity
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.ledger.schema import APPLICATION_ID, VERSION
from sulcus_panel.core.ledger.store import Ledger
from tests.support.clock import FakeClock
from tests.support.ledgers import appended, record


def _set_version(home: DataHome, version: int) -> None:
    connection = sqlite3.connect(home.database)
    connection.execute(f"PRAGMA user_version = {version}")
    connection.close()


def test_a_new_ledger_is_private_ours_and_in_wal(data_home: DataHome) -> None:
    before = os.umask(0)
    try:
        with Ledger.open(data_home) as ledger:
            ledger.add_workspace("/nowhere")
            files = sorted(path for path in data_home.root.iterdir() if path.is_file())
            modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in files}
    finally:
        os.umask(before)
    assert modes == {"ledger.db": 0o600, "ledger.db-shm": 0o600, "ledger.db-wal": 0o600}
    connection = sqlite3.connect(data_home.database)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
    assert connection.execute("PRAGMA user_version").fetchone() == (VERSION,)
    connection.close()


def test_what_was_written_is_there_at_the_next_opening(data_home: DataHome) -> None:
    with Ledger.open(data_home) as ledger:
        workspace = ledger.add_workspace("/nowhere/app")
        seq_id = appended(ledger, workspace.id, record("one")).seq_id
    with Ledger.open(data_home) as ledger:
        assert ledger.notice == ""
        assert ledger.entry(seq_id).record.uid == "one"


def test_opening_a_current_ledger_imports_neither_sqlite_utils_nor_filelock(data_home: DataHome) -> None:
    Ledger.open(data_home).close()
    script = (
        "import sys; from pathlib import Path; from sulcus_panel.core.ledger.home import DataHome;"
        "from sulcus_panel.core.ledger.store import Ledger; Ledger.open(DataHome(Path(sys.argv[1])));"
        "sys.exit('sqlite_utils' in sys.modules or 'filelock' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script, str(data_home.root)], check=False)
    assert done.returncode == 0


@pytest.mark.parametrize("damage", [b"", b"this was never a database, but it is long enough" * 40])
def test_a_damaged_ledger_is_kept_aside_and_told(
    data_home: DataHome, clock: FakeClock, damage: bytes
) -> None:
    data_home.ensure()
    data_home.database.write_bytes(damage)
    with Ledger.open(data_home, clock=clock) as ledger:
        assert ledger.newest_seq() == 0
        kept = data_home.root / "ledger.corrupt-20260304T120000"
        assert str(kept) in ledger.notice
        assert kept.read_bytes() == damage
    with Ledger.open(data_home, clock=clock) as ledger:
        assert ledger.notice == ""


def test_two_damages_in_one_second_keep_both(data_home: DataHome, clock: FakeClock) -> None:
    data_home.ensure()
    for damage in (b"first", b"second"):
        data_home.database.write_bytes(damage)
        Ledger.open(data_home, clock=clock).close()
    kept = sorted(data_home.root.glob("ledger.corrupt-*"))
    assert [path.read_bytes() for path in kept] == [b"first", b"second"]


def test_a_header_torn_after_use_is_damage(data_home: DataHome) -> None:
    with Ledger.open(data_home) as ledger:
        ledger.add_workspace("/nowhere")
    data = bytearray(data_home.database.read_bytes())
    data[100:4096] = os.urandom(3996)
    data_home.database.write_bytes(data)
    with Ledger.open(data_home) as ledger:
        assert "damaged" in ledger.notice
        assert ledger.workspaces() == ()


def test_somebody_elses_database_is_kept_aside_whole(data_home: DataHome) -> None:
    data_home.ensure()
    connection = sqlite3.connect(data_home.database)
    connection.execute("CREATE TABLE theirs (x)")
    connection.close()
    with Ledger.open(data_home):
        (kept,) = data_home.root.glob("ledger.corrupt-*")
    connection = sqlite3.connect(kept)
    assert connection.execute("SELECT count(*) FROM theirs").fetchone() == (0,)
    connection.close()


def test_a_newer_ledger_is_refused_for_writing_and_can_be_read(data_home: DataHome) -> None:
    with Ledger.open(data_home) as ledger:
        workspace = ledger.add_workspace("/nowhere")
        ledger.append(workspace.id, record("one"))
    _set_version(data_home, VERSION + 1)
    before = data_home.database.read_bytes()
    with pytest.raises(LedgerTooNew):
        Ledger.open(data_home)
    with Ledger.open(data_home, read_only=True) as ledger:
        assert ledger.read_only
        assert "newer version" in ledger.notice
        assert ledger.newest_seq() == 1
        with pytest.raises(LedgerTooNew):
            ledger.append(workspace.id, record("two"))
    assert data_home.database.read_bytes() == before


def test_a_newer_ledger_without_our_tables_is_refused_for_reading(data_home: DataHome) -> None:
    Ledger.open(data_home).close()
    connection = sqlite3.connect(data_home.database)
    connection.execute("ALTER TABLE entry RENAME TO step")
    connection.close()
    _set_version(data_home, VERSION + 1)
    with pytest.raises(LedgerTooNew):
        Ledger.open(data_home, read_only=True)


def test_a_reader_refuses_every_write(data_home: DataHome) -> None:
    Ledger.open(data_home).close()
    with Ledger.open(data_home, read_only=True) as reader, pytest.raises(LedgerFull, match="reading only"):
        reader.add_workspace("/nowhere")


def test_reading_what_is_not_there_makes_nothing(data_home: DataHome) -> None:
    with pytest.raises(NotFound):
        Ledger.open(data_home, read_only=True)
    assert not data_home.root.exists()


def test_a_link_in_place_of_the_ledger_is_never_followed(data_home: DataHome, tmp_path: Path) -> None:
    data_home.ensure()
    (tmp_path / "target").write_bytes(b"theirs")
    data_home.database.symlink_to(tmp_path / "target")
    with pytest.raises(UnsafePath):
        Ledger.open(data_home)
    assert (tmp_path / "target").read_bytes() == b"theirs"


def test_the_half_made_file_of_a_killed_process_is_no_damage(data_home: DataHome) -> None:
    data_home.ensure()
    data_home.database.with_suffix(".new").write_bytes(b"half")
    with Ledger.open(data_home) as ledger:
        assert ledger.notice == ""
        assert integrity(ledger.database) == ()
    assert not data_home.database.with_suffix(".new").exists()


def _open_and_add(root: str, number: int) -> None:
    with Ledger.open(DataHome(Path(root))) as ledger:
        ledger.add_workspace(f"/nowhere/{number}")
        if ledger.notice:
            raise SystemExit(ledger.notice)


def test_processes_that_make_the_ledger_at_once_make_one(data_home: DataHome) -> None:
    spawn = multiprocessing.get_context("spawn")
    workers = [spawn.Process(target=_open_and_add, args=(str(data_home.root), number)) for number in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0] * 4
    with Ledger.open(data_home) as ledger:
        assert len(ledger.workspaces()) == 4
