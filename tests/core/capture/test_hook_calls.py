"""Every harness's payload names its files and commands, and nothing that is no payload stops the hook."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sulcus_panel.core.capture import hook_calls
from sulcus_panel.core.capture.hook_calls import (
    FILE_TOOLS,
    MAX_NAMED,
    command_of,
    ended_of,
    files_named_by,
    folder_of,
    is_mcp,
    key_of,
    moment_of,
    named_in_patch,
    parse_json,
    without_mail,
    writes_late,
)

Payload = dict[str, Any]
PATCH = (
    "*** Begin Patch\n*** Add File: new.py\n+*** Update File: no.py\n*** Update File: a.py\n"
    "*** Move to: b.py\n@@\n-1\n+2\n*** Delete File: /w/c.py\n*** End Patch\n"
)
PATCHED = ["/w/new.py", "/w/a.py", "/w/b.py", "/w/c.py"]


def tool(name: str, given_: object, **fields: object) -> Payload:
    return {"hook_event_name": "PreToolUse", "cwd": "/w", "tool_name": name, "tool_input": given_, **fields}


def cline(name: str, **parameters: str) -> Payload:
    return {"workspaceRoots": ["/w"], "preToolUse": {"toolName": name, "parameters": parameters}}


def windsurf(action: str, **told: object) -> Payload:
    return {"agent_action_name": action, "tool_info": told}


NAMED: dict[str, tuple[Payload, list[str]]] = {
    "claude write": (tool("Write", {"file_path": "/w/a", "content": "*** Begin Patch"}), ["/w/a"]),
    "claude notebook": (tool("NotebookEdit", {"notebook_path": "/w/a.ipynb"}), ["/w/a.ipynb"]),
    "claude read": (tool("Read", {"file_path": "/w/a"}), []),
    "claude mcp": (tool("mcp__files__move", {"source": "a", "destination": "/x/b"}), ["/w/a", "/x/b"]),
    "codex patch": (tool("apply_patch", {"command": PATCH}), PATCHED),
    "codex patch in a shell": (tool("Bash", {"command": f"apply_patch <<'EOF'\n{PATCH}EOF"}), PATCHED),
    "codex patch in an argv": (tool("shell", {"command": ["apply_patch", PATCH], "workdir": "/w"}), PATCHED),
    "gemini write": (tool("write_file", {"file_path": "a", "content": ""}), ["/w/a"]),
    "gemini replace": (tool("replace", {"file_path": "/w/a"}), ["/w/a"]),
    "copilot by claude's names": (tool("Edit", {"path": "a", "old_str": "1", "new_str": "2"}), ["/w/a"]),
    "copilot patch as text": (tool("Edit", PATCH), PATCHED),
    "copilot in camel case": (
        {"cwd": "/w", "toolName": "create", "toolArgs": '{"path": "a", "file_text": ""}'},
        ["/w/a"],
    ),
    "copilot's arguments as they are": (
        {"cwd": "/w", "toolName": "edit", "toolArgs": {"path": "a"}},
        ["/w/a"],
    ),
    "vs code create": (tool("create_file", {"filePath": "/w/a"}), ["/w/a"]),
    "vs code several": (
        tool("multi_replace_string_in_file", {"replacements": [{"filePath": "/w/a"}, {"filePath": "b"}]}),
        ["/w/a", "/w/b"],
    ),
    "vs code list": (tool("editFiles", {"files": ["src/main.ts", "/w/b"]}), ["/w/src/main.ts", "/w/b"]),
    "vs code patch": (tool("apply_patch", {"input": PATCH, "explanation": "x"}), PATCHED),
    "cursor write": (
        {**tool("Write", {"path": "a"}), "cwd": None, "workspace_roots": ["/w"], "cursor_version": "2"},
        ["/w/a"],
    ),
    "cursor after an edit": (
        {"hook_event_name": "afterFileEdit", "file_path": "/w/a", "edits": [{"old_string": "1"}]},
        ["/w/a"],
    ),
    "cursor delete": (tool("Delete", {"path": "/w/a"}), ["/w/a"]),
    "windsurf": (windsurf("pre_write_code", file_path="/w/a", edits=[]), ["/w/a"]),
    "windsurf read": (windsurf("pre_read_code", file_path="/w/a"), []),
    "windsurf mcp": (windsurf("post_mcp_tool_use", mcp_tool_arguments={"path": "/w/a"}), ["/w/a"]),
    "cline write": (cline("write_to_file", path="src/a", content="x"), ["/w/src/a"]),
    "cline patch": (cline("apply_patch", input=PATCH), PATCHED),
    "cline read": (cline("read_file", path="a"), []),
    "opencode": (tool("edit", {"filePath": "a"}), ["/w/a"]),
    "opencode patch": (tool("apply_patch", {"patchText": PATCH}), PATCHED),
    "windows": (tool("Write", {"file_path": "C:\\w\\a"}), ["C:\\w\\a"]),
}


@pytest.mark.parametrize(("payload", "files"), NAMED.values(), ids=NAMED.keys())
def test_the_files_of_every_harness_are_found(payload: Payload, files: list[str]) -> None:
    assert files_named_by(payload) == files


@pytest.mark.parametrize(
    ("payload", "command"),
    [
        (tool("Bash", {"command": "make"}), "make"),
        (tool("shell", {"command": ["bash", "-lc", "make"]}), "bash -lc make"),
        (tool("run_in_terminal", {"command": "make"}), "make"),
        ({"toolName": "bash", "toolArgs": '{"command": "make"}'}, "make"),
        ({"hook_event_name": "beforeShellExecution", "command": "make"}, "make"),
        (windsurf("pre_run_command", command_line="make"), "make"),
        (cline("execute_command", command="make"), "make"),
        (tool("Bash", {}), None),
        (tool("Write", {"command": "make"}), None),
        ("text", None),
    ],
)
def test_the_shell_command_is_found(payload: Payload, command: str | None) -> None:
    assert command_of(payload) == command


@pytest.mark.parametrize(
    ("payload", "moment"),
    [
        (tool("Bash", {}), "before"),
        ({"hook_event_name": "PostToolUseFailure"}, "after"),
        ({"hookEventName": "PostToolUse"}, "after"),
        ({"hook_event_name": "AfterTool"}, "after"),
        ({"hookName": "PreToolUse", **cline("execute_command", command="x")}, "before"),
        (windsurf("post_run_command"), "after"),
        ({"toolName": "bash", "toolArgs": "{}"}, "before"),
        ({"toolName": "bash", "toolArgs": "{}", "toolResult": {}}, "after"),
        ({"hook_event_name": "tool.execute.error"}, "after"),
        ({"hook_event_name": "SessionStart"}, "session"),
        ({"hook_event_name": "PreCompact"}, ""),
        ({"hook_event_name": 7}, ""),
        ([], ""),
    ],
)
def test_where_a_call_stands_is_known(payload: Payload, moment: str) -> None:
    assert moment_of(payload) == moment


def test_a_call_is_known_by_its_ids_or_its_words_before_and_after_it() -> None:
    ids = {"session_id": "s", "agent_id": "a", "tool_use_id": "t"}
    assert key_of({**tool("Bash", {"command": "make"}), **ids}) == "s\0a\0t\0"
    before = {"toolName": "bash", "toolArgs": {"command": "make"}, "sessionId": "s"}
    assert key_of(before) == key_of({**before, "toolResult": {}}) == "s\0\0\0make"
    assert key_of({"taskId": "1", **cline("execute_command", command="x")}) == "1\0\0\0x"
    assert key_of([]) == ""


def test_a_call_of_another_server_is_known() -> None:
    assert is_mcp(tool("mcp__x__y", {}))
    assert is_mcp({"hook_event_name": "beforeMCPExecution", "tool_name": "query"})
    assert is_mcp(windsurf("pre_mcp_tool_use", mcp_tool_name="x"))
    assert not is_mcp(tool("Bash", {}))
    assert not is_mcp(None)


def test_the_folder_of_a_run_is_its_own_or_the_workspaces_first_root() -> None:
    assert folder_of({"cwd": "/w", "workspace_roots": ["/x"]}) == "/w"
    assert folder_of({"workspaceRoots": ["/x", "/y"]}) == "/x"
    assert folder_of(windsurf("pre_run_command", command_line="make", cwd="/w")) == "/w"
    assert folder_of({"cwd": 7}) == folder_of("text") == ""


@pytest.mark.parametrize(
    ("own", "folder"),
    [("/o/x", "/o/x"), ("sub", "/w/sub"), ("../o/./x", "/o/x"), ("../../..", "/"), ("", "/w"), (7, "/w")],
)
def test_a_command_that_names_its_own_folder_works_there(own: object, folder: str) -> None:
    """Codex' exec_command: what it changes in another repository is not below the run's folder."""
    given = {"cmd": "make", "workdir": own}
    assert folder_of({"cwd": "/w", "tool_name": "exec_command", "tool_input": given}) == folder
    assert folder_of({"cwd": "/w", "tool_name": "mcp__x__y", "tool_input": given}) == "/w"


def test_a_file_named_twice_is_looked_at_once_and_no_call_names_more_than_the_limit() -> None:
    both = tool("editFiles", {"path": "a", "files": ["a", "/w/a", *map(str, range(MAX_NAMED * 2))]})
    assert files_named_by(both)[:2] == ["/w/a", "/w/0"]
    assert len(files_named_by(both)) == MAX_NAMED - 2


def test_of_several_roots_the_one_where_the_file_stands_is_meant(tmp_path: Path) -> None:
    (tmp_path / "two").mkdir()
    (tmp_path / "two" / "a").touch()
    roots = [str(tmp_path / "one"), str(tmp_path / "two")]
    for name, root in (("a", "two"), ("new", "one")):
        assert files_named_by({**cline("editor", path=name), "workspaceRoots": roots}) == [
            str(tmp_path / root / name)
        ]


def test_only_a_patch_has_a_patchs_files() -> None:
    assert named_in_patch("*** Update File: a\n") == []
    assert named_in_patch(PATCH.replace("\n", "\r\n"))[0] == "new.py"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9) | st.just(PATCH) | st.just("{"),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["file_path", "path", "command", "input", "files", "edits", "source", "toolName", "x"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=10,
)


@given(
    st.sampled_from([*sorted(FILE_TOOLS), "Bash", "mcp__x", "other", 7, None]),
    JSON,
    st.dictionaries(
        st.sampled_from(
            ["cwd", "workspaceRoots", "workspace_roots", "hook_event_name", "tool_info", "preToolUse",
             "agent_action_name", "toolName", "toolArgs", "transcript_path", "user_email"]
        ),
        JSON | st.sampled_from(["afterFileEdit", "pre_write_code", "beforeShellExecution"]),
    ),
)  # fmt: skip
def test_any_json_names_a_list_of_files(name: object, given_: object, rest: dict[str, object]) -> None:
    for event in ({**rest, "tool_name": name, "tool_input": given_}, rest, given_):
        assert all(isinstance(path, str) for path in files_named_by(event))
        assert isinstance(command_of(event), str | None)
        assert isinstance(writes_late(event, "any"), bool)
        assert isinstance(is_mcp(event), bool)
        assert isinstance(key_of(event) + folder_of(event) + moment_of(event), str)
        data = json.dumps(event).encode()
        assert isinstance(json.loads(without_mail(data, event)), type(json.loads(data)))


def test_a_broken_inner_argument_string_is_no_json() -> None:
    assert files_named_by({"toolName": "create", "toolArgs": '{"path": '}) == []


@pytest.mark.parametrize(
    "payload",
    [
        {"user_email": "a@b.example", "tool_input": {"text": 'said "user_email": "x"'}},
        {"tool_input": ["user_email", "user_email"], "user_email": 'odd\\"@b.example'},
    ],
)
def test_the_mail_address_alone_is_taken_out(payload: Payload) -> None:
    for text in (json.dumps(payload), json.dumps(payload, indent=1, separators=(" ,", " :\n "))):
        left = without_mail(text.encode(), payload)
        assert json.loads(left) == {**payload, "user_email": ""}
    assert without_mail(b"{}", {}) == b"{}"


def test_vs_code_is_known_by_its_name_or_its_transcript() -> None:
    stored = {"transcript_path": "/x/workspaceStorage/1/GitHub.copilot-chat/t.jsonl"}
    assert writes_late({}, "copilot-vscode")
    assert writes_late(stored, "claude-code")
    assert writes_late({"transcript_path": "/x/globalStorage/GitHub.copilot-chat/t.jsonl"}, "claude-code")
    assert not writes_late({"transcript_path": "/home/x/.claude/projects/a.jsonl"}, "claude-code")


def test_json_with_raw_control_characters_is_read() -> None:
    assert parse_json('{"a": "x\ty\n"}') == {"a": "x\ty\n"}


@pytest.mark.parametrize(
    ("payload", "ended"),
    [
        ({"hook_event_name": "Stop", "session_id": "s"}, ("s", "")),
        ({"hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": "go"}, ("s", "")),
        ({"hook_event_name": "SessionEnd", "session_id": "s"}, ("s", None)),
        ({"hook_event_name": "SubagentStop", "session_id": "s", "agent_id": "a"}, ("s", "a")),
        ({"hook_event_name": "SubagentStop", "session_id": "s"}, ("", None)),
        ({"sessionId": "s", "stopReason": "end_turn"}, ("s", "")),
        ({"sessionId": "s", "reason": "complete"}, ("s", None)),
        (windsurf("post_cascade_response") | {"trajectory_id": "t"}, ("t", "")),
        ({"hookName": "TaskCancel", "taskId": "t"}, ("t", "")),
        ({"hook_event_name": "PostToolUse", "session_id": "s"}, ("", None)),
        ([], ("", None)),
    ],
)
def test_whose_calls_an_event_ends_is_known(payload: Payload, ended: tuple[str, str | None]) -> None:
    assert ended_of(payload) == ended


def test_a_part_of_the_library_in_c_is_found_wherever_it_is() -> None:
    names = "import sys; names = {'__name__': 'x'}; exec(open(sys.argv[1]).read(), names)"
    asked = "print([names['part_in_c'](name).__name__ for name in ('_json', '_struct', 'marshal', '_json')])"
    argv = [sys.executable, "-I", "-S", "-E", "-c", f"{names}; {asked}", hook_calls.__file__]
    assert subprocess.check_output(argv, text=True) == "['_json', '_struct', 'marshal', '_json']\n"
