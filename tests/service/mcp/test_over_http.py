"""MCP over real HTTP: the same tools, behind the same checks, and whoever has the token acts."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import ResourceUpdatedNotification

from sulcus_panel.core.access import Scope
from sulcus_panel.core.model import ActorKind
from tests.support.http_door import Door, serving
from tests.support.ledger_builder import CLAUDE, LedgerBuilder
from tests.support.mcp_door import call, connected

TEXT = "one\ntwo\nthree\n"
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    },
}
ACCEPT = {"Accept": "application/json, text/event-stream"}


@pytest.fixture
def door(build: LedgerBuilder) -> Iterator[Door]:
    with serving(build.home.root) as opened:
        yield opened


@asynccontextmanager
async def over_http(door: Door, key: str, **more: Any) -> AsyncIterator[Client]:
    """A client that comes with this key."""
    headers = {"Authorization": f"Bearer {key}"}
    async with httpx2.AsyncClient(headers=headers, trust_env=False, timeout=60) as http:
        transport = streamable_http_client(f"{door.url}/mcp", http_client=http)
        async with connected(transport, **more) as client:
            yield client


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_token_says_who_acts_and_its_scopes_what(build: LedgerBuilder, door: Door, mode: str) -> None:
    build.outside("a.txt", TEXT)
    seq_id = build.write("a.txt", TEXT.replace("two", "2")).seq_id
    namespace = build.workspace.namespace

    async def conversation() -> None:
        reader = door.key(CLAUDE.name, scopes=(Scope.READ,))
        async with over_http(door, reader, mode=mode) as client:
            listed = await call(client, "list_activity_ledger", namespace=namespace)
            assert [entry["seq_id"] for entry in listed["entries"]] == [seq_id]
            planned = await call(client, "undo_activity", namespace=namespace, seq_ids=[seq_id], dry_run=True)
            assert planned["outcome"] == "undone"
            refused = await call(client, "undo_activity", namespace=namespace, seq_ids=[seq_id])
            assert (refused["error"], refused["is_error"]) == ("scope_missing", True)
            nameless = await call(client, "list_activity_ledger")
            assert (nameless["error"], nameless["field"]) == ("bad_request", "namespace")
        async with over_http(door, door.key(CLAUDE.name), mode=mode) as client:
            done = await call(client, "undo_activity", namespace=namespace, seq_ids=[seq_id])
            assert done["outcome"] == "undone"

    anyio.run(conversation)
    assert (build.root / "a.txt").read_text() == TEXT


def test_a_persons_token_makes_no_client_the_person(build: LedgerBuilder, door: Door) -> None:
    build.outside("a.txt", TEXT)
    seq_id = build.write("a.txt", TEXT.replace("two", "2")).seq_id

    async def conversation() -> None:
        async with over_http(door, door.key("you", ActorKind.PERSON)) as client:
            words = {"namespace": build.workspace.namespace, "seq_ids": [seq_id]}
            held = await call(client, "undo_activity", **words)
            assert held["outcome"] == "held"
            waiting = await call(client, "list_activity_ledger", namespace=build.workspace.namespace)
            assert (waiting["holds"][0]["actor"], waiting["holds"][0]["actor_kind"]) == ("mcp:you", "agent")

    anyio.run(conversation)


def test_nobody_is_let_in_unchecked(door: Door) -> None:
    key = door.key()
    with door.client(key) as client:
        for headers, status in (
            ({"Host": "evil.example"}, 421),
            ({"Origin": "http://localhost"}, 403),
            ({"Authorization": "Bearer wrong"}, 401),
            ({"Content-Type": "text/plain"}, 415),
        ):
            answer = client.post("/mcp", json=HELLO, headers={**ACCEPT, **headers})
            assert (answer.status_code, set(answer.json())) == (
                status,
                {"error", "title", "detail", "hint", "field"},
            )
        twice = b'{"jsonrpc": "2.0", "id": 1, "id": 2, "method": "ping"}'
        headers = {**ACCEPT, "Content-Type": "application/json"}
        for body in (twice, b"[" * 100, b"\xff", b'{"a": "\\ud800"}', b"[]"):
            assert client.post("/mcp", content=body, headers=headers).status_code == 400
        assert client.put("/mcp", json=HELLO).status_code == 405
        assert client.post("/mcp", json=HELLO, headers=ACCEPT).status_code == 200


def test_a_session_is_its_openers_alone(door: Door) -> None:
    with door.client(door.key("first")) as first:
        session = first.post("/mcp", json=HELLO, headers=ACCEPT).headers["mcp-session-id"]
        headers = {**ACCEPT, "mcp-session-id": session}
        ping = {"jsonrpc": "2.0", "id": 2, "method": "ping"}
        with door.client(door.key("second")) as second:
            assert second.post("/mcp", json=ping, headers=headers).status_code == 404
        assert first.post("/mcp", json=ping, headers=headers).status_code == 200


@pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")
def test_who_waits_for_a_decision_is_told_whatever_other_clients_do(build: LedgerBuilder, door: Door) -> None:
    build.outside("a.txt", TEXT)
    seq_id = build.write("a.txt", TEXT.replace("two", "2")).seq_id
    told = anyio.Event()
    key, stranger = door.key("bot"), door.key("stranger")

    async def hear(message: object) -> None:
        if isinstance(message, ResourceUpdatedNotification):
            told.set()

    async def conversation() -> None:
        async with (
            over_http(door, key, mode="legacy", message_handler=hear) as client,
            over_http(door, stranger, mode="legacy") as other,
        ):
            words = {"namespace": build.workspace.namespace, "seq_ids": [seq_id]}
            held = await call(client, "undo_activity", **words)
            uri = f"sulcus://holds/{held['hold_id']}"
            async with over_http(door, key, mode="legacy") as gone:
                await gone.subscribe_resource(uri)
            await client.subscribe_resource(uri)
            await other.unsubscribe_resource(uri)
            await anyio.to_thread.run_sync(rejects, door, held["hold_id"])
            await told.wait()
            again = await call(client, "undo_activity", **words)
            assert again["outcome"] == "held"

    anyio.run(conversation)


def rejects(door: Door, hold_id: int) -> None:
    with door.operations() as operations:
        operations.holds.reject(hold_id)
