"""A process of its own empties the spool while the window is open; without it the window's own threads do."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.ledger.locks import holding
from sulcus_panel.service.bus import ChangeBus
from sulcus_panel.service.operations import LedgerQuery, Operations
from sulcus_panel.service.spool_worker import SpoolWorker
from sulcus_panel.service.tail import LedgerTail
from tests.support.heard import Heard, until
from tests.support.hooks import Run
from tests.support.ledger_builder import LedgerBuilder

STARTS_AND_DIES = """
import os, sys
from pathlib import Path
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.service.bus import ChangeBus
from sulcus_panel.service.spool_worker import SpoolWorker
worker = SpoolWorker(DataHome(Path(sys.argv[1])), ChangeBus())
worker.start()
print(worker.pid, flush=True)
os._exit(1)
"""


@pytest.fixture
def bus() -> ChangeBus:
    return ChangeBus()


@pytest.fixture
def worker(build: LedgerBuilder, bus: ChangeBus) -> Iterator[SpoolWorker]:
    worker = SpoolWorker(build.home, bus)
    worker.start()
    yield worker
    worker.stop()


def rows(build: LedgerBuilder) -> int:
    return build.ledger.count(LedgerQuery(workspace_id=build.workspace.id))


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.usefixtures("worker")
def test_what_a_hook_leaves_is_recorded_by_the_other_process(build: LedgerBuilder) -> None:
    Run(build.root, build.home.spool).write("b.txt", b"2\n")
    assert until(lambda: rows(build) == 1)
    assert until(lambda: not os.listdir(build.home.spool_new))


@pytest.mark.usefixtures("worker")
def test_an_event_that_it_cannot_read_is_told_here(build: LedgerBuilder, bus: ChangeBus) -> None:
    heard = Heard(bus)
    (build.home.spool_new / "1-1").write_bytes(b"no spool file")
    assert heard.wait(lambda changes: "1-1" in changes.notice and changes.governance)
    assert list(build.home.spool_bad.iterdir())


def test_what_is_left_to_it_is_done_before_anybody_else_looks(
    build: LedgerBuilder, worker: SpoolWorker
) -> None:
    Run(build.root, build.home.spool).write("b.txt", b"2\n")
    worker.leave_it(threading.Event(), 10)
    assert not os.listdir(build.home.spool_new)
    assert rows(build) == 1


def test_nobody_waits_for_it_who_is_to_stop(build: LedgerBuilder, worker: SpoolWorker) -> None:
    stopping = threading.Event()
    stopping.set()
    with holding(build.home, "drain", 10) as held:
        assert held
        Run(build.root, build.home.spool).write("b.txt", b"2\n")
        worker.leave_it(stopping, 60)
        assert os.listdir(build.home.spool_new)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_where_it_was_killed_the_tail_drains_by_itself(
    build: LedgerBuilder, bus: ChangeBus, worker: SpoolWorker
) -> None:
    assert worker.pid is not None
    os.kill(worker.pid, signal.SIGKILL)
    heard = Heard(bus)
    tail = LedgerTail(lambda: Operations.open(build.home, clock=build.clock), bus, worker)
    tail.start()
    Run(build.root, build.home.spool).write("b.txt", b"2\n")
    assert heard.wait(lambda changes: bool(changes.new_entries))
    tail.stop()


@pytest.mark.usefixtures("worker")
def test_rows_of_the_other_process_are_told_by_the_tail(
    build: LedgerBuilder, bus: ChangeBus, worker: SpoolWorker
) -> None:
    heard = Heard(bus)
    tail = LedgerTail(lambda: Operations.open(build.home, clock=build.clock), bus, worker)
    tail.start()
    Run(build.root, build.home.spool).write("b.txt", b"2\n")
    assert heard.wait(lambda changes: bool(changes.new_entries))
    tail.stop()


def test_a_stopped_one_leaves_no_process_and_no_lock(build: LedgerBuilder, bus: ChangeBus) -> None:
    worker = SpoolWorker(build.home, bus)
    worker.start()
    pid = worker.pid
    assert pid is not None
    worker.stop()
    assert worker.pid is None
    with holding(build.home, "drain", 0) as held:
        assert held
    with pytest.raises(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)


def test_one_that_cannot_be_begun_is_none(
    build: LedgerBuilder, bus: ChangeBus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(build.root / "no python"))
    worker = SpoolWorker(build.home, bus)
    worker.start()
    assert worker.pid is None
    worker.leave_it(threading.Event(), 60)
    worker.stop()


@pytest.mark.skipif(sys.platform == "win32", reason="asks for a process by its id")
def test_it_ends_when_the_process_that_began_it_is_gone(tmp_path: Path) -> None:
    home = DataHome(LedgerBuilder.make(tmp_path).home.root)
    done = subprocess.run(
        [sys.executable, "-c", STARTS_AND_DIES, str(home.root)], capture_output=True, text=True, check=False
    )
    assert until(lambda: not is_alive(int(done.stdout)))
