"""The person's rules from the terminal: made, changed, tried on what happened, switched, dropped."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from sulcus_panel.service.operations import Operations
from sulcus_panel.service.webhooks import Webhooks
from tests.support.clock import FakeClock
from tests.support.ledger_builder import LedgerBuilder
from tests.support.terminal import Answer, sulcus

NOTIFY = ("--name", "Watch", "--event", "entry.recorded", "--action", "notify")


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LedgerBuilder]:
    builder = LedgerBuilder.make(tmp_path, FakeClock(datetime.now(UTC)))
    monkeypatch.setenv("SULCUS_HOME", str(builder.home.root))
    builder.write("a.txt", "1\n")
    builder.write("b.md", "1\n")
    yield builder
    builder.ledger.close()


def triggers(work: LedgerBuilder, *args: str, stdin: str = "") -> Answer:
    return sulcus("triggers", *args, cwd=work.root, stdin=stdin)


def test_a_rule_is_made_for_this_workspace_and_listed_there_alone(
    work: LedgerBuilder, tmp_path: Path
) -> None:
    assert triggers(work, "list").out == "There is no trigger here.\n"
    made = triggers(work, "add", *NOTIFY, "--path", "*.txt", "--cooldown", "5", "--json")
    assert made.code == 0, made.err
    rule = made.json()
    assert (rule["namespace"], rule["filter"]["path"], rule["cooldown_seconds"]) == ("work", "*.txt", 5)
    everywhere = triggers(work, "add", *NOTIFY, "--all-workspaces", "--json").json()
    assert everywhere["namespace"] is None
    listed = triggers(work, "list", "--json").json()["triggers"]
    assert listed == [rule, everywhere]
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    assert sulcus("triggers", "list", "--json", cwd=elsewhere).json()["triggers"] == [everywhere]
    every = sulcus("triggers", "list", "--all-workspaces", "--json", cwd=elsewhere).json()["triggers"]
    assert every == listed
    assert "entry.recorded: notify, *.txt, rests 5 s; fired 0 times" in triggers(work, "list").out


def test_a_change_leaves_what_is_not_said(work: LedgerBuilder) -> None:
    triggers(work, "add", *NOTIFY, "--path", "*.txt", "--max-fires", "2", "--action-type", "file_edit")
    changed = triggers(work, "change", "1", "--action", "label", "--label", "seen", "--json").json()
    assert (changed["name"], changed["action"], changed["label"], changed["filter"]["path"]) == (
        "Watch",
        "label",
        "seen",
        "*.txt",
    )
    cleared = triggers(work, "change", "1", "--path", "", "--max-fires", "none", "--json").json()
    assert (cleared["filter"]["path"], cleared["max_fires"]) == ("", None)
    assert cleared["filter"]["action_types"] == ["file_edit"]


def test_a_rule_moves_to_all_workspaces_and_back_to_one(work: LedgerBuilder) -> None:
    here = triggers(work, "add", *NOTIFY, "--json").json()["namespace"]
    assert here == work.workspace.namespace
    assert triggers(work, "change", "1", "--name", "Still", "--json").json()["namespace"] == here
    assert triggers(work, "change", "1", "--all-workspaces", "--json").json()["namespace"] is None
    assert triggers(work, "change", "1", "--only-here", "--json").json()["namespace"] == here
    assert triggers(work, "change", "1", "--only-here", "--all-workspaces").code == 2


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--event", "config.changed"], "No trigger can listen to config.changed"),
        (["--action", "label"], "A label is a word"),
        (["--action", "webhook", "--url", "ftp://x"], "http://"),
        (["--cooldown", "-1"], "rests from 0"),
        (["--max-fires", "0"], "fires 1 to 1000000"),
        (["--max-fires", "many"], "neither a number nor none"),
        (["--min-bytes", "-5"], "a size from 0"),
        (["--name", "x\x1b[31m"], "needs a name"),
    ],
)
def test_a_rule_that_cannot_be_meant_is_a_usage_error_and_none_is_made(
    work: LedgerBuilder, args: list[str], said: str
) -> None:
    answer = triggers(work, "add", *NOTIFY, *args)
    assert (answer.code, answer.out) == (2, "")
    assert said in answer.err
    assert "\x1b" not in answer.err
    assert triggers(work, "list", "--json").json() == {"triggers": []}


def test_a_secret_comes_from_a_file_and_is_shown_to_nobody(work: LedgerBuilder, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("hush-hush\n")
    webhook = ("--name", "Tell", "--event", "undo.*", "--action", "webhook", "--url", "http://127.0.0.1:1/x")
    made = triggers(work, "add", *webhook, "--secret-file", str(secret), "--json")
    assert made.json()["signed"] is True
    said = [made, triggers(work, "list"), triggers(work, "list", "--json"), triggers(work, "history")]
    assert not any("hush" in answer.out + answer.err for answer in said)
    [kept] = work.ledger.rules.all()
    assert kept.rule.secret == "hush-hush"
    assert triggers(work, "change", "1", "--secret-file", "-", "--json", stdin="").json()["signed"] is False
    assert triggers(work, "add", *webhook, "--secret-file", str(tmp_path / "none")).code == 2
    secret.write_bytes(b"\xff\xfe")
    refused = triggers(work, "add", *webhook, "--secret-file", str(secret), "--json")
    assert (refused.code, refused.json()["field"]) == (2, "secret_file")


def test_a_dry_run_tells_what_would_have_fired_and_does_nothing(work: LedgerBuilder) -> None:
    dry = triggers(work, "dry-run", "--event", "entry.recorded", "--path", "*.md", "--json").json()
    assert [event["seq_id"] for event in dry["events"]] == [2]
    triggers(work, "add", *NOTIFY, "--path", "*.txt")
    assert [e["seq_id"] for e in triggers(work, "dry-run", "1", "--json").json()["events"]] == [1]
    wider = triggers(work, "dry-run", "1", "--path", "")
    assert [line.split()[2:] for line in wider.out.splitlines()] == [
        ["entry.recorded", "#2", "b.md"],
        ["entry.recorded", "#1", "a.txt"],
    ]
    assert triggers(work, "dry-run", "--path", "nothing*").out == "It would not have fired.\n"
    assert triggers(work, "history", "--json").json() == {"firings": []}


def test_a_rule_is_switched_and_dropped_with_its_history(work: LedgerBuilder) -> None:
    triggers(work, "add", *NOTIFY)
    work.write("c.txt", "1\n")
    with Operations.open(work.home) as operations:
        assert operations.triggers.run() == 1
    [firing] = triggers(work, "history", "1", "--json").json()["firings"]
    assert (firing["trigger_id"], firing["told"]) == (1, "entry.recorded #3 c.txt")
    assert "entry.recorded #3 c.txt" in triggers(work, "history").out
    assert triggers(work, "off", "1", "--json").json()["enabled"] is False
    assert "[off]" in triggers(work, "list").out
    assert triggers(work, "on", "1", "--json").json()["enabled"] is True
    assert triggers(work, "drop", "1", "--json").json()["fires"] == 1
    assert triggers(work, "list", "--json").json() == {"triggers": []}
    assert triggers(work, "history", "1").code == 1
    assert triggers(work, "drop", "1").code == 1
    kinds = {record.kind for record in work.ledger.governance(None)}
    assert {"trigger.made", "trigger.changed", "trigger.dropped"} <= kinds


def test_a_call_that_was_given_up_is_listed(work: LedgerBuilder) -> None:
    webhook = ("--name", "Tell", "--event", "entry.recorded", "--action", "webhook")
    triggers(work, "add", *webhook, "--url", "http://127.0.0.1:1/x")
    assert triggers(work, "dead").out == "No call was given up.\n"
    work.write("c.txt", "1\n")
    with Operations.open(work.home) as operations:
        assert operations.triggers.run() == 1
        operations.set_setting(work.workspace.id, "air_gap", "true")
        assert Webhooks(operations.ledger, operations.clock, no_call).deliver() == 0
    [call] = triggers(work, "dead", "--json").json()["dead"]
    assert (call["trigger_id"], call["state"], call["error"]) == (1, "dead", "the workspace is air-gapped")
    assert "air-gapped" in triggers(work, "dead").out


def no_call(url: str, body: bytes, headers: dict[str, str]) -> int:
    raise AssertionError(f"{url} was called with {body!r}, {headers}")
