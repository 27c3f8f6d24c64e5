"""The two doors over a wire: HTTP of a real `serve` with a token, and MCP on stdio by the SDK's own client.

Over a wire an undo that was not done is an error as well: those fields are looked at and taken off here, so that
what is left is what every door tells.
"""

import json
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from typing import Self

import httpx
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client
from mcp.client.stdio import StdioServerParameters

from sulcus_panel.core.model import Actor, ActorKind
from tests.support.door import NEWEST, Json, Place, Wanted, lacking
from tests.support.http_door import LEDGER, serving
from tests.support.mcp_door import connected, parameters

ERROR = ("error", "title", "detail", "hint", "field")


def without_error(answer: Json) -> Json:
    """The answer of an undo alone; its error must say the same in one word."""
    if "error" not in answer or "results" not in answer:
        return answer
    assert answer["error"] == answer["outcome"]
    return {name: value for name, value in answer.items() if name not in ERROR}


def picked(answer: Json, name: str) -> Json:
    """One field of an answer, or the error."""
    return answer if "error" in answer else answer[name]


class OverHttp:
    """`sulcus-panel serve` and a client with a key of the actor's."""

    def __init__(self, place: Place, actor: Actor) -> None:
        self._place = place
        self._key = place.keys[actor]
        self._namespace = place.workspace.namespace
        self._open = ExitStack()

    def __enter__(self) -> Self:
        served = self._open.enter_context(serving(self._place.home.root))
        self._client: httpx.Client = self._open.enter_context(served.client(self._key))
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def _get(self, path: str = "", **words: str | int) -> Json:
        return self._client.get(f"{LEDGER}{path}", params={"namespace": self._namespace, **words}).json()

    def _post(self, path: str, words: Json) -> Json:
        body = {"namespace": self._namespace, **words}
        return without_error(self._client.post(f"{LEDGER}/{path}", json=body).json())

    def entries(self) -> Json:
        return self._get(limit=NEWEST)["entries"]

    def entry(self, seq_id: int) -> Json:
        return self._get(f"/{seq_id}")

    def diff(self, seq_id: int, view: str) -> Json:
        return self._get(f"/{seq_id}/diff", view=view)

    def undo(self, wanted: Wanted, *, dry_run: bool = False) -> Json:
        return self._post("undo", wanted.words() | {"dry_run": dry_run})

    def redo(self, seq_id: int, *, dry_run: bool = False) -> Json:
        return self._post("redo", {"seq_ids": [seq_id], "dry_run": dry_run})

    def holds(self) -> Json:
        return self._get("/holds")["holds"]

    def reject(self, hold_id: int) -> Json:
        raise lacking(self, "reject", hold_id)

    def governance(self) -> Json:
        return self._get("/governance", limit=NEWEST)["governance"]

    def settings(self) -> Json:
        return self._get()["config"]

    def configure(self, key: str, value: str) -> Json:
        return picked(self._post("config", {key: json.loads(value)}), "config")


class OverMcp:
    """`sulcus-panel mcp` on stdio, as an agent."""

    def __init__(self, place: Place, actor: Actor) -> None:
        self._place = place
        self._actor = actor
        self._open = ExitStack()

    def __enter__(self) -> Self:
        self._portal: BlockingPortal = self._open.enter_context(start_blocking_portal())
        self._client = self._connected(self._actor)
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def _connected(self, actor: Actor) -> Client:
        server: StdioServerParameters = parameters(self._place, "--actor", actor.name)
        return self._open.enter_context(self._portal.wrap_async_context_manager(connected(server)))

    def _call(self, tool: str, words: Json, client: Client | None = None) -> Json:
        ask: Callable[..., Awaitable[Json]] = (client or self._client).call_tool
        result = self._portal.call(ask, tool, words)
        answer = result.structured_content
        assert result.is_error == ("error" in answer)
        return without_error(answer)

    def entries(self) -> Json:
        return self._call("list_activity_ledger", {"limit": NEWEST})["entries"]

    def entry(self, seq_id: int) -> Json:
        return picked(self._call("show_activity", {"seq_id": seq_id}), "entry")

    def diff(self, seq_id: int, view: str) -> Json:
        return picked(self._call("show_activity", {"seq_id": seq_id, "view": view}), "diff")

    def undo(self, wanted: Wanted, *, dry_run: bool = False) -> Json:
        return self._call("undo_activity", wanted.words() | {"dry_run": dry_run})

    def redo(self, seq_id: int, *, dry_run: bool = False) -> Json:
        return self._call("redo_activity", {"seq_ids": [seq_id], "dry_run": dry_run})

    def holds(self) -> Json:
        """What all agents asked for, each of whom is shown his own, with those decided."""
        found = []
        for actor in self._place.keys:
            if actor.kind is ActorKind.PERSON:
                continue
            client = self._client if actor == self._actor else self._connected(actor)
            listed = self._call("list_activity_ledger", {}, client)
            found += [hold for hold in listed["holds"] if hold["state"] == "waiting"]
        return sorted(found, key=lambda hold: hold["hold_id"], reverse=True)

    def reject(self, hold_id: int) -> Json:
        raise lacking(self, "reject", hold_id)

    def governance(self) -> Json:
        raise lacking(self, "governance")

    def settings(self) -> Json:
        return self._call("list_activity_ledger", {})["config"]

    def configure(self, key: str, value: str) -> Json:
        raise lacking(self, "configure", key, value)
