"""Everybody at once on one ledger, over real connections: what is acknowledged is there once, whoever dies."""

import json
import signal
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from sulcus_panel.core.access import THE_PERSON
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.model import ActorKind, Origin, SeqId
from sulcus_panel.core.triggers import Rule, TriggerAction
from sulcus_panel.core.undo.model import UndoRequest
from sulcus_panel.service.operations import LedgerQuery, Operations
from sulcus_panel.service.webhooks import TIMEOUT_SECONDS
from tests.support.http_door import AGENT, LEDGER, SECONDS, Door, an_edit, make_key, serving
from tests.support.mcp_door import raw_server
from tests.support.terminal import sulcus

RECORDS, UNDOS = 12, 4


def a_step(root: Path, name: str, number: int) -> dict[str, Any]:
    """Do one step of work on a file of this name, and return the record of it."""
    before, after = (f"{name} {count}\n" for count in (number, number + 1))
    (root / f"{name}.txt").write_text(after)
    body = an_edit(namespace=root.name, session_id=name, target_path=f"{name}.txt", uid=f"{name}-{number}")
    return body | {
        "pre_state": {"existed": True, "content": before},
        "post_state": {"existed": True, "content": after},
        "diff_hunks": [{"start_line": 1, "target_excerpt": before, "replacement_excerpt": after}],
    }


def work_over(root: Path, name: str, tell: Callable[[str, dict[str, Any]], Any]) -> list[int]:
    """Record twelve steps and take the newest back four times; the entries that were acknowledged."""
    ids: list[int] = []
    for number in range(RECORDS):
        ids.append(tell("record", a_step(root, name, number))["seq_id"])
    for seq_id in ids[: -UNDOS - 1 : -1]:
        done = tell("undo", {"namespace": root.name, "seq_ids": [seq_id]})
        assert done["outcome"] == "undone", done
    return ids


def over_http(door: Door, key: str, root: Path, name: str) -> list[int]:
    """Work over one server."""
    with door.client(key) as client:
        return work_over(root, name, lambda verb, body: client.post(f"{LEDGER}/{verb}", json=body).json())


def over_mcp(home: DataHome, root: Path) -> list[int]:
    """Work over MCP on stdio, whose agent takes back its own."""
    with raw_server(SimpleNamespace(home=home, root=root)) as server:  # type: ignore[arg-type]  # all that it asks
        server.greets()
        return work_over(root, "mcp", lambda verb, body: server.calls(f"{verb}_activity", **body))


def over_a_window(home: DataHome, theirs: list[int]) -> list[int]:
    """Take back what is given, in a process's own Operations, as a second panel does."""
    with Operations.open(home, actor=THE_PERSON.actor) as operations:
        for seq_id in theirs:
            result = operations.apply(operations.plan(UndoRequest((SeqId(seq_id),))))
            assert result.outcome == "undone", result
    return theirs


def over_the_terminal(home: DataHome, root: Path, theirs: list[int]) -> list[int]:
    """Take back what is given, a process each."""
    for seq_id in theirs:
        answer = sulcus("ledger", "rollback", str(seq_id), "--json", cwd=root, home=home.root, stdin="y\n")
        assert answer.json()["outcome"] == "undone", answer
    return theirs


def test_two_servers_a_window_mcp_and_the_terminal_at_once_lose_nothing_and_do_nothing_twice(
    tmp_path: Path,
) -> None:
    root, home = tmp_path / "work", DataHome(tmp_path / "home")
    root.mkdir()
    with Operations.open(home) as operations:
        operations.register(root)
    key = make_key(home, "me", ActorKind.PERSON)
    with serving(home.root) as first, serving(home.root) as second:
        with first.client(key) as client:
            early = [
                [
                    client.post(f"{LEDGER}/record", json=a_step(root, f"{who}{n}", 0)).json()["seq_id"]
                    for n in range(3)
                ]
                for who in ("window", "terminal")
            ]
        jobs = [
            partial(over_http, first, key, root, "first"),
            partial(over_http, second, key, root, "second"),
            partial(over_mcp, home, root),
            partial(over_a_window, home, early[0]),
            partial(over_the_terminal, home, root, early[1]),
        ]
        with ThreadPoolExecutor(len(jobs)) as pool:
            done = [job.result(SECONDS) for job in [pool.submit(job) for job in jobs]]
    recorded = [seq_id for ids in done for seq_id in ids]
    undone = [seq_id for ids in done[:3] for seq_id in ids[-UNDOS:]] + done[3] + done[4]
    with Operations.open(home) as operations:
        entries = operations.find(LedgerQuery(limit=500))
    undos = [entry for entry in entries if entry.record.origin is Origin.UNDO]
    assert Counter(entry.seq_id for entry in entries if entry not in undos) == Counter(recorded)
    assert Counter(entry.record.reverses for entry in undos) == Counter(undone)
    kept = f" {RECORDS - UNDOS}\n"
    assert {(root / f"{name}.txt").read_text() for name in ("first", "second", "mcp")} == {
        name + kept for name in ("first", "second", "mcp")
    }
    assert {(root / f"{who}{n}.txt").read_text() for who in ("window", "terminal") for n in range(3)} == {
        f"{who}{n} 0\n" for who in ("window", "terminal") for n in range(3)
    }
    assert sulcus("verify", cwd=root, home=home.root).code == 0


class Ear(threading.Thread):
    """Listens to the events of a server until it is cut off, or has heard what it waits for."""

    def __init__(self, door: Door, key: str, last: int, until: int | None = None) -> None:
        super().__init__()
        self.events: list[tuple[int, str, dict[str, Any]]] = []
        self._door = door
        self._key = key
        self._last = last
        self._until = until
        self.listens = threading.Event()

    def run(self) -> None:
        """Read the stream as it comes: an event may be cut off in its middle, and is none then."""
        headers = {"Last-Event-ID": str(self._last)}
        fields: dict[str, str] = {}
        with (
            suppress(httpx.TransportError),
            self._door.client(self._key) as client,
            client.stream("GET", f"{AGENT}/events", headers=headers) as answer,
        ):
            self.listens.set()
            for line in answer.iter_lines():
                name, _, value = line.partition(": ")
                if line:
                    fields[name] = value
                    continue
                if "data" in fields:
                    self.events.append((int(fields["id"]), fields["event"], json.loads(fields["data"])))
                    if self._until is not None and self.events[-1][0] >= self._until:
                        return
                fields = {}


def rewinds(events: list[tuple[int, str, dict[str, Any]]]) -> dict[str, list[str]]:
    """By operation, what was told of it."""
    told: dict[str, list[str]] = {}
    for _, kind, body in events:
        if kind.startswith("rewind."):
            told.setdefault(body["op_id"], []).append(kind.removeprefix("rewind."))
    return told


def undo_and_redo_without_end(client: httpx.Client, wanted: dict[str, Any]) -> None:
    """Take back and bring back until nobody answers."""
    while True:
        client.post(f"{LEDGER}/undo", json=wanted)
        client.post(f"{LEDGER}/redo", json=wanted)


@pytest.mark.parametrize("delay", [0.0, 0.02])
def test_who_listens_when_a_server_is_killed_in_an_undo_hears_its_one_end_from_the_next(
    tmp_path: Path, delay: float
) -> None:
    root, home = tmp_path / "work", DataHome(tmp_path / "home")
    root.mkdir()
    with Operations.open(home) as operations:
        operations.register(root)
    key = make_key(home, "me", ActorKind.PERSON)
    with serving(home.root) as door, door.client(key) as client:
        ids = [
            client.post(f"{LEDGER}/record", json=a_step(root, f"{number}", 0)).json()["seq_id"]
            for number in range(20)
        ]
        ear = Ear(door, key, 0)
        ear.start()
        assert ear.listens.wait(SECONDS)
        wanted = {"namespace": root.name, "seq_ids": ids}
        client.post(f"{LEDGER}/undo", json=wanted)
        client.post(f"{LEDGER}/redo", json=wanted)
        killer = threading.Timer(delay, door.process.kill)
        killer.start()
        with pytest.raises(httpx.TransportError):
            undo_and_redo_without_end(client, wanted)
        killer.join()
        ear.join(SECONDS)
        assert door.process.wait() == -signal.SIGKILL
    with serving(home.root) as door:
        with door.operations() as operations:
            newest = operations.ledger.events.newest
        heard = ear.events
        more = Ear(door, key, heard[-1][0], newest)
        if heard[-1][0] < newest:
            more.start()
            more.join(SECONDS)
    numbers = [number for number, _, _ in heard + more.events]
    assert numbers == list(range(1, newest + 1))
    told = rewinds(heard + more.events)
    assert all(kinds in (["started", "completed"], ["started", "failed"]) for kinds in told.values()), told
    texts = {(root / f"{number}.txt").read_text().split()[1] for number in range(20)}
    assert len(texts) == 1


def test_webhooks_where_nobody_answers_slow_no_record_down(tmp_path: Path) -> None:
    with (
        serving(tmp_path / "home") as door,
        socket.create_server(("127.0.0.1", 0)) as mute,
        door.operations() as operations,
        door.client(door.key()) as client,
    ):
        for url in ("http://127.0.0.1:1/", f"http://127.0.0.1:{mute.getsockname()[1]}/"):
            operations.triggers.add(None, Rule("Tell", "entry.recorded", TriggerAction.WEBHOOK, url=url))
        times: list[float] = []
        tried: set[int] = set()
        until = time.monotonic() + SECONDS
        while len(tried) < 2 or len(times) < 100:
            assert time.monotonic() < until
            began = time.monotonic()
            assert client.post(f"{LEDGER}/record", json=an_edit()).status_code == 201
            times.append(time.monotonic() - began)
            if len(times) % 20 == 0:
                due = operations.ledger.rules.due(2**62, limit=100_000)
                tried = {delivery.trigger_id for delivery in due if delivery.attempts}
    assert max(times) < TIMEOUT_SECONDS / 2
    assert sorted(times)[len(times) * 95 // 100] < 0.25
