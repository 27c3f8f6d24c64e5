"""The door by real requests: what the seeds send, what is refused and in which order, one form for all errors."""

import json
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import httpx
import pytest

from sulcus_panel.core.access import Scope
from sulcus_panel.core.model import ActorKind
from sulcus_panel.service.http.routes import DOORS
from tests.support.hooks import Run
from tests.support.http_door import AGENT, LEDGER, Door, an_edit

SENT = Path(__file__).parents[2] / "data" / "http"
IS_JSON = {"content-type": "application/json"}
ERROR_FIELDS = {"error", "title", "detail", "hint", "field"}


def sent(name: str) -> dict[str, Any]:
    """A request's body as the seeds have it."""
    found: dict[str, Any] = json.loads((SENT / f"{name}.json").read_bytes())
    return found


def refusal(answer: httpx.Response, status: int) -> dict[str, Any]:
    """The error, whose form and headers are those of every error."""
    assert answer.status_code == status, answer.text
    body: dict[str, Any] = answer.json()
    assert set(body) >= ERROR_FIELDS
    assert body["error"]
    assert body["title"]
    return body


@pytest.fixture
def work(door: Door, tmp_path: Path) -> Path:
    """A workspace with a folder, and in it what the record's body says that it left."""
    root = tmp_path / "work"
    (root / "src").mkdir(parents=True)
    with door.operations() as operations:
        operations.register(root)
    return root


def namespace_of(door: Door, root: Path) -> str:
    with door.operations() as operations:
        return operations.workspace_for(root, register=False).namespace


def test_what_the_seeds_send_is_taken_and_shown_under_their_names(client: httpx.Client) -> None:
    answer = client.post(f"{LEDGER}/record", json=sent("record"))
    assert (answer.status_code, set(answer.json())) == (201, {"seq_id", "uid", "state"})
    assert answer.json()["state"] == "recorded"
    config = client.post(f"{LEDGER}/config", json=sent("config")).json()
    assert config["config"]["max_entries"] == 2000
    listed = client.get(LEDGER, params={"namespace": "payments-rails", "limit": 10}).json()
    assert listed["config"] == config["config"]
    [entry] = listed["entries"]
    said = sent("record")
    assert {name: entry[name] for name in ("session_id", "harness", "tool_name", "summary")} == {
        name: said[name] for name in ("session_id", "harness", "tool_name", "summary")
    }
    [change] = entry["changes"]
    assert change["after"]["sha256"] == said["post_state"]["sha256"]
    assert "TWO" not in json.dumps(listed)
    for name in ("undo_last_n", "undo_query"):
        plan = client.post(f"{LEDGER}/undo", json=sent(name)).json()
        assert [each["seq_id"] for each in plan["results"]] == [entry["seq_id"]]
        assert plan["results"][0]["reason"] == "no_root"
    undone = client.post(f"{LEDGER}/undo", json=sent("undo_seq_ids") | {"seq_ids": [entry["seq_id"]]})
    assert (undone.status_code, undone.json()["outcome"]) == (200, "unavailable")


def test_the_same_uid_again_is_the_same_row(client: httpx.Client) -> None:
    body = an_edit(uid="only-once", namespace="twice")
    first, again = (client.post(f"{LEDGER}/record", json=body) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()


def test_an_agent_undoes_its_own_clean_entry_and_redoes_it(
    client: httpx.Client, door: Door, work: Path
) -> None:
    name, file = namespace_of(door, work), work / "src" / "a.py"
    done: dict[str, Any] = {}
    for before, after in (("", "return 1\n"), ("return 1\n", "return 2\n")):
        file.write_text(after)
        body = an_edit(namespace=name, diff_hunks=[])
        body["pre_state"] = {"existed": bool(before)} | ({"content": before} if before else {})
        body["post_state"] = {"existed": True, "content": after}
        done = client.post(f"{LEDGER}/record", json=body).json()
    entry = client.get(f"{LEDGER}/{done['seq_id']}").json()
    assert entry["provenance"] == "observed"
    diff = client.get(f"{LEDGER}/{done['seq_id']}/diff").json()
    assert "+return 2" in diff["files"][0]["unified"]
    plan = client.post(
        f"{LEDGER}/undo", json={"namespace": name, "seq_ids": [done["seq_id"]], "dry_run": True}
    )
    digest = plan.json()["plan_digest"]
    assert file.read_text() == "return 2\n"
    stale = client.post(
        f"{LEDGER}/undo", json={"namespace": name, "seq_ids": [done["seq_id"]], "plan_digest": "0" * 64}
    )
    assert refusal(stale, 409)["error"] == "stale_plan"
    undo = {"namespace": name, "seq_ids": [done["seq_id"]], "plan_digest": digest, "hunks": [1]}
    assert client.post(f"{LEDGER}/undo", json=undo).status_code == 409  # of one hunk it is another plan
    undone = client.post(f"{LEDGER}/undo", json={"namespace": name, "last_n": 1, "plan_digest": digest})
    assert (undone.status_code, undone.json()["outcome"], file.read_text()) == (200, "undone", "return 1\n")
    again = client.post(f"{LEDGER}/undo", json={"namespace": name, "seq_ids": [done["seq_id"]]})
    assert (again.status_code, again.json()["outcome"], again.json()["already"]) == (
        200,
        "already_undone",
        True,
    )
    back = client.post(f"{LEDGER}/redo", json={"namespace": name, "seq_ids": [done["seq_id"]]})
    assert (back.status_code, file.read_text()) == (200, "return 2\n")
    history = client.get(f"{LEDGER}/undo-history", params={"namespace": name}).json()["undo_history"]
    assert {"undo.applied"} <= {record["kind"] for record in history}


def test_the_work_of_another_is_held_for_the_person(client: httpx.Client, door: Door, work: Path) -> None:
    name = namespace_of(door, work)
    (work / "src" / "a.py").write_text("return 2\n")
    with door.client(door.key("somebody")) as other:
        seq_id = other.post(f"{LEDGER}/record", json=an_edit(namespace=name)).json()["seq_id"]
    held = client.post(f"{LEDGER}/undo", json={"namespace": name, "seq_ids": [seq_id]})
    assert (held.status_code, held.json()["outcome"]) == (202, "held")
    [hold] = client.get(f"{LEDGER}/holds", params={"namespace": name}).json()["holds"]
    assert (hold["hold_id"], hold["actor"], hold["state"]) == (held.json()["hold_id"], "bot", "waiting")
    with door.client(door.key("me", ActorKind.PERSON)) as person:
        undone = person.post(f"{LEDGER}/undo", json={"namespace": name, "seq_ids": [seq_id]})
    assert (undone.status_code, (work / "src" / "a.py").read_text()) == (200, "return 1\n")
    assert "unverified_pre_image" in {each["code"] for each in undone.json()["results"][0]["warnings"]}


def test_later_work_in_the_way_is_a_conflict_and_nothing_is_done(door: Door, work: Path) -> None:
    name, file = namespace_of(door, work), work / "src" / "a.py"
    with door.client(door.key("me", ActorKind.PERSON)) as person:
        ids: list[int] = []
        for before, after in (("return 1\n", "return 2\n"), ("return 2\n", "return 3\n")):
            file.write_text(after)
            body = an_edit(namespace=name, diff_hunks=[])
            body |= {"pre_state": {"existed": True, "content": before}}
            body |= {"post_state": {"existed": True, "content": after}}
            ids.append(person.post(f"{LEDGER}/record", json=body).json()["seq_id"])
        answer = person.post(f"{LEDGER}/undo", json={"namespace": name, "seq_ids": [ids[0]]})
    body = refusal(answer, 409)
    assert (body["error"], body["outcome"]) == ("conflict", "conflict")
    assert body["results"][0]["conflicts"][0]["with_seq_ids"] == [ids[1]]
    assert file.read_text() == "return 3\n"


def test_who_names_nothing_or_too_much_is_told_the_field(client: httpx.Client) -> None:
    assert refusal(client.get(LEDGER), 400)["field"] == "namespace"
    body = an_edit(pre_state={"existed": "yes"})
    assert refusal(client.post(f"{LEDGER}/record", json=body), 400)["field"] == "pre_state.existed"
    found = refusal(client.post(f"{LEDGER}/record", json=an_edit(colour=1, size=2)), 400)
    assert (found["error"], found["title"]) == ("unknown_field", "Unknown: colour, size")
    inner = an_edit(post_state={"existed": True, "owner": "me"})
    assert refusal(client.post(f"{LEDGER}/record", json=inner), 400)["field"] == "post_state.owner"
    for name, low, high in (("max_entries", 50, 50_000), ("max_snapshot_bytes", 4_096, 10_485_760)):
        for value in (low - 1, high + 1, "many", True, 1.5):
            answer = client.post(
                f"{LEDGER}/config", json={"namespace": "ranges", name: value, "enabled": False}
            )
            assert refusal(answer, 400)["field"] == name
            if not isinstance(value, str | float | bool):
                assert f"from {low} to {high}" in answer.json()["detail"]
    assert refusal(client.get(LEDGER, params={"namespace": "ranges"}), 404)["error"] == "not_found"


def test_an_unknown_namespace_is_made_by_record_and_config_alone(client: httpx.Client) -> None:
    for path in ("", "/holds", "/recipes", "/governance", "/undo-history"):
        refusal(client.get(f"{LEDGER}{path}", params={"namespace": "nowhere"}), 404)
    for path in ("/undo", "/redo"):
        refusal(client.post(f"{LEDGER}{path}", json={"namespace": "nowhere", "seq_ids": [1]}), 404)
    refusal(client.get(f"{AGENT}/events", params={"namespace": "nowhere"}), 404)
    assert client.post(f"{LEDGER}/config", json={"namespace": "No Where"}).json()["namespace"] == "no-where"
    assert client.get(f"{LEDGER}/recipes", params={"namespace": "no_where"}).json()["recipes"] == []


def test_an_entry_that_is_not_there_is_named_and_nothing_is_done(client: httpx.Client) -> None:
    seq_id = client.post(f"{LEDGER}/record", json=an_edit()).json()["seq_id"]
    answer = client.post(f"{LEDGER}/undo", json={"namespace": "payments-rails", "seq_ids": [seq_id, 999_999]})
    assert "999999" in refusal(answer, 404)["title"]
    refusal(client.get(f"{LEDGER}/999999"), 404)
    refusal(client.get(f"{LEDGER}/nonsense"), 400)
    refusal(client.get(f"{LEDGER}/{seq_id}", params={"namespace": "no-where-else"}), 404)


@pytest.mark.parametrize(
    "body",
    [{}, {"last_n": 0}, {"last_n": 101}, {"seq_ids": []}, {"seq_ids": [1], "last_n": 1}, {"query": ""}],
)
def test_an_undo_says_in_one_way_what_it_means(client: httpx.Client, body: dict[str, object]) -> None:
    client.post(f"{LEDGER}/config", json={"namespace": "payments-rails"})
    refusal(client.post(f"{LEDGER}/undo", json={"namespace": "payments-rails"} | body), 400)


def test_lists_are_newest_first_and_paged(client: httpx.Client) -> None:
    ids = [
        client.post(f"{LEDGER}/record", json=an_edit(namespace="pages")).json()["seq_id"] for _ in range(5)
    ]
    query: dict[str, Any] = {"namespace": "pages", "limit": 2}
    found: list[int] = []
    before = None
    while True:
        page = client.get(LEDGER, params=query | ({"before": before} if before else {})).json()
        found += [entry["seq_id"] for entry in page["entries"]]
        before = page["next_before"]
        if before is None:
            break
    assert found == ids[::-1]
    only = client.get(LEDGER, params=query | {"after": ids[3], "session_id": "s-1", "query": "ANSWER"}).json()
    assert [entry["seq_id"] for entry in only["entries"]] == [ids[4]]
    for filtered in ({"harness": "x"}, {"state": "undone"}, {"path": "docs"}, {"drifted": "true"}):
        assert client.get(LEDGER, params=query | filtered).json()["entries"] == []
    assert refusal(client.get(LEDGER, params=query | {"limit": 501}), 400)["field"] == "limit"


def test_only_a_module_names_an_inverse_and_not_yet(client: httpx.Client, door: Door) -> None:
    body = an_edit(inverse={"tool": "x"})
    assert refusal(client.post(f"{LEDGER}/record", json=body), 403)["field"] == "inverse"
    with door.client(door.key("m", ActorKind.MODULE)) as module:
        assert refusal(module.post(f"{LEDGER}/record", json=body), 400)["error"] == "not_yet"


SCOPES: tuple[tuple[Scope, str, str], ...] = (
    (Scope.READ, "GET", f"{LEDGER}?namespace=x"),
    (Scope.RECORD, "POST", f"{LEDGER}/record"),
    (Scope.UNDO, "POST", f"{LEDGER}/undo"),
    (Scope.ADMIN, "POST", f"{LEDGER}/config"),
)


@pytest.mark.parametrize(("scope", "method", "path"), SCOPES)
def test_a_scope_opens_its_own_doors_only(door: Door, scope: Scope, method: str, path: str) -> None:
    with door.client(door.key(scopes=[scope])) as mine:
        assert mine.request(method, path, json={} if method == "POST" else None).status_code in {400, 404}
    with door.client(door.key(scopes=[each for each in Scope if each is not scope])) as others:
        body = {"namespace": "x", "seq_ids": [1]} if scope is Scope.UNDO else {}
        refusal(others.request(method, path, json=body if method == "POST" else None), 403)


def test_a_look_at_an_undo_needs_no_more_than_reading(door: Door, client: httpx.Client) -> None:
    seq_id = client.post(f"{LEDGER}/record", json=an_edit()).json()["seq_id"]
    body = {"namespace": "payments-rails", "seq_ids": [seq_id]}
    with door.client(door.key(scopes=[Scope.READ])) as reader:
        assert reader.post(f"{LEDGER}/undo", json=body | {"dry_run": True}).status_code == 200
        refusal(reader.post(f"{LEDGER}/undo", json=body), 403)


HOSTS = ("own", "evil.example:80")
ORIGINS = (None, "null", "https://evil.example")
SITES = (None, "none", "cross-site")
KINDS = ("application/json", "text/plain")
KEYS = (True, False)


def matrix() -> Iterator[tuple[str, str | None, str | None, str, bool, int]]:
    """Every combination of the headers that decide, and the first refusal in the order of the checks."""
    for host, origin, site, kind, has_key in product(HOSTS, ORIGINS, SITES, KINDS, KEYS):
        if host != "own":
            yield host, origin, site, kind, has_key, 421
        elif origin is not None or site == "cross-site":
            yield host, origin, site, kind, has_key, 403
        elif not has_key:
            yield host, origin, site, kind, has_key, 401
        else:
            yield host, origin, site, kind, has_key, 415 if kind == "text/plain" else 201


def test_every_combination_of_headers_meets_its_first_refusal(door: Door, key: str) -> None:
    wrong = list(matrix())
    assert len(wrong) >= 40
    with door.client() as plain:
        for host, origin, site, kind, has_key, expected in wrong:
            headers = {"content-type": kind}
            headers |= {} if host == "own" else {"host": host}
            headers |= {} if origin is None else {"origin": origin}
            headers |= {} if site is None else {"sec-fetch-site": site}
            headers |= {"authorization": f"Bearer {key}"} if has_key else {}
            answer = plain.post(f"{LEDGER}/record", content=json.dumps(an_edit()), headers=headers)
            if expected == 401:
                assert answer.status_code in {401, 429}
            else:
                assert answer.status_code == expected, (headers, answer.text)


def test_no_method_but_the_routes_own_and_never_a_word_to_other_origins(client: httpx.Client) -> None:
    for method in ("OPTIONS", "DELETE", "PUT", "PATCH", "HEAD", "TRACE"):
        for path in {each.path.replace("{seq_id}", "1") for each in DOORS}:
            answer = client.request(method, path)
            assert answer.status_code == 405, (method, path)
            assert answer.headers["allow"]
            assert not [name for name in answer.headers if name.startswith("access-control")]
    refusal(client.get(f"{LEDGER}/undo"), 405)
    refusal(client.post("/nowhere"), 404)
    refusal(client.get(f"{LEDGER}/"), 404)


def test_every_answer_is_private_and_no_page(client: httpx.Client) -> None:
    for path in ("/health", "/nowhere", LEDGER):
        headers = client.get(path).headers
        assert headers["cache-control"] == "no-store"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["content-security-policy"] == "default-src 'none'"
        assert "server" not in headers


def test_health_says_nothing_but_that_it_answers(door: Door) -> None:
    with door.client() as nobody:
        assert nobody.get("/health").json() == {"ok": True}
        refusal(nobody.get("/health", headers={"host": "evil.example"}), 421)


def test_too_many_wrong_keys_are_slowed_down_and_a_right_one_is_not(door: Door, key: str) -> None:
    with door.client("wrong") as wrong:
        found = [wrong.get(f"{LEDGER}?namespace=x").status_code for _ in range(15)]
    assert set(found) == {401, 429}
    with door.client(key) as right:
        assert right.get(f"{LEDGER}/recipes?namespace=payments-rails").status_code in {200, 404}


def test_a_revoked_key_opens_nothing_from_that_moment(door: Door) -> None:
    key = door.key("leaver")
    with door.client(key) as leaver:
        assert leaver.post(f"{LEDGER}/record", json=an_edit()).status_code == 201
        with door.operations() as operations:
            [mine] = [token for token in operations.tokens.all() if token.actor.name == "leaver"]
            operations.tokens.revoke(mine.id)
        until, status = time.monotonic() + 1, 201
        while time.monotonic() < until:
            status = leaver.post(f"{LEDGER}/record", json=an_edit()).status_code
            if status != 201:
                break
        assert status in {401, 429}


def test_contents_that_are_no_text_come_in_base64(client: httpx.Client) -> None:
    body = an_edit(
        content_encoding="base64",
        diff_hunks=[],
        pre_state={"existed": False},
        post_state={"existed": True, "content": "/wD+"},
        action_type="file_create",
    )
    seq_id = client.post(f"{LEDGER}/record", json=body).json()["seq_id"]
    [change] = client.get(f"{LEDGER}/{seq_id}").json()["changes"]
    assert change["after"]["size_bytes"] == 3
    [file] = client.get(f"{LEDGER}/{seq_id}/diff").json()["files"]
    assert file["new_base64"] == "/wD+"
    body["post_state"]["content"] = "not base64!"
    assert refusal(client.post(f"{LEDGER}/record", json=body), 400)["field"] == "post_state.content"


def test_a_body_is_as_large_as_what_is_kept_and_no_larger(client: httpx.Client) -> None:
    def large(namespace: str, size: int) -> httpx.Response:
        text = "x" * (size // 2)
        states = {"pre_state": {"existed": True, "content": text}, "diff_hunks": []}
        states["post_state"] = {"existed": True, "content": f"{text}y"}
        return client.post(f"{LEDGER}/record", json=an_edit(namespace=namespace, **states))

    done = large("roomy", 2**20)
    [change] = client.get(f"{LEDGER}/{done.json()['seq_id']}").json()["changes"]
    assert (done.status_code, change["after"]["size_bytes"]) == (
        201,
        2**19 + 1,
    )  # over the cap: hash and size stay
    refusal(large("roomy", 2 * 2**20), 413)
    refusal(client.post(f"{LEDGER}/undo", content=b" " * (2 * 2**20 + 1), headers=IS_JSON), 413)
    client.post(f"{LEDGER}/config", json={"namespace": "roomy", "max_snapshot_bytes": 10_485_760})
    assert large("roomy", 20 * 2**20).status_code == 201
    client.post(f"{LEDGER}/config", json={"namespace": "roomy", "max_snapshot_bytes": 262_144})


def test_what_the_hooks_spooled_is_seen_by_who_reads(client: httpx.Client, door: Door, work: Path) -> None:
    Run(work, door.home.spool).write("src/new.py", b"new\n")
    name = namespace_of(door, work)
    listed = client.get(LEDGER, params={"namespace": name}).json()
    assert [entry["target_path"] for entry in listed["entries"]] == ["src/new.py"]
