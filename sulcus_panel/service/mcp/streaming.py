"""The SDK's streamable HTTP for requests that were let in: whose token it is acts, as an agent, whoever it is."""

import asyncio
from collections.abc import MutableMapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from sulcus_panel.core.access import Caller
from sulcus_panel.core.model import Actor, ActorKind
from sulcus_panel.service.guards import MAX_BODY
from sulcus_panel.service.mcp.calls import Calls
from sulcus_panel.service.mcp.holds import Context
from sulcus_panel.service.mcp.server import Door
from sulcus_panel.service.requests.guest import LetIn, Receive
from sulcus_panel.service.requests.lanes import Lanes

CALLER = "sulcus_panel.caller"
MOST_SESSIONS = 200
IDLE_SECONDS = 1800.0


@dataclass(slots=True)
class Streaming:
    """All sessions of one server; `start` and `end` it on the loop's thread."""

    _manager: StreamableHTTPSessionManager
    _stop: asyncio.Event
    _running: "asyncio.Task[None]"

    @classmethod
    async def start(cls, lanes: Lanes, log: Path) -> Self:
        """Be ready for requests."""
        server = Door(Calls(lanes), caller_of, log).server()
        manager = StreamableHTTPSessionManager(
            server,
            max_request_body_size=MAX_BODY,
            max_sessions=MOST_SESSIONS,
            session_idle_timeout=IDLE_SECONDS,
        )
        started, stop = asyncio.Event(), asyncio.Event()
        running = asyncio.get_running_loop().create_task(_run(manager, started, stop))
        await started.wait()
        return cls(manager, stop, running)

    async def answer(self, request: LetIn) -> None:
        """Have the SDK answer; a session is its opener's alone."""
        scope = dict(request.scope)
        scope[CALLER] = request.caller
        scope["user"] = _user(request.caller)
        await self._manager.handle_request(scope, _again(request), request.send)

    async def end(self) -> None:
        """End every session and the watch over holds."""
        self._stop.set()
        await asyncio.wait([self._running])


async def _run(manager: StreamableHTTPSessionManager, started: asyncio.Event, stop: asyncio.Event) -> None:
    async with manager.run():
        started.set()
        await stop.wait()


def caller_of(context: Context) -> Caller:
    """Return whose token the request came with: an MCP client is an agent, also with the person's own token."""
    assert context.request is not None, "over HTTP each message comes with its request"
    caller: Caller = context.request.scope[CALLER]
    if not caller.is_person:
        return caller
    return Caller(Actor(f"mcp:{caller.actor.name}", ActorKind.AGENT), caller.scopes)


def _user(caller: Caller) -> AuthenticatedUser:
    who = f"{caller.actor.kind}:{caller.actor.name}"
    return AuthenticatedUser(AccessToken(token="", client_id=who, scopes=sorted(caller.scopes)))


def _again(request: LetIn) -> Receive:
    """Give the body that was read already, then whatever comes."""
    waiting = [] if request.body is None else [request.body]

    async def receive() -> MutableMapping[str, Any]:
        if waiting:
            return {"type": "http.request", "body": waiting.pop(), "more_body": False}
        return await request.receive()

    return receive
