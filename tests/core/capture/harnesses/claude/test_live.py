"""Claude Code's payloads as events: whatever JSON comes, an event or a message, never a crash."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sulcus_panel.core.capture.adapter import (
    CaptureEvent,
    Ignored,
    TextEdit,
    ToolFailed,
    ToolFinished,
    ToolStarted,
)
from sulcus_panel.core.capture.harnesses.claude.live import ClaudeCode
from sulcus_panel.core.capture.spool import SpoolEvent
from sulcus_panel.core.errors import BadPayload

NAMES = [
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "UserPromptSubmit",
    "Stop",
    "SessionStart",
    "Other",
]
TOOLS = ["Write", "Edit", "MultiEdit", "NotebookEdit", "Bash", "Read", "Glob"]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
KEYS = st.sampled_from(
    ["file_path", "edits", "old_string", "new_string", "command", "content", "originalFile", "type", "staged"]
)


def read(payload: Mapping[str, object]) -> CaptureEvent:
    spooled = SpoolEvent("1-1", "claude-code", datetime(2026, 1, 1, tzinfo=UTC), payload)
    (event,) = ClaudeCode().read(spooled)
    return event


@given(
    st.sampled_from(NAMES),
    st.sampled_from(TOOLS),
    st.dictionaries(KEYS, JSON) | JSON,
    st.dictionaries(KEYS, JSON) | JSON,
    st.dictionaries(st.sampled_from(["session_id", "cwd", "error", "prompt", "transcript_path"]), JSON),
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
    assert isinstance(read(payload), get_args(CaptureEvent))


def test_a_payload_without_a_name_is_bad() -> None:
    with pytest.raises(BadPayload, match="could not be read"):
        read({"tool_name": "Edit"})


def test_what_was_applied_counts_not_what_was_proposed() -> None:
    event = read(
        {
            "hook_event_name": "PostToolUse",
            "tool_name": "Edit",
            "tool_input": {"file_path": "/a", "old_string": "1", "new_string": "2"},
            "tool_response": {"oldString": "1", "newString": "3", "replaceAll": True, "userModified": True},
        }
    )
    assert isinstance(event, ToolFinished)
    assert event.call.edits == (TextEdit("1", "3", every=True),)


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"error": "Exit code 127\nnot found"}, 127),
        ({"error": "Exit code 1"}, 1),
        ({"error": "Command timed out"}, None),
        ({"error": "Exit code 130", "is_interrupt": True}, None),
        ({}, None),
    ],
)
def test_the_exit_code_is_read_from_the_error(fields: dict[str, object], code: int | None) -> None:
    base = {"hook_event_name": "PostToolUseFailure", "tool_name": "Bash", "tool_input": {"command": "x"}}
    event = read({**base, **fields})
    assert isinstance(event, ToolFailed)
    assert event.exit_code == code


def test_a_multi_edit_keeps_all_its_edits_or_none() -> None:
    base = {"hook_event_name": "PreToolUse", "tool_name": "MultiEdit"}
    good = {"old_string": "a", "new_string": "b"}
    both = read({**base, "tool_input": {"file_path": "/a", "edits": [good, good]}})
    broken = read({**base, "tool_input": {"file_path": "/a", "edits": [good, {}]}})
    assert isinstance(both, ToolStarted)
    assert isinstance(broken, ToolStarted)
    assert (len(both.call.edits), len(broken.call.edits)) == (2, 0)


def test_tools_that_change_nothing_are_ignored() -> None:
    assert isinstance(read({"hook_event_name": "PreToolUse", "tool_name": "Glob", "tool_input": {}}), Ignored)
    assert isinstance(read({"hook_event_name": "PreToolUse", "tool_name": "Read", "tool_input": {}}), Ignored)
