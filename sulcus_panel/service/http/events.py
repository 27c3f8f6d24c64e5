"""Server-sent events: one thread follows the ledger for all who listen, each with a bounded queue.

Nothing is lost in silence: whoever was too slow, or comes back after too long, is told the hole as a `gap`.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from functools import partial
from typing import Any

import msgspec

from sulcus_panel.core.errors import SulcusError
from sulcus_panel.core.events import Event
from sulcus_panel.service.bus import ChangeBus
from sulcus_panel.service.follower import Follower
from sulcus_panel.service.guards import Refused
from sulcus_panel.service.http.replies import HEADERS
from sulcus_panel.service.operations import Operations
from sulcus_panel.service.requests.asked import Asked
from sulcus_panel.service.requests.lanes import Lanes, OpenOperations
from sulcus_panel.service.requests.reading import named
from sulcus_panel.service.wire import event_json

POLL_SECONDS = 0.1
PAGE = 500
QUEUE = 1_000
MOST_LISTENERS = 16
HEARTBEAT_SECONDS = 15.0
BLOCKED_SECONDS = 5.0
_encode = msgspec.json.Encoder().encode

Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class Listener:
    """One who listens: what waits to be sent, and the hole where that was too much."""

    def __init__(self, namespace: str | None) -> None:
        self.namespace = namespace
        self.news = asyncio.Event()
        self.lost = (0, 0)
        """The first and the last id that found no room."""
        self._queue: deque[Event] = deque()

    def give(self, events: Sequence[Event]) -> None:
        """Put new events behind those that wait; the oldest make room."""
        for event in events:
            if self.namespace is not None and event.namespace not in {None, self.namespace}:
                continue
            if len(self._queue) >= QUEUE:
                dropped = self._queue.popleft().id
                self.lost = (self.lost[0] or dropped, dropped)
            self._queue.append(event)
        if self._queue:
            self.news.set()

    def take(self) -> tuple[tuple[int, int], list[Event]]:
        """Return the hole and what waits, and forget both."""
        found, lost = list(self._queue), self.lost
        self._queue.clear()
        self.lost = (0, 0)
        self.news.clear()
        return lost, found


class Hub:
    """Everybody who listens. But for its thread, all of it is called on the loop's thread."""

    def __init__(self, open_operations: OpenOperations, *, drains: bool) -> None:
        self._loop = asyncio.get_running_loop()
        self._listeners: set[Listener] = set()
        self._follower = EventFollower(
            open_operations, self._give_from_thread, lambda: bool(self._listeners), drains=drains
        )
        self.closed = asyncio.Event()

    def start(self) -> None:
        """Begin to follow the ledger."""
        self._follower.start()

    def add(self, namespace: str | None) -> Listener:
        """One more. Raises Refused (429)."""
        if len(self._listeners) >= MOST_LISTENERS:
            raise Refused(429, "too_many_listeners", f"{MOST_LISTENERS} listen already", "", "Try later.")
        listener = Listener(namespace)
        self._listeners.add(listener)
        return listener

    def remove(self, listener: Listener) -> None:
        """One less."""
        self._listeners.discard(listener)

    def end(self) -> None:
        """Let every stream come to its end."""
        self.closed.set()
        for listener in self._listeners:
            listener.news.set()

    def stop(self) -> None:
        """Join the thread."""
        self._follower.stop()

    def _give_from_thread(self, events: Sequence[Event]) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._give, events)

    def _give(self, events: Sequence[Event]) -> None:
        for listener in self._listeners:
            listener.give(events)


class EventFollower(Follower):
    """Sees new events as they are committed, whoever commits them; with `drains` also what the hooks spooled."""

    def __init__(
        self,
        open_operations: OpenOperations,
        give: Callable[[Sequence[Event]], None],
        is_heard: Callable[[], bool] = lambda: True,
        *,
        drains: bool,
    ) -> None:
        super().__init__("http-events", open_operations, ChangeBus())
        self._give = give
        self._is_heard = is_heard
        self._drains = drains
        self._version = 0
        self._newest: int | None = None

    def begin(self, operations: Operations) -> None:
        """Begin with the newest, or go on where an earlier connection ended."""
        newest = operations.ledger.events.newest
        if self._newest is None or self._newest > newest:
            self._newest = newest

    def run_round(self, operations: Operations) -> None:
        """Drain, look, tell."""
        if self.stopping.wait(POLL_SECONDS):
            return
        try:
            if self._drains:
                operations.drain()
        finally:
            self._tell(operations)

    def _tell(self, operations: Operations) -> None:
        newest = operations.ledger.events.newest
        if not self._is_heard():  # asked after the look: who comes from here on begins no earlier than there
            self._newest = newest
        more = newest != self._newest
        while more and not self.stopping.is_set():
            found = operations.ledger.events.after(self._newest or 0, limit=PAGE)
            if found:
                self._newest = found[-1].id
                self._give(found)
            more = len(found) == PAGE


async def stream(
    hub: Hub, lanes: Lanes, asked: Asked, scope: MutableMapping[str, Any], receive: Any, send: Send
) -> None:
    """Answer with events until the listener, or the server, ends it. Raises Refused, NotFound before it began."""
    last = _last_id(scope["headers"])
    listener, cursor, workspace_id = await _begin(hub, lanes, asked, last)
    try:
        await _send(send, _start())
        gone = asyncio.ensure_future(_until_gone(receive))
        try:
            await _Stream(hub, lanes, listener, workspace_id, send, gone).run(cursor)
        finally:
            gone.cancel()
    except (
        TimeoutError,
        SulcusError,
    ):  # too slow, or the ledger cannot be read: he comes again with his last id
        scope["state"]["connection"].abort()
    finally:
        hub.remove(listener)


def _last_id(headers: Sequence[tuple[bytes, bytes]]) -> int | None:
    given = [value.strip() for name, value in headers if name == b"last-event-id" and value.strip()]
    if not given:
        return None
    if len(given) > 1 or not given[0].isdigit() or len(given[0]) > 18:
        raise Refused(400, "bad_request", "Last-Event-ID is no event's id", field="Last-Event-ID")
    return int(given[0])


async def _begin(hub: Hub, lanes: Lanes, asked: Asked, last: int | None) -> tuple[Listener, int, int | None]:
    """Listen first and then see where to begin, so that nothing falls between."""

    def look(operations: Operations) -> tuple[str | None, int | None, int]:
        name = asked.words.namespace
        workspace = None if name is None else named(operations, name)
        newest = operations.ledger.events.newest
        begin = newest if last is None or last > newest else last
        return (None, None, begin) if workspace is None else (workspace.namespace, workspace.id, begin)

    listener = hub.add("")
    try:
        listener.namespace, workspace_id, cursor = await lanes.reads.do(look)
    except BaseException:
        hub.remove(listener)
        raise
    return listener, cursor, workspace_id


class _Stream:
    """One stream on its way."""

    def __init__(
        self,
        hub: Hub,
        lanes: Lanes,
        listener: Listener,
        workspace_id: int | None,
        send: Send,
        gone: "asyncio.Future[None]",
    ) -> None:
        self._hub = hub
        self._lanes = lanes
        self._listener = listener
        self._workspace_id = workspace_id
        self._write = send
        self._gone = gone
        self._cursor = 0

    async def run(self, cursor: int) -> None:
        self._cursor = cursor
        await self._catch_up()
        while not (self._gone.done() or self._hub.closed.is_set()):
            await self._wait()
            lost, events = self._listener.take()
            if lost[1] > self._cursor:
                await self._tell_gap(max(lost[0], self._cursor + 1), lost[1])
            await self._tell([event for event in events if event.id > self._cursor])
        if not self._gone.done():
            await _send(self._write, {"type": "http.response.body", "body": b""})

    async def _catch_up(self) -> None:
        """Send what is in the ledger already."""
        oldest = await self._lanes.reads.do(lambda operations: operations.ledger.events.oldest)
        if oldest > self._cursor + 1:
            await self._tell_gap(self._cursor + 1, oldest - 1)
        is_more = True
        while is_more and not self._gone.done():
            found = await self._lanes.reads.do(partial(_page, self._cursor, self._workspace_id))
            await self._tell(found)
            is_more = len(found) == PAGE

    async def _wait(self) -> None:
        news = asyncio.ensure_future(self._listener.news.wait())
        done, _ = await asyncio.wait(
            (news, self._gone), timeout=HEARTBEAT_SECONDS, return_when=asyncio.FIRST_COMPLETED
        )
        if not done:
            await self._put(b": still here\n\n")
        news.cancel()

    async def _tell_gap(self, first: int, last: int) -> None:
        self._cursor = last
        body = _encode({"from": first, "to": last})
        await self._put(b"id: %d\nevent: gap\ndata: %s\n\n" % (last, body))

    async def _tell(self, events: Sequence[Event]) -> None:
        if events:
            self._cursor = events[-1].id
            await self._put(b"".join(_lines(event) for event in events))

    async def _put(self, text: bytes) -> None:
        await _send(self._write, {"type": "http.response.body", "body": text, "more_body": True})


def _page(after: int, workspace_id: int | None, operations: Operations) -> tuple[Event, ...]:
    return operations.ledger.events.after(after, workspace_id=workspace_id, limit=PAGE)


def _lines(event: Event) -> bytes:
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (event.id, event.kind.encode(), _encode(event_json(event)))


def _start() -> dict[str, Any]:
    headers = [*HEADERS, (b"content-type", b"text/event-stream; charset=utf-8")]
    return {"type": "http.response.start", "status": 200, "headers": headers}


async def _send(send: Send, message: MutableMapping[str, Any]) -> None:
    await asyncio.wait_for(send(message), BLOCKED_SECONDS)


async def _until_gone(receive: Any) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
