"""The stream of events by a real reader: nothing lost, nothing twice, and a hole is told."""

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import httpx

from sulcus_panel.core.events import Event, EventKind
from sulcus_panel.core.ledger.database import Database
from sulcus_panel.core.model import Namespace
from sulcus_panel.service.http.events import MOST_LISTENERS, QUEUE, Listener
from tests.support.http_door import AGENT, LEDGER, SECONDS, Door, an_edit


@dataclass(frozen=True)
class Heard:
    """One event as it came."""

    id: int
    kind: str
    data: dict[str, Any]


class Reader:
    """Reads a stream as a browser's EventSource would."""

    def __init__(self, answer: httpx.Response) -> None:
        self.answer = answer
        self._lines = answer.iter_lines()

    def one(self) -> Heard:
        fields: dict[str, str] = {}
        for line in self._lines:
            if line and not line.startswith(":"):
                name, _, value = line.partition(": ")
                assert name not in fields
                fields[name] = value
            elif not line and fields:
                return Heard(int(fields["id"]), fields["event"], json.loads(fields["data"]))
        raise EOFError

    def some(self, number: int) -> list[Heard]:
        return [self.one() for _ in range(number)]

    def rest(self) -> list[Heard]:
        found = []
        while True:
            try:
                found.append(self.one())
            except EOFError:
                return found


@contextmanager
def listening(client: httpx.Client, last: int | None = None, **query: str) -> Iterator[Reader]:
    """Listen; those who left a moment ago may still take up the room, which is then waited for."""
    headers = {} if last is None else {"Last-Event-ID": str(last)}
    until = time.monotonic() + SECONDS
    while True:
        with client.stream("GET", f"{AGENT}/events", headers=headers, params=query) as answer:
            if answer.status_code == 429 and time.monotonic() < until:
                continue
            assert answer.status_code == 200
            yield Reader(answer)
            return


def record(client: httpx.Client, **changed: object) -> int:
    answer = client.post(f"{LEDGER}/record", json=an_edit(**changed))
    assert answer.status_code == 201, answer.text
    seq_id: int = answer.json()["seq_id"]
    return seq_id


def test_who_listens_hears_what_is_new_in_order_and_without_contents(client: httpx.Client) -> None:
    record(client)
    with listening(client) as reader:
        assert reader.answer.headers["content-type"].startswith("text/event-stream")
        ids = [record(client) for _ in range(3)]
        heard = reader.some(3)
    assert [event.data["seq_id"] for event in heard] == ids
    assert {event.kind for event in heard} == {"entry.recorded"}
    assert [event.id for event in heard] == sorted({event.id for event in heard})
    assert all(event.data["event_id"] == event.id for event in heard)
    assert "return" not in json.dumps([event.data for event in heard])


def test_who_comes_back_hears_what_he_missed(client: httpx.Client) -> None:
    with listening(client) as reader:
        first = record(client)
        last = reader.one()
    assert last.data["seq_id"] == first
    missed = [record(client, session_id=f"s-{number}") for number in range(700)]
    with listening(client, last.id) as reader:
        heard = reader.some(700)
        new = record(client)
        heard.append(reader.one())
    assert [event.data["seq_id"] for event in heard] == [*missed, new]


def test_one_workspace_is_heard_alone(client: httpx.Client) -> None:
    record(client, namespace="this")
    record(client, namespace="that")
    with listening(client, namespace="this") as reader:
        record(client, namespace="that")
        mine = record(client, namespace="this")
        assert reader.one().data["seq_id"] == mine


def test_an_undo_tells_its_beginning_and_its_end(client: httpx.Client, door: Door) -> None:
    root = door.home.root.parent / "rewound"
    root.mkdir()
    (root / "a").write_text("1\n")
    with door.operations() as operations:
        namespace = operations.register(root).namespace
    states = {"pre_state": {"existed": False}, "post_state": {"existed": True, "content": "1\n"}}
    seq_id = record(
        client, namespace=namespace, target_path="a", action_type="file_create", diff_hunks=[], **states
    )
    with door.client(door.key("me", kind=_person())) as person, listening(client) as reader:
        done = person.post(f"{LEDGER}/undo", json={"namespace": namespace, "seq_ids": [seq_id]})
        assert done.status_code == 200
        heard: list[Heard] = []
        while not heard or heard[-1].kind not in {"rewind.completed", "rewind.failed"}:
            heard.append(reader.one())
    kinds = [event.kind for event in heard if event.kind.startswith("rewind")]
    assert kinds == ["rewind.started", "rewind.completed"]


def _person() -> Any:
    from sulcus_panel.core.model import ActorKind

    return ActorKind.PERSON


def test_what_retention_let_go_of_is_told_as_a_gap(client: httpx.Client, door: Door) -> None:
    with listening(client) as reader:
        record(client)
        begun = reader.one().id
    for _ in range(4):
        record(client)
    with door.operations() as operations:
        database: Database = operations.ledger.events.db
        with operations.ledger.write():
            database.run("DELETE FROM event WHERE id <= ?", (begun + 2,))
    with listening(client, begun) as reader:
        gap, *others = reader.some(3)
    assert (gap.kind, gap.data) == ("gap", {"from": begun + 1, "to": begun + 2})
    assert [event.id for event in others] == [begun + 3, begun + 4]


def test_a_listener_that_is_too_slow_loses_the_oldest_and_is_told() -> None:
    def event(number: int) -> Event:
        return Event(number, datetime.now(UTC), Namespace("x"), EventKind.ENTRY_RECORDED, {})

    listener = Listener("x")
    listener.give([event(number) for number in range(1, QUEUE + 6)])
    lost, waiting = listener.take()
    assert (lost, waiting[0].id, len(waiting)) == ((1, 5), 6, QUEUE)
    assert listener.take() == ((0, 0), [])


def test_no_more_than_sixteen_listen_and_room_is_made_by_who_leaves(door: Door, key: str) -> None:
    with ExitStack() as held:
        for _ in range(MOST_LISTENERS):
            client = held.enter_context(door.client(key))
            held.enter_context(listening(client))
        with door.client(key) as one_more:
            answer = one_more.get(f"{AGENT}/events")
            assert (answer.status_code, answer.json()["error"]) == (429, "too_many_listeners")
    with door.client(key) as client, listening(client) as reader:
        assert reader.answer.status_code == 200


def test_an_id_that_is_none_is_refused_and_one_from_the_future_begins_now(client: httpx.Client) -> None:
    answer = client.get(f"{AGENT}/events", headers={"Last-Event-ID": "yesterday"})
    assert (answer.status_code, answer.json()["field"]) == (400, "Last-Event-ID")
    with listening(client, 10**15) as reader:
        seq_id = record(client)
        assert reader.one().data["seq_id"] == seq_id
