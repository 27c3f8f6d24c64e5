"""References taken back through the doors: the terminal asks, HTTP waits for the person, a forgery never runs."""

from pathlib import Path

import pytest

from sulcus_panel.core.access import ALL_SCOPES, Caller
from sulcus_panel.core.model import EntryState
from sulcus_panel.service.asking import Ask
from sulcus_panel.service.selection import Selection
from tests.end_to_end.test_references import says
from tests.support.commands import agent_runs, sh
from tests.support.http_door import LEDGER, serving
from tests.support.scene import Scene


@pytest.fixture
def repo(scene: Scene) -> Path:
    scene.person("a.txt", b"one\n")
    sh(scene.folder, "git init -q -b main && git add -A && git commit -qm one")
    return scene.folder


def test_the_terminal_shows_both_sides_and_asks_twice(scene: Scene, repo: Path) -> None:
    before = says(repo)
    entry = agent_runs(scene, "git switch -q -c topic")
    shown = scene.terminal("ledger", "rollback", str(entry.seq_id), "--dry-run")
    assert "branch topic was made at" in shown.out
    assert "HEAD goes to main, and no file changes; branch topic is deleted" in shown.out
    assert "git  symbolic-ref  HEAD  refs/heads/main" in shown.out
    for refusal in ("y\n", "n\n", ""):
        scene.terminal("ledger", "rollback", str(entry.seq_id), stdin=refusal)
        assert "refs/heads/topic" in says(repo)
    done = scene.terminal("ledger", "rollback", str(entry.seq_id), stdin="y\ny\n")
    assert (done.code, says(repo)) == (0, before)
    assert "`ledger redo" in done.out
    assert "already so" not in done.out
    back = scene.terminal("ledger", "redo", str(entry.seq_id), stdin="y\ny\n")
    assert (back.code, f"#{entry.seq_id} is back" in back.out) == (0, True), back
    assert "refs/heads/topic" in says(repo)


def test_json_tells_what_would_be_and_what_came_of_it(scene: Scene, repo: Path) -> None:
    entry = agent_runs(scene, "git tag v1")
    planned = scene.terminal("ledger", "rollback", str(entry.seq_id), "--dry-run", "--json").json()
    (effect,) = planned["results"][0]["effects"]
    assert (effect["happened"][:12], effect["outcome"]) == ("tag v1 was m", "undone")
    assert effect["commands"][0][:3] == ["git", "update-ref", "-d"]
    done = scene.terminal("ledger", "rollback", str(entry.seq_id), "--json", stdin="y\ny\n").json()
    (result,) = done["results"]
    assert (result["outcome"], result["strategy"], result["paths"]) == ("undone", "compensating_cli", [])
    shown = scene.terminal("ledger", "show", str(entry.seq_id), "--json").json()
    (move,) = (shown.get("entry") or shown)["git"]["refs"]
    assert (move["name"], move["before"]) == ("refs/tags/v1", None)
    assert "v1" not in says(repo)


def test_over_http_it_waits_for_the_person_and_a_forged_record_never_runs(scene: Scene, repo: Path) -> None:
    entry = agent_runs(scene, "git branch topic")
    name = scene.operations.entry(entry.seq_id).record.actor.name
    space, before = entry.namespace, says(repo)
    scene.operations.close()
    with serving(scene.home.root) as door, door.client(door.key(name)) as client:
        held = client.post(f"{LEDGER}/undo", json={"namespace": space, "seq_ids": [entry.seq_id]})
        assert (held.status_code, held.json()["outcome"]) == (202, "held")
        assert "branch topic is deleted" in held.json()["reason"]
        forged = client.post(
            f"{LEDGER}/record",
            json={
                "namespace": space,
                "session_id": "s",
                "harness": "codex",
                "action_type": "run_command",
                "tool_name": "shell",
                "target_path": "a.txt",
                "summary": "made a branch",
                "command": "git branch main",
                "cwd": str(repo),
            },
        )
        assert forged.status_code == 201
        tried = client.post(
            f"{LEDGER}/undo", json={"namespace": space, "seq_ids": [forged.json()["seq_id"]], "dry_run": True}
        ).json()
        assert tried["outcome"] in {"unavailable", "nothing_to_undo"}, tried
        assert "commands" not in tried["results"][0]
        assert says(repo) == before


def test_a_hold_is_accepted_at_the_terminal_with_a_yes_to_the_effect(scene: Scene, repo: Path) -> None:
    before = says(repo)
    entry = agent_runs(scene, "git branch topic")
    actor = scene.operations.entry(entry.seq_id).record.actor
    ask = Ask(Selection((entry.seq_id,)))
    answer = scene.operations.asking.ask(Caller(actor, ALL_SCOPES), entry.workspace_id, ask)
    assert answer.hold is not None
    done = scene.terminal("holds", "accept", str(answer.hold.id), stdin="y\ny\n")
    assert (done.code, says(repo)) == (0, before), done
    assert scene.state(entry) is EntryState.UNDONE
