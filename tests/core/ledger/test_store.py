import multiprocessing
from pathlib import Path

from sulcus_panel.core.ledger.checking import integrity
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.ledger.queries import LedgerQuery
from sulcus_panel.core.ledger.store import Ledger
from tests.support.ledgers import change, contents_of, record

WRITERS, EACH = 8, 60


def _append_many(root: str, writer: int) -> None:
    with Ledger.open(DataHome(Path(root))) as ledger:
        workspace = ledger.add_workspace("/nowhere/app")
        for number in range(EACH):
            after = f"{writer} {number}".encode()
            entry = record(f"{writer}-{number}", change("shared", b"same", after))
            ledger.append(workspace.id, entry, contents=contents_of(b"same", after))
            ledger.append(workspace.id, record(f"both-{number}"))


def test_eight_processes_that_append_at_once_lose_nothing(data_home: DataHome) -> None:
    Ledger.open(data_home).close()
    spawn = multiprocessing.get_context("spawn")
    workers = [spawn.Process(target=_append_many, args=(str(data_home.root), n)) for n in range(WRITERS)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0] * WRITERS
    with Ledger.open(data_home) as ledger:
        assert ledger.count(LedgerQuery()) == ledger.newest_seq() == WRITERS * EACH + EACH
        assert len(ledger.workspaces()) == 1
        for writer in range(WRITERS):
            mine = [ledger.entry_by_uid(f"{writer}-{number}") for number in range(EACH)]
            ids = [entry.seq_id for entry in mine if entry is not None]
            assert len(ids) == EACH
            assert ids == sorted(ids)
        assert integrity(ledger.database) == ()


def test_a_ledger_in_which_nothing_was_written_is_closed_without_a_checkpoint(data_home: DataHome) -> None:
    Ledger.open(data_home).close()
    Ledger.open(data_home).close()
    assert not (data_home.lock / "checkpoint").exists()


def test_the_write_ahead_log_does_not_grow_without_end(ledger: Ledger, data_home: DataHome) -> None:
    workspace = ledger.add_workspace("/nowhere")
    log = data_home.database.with_name("ledger.db-wal")
    sizes = []
    for number in range(600):
        ledger.append(workspace.id, record(f"{number}"))
        sizes.append(log.stat().st_size)
    assert 0 in sizes[1:]
    assert sizes[-1] < max(sizes)
