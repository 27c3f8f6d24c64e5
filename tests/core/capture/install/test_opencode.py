"""OpenCode's plugin in a real JavaScript engine: what it spools for each event, and that nothing stops a tool."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from sulcus_panel.core.capture.install.config_file import apply_plan
from sulcus_panel.core.capture.install.hook_command import hook_command
from sulcus_panel.core.capture.install.hook_home import Machine
from sulcus_panel.core.capture.install.opencode import OPENCODE
from sulcus_panel.core.capture.spool import SpoolEvent, parse_spool
from tests.support.hooks import spooled

NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="no JavaScript engine here")
DRIVER = """
const { SulcusPanel } = await import(process.argv[2]);
const hooks = await SulcusPanel(JSON.parse(process.argv[3]));
for (const [name, ...given] of JSON.parse(process.argv[4])) await hooks[name](...given);
console.log("went on");
"""


def plugin(machine: Machine, argv: tuple[str, ...]) -> Path:
    apply_plan(OPENCODE.plan_install(machine, None, argv))
    (path,) = OPENCODE.paths(machine, None)
    module = path.with_suffix(".mjs")  # OpenCode's own engine takes .js as a module
    module.write_bytes(path.read_bytes())
    return module


def play(tmp_path: Path, argv: tuple[str, ...], calls: list[list[Any]]) -> None:
    """Load the plugin as OpenCode does and call these hooks."""
    module = plugin(Machine({}, tmp_path / "home"), argv)
    (tmp_path / "driver.mjs").write_text(DRIVER)
    context = json.dumps({"directory": str(tmp_path), "worktree": str(tmp_path)})
    environment = {key: value for key, value in os.environ.items() if key != "SULCUS_HOME"}
    done = subprocess.run(
        [NODE or "node", tmp_path / "driver.mjs", module, context, json.dumps(calls)],
        capture_output=True,
        env=environment,
        check=False,
    )
    assert (done.stdout, done.stderr, done.returncode) == (b"went on\n", b"", 0)


def events(spool: Path) -> list[SpoolEvent]:
    return [parse_spool(one.name, one.read_bytes()) for one in spooled(spool)]


@needs_node
def test_each_event_is_spooled_in_the_documented_shape_with_the_file(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"one\n")
    call = {"tool": "edit", "sessionID": "ses_1", "callID": "call_1"}
    args = {"filePath": "a.txt", "oldString": "one", "newString": "two"}
    failed = {"type": "tool", "callID": "call_2", "tool": "bash", "sessionID": "ses_1"}
    state = {"status": "error", "input": {"command": "x"}, "error": "no"}
    part = {"type": "message.part.updated", "properties": {"part": {**failed, "state": state}}}
    said = [
        {"type": "text", "text": "do"},
        {"type": "text", "text": "no", "synthetic": True},
        {"type": "file"},
    ]
    play(
        tmp_path,
        hook_command("opencode", tmp_path / "spool"),
        [
            ["tool.execute.before", {**call, "sessionID": "ses_0"}, {"args": args}],
            [
                "chat.message",
                {"sessionID": "ses_1"},
                {"message": {"id": "msg_1", "model": {"providerID": "p", "modelID": "big-1"}}, "parts": said},
            ],
            ["tool.execute.before", call, {"args": args}],
            [
                "tool.execute.after",
                {**call, "args": args},
                {"title": "t", "output": "o", "metadata": {"m": 1}},
            ],
            ["event", {"event": part}],
            ["event", {"event": part}],
            [
                "event",
                {"event": {"type": "session.created", "properties": {"info": {"id": "s", "parentID": "p"}}}},
            ],
            ["event", {"event": {"type": "session.idle", "properties": {"sessionID": "ses_1"}}}],
            ["event", {"event": {"type": "lsp.updated", "properties": {}}}],
            ["tool.execute.before", {"tool": "grep"}, {"args": {}}],
        ],
    )
    early, prompt, before, after, error, created, idle = events(tmp_path / "spool")
    assert "model" not in early.payload, "nobody has told it yet"
    common = {"session_id": "ses_1", "cwd": str(tmp_path), "worktree": str(tmp_path), "model": "big-1"}
    assert prompt.payload == {
        **common, "hook_event_name": "chat.message", "message_id": "msg_1", "prompt": "do"
    }  # fmt: skip
    named = {**common, "tool_name": "edit", "tool_use_id": "call_1", "tool_input": args}
    assert before.payload == {**named, "hook_event_name": "tool.execute.before"}
    assert after.payload == {
        **named,
        "hook_event_name": "tool.execute.after",
        "tool_response": {"title": "t", "output": "o", "metadata": {"m": 1}},
    }
    seen = before.seen_at("a.txt")
    assert seen is not None
    assert seen.own.content == b"one\n"
    assert (error.payload["hook_event_name"], error.payload["error"]) == ("tool.execute.error", "no")
    assert (created.payload["session_id"], created.payload["parent_id"]) == ("s", "p")
    assert idle.payload == {**common, "hook_event_name": "session.idle"}


@needs_node
def test_the_model_is_that_of_the_sessions_last_message(tmp_path: Path) -> None:
    call = {"tool": "bash", "callID": "c"}

    def asked(session: str, **told: object) -> list[Any]:
        return ["chat.message", {"sessionID": session, **told}, {"parts": []}]

    def called(session: str) -> list[Any]:
        return ["tool.execute.before", {**call, "sessionID": session}, {"args": {"command": "make"}}]

    small, big = {"model": {"modelID": "small"}}, {"model": {"modelID": "big"}}
    gone = {"event": {"type": "session.deleted", "properties": {"info": {"id": "a"}}}}
    calls = [asked("a", **small), called("a"), asked("b", **big), called("a"), called("b"), asked("a", **big)]
    play(
        tmp_path,
        hook_command("opencode", tmp_path / "spool"),
        [*calls, called("a"), asked("a", model=None), called("a"), ["event", gone], called("a")],
    )
    told = [one.payload.get("model") for one in events(tmp_path / "spool") if "tool_name" in one.payload]
    assert told == ["small", "small", "big", "big", "big", None]


@needs_node
@pytest.mark.parametrize("program", ["/nowhere/python", "/bin/false"])
def test_a_hook_that_cannot_start_or_fails_stops_no_tool(tmp_path: Path, program: str) -> None:
    play(
        tmp_path,
        hook_command("opencode", tmp_path / "spool", program),
        [["tool.execute.before", {"tool": "bash"}, {"args": {"command": "x" * 100_000}}], ["event", {}]],
    )


def test_the_plugin_is_one_file_of_ours_that_comes_and_goes(tmp_path: Path) -> None:
    machine = Machine({}, tmp_path)
    assert not OPENCODE.is_present(machine)
    argv = hook_command("opencode", Path("/data/it's"), "/opt/python")
    apply_plan(OPENCODE.plan_install(machine, None, argv))
    path = tmp_path / ".config" / "opencode" / "plugins" / "sulcus-panel.js"
    assert json.dumps(list(argv)) in path.read_text()
    assert OPENCODE.is_present(machine)
    assert OPENCODE.status(machine, None, argv).current
    apply_plan(OPENCODE.plan_uninstall(machine, None))
    assert not path.exists()
