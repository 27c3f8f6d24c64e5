"""Cline's tools in our words."""

import pytest

from sulcus_panel.core.capture.adapter import TextEdit, ToolKind
from sulcus_panel.core.capture.harnesses.cline.toolset import command_line, named_paths, tool_calls
from sulcus_panel.core.capture.payload import JsonObject

BLOCK = "------- SEARCH\nx\n=======\ny\n+++++++ REPLACE\n"
NO_TEXT = "------- SEARCH\n=======\ny\n+++++++ REPLACE\n"


def test_the_extensions_tools_are_calls() -> None:
    (write,) = tool_calls("write_to_file", {"path": "a", "content": "t"}, "c")
    (edit,) = tool_calls("replace_in_file", {"path": "a", "diff": BLOCK})
    (anew,) = tool_calls("replace_in_file", {"path": "a", "diff": NO_TEXT})
    assert (write.kind, write.path, write.content, write.call_id) == (ToolKind.WRITE, "a", "t", "c")
    assert (edit.kind, edit.edits) == (ToolKind.EDIT, (TextEdit("x\n", "y\n"),))
    assert (anew.kind, anew.content) == (ToolKind.WRITE, "y\n")


def test_the_command_lines_editor_replaces_inserts_or_makes_a_file() -> None:
    (edit,) = tool_calls("editor", {"path": "a", "old_text": "x", "new_text": "y"})
    (insert,) = tool_calls("editor", {"path": "a", "new_text": "y", "insert_line": 3})
    (create,) = tool_calls("editor", {"path": "a", "new_text": "y"})
    assert edit.edits == (TextEdit("x", "y"),)
    assert (insert.kind, insert.edits, insert.content) == (ToolKind.EDIT, (), None)
    assert (create.kind, create.content) == (ToolKind.WRITE, "y")


def test_a_patch_is_a_call_a_file() -> None:
    text = "*** Begin Patch\n*** Add File: a\n+x\n*** Delete File: b\n*** End Patch"
    assert [one.call_id for one in tool_calls("apply_patch", {"input": text}, "c")] == ["c", "c/2"]


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ({"command": "ls"}, "ls"),
        ({"commands": ["ls", "pwd"]}, "ls\npwd"),
        ({"commands": '["ls", "pwd"]'}, "ls\npwd"),
        ({"commands": [{"command": "git", "args": ["status", 1]}, 7]}, "git status"),
        ({"commands": "[ -f x ] && y"}, "[ -f x ] && y"),
        ({}, ""),
    ],
)
def test_several_commands_of_a_call_stand_below_each_other(given: JsonObject, line: str) -> None:
    assert command_line(given) == line


@pytest.mark.parametrize(
    ("given", "paths"),
    [
        ({"path": "a"}, ("a",)),
        ({"files": [{"path": "a"}, {"path": "b"}, {"path": "a"}, 3]}, ("a", "b")),
        ({"files": '[{"path": "a"}]'}, ("a",)),
        ({"file_paths": ["a"]}, ("a",)),
        ({"files": "no list"}, ()),
    ],
)
def test_a_read_names_one_file_or_several(given: JsonObject, paths: tuple[str, ...]) -> None:
    assert named_paths(given) == paths


def test_a_tool_of_another_server_keeps_its_input() -> None:
    given = {"server_name": "issues", "tool_name": "create", "arguments": '{"a": 1}'}
    (call,) = tool_calls("use_mcp_tool", given)
    (other,) = tool_calls("issues__create", {"a": 1})
    assert (call.kind, call.tool, other.tool) == (ToolKind.MCP, "mcp__issues__create", "mcp__issues__create")
    assert other.given == '{"a": 1}'


@pytest.mark.parametrize(
    "tool", ["search_files", "ask_followup_question", "write_to_file", "execute_command", ""]
)
def test_what_changes_or_names_nothing_is_no_call(tool: str) -> None:
    assert tool_calls(tool, {"content": "x"}) == ()
