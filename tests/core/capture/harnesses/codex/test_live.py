"""Codex's payloads as events: whatever JSON comes, events or a message, never a crash."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sulcus_panel.core.capture.adapter import (
    CaptureEvent,
    Ignored,
    PromptSubmitted,
    SessionEnded,
    SessionStarted,
    TextEdit,
    ToolFailed,
    ToolFinished,
    ToolKind,
    ToolStarted,
    TurnEnded,
)
from sulcus_panel.core.capture.changes import file_side
from sulcus_panel.core.capture.harnesses.codex.live import Codex
from sulcus_panel.core.capture.spool import Sighting, SpoolEvent
from sulcus_panel.core.errors import BadPayload

NAMES = ["PreToolUse", "PostToolUse", "UserPromptSubmit", "Stop", "SubagentStop", "SessionStart", "Other"]
TOOLS = ["Bash", "apply_patch", "mcp__db__query", "view_image"]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
KEYS = st.sampled_from(["command", "input", "patch", "exit_code", "output", "metadata", "isError", "content"])
SESSION, CHILD = "019e56cf-8743-7b32-8ee0-3815a3e23047", "019e56d0-1111-7b32-8ee0-3815a3e23048"
PATCH = """*** Begin Patch
*** Update File: a.txt
*** Move to: b.txt
@@
-x
+y
*** Add File: c.txt
+z
*** End Patch"""
OK = "Success. Updated the following files:\nA c.txt\nM b.txt\n"


def read(
    name: str, tool: str = "", given_: object = None, answer: object = None, **rest: object
) -> tuple[CaptureEvent, ...]:
    payload: Mapping[str, object] = {
        "hook_event_name": name,
        "session_id": SESSION,
        "turn_id": "t1",
        "cwd": "/w",
        "transcript_path": f"/h/rollout-2026-05-23T23-48-21-{SESSION}.jsonl",
        "tool_name": tool,
        "tool_use_id": "call_1",
        "tool_input": {"command": given_},
        "tool_response": answer,
        **rest,
    }
    seen = tuple(Sighting(f"/w/{one}", file_side(one.encode())) for one in ("a.txt", "b.txt", "c.txt"))
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return Codex().read(SpoolEvent("1-1", "codex", at, payload, seen[0], None, seen[1:]))


@given(
    st.sampled_from(NAMES),
    st.sampled_from(TOOLS),
    st.dictionaries(KEYS, JSON) | JSON,
    st.dictionaries(KEYS, JSON) | JSON,
    st.dictionaries(st.sampled_from(["session_id", "cwd", "turn_id", "prompt", "transcript_path"]), JSON),
)
def test_any_json_under_the_known_keys_is_an_event(
    name: str, tool: str, given_: object, answer: object, rest: dict[str, object]
) -> None:
    payload = {
        **rest,
        "hook_event_name": name,
        "tool_name": tool,
        "tool_input": given_,
        "tool_response": answer,
    }
    events = Codex().read(SpoolEvent("1-1", "codex", datetime(2026, 1, 1, tzinfo=UTC), payload))
    assert events
    assert all(isinstance(event, get_args(CaptureEvent)) for event in events)


def test_a_payload_without_a_name_is_bad() -> None:
    with pytest.raises(BadPayload):
        read("")


def test_a_patch_is_one_event_a_file_with_what_was_seen_of_each() -> None:
    moved, added = read("PreToolUse", "apply_patch", PATCH)
    assert isinstance(moved, ToolStarted)
    assert isinstance(added, ToolStarted)
    assert (moved.call.path, moved.call.moved_to, moved.call.call_id) == ("a.txt", "b.txt", "call_1")
    assert moved.call.edits == (TextEdit("x\n", "y\n"),)
    assert (added.call.path, added.call.content, added.call.call_id) == ("c.txt", "z\n", "call_1/2")
    seen = [one and one.own.content for one in (moved.sighting, moved.moved, added.sighting)]
    assert seen == [b"a.txt", b"b.txt", b"c.txt"]


def test_a_patch_that_was_applied_is_finished() -> None:
    for answer in (
        OK,
        f'{{"output": "{OK!r}", "metadata": {{"exit_code": 0}}}}',
        {"exit_code": 0, "output": OK},
        None,
    ):
        moved, added = read("PostToolUse", "apply_patch", PATCH, answer)
        assert isinstance(moved, ToolFinished)
        assert isinstance(added, ToolFinished)
        assert moved.moved is not None


def test_a_patch_that_was_not_is_failed() -> None:
    for answer in (
        "Failed to find expected lines in a.txt",
        "apply_patch verification failed: x",
        "patch rejected by user",
        '{"output": "no", "metadata": {"exit_code": 1}}',
    ):
        assert all(
            isinstance(event, ToolFailed) for event in read("PostToolUse", "apply_patch", PATCH, answer)
        )


def test_what_is_no_patch_is_ignored() -> None:
    assert [type(one) for one in read("PreToolUse", "apply_patch", "*** Begin Patch")] == [Ignored]


def test_a_command_ends_with_its_code_and_its_output() -> None:
    (started,) = read("PreToolUse", "Bash", "npm test")
    assert isinstance(started, ToolStarted)
    assert (started.call.kind, started.call.command) == (ToolKind.COMMAND, "npm test")
    words = "Chunk ID: 1\nProcess exited with code 3\nOutput:\nno\n"
    (finished,) = read("PostToolUse", "Bash", "npm test", words)
    assert isinstance(finished, ToolFinished)
    assert (finished.exit_code, finished.output, finished.background) == (3, "no\n", False)
    (running,) = read("PostToolUse", "Bash", "npm start", "Process running with session ID 4\nOutput:\nup")
    assert isinstance(running, ToolFinished)
    assert (running.exit_code, running.background) == (None, True)


def test_a_command_without_words_or_that_never_ran_is_ignored() -> None:
    for given_, answer in (
        ("", None),
        ([], None),
        (["ls", 1], None),
        ("ls", "exec command rejected by user"),
    ):
        assert [type(one) for one in read("PostToolUse", "Bash", given_, answer)] == [Ignored]


def test_a_call_of_another_server_keeps_what_was_given() -> None:
    (call,) = read("PostToolUse", "mcp__db__query", "drop", {"isError": False})
    assert isinstance(call, ToolFinished)
    assert (call.call.kind, call.call.given) == (ToolKind.MCP, '{"command": "drop"}')
    (failed,) = read("PostToolUse", "mcp__db__query", "drop", {"isError": True})
    assert isinstance(failed, ToolFailed)


def test_a_subagent_is_known_by_its_transcript() -> None:
    (own,) = read("PreToolUse", "Bash", "ls")
    assert (own.scene.session_id, own.scene.agent_id, own.scene.turn) == (SESSION, "", "t1")
    (child,) = read("PreToolUse", "Bash", "ls", transcript_path=f"/h/rollout-x-{CHILD}.jsonl")
    assert (child.scene.session_id, child.scene.agent_id) == (SESSION, CHILD)
    (stop,) = read("SubagentStop", agent_id=CHILD, agent_transcript_path=f"/h/rollout-x-{CHILD}.jsonl")
    assert isinstance(stop, TurnEnded)
    assert stop.scene.agent_id == CHILD
    (without,) = read("PreToolUse", "Bash", "ls", transcript_path=None)
    assert without.scene.agent_id == ""


def test_turns_and_sessions_begin_and_end() -> None:
    kinds = {
        "UserPromptSubmit": PromptSubmitted,
        "Stop": TurnEnded,
        "SessionStart": SessionStarted,
        "SessionEnd": SessionEnded,
        "PreCompact": Ignored,
        "PermissionRequest": Ignored,
    }
    assert {name: type(read(name, prompt="do it")[0]) for name in kinds} == kinds


def test_an_input_may_be_the_text_alone() -> None:
    assert len(read("PreToolUse", "apply_patch", tool_input=PATCH)) == 2
    (started,) = read("PreToolUse", "Bash", tool_input="ls")
    assert isinstance(started, ToolStarted)
    assert started.call.command == "ls"
