"""Another machine: a server over its ledger in a thread, and a wire to it that can be made slow, silent or cut."""

import asyncio
import json
import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from sulcus_panel.core.errors import BadRequest, LedgerBusy, NotFound, SulcusError
from sulcus_panel.core.events import Event
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.safety import escaped
from sulcus_panel.service.operations import Operations
from sulcus_panel.service.panel_api import answer
from sulcus_panel.service.panel_verbs import EVENTS, PANEL, WRITES
from sulcus_panel.service.wire import event_json

SECONDS = 20


class FarMachine:
    """Answers as the HTTP door does: one thread that writes, one that reads, one for keys and events."""

    def __init__(self, home: DataHome) -> None:
        self._home = home
        self._lanes = {name: _Lane(home) for name in ("reads", "writes", "events")}
        self.before: Callable[[str], None] = lambda _verb: None
        """Called in the lane before a verb is carried out."""
        self.is_ending = False

    async def panel(self, request: Request) -> Response:
        verb = request.path_params["verb"]
        if verb == "proof":
            return await self._proved(await request.json())
        key = request.headers.get("authorization", "").removeprefix("Bearer ")
        sent = json.loads(await request.body())

        def work(operations: Operations) -> dict[str, Any]:
            caller = operations.tokens.caller(key)
            if caller is None:
                raise _NoKey("A valid token is needed")
            operations.drain(wait=3)
            self.before(verb)
            return answer(operations, caller, verb, sent)

        return await self._answered("writes" if verb in WRITES else "reads", work)

    async def _proved(self, asked: Any) -> Response:
        def work(operations: Operations) -> dict[str, Any]:
            found = operations.tokens.proof(asked["key"], asked["word"])
            if found is None:
                raise _NoKey("A valid token is needed")
            return {"proof": found}

        return await self._answered("events", work)

    async def _answered(self, lane: str, work: Callable[[Operations], dict[str, Any]]) -> Response:
        try:
            return JSONResponse(await self._lanes[lane].do(work))
        except SulcusError as error:
            body = {"error": error.code, "field": getattr(error, "field", "")}
            body |= {name: escaped(getattr(error, name)) for name in ("title", "detail", "hint")}
            return JSONResponse(body, _status(error))

    async def events(self, request: Request) -> Response:
        last = request.headers.get("last-event-id")
        newest = await self._lanes["events"].do(lambda operations: operations.ledger.events.newest)
        return StreamingResponse(
            self._stream(newest if last is None else int(last)), media_type="text/event-stream"
        )

    async def _stream(self, cursor: int) -> AsyncIterator[bytes]:
        yield b": here\n\n"
        while not self.is_ending:
            found = await self._lanes["events"].do(partial(_events_after, cursor))
            for event in found:
                cursor = event.id
                yield b"id: %d\nevent: %s\ndata: %s\n\n" % (
                    event.id,
                    event.kind.encode(),
                    json.dumps(event_json(event)).encode(),
                )
            await asyncio.sleep(0.05)

    def close(self) -> None:
        for lane in self._lanes.values():
            lane.close()


def _events_after(cursor: int, operations: Operations) -> tuple[Event, ...]:
    return operations.ledger.events.after(cursor)


class _NoKey(SulcusError):
    code = "unauthorized"


def _status(error: SulcusError) -> int:
    for kind, status in ((_NoKey, 401), (BadRequest, 400), (NotFound, 404), (LedgerBusy, 429)):
        if isinstance(error, kind):
            return status
    return 409


class _Lane:
    def __init__(self, home: DataHome) -> None:
        self._home = home
        self._operations: Operations | None = None
        self._executor = ThreadPoolExecutor(1)

    def do(self, work: Callable[[Operations], Any]) -> "asyncio.Future[Any]":
        return asyncio.get_running_loop().run_in_executor(self._executor, self._run, work)

    def close(self) -> None:
        self._executor.submit(lambda: self._operations.close() if self._operations else None)
        self._executor.shutdown()

    def _run(self, work: Callable[[Operations], Any]) -> Any:
        if self._operations is None:
            self._operations = Operations.open(self._home)
        return work(self._operations)


@contextmanager
def far_machine(home: DataHome) -> Iterator[tuple[FarMachine, int]]:
    """Serve this ledger until the block ends; gives the machine and its port."""
    machine = FarMachine(home)
    routes = [
        Route(f"{PANEL}/{{verb}}", machine.panel, methods=["POST"]),
        Route(EVENTS, machine.events),
    ]
    listening = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        Starlette(routes=routes), log_config=None, lifespan="off", timeout_graceful_shutdown=1, ws="none"
    )
    server = _Quiet(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield machine, listening.getsockname()[1]
    finally:
        machine.is_ending = server.should_exit = True
        thread.join(SECONDS)
        machine.close()
        listening.close()


class _Quiet(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


class Wire:
    """A proxy on a port of its own: passes bytes on, late, not at all, or cuts."""

    def __init__(self, port: int) -> None:
        self._far = port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self.flowing = threading.Event()
        self.flowing.set()
        self.answers = threading.Event()
        """Cleared, what the far side says is held back."""
        self.answers.set()
        self.delay = 0.0
        self.swallow = False
        """What the near side says after this goes nowhere, and its connection is cut."""
        self.is_open = True
        self._lock = threading.Lock()
        self._pairs: set[tuple[socket.socket, socket.socket]] = set()
        self._rest = threading.Event()
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    def cut(self) -> None:
        """Cut every connection, and let none through until `mend()`."""
        self.is_open = False
        self._drop()

    def mend(self) -> None:
        self.is_open = True

    def close(self) -> None:
        self.cut()
        self._rest.set()
        self.flowing.set()
        self.answers.set()
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self._thread.join(SECONDS)

    def _drop(self) -> None:
        with self._lock:
            pairs, self._pairs = tuple(self._pairs), set()
        for pair in pairs:
            for end in pair:
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listening.accept()
            except OSError:
                return
            if not self.is_open:
                near.close()
                continue
            try:
                far = socket.create_connection(("127.0.0.1", self._far))
            except OSError:
                near.close()
                continue
            with self._lock:
                self._pairs.add((near, far))
            threading.Thread(target=self._pass, args=(near, far, None), daemon=True).start()
            threading.Thread(target=self._pass, args=(far, near, self.answers), daemon=True).start()

    def _pass(self, source: socket.socket, target: socket.socket, gate: threading.Event | None) -> None:
        with suppress(OSError):
            while piece := source.recv(65_536):
                if self.swallow and gate is None and b"/apply" in piece:
                    self.cut()
                    return
                self._rest.wait(self.delay)
                self.flowing.wait()
                if gate is not None:
                    gate.wait()
                target.sendall(piece)
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        if gate is None:
            return
        source.close()
        target.close()
