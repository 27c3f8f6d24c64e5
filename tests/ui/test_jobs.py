"""Work runs off the GUI thread and its result arrives on it; the newest question wins; nothing is left running."""

import asyncio
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QThread
from pytestqt.qtbot import QtBot

from sulcus_panel.core.errors import NotFound
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.model import SeqId
from sulcus_panel.service.operations import Operations
from sulcus_panel.ui.jobs import Jobs


@pytest.fixture
def jobs(tmp_path: Path, qt_loop: asyncio.AbstractEventLoop) -> Iterator[Jobs]:
    home = DataHome(tmp_path / "ledger")
    jobs = Jobs(qt_loop, lambda: Operations.open(home))
    yield jobs
    jobs.close()


def test_reads_and_writes_run_each_on_a_thread_of_their_own(
    jobs: Jobs, qt_loop: asyncio.AbstractEventLoop
) -> None:
    async def ask() -> tuple[set[str], set[str]]:
        reads = {await jobs.read(lambda _operations: threading.current_thread().name) for _ in range(3)}
        writes = {await jobs.write(lambda _operations: threading.current_thread().name) for _ in range(3)}
        return reads, writes

    reads, writes = qt_loop.run_until_complete(ask())
    assert len(reads) == len(writes) == 1
    assert reads != writes
    assert threading.current_thread().name not in reads | writes


def test_each_lane_has_its_own_operations(jobs: Jobs, qt_loop: asyncio.AbstractEventLoop) -> None:
    async def ask() -> tuple[int, int, int]:
        first = await jobs.read(id)
        return first, await jobs.read(id), await jobs.write(id)

    first, second, writer = qt_loop.run_until_complete(ask())
    assert first == second
    assert first != writer


def test_a_result_is_delivered_on_the_gui_thread(jobs: Jobs, qt_loop: asyncio.AbstractEventLoop) -> None:
    async def ask() -> QThread:
        await jobs.read(lambda operations: operations.workspaces())
        return QThread.currentThread()

    assert qt_loop.run_until_complete(ask()) is jobs.thread()


def test_an_error_is_raised_where_the_result_is_awaited(
    jobs: Jobs, qt_loop: asyncio.AbstractEventLoop
) -> None:
    async def ask() -> None:
        with pytest.raises(NotFound):
            await jobs.read(lambda operations: operations.entry(SeqId(99)))

    qt_loop.run_until_complete(ask())


def test_a_newer_read_of_the_same_key_voids_the_older(jobs: Jobs, qt_loop: asyncio.AbstractEventLoop) -> None:
    gate, ran = threading.Event(), []

    async def ask() -> tuple[str, bool]:
        running = jobs.read(lambda _operations: gate.wait(10), key="diff")
        waiting = jobs.read(lambda _operations: ran.append("stale"), key="diff")
        newest = jobs.read(lambda _operations: "newest", key="diff")
        other = jobs.read(lambda _operations: "other", key="ids")
        gate.set()
        assert await other == "other"
        return await newest, running.cancelled() and waiting.cancelled()

    assert qt_loop.run_until_complete(ask()) == ("newest", True)
    assert ran == []


def test_what_a_spawned_coroutine_raises_is_told(jobs: Jobs, qtbot: QtBot) -> None:
    async def fail() -> None:
        await jobs.read(lambda _operations: None)
        raise ValueError("told")

    with qtbot.waitSignal(jobs.failed) as told:
        jobs.spawn(fail())
    assert told.args is not None
    assert str(told.args[0]) == "told"
    assert jobs.is_idle


def test_close_ends_the_threads_and_waiting_writes_are_still_done(
    tmp_path: Path, qt_loop: asyncio.AbstractEventLoop
) -> None:
    before = set(threading.enumerate())
    home = DataHome(tmp_path / "ledger")
    done: list[int] = []
    jobs = Jobs(qt_loop, lambda: Operations.open(home))
    for number in range(3):
        jobs.write(partial(_note, done, number))
    jobs.close()
    assert done == [0, 1, 2]
    assert set(threading.enumerate()) == before
    assert jobs.read(lambda _operations: None).cancelled()
    jobs.close()


def test_close_gives_up_whoever_waits_for_a_write_but_not_the_write(
    tmp_path: Path, qt_loop: asyncio.AbstractEventLoop
) -> None:
    home, gate = DataHome(tmp_path / "ledger"), threading.Event()
    done: list[int] = []
    jobs = Jobs(qt_loop, lambda: Operations.open(home))

    async def wait_for_it() -> None:
        jobs.write(lambda _operations: gate.wait(10))
        await jobs.write(partial(_note, done, 1))

    async def begin() -> None:
        jobs.spawn(wait_for_it())
        await asyncio.sleep(0)

    qt_loop.run_until_complete(begin())
    threading.Timer(0.2, gate.set).start()
    jobs.close()
    assert done == [1]


def test_a_ledger_that_cannot_be_opened_is_an_error_of_each_job_and_tried_again(
    tmp_path: Path, qt_loop: asyncio.AbstractEventLoop
) -> None:
    home, refuse = DataHome(tmp_path / "ledger"), [True]

    def open_operations() -> Operations:
        if refuse.pop():
            raise NotFound("not yet")
        return Operations.open(home)

    async def ask() -> int:
        with pytest.raises(NotFound):
            await lanes.read(lambda operations: operations.store_size())
        refuse.append(False)
        return await lanes.read(lambda operations: operations.store_size())

    lanes = Jobs(qt_loop, open_operations)
    assert qt_loop.run_until_complete(ask()) == 0
    lanes.close()


def _note(done: list[int], number: int, _operations: Operations) -> None:
    done.append(number)
