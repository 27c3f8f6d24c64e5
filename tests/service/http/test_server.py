"""Whole servers: where they listen, what they leave, several at once, killed in the middle."""

import asyncio
import json
import os
import signal
import socket
import threading
from pathlib import Path

import httpx
import pytest

from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.model import ActorKind
from sulcus_panel.service.http import runtime
from sulcus_panel.service.http.server import Server, Where
from sulcus_panel.service.operations import Operations
from tests.support.http_door import LEDGER, an_edit, make_key, serving
from tests.support.terminal import sulcus


def test_a_server_says_where_it_listens_and_takes_that_back(tmp_path: Path) -> None:
    with serving(tmp_path / "home") as door:
        file = door.home.root / "runtime.json"
        assert file.stat().st_mode & 0o777 == 0o600
        told = json.loads(file.read_bytes())
        assert (told["pid"], told["port"], told["socket"]) == (
            door.process.pid,
            door.here.port,
            str(door.home.root / "api.sock"),
        )
        assert set(told) == {"pid", "started", "port", "socket", "api"}
        assert runtime.read(door.home) == runtime.Runtime(**told)
    assert not file.exists()
    assert not (door.home.root / "api.sock").exists()
    assert runtime.read(door.home) is None


def test_a_port_that_is_taken_is_told_and_another_one_used(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        home = DataHome(tmp_path / "home")

        async def start() -> tuple[int, tuple[str, ...]]:
            server = await Server.start(home, Where(port))
            await server.close()
            return server.runtime.port, server.notes

        found, notes = asyncio.run(start())
    assert found != port
    assert str(port) in notes[0]
    assert str(found) in notes[0]


def test_nothing_is_left_of_a_server_that_was_closed(tmp_path: Path) -> None:
    home = DataHome(tmp_path / "home")

    async def once() -> None:
        server = await Server.start(home, Where(0))
        async with httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{server.runtime.port}", trust_env=False
        ) as client:
            assert (await client.get("/health")).status_code == 200
        await server.close()

    before = set(threading.enumerate())
    for _ in range(2):
        asyncio.run(once())
    assert not {thread.name for thread in set(threading.enumerate()) - before}
    assert not (home.root / "runtime.json").exists()


def test_a_streaming_listener_does_not_hold_up_the_end(tmp_path: Path) -> None:
    with serving(tmp_path / "home") as door, door.client(door.key()) as client:
        with client.stream("GET", "/api/v1/agent/events") as answer:
            os.kill(door.process.pid, signal.SIGTERM)
            assert list(answer.iter_lines()) == []
        assert door.process.wait(30) == 0


def test_two_servers_of_one_ledger_and_the_terminal_at_once(tmp_path: Path) -> None:
    root = tmp_path / "home"
    with serving(root) as first, serving(root) as second:
        assert first.here.port != second.here.port
        assert second.here.socket is None
        told = runtime.read(first.home)
        assert told is not None
        assert told.pid == first.process.pid
        key, ids = first.key(), []
        with first.client(key) as one, second.client(key) as other:
            for number in range(40):
                client = (one, other)[number % 2]
                ids.append(
                    client.post(f"{LEDGER}/record", json=an_edit(uid=f"u{number // 2}")).json()["seq_id"]
                )
            listed = sulcus("ledger", "list", "--all-workspaces", "--limit", "50", "--json", home=root).json()
            assert one.get(LEDGER, params={"namespace": "payments-rails"}).json()["entries"][0][
                "seq_id"
            ] == max(ids)
    assert [entry["seq_id"] for entry in listed["entries"]] == sorted(set(ids))
    assert len(set(ids)) == 20


def test_a_server_that_was_killed_is_replaced_as_if_it_had_never_been(tmp_path: Path) -> None:
    root = tmp_path / "home"
    with serving(root) as door:
        door.process.kill()
        door.process.wait()
    assert (root / "runtime.json").exists()
    with serving(root) as door:
        told = runtime.read(door.home)
        assert told is not None
        assert told.pid == door.process.pid
        assert told.socket == door.here.socket == str(root / "api.sock")


def undo_and_redo_without_end(client: httpx.Client, body: dict[str, object]) -> None:
    while True:
        client.post(f"{LEDGER}/undo", json=body)
        client.post(f"{LEDGER}/redo", json=body)


def test_a_server_killed_in_the_middle_of_an_undo_leaves_all_or_nothing(tmp_path: Path) -> None:
    root, work = tmp_path / "home", tmp_path / "work"
    work.mkdir()
    home = DataHome(root)
    with Operations.open(home) as operations:
        namespace = operations.register(work).namespace
    key, outcomes = make_key(home, "me", ActorKind.PERSON), set()
    for delay in (0.0, 0.004, 0.01, 0.03):
        with serving(root) as door, door.client(key) as client:
            ids = []
            for number in range(20):
                (work / f"{number}").write_text("new\n")
                body = an_edit(namespace=namespace, target_path=f"{number}", diff_hunks=[])
                body |= {"pre_state": {"existed": True, "content": "old\n"}}
                body |= {"post_state": {"existed": True, "content": "new\n"}}
                ids.append(client.post(f"{LEDGER}/record", json=body).json()["seq_id"])
            killer = threading.Timer(delay, door.process.kill)
            killer.start()
            with pytest.raises(httpx.TransportError):
                undo_and_redo_without_end(client, {"namespace": namespace, "seq_ids": ids})
            killer.join()
            door.process.wait()
        with serving(root) as door, door.client(key) as client:
            query: dict[str, str | int] = {"namespace": namespace, "limit": 500}
            states = {
                entry["seq_id"]: entry["state"]
                for entry in client.get(LEDGER, params=query).json()["entries"]
            }
            texts = {(work / f"{number}").read_text() for number in range(20)}
            assert len(texts) == 1
            assert {states[seq_id] for seq_id in ids} == {"undone" if texts == {"old\n"} else "recorded"}
            outcomes |= texts
            with door.operations() as operations:
                kinds = [event.kind for event in operations.ledger.events.after(0, limit=100_000)]
        rewinds = [kind for kind in kinds if kind.startswith("rewind.")]
        assert set(rewinds[::2]) <= {"rewind.started"}
        assert not {"rewind.started"} & set(rewinds[1::2])
        assert len(rewinds) % 2 == 0


def test_serving_needs_a_port(tmp_path: Path) -> None:
    answer = sulcus("serve", "--port", "70000", home=tmp_path / "home")
    assert (answer.code, answer.out) == (2, "")
