"""Cursor's tools in our words."""

import pytest

from sulcus_panel.core.capture.adapter import TextEdit, ToolKind
from sulcus_panel.core.capture.harnesses.cursor.toolset import (
    edits_of,
    named_path,
    opened,
    parts_of_patch,
    path_of,
    tool_calls,
)


def test_writes_edits_deletions_and_commands_are_calls() -> None:
    (write,) = tool_calls("Write", {"path": "/w/a", "contents": "t"}, "c")
    (edit,) = tool_calls(
        "StrReplace", {"path": "/w/a", "old_string": "x", "new_string": "y", "replace_all": True}
    )
    (gone,) = tool_calls("Delete", {"path": "/w/a"})
    (command,) = tool_calls("Shell", {"command": "ls"})
    assert (write.kind, write.path, write.content, write.call_id) == (ToolKind.WRITE, "/w/a", "t", "c")
    assert edit.edits == (TextEdit("x", "y", every=True),)
    assert (gone.kind, command.command) == (ToolKind.DELETE, "ls")


def test_an_input_may_be_json_in_a_string() -> None:
    (write,) = tool_calls("Write", '{"file_path": "/w/a", "content": "t"}')
    assert (write.path, write.content) == ("/w/a", "t")
    assert (opened("{"), opened("x"), opened(7)) == ({}, {}, {})


def test_paths_of_windows_lose_the_slash_before_their_drive() -> None:
    assert path_of("/c:/w/a.py") == "c:/w/a.py"
    assert path_of("/c/w") == "/c/w"
    assert named_path({"file_path": "/C:\\w"}) == "C:\\w"


@pytest.mark.parametrize(
    "given", ["*** Begin Patch\n%s\n*** End Patch", {"patch": "*** Begin Patch\n%s\n*** End Patch"}]
)
def test_a_patch_is_a_call_a_file(given: object) -> None:
    body = "*** Update File: /c:/a\n*** Move to: /c:/b\n@@\n-x\n+y\n*** Delete File: d"
    text = given % body if isinstance(given, str) else {"patch": f"*** Begin Patch\n{body}\n*** End Patch"}
    moved, deleted = (part.call for part in parts_of_patch("ApplyPatch", text, "c"))
    assert (moved.path, moved.moved_to, deleted.call_id) == ("c:/a", "c:/b", "c/2")


def test_edits_are_all_of_a_call_or_none() -> None:
    whole = {"old_string": "a", "new_string": "b"}
    assert list(edits_of({"edits": [whole]})) == [TextEdit("a", "b")]
    assert list(edits_of({"edits": [whole, {"old_string": "", "new_string": "b"}]})) == []


@pytest.mark.parametrize(
    ("tool", "server", "name"),
    [
        ("MCP:create", "", "mcp__cursor__create"),
        ("MCP:issues:create", "", "mcp__issues__create"),
        ("mcp__issues__create", "", "mcp__issues__create"),
        ("create", "issues", "mcp__issues__create"),
    ],
)
def test_tools_of_other_servers_have_one_name(tool: str, server: str, name: str) -> None:
    (call,) = tool_calls(tool, {"a": 1}, "c", server)
    assert (call.tool, call.kind, call.given) == (name, ToolKind.MCP, '{"a": 1}')


@pytest.mark.parametrize("tool", ["Grep", "WebSearch", "Write", "Shell", ""])
def test_what_changes_or_names_nothing_is_no_call(tool: str) -> None:
    assert tool_calls(tool, {"x": 1}) == ()
