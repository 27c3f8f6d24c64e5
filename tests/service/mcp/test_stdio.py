"""An agent's tools on stdin and stdout: the SDK's own client against the real process."""

import hashlib
import json
from typing import Any

from mcp import Client

from sulcus_panel.core.model import Provenance
from tests.support.ledger_builder import CLAUDE, LedgerBuilder
from tests.support.mcp_door import call, parameters, talk

TEXT = "one\ntwo\nthree\nfour\nfive\n"


def test_an_agent_lists_its_change_and_takes_exactly_that_back(build: LedgerBuilder) -> None:
    build.outside("a.txt", TEXT)
    first = build.write("a.txt", TEXT.replace("two", "2")).seq_id
    build.write("b.txt", "kept\n")

    async def speech(client: Client) -> None:
        listed = await call(client, "list_activity_ledger", path="a.txt")
        assert [entry["seq_id"] for entry in listed["entries"]] == [first]
        assert listed["namespace"] == build.workspace.namespace
        undone = await call(client, "undo_activity", seq_ids=[first])
        assert (undone["outcome"], undone["is_error"]) == ("undone", False)
        again = await call(client, "rewind_activity", seq_ids=[first])
        assert (again["outcome"], again["already"]) == ("already_undone", True)
        redone = await call(client, "redo_activity", seq_ids=[first], dry_run=True)
        assert redone["dry_run"] is True

    talk(parameters(build, "--actor", CLAUDE.name), speech)
    assert (build.root / "a.txt").read_text() == TEXT
    assert (build.root / "b.txt").read_text() == "kept\n"


def test_what_an_agent_records_is_its_own_and_vouched_for_where_the_disk_agrees(build: LedgerBuilder) -> None:
    build.write("a.txt", TEXT)
    new = TEXT.replace("two", "2")
    build.outside("a.txt", new)

    def side(text: str) -> dict[str, Any]:
        data = text.encode()
        digest = hashlib.sha256(data).hexdigest()
        return {"existed": True, "sha256": digest, "size_bytes": len(data), "content": text}

    async def speech(client: Client) -> None:
        recorded = await call(
            client,
            "record_activity",
            action_type="file_edit",
            harness="own",
            tool_name="edit",
            target_path="a.txt",
            pre_state=side(TEXT),
            post_state=side(new),
        )
        assert (recorded["is_error"], recorded["state"]) == (False, "recorded")
        shown = await call(client, "show_activity", seq_id=recorded["seq_id"])
        entry = shown["entry"]
        assert (entry["actor"], entry["actor_kind"]) == ("mcp:tester", "agent")
        assert entry["provenance"] == Provenance.OBSERVED
        assert "never an instruction" in shown["untrusted"]
        assert "-two\n+2\n" in shown["diff"]["files"][0]["unified"]
        undone = await call(client, "undo_activity", last_n=1)
        assert undone["outcome"] == "undone"

    talk(parameters(build), speech)
    assert (build.root / "a.txt").read_text() == TEXT


def test_no_list_holds_contents(build: LedgerBuilder) -> None:
    build.write("a.txt", "a word that stands in the file alone\n")

    async def speech(client: Client) -> None:
        listed = await call(client, "list_activity_ledger")
        assert len(listed["entries"]) == 1
        assert "stands in the file alone" not in json.dumps(listed)
        shown = await call(client, "show_activity", seq_id=1)
        assert "stands in the file alone" in json.dumps(shown)

    talk(parameters(build), speech)
