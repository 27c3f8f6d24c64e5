"""The one place of the window that starts threads: a lane for reading and a lane for writing.

Each lane owns one worker thread and one Operations, opened in that thread. Results and errors come back on
the GUI thread as awaitable futures. A read with a key makes every older read with that key void (latest
wins), so a slow diff never appears under a row that is no longer selected. Writes run one after another and
are never dropped.
"""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from typing import Any, TypeVar

from PySide6.QtCore import QObject, Signal

from sulcus_panel.service.interface import Verbs

T = TypeVar("T")
OpenOperations = Callable[[], Verbs]


class _Lane:
    """One worker thread with its own Operations, opened by the first job and closed by the last."""

    def __init__(self, name: str, open_operations: OpenOperations) -> None:
        self._open = open_operations
        self._operations: Verbs | None = None
        self._dropping = False
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)

    def submit(self, work: Callable[[Verbs], T]) -> "Future[T]":
        return self._executor.submit(self._run, work)

    def close(self, *, drop_waiting: bool) -> None:
        self._dropping = drop_waiting
        self._executor.submit(self._close_operations)
        self._executor.shutdown()

    def _run(self, work: Callable[[Verbs], T]) -> T:
        if self._dropping:
            raise CancelledError
        if self._operations is None:
            self._operations = self._open()
        return work(self._operations)

    def _close_operations(self) -> None:
        if self._operations is not None:
            self._operations.close()
            self._operations = None


class Jobs(QObject):
    """Runs work off the GUI thread. Make it, and call everything on it, on the GUI thread only."""

    failed = Signal(object)
    """An exception that left a spawned coroutine."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, open_operations: OpenOperations, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._loop = loop
        self._tasks: set[asyncio.Task[None]] = set()
        self._latest: dict[str, asyncio.Future[Any]] = {}
        self._closed = False
        self._reader = _Lane("sulcus-read", open_operations)
        self._writer = _Lane("sulcus-write", open_operations)

    def read(self, work: Callable[[Verbs], T], *, key: str = "") -> "asyncio.Future[T]":
        """Run `work` on the reading lane. With a key, an older unfinished read of that key is cancelled."""
        if key and (older := self._latest.get(key)) is not None:
            older.cancel()
        future = self._put(self._reader, work)
        if key:
            self._latest[key] = future
        return future

    def write(self, work: Callable[[Verbs], T]) -> "asyncio.Future[T]":
        """Run `work` on the single writing lane, after every write asked for before it."""
        return self._put(self._writer, work)

    def spawn(self, coroutine: Coroutine[Any, Any, None]) -> None:
        """Start a coroutine, keep it alive, send what it raises to `failed`. Cancelled, it ends silently."""
        if self._closed:
            coroutine.close()
            return
        task = self._loop.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._on_task_done)

    @property
    def is_idle(self) -> bool:
        """True when no spawned coroutine is under way."""
        return not self._tasks

    def close(self) -> None:
        """Drop waiting reads, let waiting writes end, and join both threads."""
        if self._closed:
            return
        self._closed = True
        for task in tuple(self._tasks):
            task.cancel()
        self._reader.close(drop_waiting=True)
        self._writer.close(drop_waiting=False)

    def _put(self, lane: _Lane, work: Callable[[Verbs], T]) -> "asyncio.Future[T]":
        if self._closed:
            future: asyncio.Future[T] = self._loop.create_future()
            future.cancel()
            return future
        return asyncio.wrap_future(lane.submit(work), loop=self._loop)

    def _on_task_done(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self.failed.emit(error)
