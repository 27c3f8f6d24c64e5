"""The HTTP door of an open window: begun when the window stands, on its loop, and ended before it goes.

Where no port or socket can be had the window is told, and works as ever.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from sulcus_panel.core.errors import SulcusError
from sulcus_panel.core.ledger.home import DataHome

if TYPE_CHECKING:
    from sulcus_panel.service.http.server import Server

LOOK_SECONDS = 0.1


class Serving:
    """Make it, `begin` it and `end` it on the loop's thread."""

    def __init__(
        self, home: DataHome, note: Callable[[str], None], report: Callable[[BaseException], None]
    ) -> None:
        self._home = home
        self._note = note
        self._report = report
        self._task: asyncio.Task[None] | None = None
        self._server: Server | None = None
        self._ending = asyncio.Event()

    @property
    def port(self) -> int | None:
        """Where it listens, None where it does not (yet)."""
        return None if self._server is None else self._server.runtime.port

    def begin(self, loop: asyncio.AbstractEventLoop, is_ready: Callable[[], bool]) -> None:
        """Listen as soon as the window is ready: nobody waits for it before that."""
        self._task = loop.create_task(self._listen(is_ready))
        self._task.add_done_callback(self._on_done)

    async def end(self) -> None:
        """Listen no more; every thread of it has ended then."""
        self._ending.set()
        if self._task is not None:  # not cancelled: what it began in a thread would outlive it
            await asyncio.wait([self._task])
        if self._server is not None:
            await self._server.close()
            self._server = None

    async def _listen(self, is_ready: Callable[[], bool]) -> None:
        while not (is_ready() or self._ending.is_set()):
            await asyncio.sleep(LOOK_SECONDS)
        if self._ending.is_set():
            return
        with ThreadPoolExecutor(1, thread_name_prefix="serving") as executor:
            await asyncio.get_running_loop().run_in_executor(executor, _load)
        if self._ending.is_set():
            return
        from sulcus_panel.service.http.server import Server, Where
        from sulcus_panel.service.mcp.over_http import OverHttp

        try:
            self._server = await Server.start(self._home, Where(drains=False), guest=OverHttp())
        except (SulcusError, OSError) as error:
            self._note(f"Agents cannot come over HTTP: {error}")
            return
        if self._server.notes and self._server.is_announced:
            self._note(" ".join(self._server.notes))

    def _on_done(self, task: "asyncio.Task[None]") -> None:
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self._report(error)


def _load() -> None:
    """Import what serving needs beside the loop: it takes longer than a frame."""
    import sulcus_panel.service.http.server  # noqa: F401
