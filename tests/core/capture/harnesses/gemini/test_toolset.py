import pytest

from sulcus_panel.core.capture.adapter import TextEdit, ToolKind
from sulcus_panel.core.capture.harnesses.gemini.toolset import (
    is_background,
    tool_call,
    was_created,
    whole_text,
)


@pytest.mark.parametrize(
    ("tool", "context", "name"),
    [
        ("mcp_issues_create", {}, "mcp__issues__create"),
        ("mcp__issues__create_it", {}, "mcp__issues__create_it"),
        ("create", {"server_name": "my_issues", "tool_name": "create"}, "mcp__my_issues__create"),
    ],
)
def test_tools_of_other_servers_have_one_name(tool: str, context: dict[str, object], name: str) -> None:
    call = tool_call(tool, {"a": 1}, context=context)
    assert call is not None
    assert (call.tool, call.kind, call.given) == (name, ToolKind.MCP, '{"a": 1}')


@pytest.mark.parametrize(
    "given", [{"expected_replacements": 2}, {"allow_multiple": True}, {"replace_all": True}]
)
def test_several_places_are_meant_where_the_call_says_so(given: dict[str, object]) -> None:
    call = tool_call("replace", {"file_path": "/a", "old_string": "x", "new_string": "y", **given})
    assert call is not None
    assert call.edits == (TextEdit("x", "y", every=True),)


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("write_file", {}),
        ("replace", {"old_string": "x"}),
        ("run_shell_command", {"command": ""}),
        ("glob", {}),
    ],
)
def test_a_call_that_names_nothing_is_not_recorded(tool: str, given: dict[str, object]) -> None:
    assert tool_call(tool, given) is None


def test_a_new_file_is_told_by_the_diff_or_in_words() -> None:
    assert was_created({"originalContent": None, "newContent": "x"}, "")
    assert was_created({"isNewFile": True}, "")
    assert was_created({}, "Successfully created and wrote to new file: x")
    assert not was_created({"originalContent": "", "newContent": "x"}, "Successfully overwrote file: x")


def test_a_part_of_a_file_is_not_the_whole() -> None:
    assert whole_text({}, "a\n") == "a\n"
    assert whole_text({"offset": 3}, "a\n") is None
    assert whole_text({}, "IMPORTANT: The file content has been truncated.\na\n") is None
    assert whole_text({}, "") is None


def test_none_is_no_process() -> None:
    assert not is_background("Background PIDs: (none)")
    assert not is_background("")
