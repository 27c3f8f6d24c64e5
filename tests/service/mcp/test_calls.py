"""Odd calls: each is a clear error in the one form, and nothing is changed."""

import json
from typing import Any

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from tests.support.ledger_builder import CLAUDE, LedgerBuilder
from tests.support.mcp_door import call, parameters, raw_server, talk

FORM = {"error", "title", "detail", "hint", "field", "is_error"}
AN_EDIT = {"action_type": "file_edit", "target_path": "a"}
ODD: list[tuple[str, dict[str, Any], str, str]] = [
    ("list_activity_ledger", {"nonsense": 1}, "unknown_field", "nonsense"),
    ("list_activity_ledger", {"limit": 0}, "bad_request", "limit"),
    ("list_activity_ledger", {"limit": "5"}, "bad_request", "limit"),
    ("list_activity_ledger", {"query": "a\0b"}, "bad_request", ""),
    ("list_activity_ledger", {"namespace": "nowhere"}, "not_found", ""),
    ("show_activity", {}, "bad_request", "seq_id"),
    ("show_activity", {"seq_id": 999}, "not_found", ""),
    ("show_activity", {"seq_id": 2**70}, "bad_request", "seq_id"),
    ("undo_activity", {}, "bad_request", ""),
    ("undo_activity", {"seq_ids": [1], "last_n": 1}, "bad_request", ""),
    ("undo_activity", {"seq_ids": [1, 999]}, "not_found", ""),
    ("undo_activity", {"seq_ids": [True]}, "bad_request", "seq_ids[0]"),
    ("undo_activity", {"seq_ids": [1], "plan_digest": "x"}, "stale_plan", ""),
    ("undo_activity", {"hold_id": 1, "seq_ids": [1]}, "bad_request", "hold_id"),
    ("undo_activity", {"hold_id": 99}, "not_found", ""),
    ("redo_activity", {"seq_ids": []}, "bad_request", "seq_ids"),
    ("record_activity", {"action_type": "dance"}, "bad_request", "action_type"),
    ("record_activity", AN_EDIT | {"inverse": {}}, "inverse_not_allowed", "inverse"),
    ("record_activity", AN_EDIT | {"input": {"a": [[[[]]]] * 9000}}, "bad_request", ""),
    ("record_activity", AN_EDIT | {"summary": "x" * 3_000_000}, "too_large", ""),
]


def test_odd_words_are_clear_errors_and_change_nothing(build: LedgerBuilder) -> None:
    build.outside("a.txt", "one\n")
    build.write("a.txt", "two\n")

    async def speech(client: Client) -> None:
        for tool, arguments, error, field in ODD:
            answer = await call(client, tool, **arguments)
            told = (tool, str(arguments)[:80])
            assert (set(answer), answer["error"], answer["field"], told) == (FORM, error, field, told)
        with pytest.raises(MCPError, match="Unknown tool"):
            await client.call_tool("rm_activity", {})
        assert len((await call(client, "list_activity_ledger"))["entries"]) == 1

    talk(parameters(build, "--actor", CLAUDE.name), speech)
    assert (build.root / "a.txt").read_text() == "two\n"


def test_lines_that_no_client_sends_end_nothing(build: LedgerBuilder) -> None:
    build.write("a.txt", "one\n")
    words = {"name": "list_activity_ledger", "arguments": {"query": "\ud800"}}
    half = json.dumps({"jsonrpc": "2.0", "id": 77, "method": "tools/call", "params": words}).encode()
    with raw_server(build) as server:
        server.greets()
        for line in (b"", b"nonsense", b"\xff\xfe", b"{}", b"[" * 500, half, b"\0", b"x" * 5_000_000):
            server.sends(line)
        assert len(server.calls("list_activity_ledger")["entries"]) == 1


def test_every_tool_says_what_it_takes_and_whether_it_changes_anything(build: LedgerBuilder) -> None:
    async def speech(client: Client) -> None:
        for tool in (await client.list_tools()).tools:
            schema, hints = tool.input_schema, tool.annotations
            assert schema["additionalProperties"] is False
            assert "namespace" not in schema.get("required", ())
            assert hints is not None
            assert hints.read_only_hint == tool.name.startswith(("list", "show"))
            assert hints.destructive_hint == tool.name.startswith(("undo", "rewind", "redo"))

    talk(parameters(build), speech)
