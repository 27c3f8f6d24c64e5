"""A harness with both our hooks and our MCP server: a call of our own tools is told once, and is no change."""

from pathlib import Path

from mcp import Client

from sulcus_panel.service.operations import utc_now
from tests.support.clock import FakeClock
from tests.support.hooks import Run
from tests.support.ledger_builder import LedgerBuilder
from tests.support.mcp_door import call, parameters, talk
from tests.support.terminal import sulcus


def test_an_undo_that_the_agents_own_hooks_see_is_one_row_and_the_next_one_goes_further_back(
    tmp_path: Path,
) -> None:
    build = LedgerBuilder.make(tmp_path, FakeClock(utc_now()))
    build.ledger.close()
    agent = Run(build.root, build.home.spool)
    agent.event("SessionStart")
    for number in (1, 2):
        (build.root / f"{number}.txt").write_text("old\n")
        agent.edit(f"{number}.txt", "old", "new")

    async def speech(client: Client) -> None:
        for number in (2, 1):
            fields = {"tool_use_id": agent.next_id()}
            name, given = "mcp__sulcus-panel__undo_activity", {"last_n": 1}
            agent.tool("PreToolUse", name, given, **fields)
            done = await call(client, "undo_activity", **given)
            agent.tool("PostToolUse", name, given, tool_response=[{"type": "text", "text": "{}"}], **fields)
            assert [path["path"] for path in done["results"][0]["paths"]] == [f"{number}.txt"]
            assert done["outcome"] == "undone"

    talk(parameters(build, "--actor", "Claude Code"), speech)
    listed = sulcus("ledger", "list", "--json", cwd=build.root, home=build.home.root).json()["entries"]
    assert [(entry["origin"], entry["action_type"]) for entry in listed] == [
        ("agent", "file_edit"),
        ("agent", "file_edit"),
        ("undo", "file_edit"),
        ("undo", "file_edit"),
    ]
    assert {(build.root / f"{number}.txt").read_text() for number in (1, 2)} == {"old\n"}
