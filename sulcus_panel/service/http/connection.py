"""One connection: uvicorn's protocol with the bounds that it lacks (slow and large headers, too many connections).

A full house makes room: whoever is slowest to ask goes first, so that clients that send nothing keep nobody out.
"""

import asyncio
import os
import socket
import struct
from typing import Any

from uvicorn._types import ASGI3Application
from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from sulcus_panel.service.guards import Refused
from sulcus_panel.service.http.replies import encoded
from sulcus_panel.service.requests.failing import failed

MOST_CONNECTIONS = 48
"""32 at work, and 16 that listen to events."""
MAX_HEADER = 16_384
SECONDS = 5.0
"""For a whole header, and between two requests."""
BAD = Refused(400, "bad_http", "This is no HTTP request")
LARGE = Refused(400, "header_too_large", f"The header is larger than {MAX_HEADER:,} bytes")
FULL = Refused(429, "too_many_connections", "Too many connections at once")


class Joining(asyncio.WriteTransport):
    """The transport of one answer: its head waits for what comes with it, so that both leave as one packet.

    A head that comes alone, as a stream's does, leaves when the loop comes round.
    """

    def __init__(self, transport: asyncio.WriteTransport, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._transport = transport
        self._loop = loop
        self._waiting = b""
        self._has_begun = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Send this behind what waits; the first waits itself."""
        if self._has_begun:
            self._transport.write(self._waiting + data if self._waiting else data)
            self._waiting = b""
        else:
            self._has_begun = True
            self._waiting = bytes(data)
            self._loop.call_soon(self._flush)

    def is_closing(self) -> bool:
        """Whether nothing can be sent any more."""
        return self._transport.is_closing()

    def close(self) -> None:
        """Send what waits, and end the connection."""
        self._flush()
        self._transport.close()

    def _flush(self) -> None:
        if self._waiting:
            self._transport.write(self._waiting)
            self._waiting = b""


class Connection(HttpToolsProtocol):
    """A connection over TCP."""

    def __init__(self, config: Config, server_state: ServerState, app_state: dict[str, Any]) -> None:
        super().__init__(config, server_state, app_state)
        self._deadline: asyncio.TimerHandle | None = None
        self._header = 0
        self._refusal = BAD
        self.began = self.loop.time()
        self.has_asked = False
        self.is_asking = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Let it in where there is room, or where room can be made."""
        super().connection_made(transport)
        if len(self.connections) > MOST_CONNECTIONS and not self._make_room():
            self._refuse(FULL)
        else:
            self._expect_header()

    def _make_room(self) -> bool:
        idle = [other for other in self.connections if isinstance(other, Connection) and other is not self]
        idle = [other for other in idle if not other.is_at_work]
        if not idle:
            return False
        slowest = min(idle, key=lambda other: (other.has_asked, other.began))
        slowest.abort()
        self.connections.discard(slowest)
        return True

    @property
    def is_at_work(self) -> bool:
        """True where a whole request waits for its answer."""
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is not None and not cycle.response_complete and not cycle.more_body

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the deadline."""
        self._cancel_deadline()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take bytes; the first of a request begin its deadline."""
        self._header += len(data)
        if self._deadline is None and not self.is_asking:
            self._expect_header()
        super().data_received(data)
        if not self.transport.is_closing() and not self.is_asking and self._header > MAX_HEADER:
            self._refuse(LARGE)

    def eof_received(self) -> bool:  # type: ignore[override]  # as asyncio has it
        """Answer who says no more and waits: he has closed one half only. True keeps the other open.

        Who listens to a stream and closes has gone.
        """
        if not self.is_at_work or self.cycle.response_started:
            return False
        self.cycle.keep_alive = False
        return True

    def on_message_begin(self) -> None:
        """Begin a request, which knows its connection."""
        super().on_message_begin()
        self.scope["state"]["connection"] = self

    def on_headers_complete(self) -> None:
        """Let the application go on from here; it has bounds of its own for a body."""
        if sum(len(name) + len(value) for name, value in self.headers) + len(self.url) > MAX_HEADER:
            self._refusal = LARGE
            raise ValueError
        self._cancel_deadline()
        self.is_asking = self.has_asked = True
        super().on_headers_complete()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        cycle.transport = Joining(self.transport, self.loop)  # type: ignore[assignment]  # it only writes
        super()._start_asgi_task(cycle, app)

    def on_message_complete(self) -> None:
        """Count the next header from here."""
        super().on_message_complete()
        self.is_asking = False
        self._header = 0

    def on_response_complete(self) -> None:
        """What is still to come of a request that was answered is not waited for long."""
        super().on_response_complete()
        if self.is_asking and self._deadline is None:
            self._expect_header()

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - the words are ours
        """Refuse what is no HTTP in the form of every error."""
        self._refuse(self._refusal)

    def abort(self) -> None:
        """End it at once, whatever waits to be sent."""
        self._cancel_deadline()
        self.transport.abort()

    def _expect_header(self) -> None:
        self._deadline = self.loop.call_later(SECONDS, self.abort)

    def _cancel_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _refuse(self, refusal: Refused) -> None:
        self._cancel_deadline()
        if self.transport.is_closing():
            return
        start, body = encoded(failed(refusal))
        lines = [b"HTTP/1.1 %d -" % start["status"], b"connection: close"]
        lines += [name + b": " + value for name, value in start["headers"]]
        self.transport.write(b"\r\n".join([*lines, b"", body["body"]]))
        self.transport.close()


class LocalConnection(Connection):
    """A connection over the socket in the data folder: only of the same user."""

    is_let_in = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Let in who is us."""
        if _peer_uid(transport) == os.geteuid():
            self.is_let_in = True
            super().connection_made(transport)
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing is to be ended where nobody was let in."""
        if self.is_let_in:
            super().connection_lost(exc)


def _peer_uid(transport: asyncio.Transport) -> int:
    """Say who is at the other end; -1 where the system does not tell."""
    if not hasattr(socket, "SO_PEERCRED"):
        return os.geteuid()  # the folder lets nobody else in
    peer = transport.get_extra_info("socket")
    with socket.fromfd(peer.fileno(), socket.AF_UNIX, socket.SOCK_STREAM) as known:
        found: int = struct.unpack("3i", known.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[1]
    return found
