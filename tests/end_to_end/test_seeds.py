"""The seeds' own requests, word for word (tests/data/http), put to a real `serve` and to MCP."""

import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.model import ActorKind
from sulcus_panel.service.operations import Operations
from tests.support.http_door import AGENT, LEDGER, make_key, serving
from tests.support.mcp_door import raw_server

SENT = Path(__file__).parents[1] / "data" / "http"
RECORDS = ("record", "record_create", "record_write", "record_delete", "record_command", "record_mcp")


def sent(name: str) -> dict[str, Any]:
    """One request's body."""
    found: dict[str, Any] = json.loads((SENT / f"{name}.json").read_bytes())
    return found


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The project of the seeds' namespace, as the records say that they left it."""
    root = tmp_path / "payments-rails"
    (root / "src").mkdir(parents=True)
    for name in RECORDS[:3]:
        body = sent(name)
        (root / body["target_path"]).write_text(body["post_state"]["content"])
    with Operations.open(DataHome(tmp_path / "home")) as operations:
        operations.register(root)
    return root


@pytest.fixture
def client(project: Path) -> Iterator[httpx.Client]:
    home = DataHome(project.parent / "home")
    with serving(home.root) as door, door.client(make_key(home, "me", ActorKind.PERSON)) as made:
        yield made


def test_every_kind_of_action_is_recorded_listed_and_taken_back_as_the_seeds_say(
    client: httpx.Client, project: Path
) -> None:
    config = client.post(f"{LEDGER}/config", json=sent("config"))
    assert config.status_code == 200
    ids = {}
    for name in RECORDS:
        answer = client.post(f"{LEDGER}/record", json=sent(name))
        assert answer.status_code == 201, answer.text
        ids[name] = answer.json()["seq_id"]
    assert list(ids.values()) == sorted(set(ids.values()))
    listed = client.get(LEDGER, params={"namespace": "payments-rails", "limit": 500}).json()
    assert {name: listed["config"][name] for name in sent("config") if name != "namespace"} == {
        name: value for name, value in sent("config").items() if name != "namespace"
    }
    entries = listed["entries"][::-1]
    for name, entry in zip(RECORDS, entries, strict=True):
        body = sent(name)
        for field in (
            "session_id",
            "harness",
            "namespace",
            "action_type",
            "tool_name",
            "target_path",
            "summary",
        ):
            assert entry[field] == body[field], (name, field)
        for change in entry["changes"] if name != "record_mcp" else ():
            for ours, theirs in (("before", "pre_state"), ("after", "post_state")):
                assert change[ours]["sha256"] == body[theirs].get("sha256")
                assert change[ours]["size_bytes"] == body[theirs].get("size_bytes")
    assert "content" not in json.dumps(entries)

    later = project / "src" / "webhook.py"
    later.write_text("zero\n" + later.read_text())
    chosen = [ids[name] for name in RECORDS[:4]]
    wanted = {"namespace": "payments-rails", "seq_ids": chosen, "dry_run": False}
    undone = client.post(f"{LEDGER}/undo", json=wanted).json()
    assert undone["outcome"] == "undone", undone
    assert [result["seq_id"] for result in undone["results"]] == sorted(chosen, reverse=True)
    strategies = {result["seq_id"]: result["strategy"] for result in undone["results"]}
    assert [strategies[ids[name]] for name in RECORDS[:4]] == [
        "surgical_reverse_patch",
        "delete_created_file",
        "pre_image_restore",
        "pre_image_restore",
    ]
    assert later.read_text() == "zero\none\ntwo\nthree\nfour\n"
    assert not (project / "src" / "retry.py").exists()
    assert (project / "src" / "limits.py").read_text() == "LOW = 1\n"
    assert (project / "src" / "old.py").read_text() == "pass\n"
    with client.stream("GET", f"{AGENT}/events", headers={"Last-Event-ID": "0"}) as answer:
        kinds = []
        for line in answer.iter_lines():
            kinds += [line.removeprefix("event: ")] if line.startswith("event: ") else []
            if kinds[-1:] == ["rewind.completed"]:
                break
    assert kinds.count("rewind.started") == kinds.count("rewind.completed") == 1


@pytest.mark.parametrize(
    ("path", "name", "field", "values"),
    [
        ("config", "config", "max_entries", (50, 50_000)),
        ("config", "config", "max_snapshot_bytes", (4_096, 10_485_760)),
        ("undo", "undo_last_n", "last_n", (1, 100)),
    ],
)
def test_the_ranges_are_the_seeds_own(
    client: httpx.Client, path: str, name: str, field: str, values: tuple[int, int]
) -> None:
    client.post(f"{LEDGER}/record", json=sent("record"))
    low, high = values
    for value, status in ((low - 1, 400), (low, 200), (high, 200), (high + 1, 400)):
        answer = client.post(f"{LEDGER}/{path}", json=sent(name) | {field: value})
        assert answer.status_code == status, answer.text
        if status == 400:
            assert answer.json()["field"] == field
            assert str(low) in answer.json()["detail"]
            assert str(high) in answer.json()["detail"]


def test_the_tools_of_the_seeds_take_the_same_words(project: Path) -> None:
    home = DataHome(project.parent / "home")
    with raw_server(SimpleNamespace(home=home, root=project)) as server:  # type: ignore[arg-type]  # all that it asks
        server.greets()
        ids = [server.calls("record_activity", **sent(name))["seq_id"] for name in RECORDS]
        listed = server.calls("list_activity_ledger", namespace="payments-rails", limit=500)
        assert [entry["seq_id"] for entry in listed["entries"]] == ids[::-1]
        for tool in ("undo_activity", "rewind_activity"):
            for name in ("undo_last_n", "undo_query", "undo_seq_ids"):
                body = sent(name) | {"dry_run": True}
                body |= {"seq_ids": ids[:1]} if "seq_ids" in body else {}
                plan = server.calls(tool, **body)
                assert plan["results"], plan
        assert (project / "src" / "webhook.py").read_text() == sent("record")["post_state"]["content"]
