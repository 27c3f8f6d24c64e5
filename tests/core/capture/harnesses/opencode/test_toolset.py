"""OpenCode's tools in our words."""

import pytest

from sulcus_panel.core.capture.adapter import TextEdit, ToolKind
from sulcus_panel.core.capture.harnesses.opencode.toolset import (
    as_applied,
    exit_code,
    named_path,
    told_texts,
    tool_calls,
    was_created,
    working_folder,
)
from sulcus_panel.core.capture.payload import JsonObject

EDIT: JsonObject = {"filePath": "a.py", "oldString": "x = 1", "newString": "x = 2"}


def test_a_write_an_edit_and_a_command_are_calls() -> None:
    (write,) = tool_calls("write", {"filePath": "/w/a", "content": "t"}, "c")
    (edit,) = tool_calls("edit", {**EDIT, "replaceAll": True}, "c")
    (command,) = tool_calls("bash", {"command": "ls"}, "c")
    assert (write.kind, write.path, write.content, write.call_id) == (ToolKind.WRITE, "/w/a", "t", "c")
    assert (edit.kind, edit.edits) == (ToolKind.EDIT, (TextEdit("x = 1", "x = 2", every=True),))
    assert (command.kind, command.command) == (ToolKind.COMMAND, "ls")


def test_an_edit_of_nothing_writes_the_whole_file() -> None:
    (call,) = tool_calls("edit", {"filePath": "a", "oldString": "", "newString": "new\n"})
    assert (call.kind, call.content, call.edits) == (ToolKind.WRITE, "new\n", ())


def test_several_edits_of_one_call_are_kept_in_order() -> None:
    edits = [{"oldString": "a", "newString": "b"}, {"oldString": "b", "newString": "c"}, {"oldString": "x"}]
    (call,) = tool_calls("multiedit", {"filePath": "a", "edits": edits})
    assert call.edits == (TextEdit("a", "b"), TextEdit("b", "c"))


@pytest.mark.parametrize("tool", ["read", "grep", "todowrite", "plan_exit", "mine", "_x", "x_"])
def test_what_changes_nothing_is_no_call(tool: str) -> None:
    assert tool_calls(tool, {"filePath": "a"}) == ()


def test_a_tool_of_another_server_keeps_its_input() -> None:
    (call,) = tool_calls("issues_create_one", {"title": "x"}, "c")
    assert (call.kind, call.tool, call.given) == (ToolKind.MCP, "mcp__issues__create_one", '{"title": "x"}')


@pytest.mark.parametrize("given", [{}, {"filePath": 7}, {"filePath": ""}])
def test_a_call_that_names_nothing_is_none(given: JsonObject) -> None:
    assert (named_path(given), tool_calls("write", given), tool_calls("bash", given)) == ("", (), ())


@pytest.mark.parametrize(
    ("folder", "where"),
    [
        ("", "/w"),
        ("/w/sub", "/w/sub"),
        ("/w", "/w"),
        ("sub", "/w/sub"),
        ("./sub", "/w/sub"),
        (".", "/w"),
        ("/elsewhere", "/w"),
        ("/wider", "/w"),
        ("../x", "/w"),
    ],
)
def test_a_command_runs_in_its_own_folder_below_the_sessions(folder: str, where: str) -> None:
    assert working_folder({"workdir": folder}, "/w") == where


def test_the_texts_of_older_versions_are_told_but_no_file_is_not_an_empty_one() -> None:
    assert told_texts({"filediff": {"before": "a", "after": "b"}}) == ("a", "b")
    assert told_texts({"filediff": {"before": "", "after": "b"}}) == (None, "b")
    assert told_texts({"filediff": {"patch": "…"}}) == (None, None)


def test_only_a_write_says_that_there_was_no_file() -> None:
    assert was_created("write", {"exists": False})
    assert not was_created("write", {"exists": True})
    assert not was_created("edit", {"exists": False})


def test_an_edit_is_taken_as_asked_where_its_diff_shows_it() -> None:
    (call,) = tool_calls("edit", EDIT)
    diff = "--- a.py\n+++ a.py\n@@ -1 +1 @@\n-    x = 1  # one\n+    x = 2  # one\n"
    assert as_applied(call, {"diff": diff}).edits == call.edits
    assert as_applied(call, {}).edits == call.edits


def test_an_edit_behind_which_a_formatter_ran_is_not_taken_as_asked() -> None:
    (call,) = tool_calls("edit", EDIT)
    assert as_applied(call, {"diff": "@@ -1 +1 @@\n-x = 1\n+x: int = 2\n+y = 3\n"}).edits == ()


def test_the_text_after_is_what_was_written() -> None:
    (call,) = tool_calls("edit", EDIT)
    assert as_applied(call, {"filediff": {"before": "x = 1", "after": "x = 3"}}).content == "x = 3"


@pytest.mark.parametrize(("told", "code"), [(0, 0), (3, 3), (None, None), ("1", None), (True, None)])
def test_an_exit_code_is_a_number(told: object, code: int | None) -> None:
    assert exit_code({"exit": told}) == code
