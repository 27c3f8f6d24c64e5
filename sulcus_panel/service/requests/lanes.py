"""Who works for those who ask over a wire: one thread that records in groups, one that undoes, two that read.

Each thread owns its Operations. Whatever waits to be recorded while a transaction is written goes into the next
one together: a commit costs what it costs once for all of them, and nobody is answered before it.
"""

import asyncio
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from sulcus_panel.core.errors import SulcusError
from sulcus_panel.service.claims import Recorded, Told
from sulcus_panel.service.operations import Operations

MOST_AT_ONCE = 128
READERS = 2
T = TypeVar("T")
OpenOperations = Callable[[], Operations]
Work = Callable[[Operations], T]


async def beside(work: Callable[[], T]) -> T:
    """Do one thing in a thread of its own, which ends with it: the loop's own executor may be Qt's."""
    executor = ThreadPoolExecutor(1, thread_name_prefix="http-once")
    try:
        return await asyncio.get_running_loop().run_in_executor(executor, work)
    finally:
        executor.shutdown()


class Lane:
    """Some threads, each with an Operations of its own, opened by its first work."""

    def __init__(self, name: str, open_operations: OpenOperations, threads: int = 1) -> None:
        self._open = open_operations
        self._mine = threading.local()
        self._opened: list[Operations] = []
        self._executor = ThreadPoolExecutor(threads, thread_name_prefix=name)

    def do(self, work: Work[T]) -> "asyncio.Future[T]":
        """Have this done; call it on the loop's thread."""
        return asyncio.get_running_loop().run_in_executor(self._executor, self._run, work)

    def close(self) -> None:
        """Let what is asked for end, and close what was opened."""
        self._executor.shutdown()
        for operations in self._opened:
            operations.close()

    def _run(self, work: Work[T]) -> T:
        found = getattr(self._mine, "operations", None)
        if not isinstance(found, Operations):
            found = self._mine.operations = self._open()
            self._opened.append(found)
        return work(found)


class RecordLane:
    """One thread that records what has come together. Call it on the loop's thread only."""

    def __init__(self, open_operations: OpenOperations) -> None:
        self._lane = Lane("records", open_operations)
        self._waiting: list[tuple[Told, asyncio.Future[Recorded]]] = []
        self._is_writing = False

    async def record(self, told: Told) -> Recorded:
        """Record it; done when it is committed. Raises what Claims.record raises."""
        done: asyncio.Future[Recorded] = asyncio.get_running_loop().create_future()
        self._waiting.append((told, done))
        if not self._is_writing:
            self._write_next()
        return await done

    def close(self) -> None:
        """Let what was given end."""
        self._lane.close()

    def _write_next(self) -> None:
        batch, self._waiting = self._waiting[:MOST_AT_ONCE], self._waiting[MOST_AT_ONCE:]
        self._is_writing = bool(batch)
        if batch:
            work = partial(_record_all, [told for told, _ in batch])
            self._lane.do(work).add_done_callback(partial(self._on_written, batch))

    def _on_written(
        self,
        batch: Sequence[tuple[Told, "asyncio.Future[Recorded]"]],
        written: "asyncio.Future[list[Recorded | SulcusError]]",
    ) -> None:
        error = written.exception()
        results = [error] * len(batch) if error is not None else written.result()
        for (_, done), result in zip(batch, results, strict=True):
            if done.done():  # whoever asked has gone
                continue
            if isinstance(result, BaseException):
                done.set_exception(result)
            else:
                done.set_result(result)
        self._write_next()


def _record_all(told: Sequence[Told], operations: Operations) -> list[Recorded | SulcusError]:
    return operations.claims.record_all(told)


class Lanes:
    """All of them over one ledger."""

    def __init__(self, open_operations: OpenOperations) -> None:
        self.records = RecordLane(open_operations)
        self.writes = Lane("writes", open_operations)
        self.reads = Lane("reads", open_operations, READERS)

    def close(self) -> None:
        """End every thread; it waits for what is under way."""
        for lane in (self.records, self.writes, self.reads):
            lane.close()
