import random
import sqlite3
import subprocess
import sys
from contextlib import suppress

import pytest

from sulcus_panel.core.errors import BadRequest, LedgerBusy, LedgerFull
from sulcus_panel.core.ledger.checking import integrity
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import Workspace
from tests.support.ledgers import appended, change, contents_of, record


class Interrupted(Exception):
    """What a test raises in the middle of a write."""


def append_and_fail(ledger: Ledger, workspace: Workspace, uid: str) -> None:
    with ledger.write():
        ledger.append(workspace.id, record(uid))
        raise Interrupted


def test_an_error_inside_takes_back_everything(ledger: Ledger, workspace: Workspace) -> None:
    with pytest.raises(Interrupted):
        append_and_fail(ledger, workspace, "one")
    assert ledger.entry_by_uid("one") is None
    assert appended(ledger, workspace.id, record("two")).record.uid == "two"


def test_a_nested_failure_takes_back_only_its_own(ledger: Ledger, workspace: Workspace) -> None:
    with ledger.write():
        ledger.append(workspace.id, record("outer"))
        with pytest.raises(Interrupted):
            append_and_fail(ledger, workspace, "inner")
    assert ledger.entry_by_uid("outer") is not None
    assert ledger.entry_by_uid("inner") is None


def test_a_whole_write_is_all_or_nothing_even_where_an_error_inside_is_caught(
    ledger: Ledger, workspace: Workspace
) -> None:
    def careless() -> None:
        with ledger.write(whole=True):
            ledger.append(workspace.id, record("outer"))
            with suppress(Interrupted):
                append_and_fail(ledger, workspace, "inner")

    with pytest.raises(RuntimeError, match="nothing of it is kept"):
        careless()
    assert (ledger.entry_by_uid("outer"), ledger.entry_by_uid("inner")) == (None, None)
    with ledger.write(whole=True):
        ledger.append(workspace.id, record("outer"))
    test_a_nested_failure_takes_back_only_its_own(ledger, workspace)


def test_one_view_stays_the_same_while_others_write(data_home: DataHome) -> None:
    with Ledger.open(data_home) as first, Ledger.open(data_home) as second:
        with first.database.reading():
            assert first.database.number("SELECT count(*) FROM workspace") == 0
            second.add_workspace("/elsewhere")
            assert first.database.number("SELECT count(*) FROM workspace") == 0
        assert first.database.number("SELECT count(*) FROM workspace") == 1


def test_a_locked_ledger_can_be_read_and_says_busy_to_writers(data_home: DataHome) -> None:
    with Ledger.open(data_home) as first, Ledger.open(data_home, busy_ms=1) as second, first.write():
        first.add_workspace("/nowhere")
        assert second.workspaces() == ()
        with pytest.raises(LedgerBusy) as caught:
            second.add_workspace("/elsewhere")
    assert caught.value.hint


def test_a_ledger_can_be_opened_while_another_process_writes(data_home: DataHome) -> None:
    with Ledger.open(data_home) as first, first.write():
        first.add_workspace("/nowhere")
        with Ledger.open(data_home, busy_ms=1) as second:
            assert second.workspaces() == ()
        with Ledger.open(data_home, read_only=True, busy_ms=1) as reader:
            assert reader.workspaces() == ()


def test_a_full_disk_is_told_and_nothing_is_half_written(ledger: Ledger, workspace: Workspace) -> None:
    pages = ledger._db.number("PRAGMA page_count")
    ledger._db.rows(f"PRAGMA max_page_count = {pages + 2}")
    noise = random.Random(7).randbytes(200_000)
    with pytest.raises(LedgerFull) as caught:
        ledger.append(workspace.id, record("big", change("a", None, noise)), contents=contents_of(noise))
    assert "room" in caught.value.hint
    assert ledger.newest_seq() == 0
    assert not ledger.blobs.has(next(iter(contents_of(noise))))
    ledger._db.rows("PRAGMA max_page_count = 1000000")
    assert appended(ledger, workspace.id, record("small")).seq_id == 1


def test_a_number_too_large_for_sqlite_is_a_bad_request(ledger: Ledger, workspace: Workspace) -> None:
    with pytest.raises(BadRequest):
        ledger.append(workspace.id, record("one", exit_code=2**63))
    assert ledger.newest_seq() == 0


def test_a_mistake_of_ours_is_not_hidden(ledger: Ledger) -> None:
    with pytest.raises(sqlite3.OperationalError):
        ledger._db.rows("SELECT nothing FROM nowhere")


def test_a_killed_writer_leaves_whole_entries_only(data_home: DataHome) -> None:
    script = (
        "import os, sys\n"
        "from pathlib import Path\n"
        "from sulcus_panel.core.ledger.home import DataHome\n"
        "from sulcus_panel.core.ledger.store import Ledger\n"
        "from tests.support.ledgers import *\n"
        "ledger = Ledger.open(DataHome(Path(sys.argv[1])))\n"
        "w = ledger.add_workspace('/nowhere')\n"
        "for n in range(20):\n"
        "    ledger.append(w.id, record(str(n), change('a', b'x', b'y')), contents=contents_of(b'x', b'y'))\n"
        "with ledger.write():\n"
        "    ledger.append(w.id, record('unfinished'))\n"
        "    os.kill(os.getpid(), 9)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, str(data_home.root)], check=False)
    assert done.returncode == -9
    with Ledger.open(data_home) as ledger:
        assert ledger.newest_seq() == 20
        assert ledger.entry_by_uid("unfinished") is None
        assert integrity(ledger.database) == ()


def test_only_the_holder_of_the_lock_checkpoints(ledger: Ledger, data_home: DataHome) -> None:
    ledger.add_workspace("/nowhere")
    log = data_home.database.with_name("ledger.db-wal")
    assert log.stat().st_size
    holder = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import filelock, sys\n"
            "with filelock.FileLock(sys.argv[1]):\n print(1, flush=True)\n sys.stdin.read()",
            str(data_home.lock / "checkpoint"),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        assert not ledger.checkpoint()
        assert log.stat().st_size
        holder.communicate(b"")
    assert ledger.checkpoint()
    assert not log.stat().st_size


def test_nothing_checkpoints_by_itself(ledger: Ledger) -> None:
    assert ledger._db.number("PRAGMA wal_autocheckpoint") == 0


def test_another_connections_write_shows_in_the_data_version(data_home: DataHome, ledger: Ledger) -> None:
    before = ledger.data_version()
    with Ledger.open(data_home) as other:
        other.add_workspace("/nowhere")
    assert ledger.data_version() != before


def test_what_is_known_from_an_earlier_write_holds_until_somebody_changes_it(
    data_home: DataHome, ledger: Ledger, workspace: Workspace
) -> None:
    def most_in_a_write() -> int:
        with ledger.write():
            return ledger.settings(workspace.id).max_entries

    assert most_in_a_write() == 1000
    with Ledger.open(data_home) as other:
        other.set_setting(workspace.id, "max_entries", 2000)
    assert most_in_a_write() == 2000
    ledger.set_setting(workspace.id, "max_entries", 3000)
    assert most_in_a_write() == 3000
    with suppress(Interrupted), ledger.write():
        ledger.set_setting(workspace.id, "max_entries", 4000)
        assert ledger.settings(workspace.id).max_entries == 4000
        raise Interrupted
    assert most_in_a_write() == 3000


def test_a_workspace_of_a_write_that_was_taken_back_is_not_known(ledger: Ledger) -> None:
    with suppress(Interrupted), ledger.write(whole=True):
        ledger.add_workspace(None, "not-kept")
        raise Interrupted
    with ledger.write():
        assert ledger.workspace_named("not-kept") is None
        made = ledger.add_workspace(None, "not-kept")
        assert ledger.workspace_named("not-kept") == made
