"""The server: opens its doors on a loop that somebody else runs (the terminal's, or the window's), and closes them.

No signals, no threads but its lanes; uvicorn's protocol without uvicorn's server, which wants a process of its own.
"""

import asyncio
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Self

from uvicorn.config import Config
from uvicorn.server import ServerState

from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.service.bus import ChangeBus
from sulcus_panel.service.http.api import Api, Shared
from sulcus_panel.service.http.connection import SECONDS, Connection, LocalConnection
from sulcus_panel.service.http.events import Hub
from sulcus_panel.service.http.keys import Keys
from sulcus_panel.service.http.listening import DEFAULT_PORT, listen_on_port, listen_on_socket
from sulcus_panel.service.http.runtime import Announcement, Runtime
from sulcus_panel.service.operations import Operations
from sulcus_panel.service.requests.guest import Guest
from sulcus_panel.service.requests.lanes import Lanes, beside
from sulcus_panel.service.rule_watch import RuleWatch
from sulcus_panel.service.wire import time_text

CLOSING_SECONDS = 5.0
ANNOUNCE_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Where:
    """Where to listen: a port (0 for any), a socket (None: the one in the data folder)."""

    port: int = DEFAULT_PORT
    socket: Path | None = None
    drains: bool = True
    """Whether the hooks' spool is drained here for those who listen, and rules see what happens; a window does both
    by itself."""


@dataclass(slots=True)
class Server:
    """A server that listens."""

    home: DataHome
    runtime: Runtime
    notes: tuple[str, ...]
    """What the person should know: another port, no socket."""
    _lanes: Lanes
    _hub: Hub
    _keys: Operations
    _announcement: Announcement
    _state: ServerState = field(default_factory=ServerState)
    _listeners: list[asyncio.AbstractServer] = field(default_factory=list)
    _announcing: asyncio.TimerHandle | None = None
    _guest: Guest | None = None
    _rules: RuleWatch | None = None
    is_announced: bool = False
    """True where runtime.json names this server; false as long as another one of the same ledger lives."""

    @classmethod
    async def start(
        cls, home: DataHome, where: Where, bus: ChangeBus | None = None, guest: Guest | None = None
    ) -> Self:
        """Listen, for another protocol too. Raises SulcusError: no ledger can be opened, no port be had."""
        loop = asyncio.get_running_loop()
        open_operations = partial(Operations.open, home, bus=bus)
        port_socket, moved = listen_on_port(where.port)
        try:
            keys = await beside(partial(Operations.open, home))
        except BaseException:
            port_socket.close()
            raise
        path = where.socket or home.root / "api.sock"
        local, missing = listen_on_socket(path)
        port = port_socket.getsockname()[1]
        lanes, hub = Lanes(open_operations), Hub(partial(Operations.open, home), drains=where.drains)
        here = Runtime(os.getpid(), time_text(datetime.now(UTC)), port, None if local is None else str(path))
        notes = tuple(note for note in (moved, missing) if note)
        self = cls(home, here, notes, lanes, hub, keys, Announcement(home, here))
        keys_of = Keys(keys.tokens.caller).caller
        largest = partial(_largest_snapshot, keys)
        shared = Shared(home, lanes, hub, keys_of, keys.tokens.proof, largest, guest=guest)
        if guest is not None:
            guest.begin(lanes, home.log)
            self._guest = guest
        listening = loop.create_server(self._made(Connection, Api(shared, port)), sock=port_socket)
        self._listeners.append(await listening)
        if local is not None:
            made = self._made(LocalConnection, Api(shared, None))
            self._listeners.append(await loop.create_unix_server(made, sock=local))
        hub.start()
        if where.drains:
            self._rules = RuleWatch(open_operations, bus or ChangeBus())
            self._rules.start()
        self._announce()
        return self

    def _announce(self) -> None:
        """Write runtime.json, also later, when the server that stands in it has gone."""
        self.is_announced = self._announcement.make()
        self._announcing = asyncio.get_running_loop().call_later(ANNOUNCE_SECONDS, self._announce)

    def _made(self, kind: type[Connection], api: Api) -> Callable[[], Connection]:
        config = Config(
            api,
            loop="none",
            lifespan="off",
            ws="none",
            interface="asgi3",
            log_config=None,
            log_level="critical",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            timeout_keep_alive=round(SECONDS),
        )
        config.load()
        return partial(kind, config, self._state, {})

    async def close(self) -> None:
        """Listen no more, let what is under way end, end every thread."""
        if self._announcing is not None:
            self._announcing.cancel()
        self._announcement.withdraw()
        for listener in self._listeners:
            listener.close()
        if self.runtime.socket is not None:
            Path(self.runtime.socket).unlink(missing_ok=True)
        self._hub.end()
        if self._guest is not None:
            await self._guest.end()
        for connection in tuple(self._state.connections):
            connection.shutdown()
        if self._state.tasks:
            await asyncio.wait(tuple(self._state.tasks), timeout=CLOSING_SECONDS)
        for connection in tuple(self._state.connections):
            if isinstance(connection, Connection):
                connection.abort()
        await beside(self._end_threads)

    def _end_threads(self) -> None:
        if self._rules is not None:
            self._rules.stop()
        self._hub.stop()
        self._lanes.close()
        self._keys.close()


def _largest_snapshot(operations: Operations) -> int:
    found = (operations.settings(workspace.id) for workspace in operations.workspaces())
    return max((settings.max_snapshot_bytes for settings in found), default=0)
