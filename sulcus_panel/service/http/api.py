"""The ASGI application: each request is checked in one order, understood, handed to its lane, answered.

The order (service/guards.py): route and method, host, origin, token, scope, content type, length; then the body.
This is the server's boundary: what nobody expected ends here, in the log.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from starlette.routing import Route, Router

from sulcus_panel.core.access import Caller
from sulcus_panel.core.errors import SulcusError
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.service import guards
from sulcus_panel.service.guards import Failures, Refused
from sulcus_panel.service.http import openapi, panel
from sulcus_panel.service.http.events import Hub, stream
from sulcus_panel.service.http.replies import encoded
from sulcus_panel.service.http.routes import DOORS
from sulcus_panel.service.http.table import Door, Way
from sulcus_panel.service.requests import claiming
from sulcus_panel.service.requests.asked import Answered, Asked, run_drained
from sulcus_panel.service.requests.failing import failed, our_bug
from sulcus_panel.service.requests.guest import Guest, LetIn, Receive, Scope, Send
from sulcus_panel.service.requests.lanes import Lanes, beside
from sulcus_panel.service.requests.understanding import understood, words_of_query

BODY_SECONDS = 5.0
BYTES_A_SECOND = 262_144
"""A body may take a little longer for each of these."""
BESIDES_CONTENTS = 65_536
LARGE = 262_144
"""Bodies over this are read as JSON beside the loop."""


@dataclass(frozen=True, slots=True)
class Shared:
    """What every way in stands on: one lot for port and socket."""

    home: DataHome
    lanes: Lanes
    hub: Hub
    caller_of: Callable[[str], Caller | None]
    proof_of: Callable[[str, str], str | None]
    """Shows that a key is known here, by its name and a fresh word."""
    largest_snapshot: Callable[[], int]
    """The most bytes of one version of a file that any workspace keeps."""
    failures: Failures = field(default_factory=Failures)
    guest: Guest | None = None
    """Another protocol at a path of its own."""


class Api:
    """The application for one way in; `port` None over the local socket."""

    def __init__(self, shared: Shared, port: int | None) -> None:
        self._shared = shared
        self._port = port
        by_path: dict[str, dict[str, Door]] = {}
        for door in (*DOORS, *panel.DOORS, panel.PROVES):
            by_path.setdefault(door.path, {})[door.method] = door
        routes = [Route(path, _OnePath(self, doors)) for path, doors in by_path.items()]
        if shared.guest is not None:
            routes.append(Route(shared.guest.path, _OtherProtocol(self, shared.guest)))
        self._plain = {route.path: route.endpoint for route in routes if "{" not in route.path}
        """Most ask for these; the router looks through its paths one after the other."""
        self._router = Router(
            routes,
            redirect_slashes=False,
            default=_no_such_path,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, whatever comes of it."""
        try:
            found = self._plain.get(scope["path"])
            if found is None:
                await self._router(scope, receive, send)
            else:
                scope["path_params"] = {}
                await found(scope, receive, send)
        except SulcusError as error:
            answered = failed(error)
        except Exception as error:  # noqa: BLE001 - the server's one place for our bugs
            answered = our_bug(self._shared.home.log, error, "http")
        else:
            return
        for message in encoded(answered):
            await send(message)

    async def enter(self, door: Door, scope: Scope, receive: Receive, send: Send) -> None:
        """Check, understand, do, answer. Raises SulcusError."""
        caller = self._checked(door, scope["headers"])
        found, is_typed = await self._found(door, scope, receive)
        asked = Asked(caller, understood(door.words, found, strict=is_typed))
        if door.real_scopes and not asked.words.dry_run and not caller.scopes & door.real_scopes:
            raise guards.lacks(door.real_scopes)
        if door.way is Way.EVENTS:
            await stream(self._shared.hub, self._shared.lanes, asked, scope, receive, send)
            return
        answered = await self._done(door, asked)
        for message in encoded(answered):
            await send(message)

    async def let_in(self, guest: Guest, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request of another protocol as every other, and hand it on. Raises SulcusError."""
        headers = scope["headers"]
        guards.check_origin(headers, self._port)
        caller = guards.check_token(headers, self._shared.caller_of, self._shared.failures, guest.scopes)
        body = None
        if scope["method"] == "POST":
            body = await _body(scope, receive, guards.check_length(headers, guards.MAX_BODY))
            await _json(body)
        else:
            guards.check_no_body(headers)
        await guest.answer(LetIn(caller, body, scope, receive, send))

    def _checked(self, door: Door, headers: guards.Headers) -> Caller:
        guards.check_origin(headers, self._port)
        if not door.scopes:
            return guards.NOBODY
        return guards.check_token(headers, self._shared.caller_of, self._shared.failures, door.scopes)

    async def _found(self, door: Door, scope: Scope, receive: Receive) -> tuple[Mapping[str, Any], bool]:
        """Return the fields sent, and whether they have their types already."""
        if not door.has_body:
            guards.check_no_body(scope["headers"])
            return words_of_query(scope["query_string"]) | scope["path_params"], False
        length = guards.check_length(scope["headers"], self._most(door, scope["headers"]))
        if scope["query_string"]:
            raise Refused(400, "bad_request", "A query does not belong here", "Its fields go into the body.")
        body = await _body(scope, receive, length)
        return await _json(body), True

    def _most(self, door: Door, headers: guards.Headers) -> int:
        """Return how large a body may be; of a record both sides of a file in base64, where that is more."""
        if door.way is not Way.RECORDS or guards.is_small(headers):
            return guards.MAX_BODY
        return max(guards.MAX_BODY, self._shared.largest_snapshot() * 2 * 4 // 3 + BESIDES_CONTENTS)

    async def _done(self, door: Door, asked: Asked) -> Answered:
        lanes = self._shared.lanes
        if door.way is Way.RECORDS:
            done = await lanes.records.record(claiming.told(asked.caller, asked.words))
            return Answered(*claiming.recorded_json(done))
        if door.run is not None:
            lane = lanes.writes if door.way is Way.WRITES else lanes.reads
            return await lane.do(partial(run_drained, door.run, asked))
        if door is panel.PROVES:
            return self._proved(asked.words.key, asked.words.word)
        return Answered(200, {"ok": True} if door.path == "/health" else openapi.description())

    def _proved(self, key: str, word: str) -> Answered:
        """Answer who asks for a proof; one for a key that is not in force counts as a wrong key does."""
        found = self._shared.proof_of(key, word)
        if found is None:
            raise self._shared.failures.refuse()
        return Answered(200, {"proof": found})


class _OnePath:
    """The doors of one path, by method."""

    def __init__(self, api: Api, doors: Mapping[str, Door]) -> None:
        self._api = api
        self._doors = doors

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        door = self._doors.get(scope["method"])
        if door is None:
            refusal = Refused(405, "method_not_allowed", "This route has no such method")
            refusal.allow = ", ".join(sorted(self._doors))
            raise refusal
        await self._api.enter(door, scope, receive, send)


class _OtherProtocol:
    """The one path of another protocol: to ask, to listen, to end."""

    def __init__(self, api: Api, guest: Guest) -> None:
        self._api = api
        self._guest = guest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] not in {"GET", "POST", "DELETE"}:
            refusal = Refused(405, "method_not_allowed", "This route has no such method")
            refusal.allow = "DELETE, GET, POST"
            raise refusal
        await self._api.let_in(self._guest, scope, receive, send)


async def _no_such_path(_scope: Scope, _receive: Receive, _send: Send) -> None:
    raise Refused(404, "no_such_route", "There is no such route", "", "/openapi.json lists them.")


async def _json(body: bytes) -> dict[str, Any]:
    """Return the object that a body holds. Raises Refused (400)."""
    if len(body) <= LARGE:
        return guards.read_json(body)
    return await beside(partial(guards.read_json, body))


async def _body(scope: Scope, receive: Receive, length: int) -> bytes:
    """Return the whole body. Raises Refused (400) where it comes too slowly, or not at all."""
    if not scope["state"]["connection"].is_asking:  # it is here already, as most are
        return await _parts(receive)
    try:
        async with asyncio.timeout(BODY_SECONDS + length / BYTES_A_SECOND):
            return await _parts(receive)
    except TimeoutError:
        raise Refused(400, "too_slow", "The body came too slowly") from None


async def _parts(receive: Receive) -> bytes:
    parts: list[bytes] = []
    more = True
    while more:
        message = await receive()
        if message["type"] != "http.request":
            raise Refused(400, "incomplete", "The body did not come")
        parts.append(message.get("body", b""))
        more = message.get("more_body", False)
    return parts[0] if len(parts) == 1 else b"".join(parts)
