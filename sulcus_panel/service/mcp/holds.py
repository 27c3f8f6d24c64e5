"""Holds as MCP's resources: whoever asked for an undo reads what became of it, and may have itself be told.

Hosts of either protocol: `resources/subscribe` of a handshake, and `subscriptions/listen` since 2026-07-28.
"""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import anyio
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.session import ServerSession
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourceUpdated
from mcp.shared.exceptions import MCPError

from sulcus_panel.core.access import Caller
from sulcus_panel.core.errors import SulcusError
from sulcus_panel.core.holds import Hold
from sulcus_panel.core.safety import plain
from sulcus_panel.service import wire
from sulcus_panel.service.mcp.decisions import Decisions
from sulcus_panel.service.mcp.doing import own_hold, own_holds
from sulcus_panel.service.operations import Operations
from sulcus_panel.service.requests.lanes import Lanes

SCHEME = "sulcus://holds/"
MOST_DIGITS = 18
MOST_SESSIONS = 32
Context = ServerRequestContext[Any, Any]


def uri_of(hold_id: int) -> str:
    """Return the resource of a hold."""
    return f"{SCHEME}{hold_id}"


class HoldResources:
    """What the SDK's server asks about resources."""

    def __init__(self, lanes: Lanes, caller_of: Callable[[Context], Caller]) -> None:
        self._lanes = lanes
        self._caller_of = caller_of
        self._decisions = Decisions(lanes.reads, self._tell)
        self._bus = InMemorySubscriptionBus()
        self._listening = ListenHandler(self._bus)
        self._sessions: dict[str, dict[str, ServerSession]] = {}

    @asynccontextmanager
    async def watching(self, _server: object) -> AsyncIterator[None]:
        """Watch for decisions as long as the server lives."""
        async with anyio.create_task_group() as group:
            group.start_soon(self._decisions.run)
            yield
            group.cancel_scope.cancel()

    async def find(
        self, context: Context, _params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        """List the holds of the caller, newest first."""
        holds = await self._lanes.reads.do(partial(_of_caller, self._caller_of(context)))
        return types.ListResourcesResult(resources=[_described(hold) for hold in holds])

    async def read(
        self, context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        """Return one hold."""
        hold = await self._hold(context, params.uri)
        text = json.dumps(wire.hold_json(hold))
        contents = types.TextResourceContents(uri=params.uri, mime_type="application/json", text=text)
        return types.ReadResourceResult(contents=[contents])

    async def subscribe(self, context: Context, params: types.SubscribeRequestParams) -> types.EmptyResult:
        """Have the client be told once the hold is decided."""
        hold = await self._hold(context, params.uri)
        sessions = self._sessions.setdefault(uri_of(hold.id), {})
        sessions[_session_id(context)] = context.session
        if len(sessions) > MOST_SESSIONS:
            del sessions[next(iter(sessions))]
        self._decisions.watch(hold.id)
        return types.EmptyResult()

    async def unsubscribe(
        self, context: Context, params: types.UnsubscribeRequestParams
    ) -> types.EmptyResult:
        """Tell this client no more of it; whoever else asked is told all the same."""
        self._sessions.get(params.uri, {}).pop(_session_id(context), None)
        return types.EmptyResult()

    async def listen(
        self, context: Context, params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        """Tell on this stream of each hold named once it is decided."""
        for uri in params.notifications.resource_subscriptions or ():
            self._decisions.watch((await self._hold(context, uri)).id)
        return await self._listening(context, params)

    async def _hold(self, context: Context, uri: str) -> Hold:
        digits = uri.removeprefix(SCHEME)
        is_number = digits.isascii() and digits.isdecimal() and len(digits) <= MOST_DIGITS
        if not uri.startswith(SCHEME) or not is_number:
            raise MCPError(types.INVALID_PARAMS, f"There is no such resource: {plain(uri, 80)}")
        try:
            ask = partial(_own, self._caller_of(context), int(digits))
            return await self._lanes.reads.do(ask)
        except SulcusError as error:
            raise MCPError(types.INVALID_PARAMS, plain(str(error))) from error

    async def _tell(self, hold_id: int) -> None:
        uri = uri_of(hold_id)
        await self._bus.publish(ResourceUpdated(uri))
        for session in self._sessions.pop(uri, {}).values():
            await session.send_resource_updated(uri)


def _session_id(context: Context) -> str:
    """Return what tells a client's session from others; on stdio there is one."""
    return "" if context.request is None else str(context.request.headers.get("mcp-session-id", ""))


def _own(caller: Caller, hold_id: int, operations: Operations) -> Hold:
    return own_hold(operations, caller, hold_id)


def _of_caller(caller: Caller, operations: Operations) -> tuple[Hold, ...]:
    return own_holds(operations, caller, None)


def _described(hold: Hold) -> types.Resource:
    numbers = ", ".join(f"#{seq_id}" for seq_id in hold.request.seq_ids[:10])
    return types.Resource(
        uri=uri_of(hold.id),
        name=f"hold {hold.id}",
        description=f"An undo of {numbers} that you asked for: {hold.state}",
        mime_type="application/json",
    )
