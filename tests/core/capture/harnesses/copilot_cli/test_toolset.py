import pytest

from sulcus_panel.core.capture.adapter import TextEdit, ToolKind
from sulcus_panel.core.capture.harnesses.copilot_cli.toolset import (
    exit_code,
    given_of,
    is_background,
    printed,
    shell_of,
    tool_calls,
    tool_name,
    was_refused,
    whole_text,
)


@pytest.mark.parametrize(
    ("arguments", "given"),
    [
        ({"path": "a"}, {"path": "a"}),
        ('{"path": "a"}', {"path": "a"}),
        (' {"path": "a\nb"}', {"path": "a\nb"}),
        ("*** Begin Patch", {"patch": "*** Begin Patch"}),
        ('{"path": "cut', {}),
        ("{" * 5000, {}),
        (None, {}),
        ([1], {}),
    ],
)
def test_arguments_come_in_several_forms(arguments: object, given: dict[str, object]) -> None:
    assert given_of(arguments) == given


@pytest.mark.parametrize(
    ("told", "code"),
    [
        ("\n<shellId: 0 completed with exit code 1>", 1),
        ("out\n<exited with exit code 0>", 0),
        ("<shellId: 2 completed with exit code -1073741510>\n", -1073741510),
        ("<shellId: 0 completed with exit code 1>\nbut more came", None),
        ("<command with shellId: 3 is still running after 30 seconds>", None),
        ("", None),
    ],
)
def test_an_exit_code_stands_in_the_last_line(told: str, code: int | None) -> None:
    assert exit_code(told) == code


def test_what_the_command_printed_is_told_without_the_last_line() -> None:
    assert printed("a\nb\n<shellId: 0 completed with exit code 0>") == "a\nb\n"
    assert printed("<b>kept</b>") == "<b>kept</b>"


def test_a_command_that_runs_on_names_its_shell() -> None:
    told = "<command started in background with shellId: 7>"
    assert (is_background(told), shell_of(told)) == (True, "7")
    assert not is_background("still running\n<shellId: 7 completed with exit code 0>")
    assert shell_of("no shell") == ""


@pytest.mark.parametrize(
    ("tool", "given", "kind"),
    [
        ("create", {"path": "/a", "file_text": "x"}, ToolKind.WRITE),
        ("Write", {"file_path": "/a", "content": "x"}, ToolKind.WRITE),
        ("edit", {"path": "/a", "old_str": "x", "new_str": "y"}, ToolKind.EDIT),
        ("str_replace_editor", {"command": "create", "path": "/a", "file_text": "x"}, ToolKind.WRITE),
        ("Bash", {"command": "ls"}, ToolKind.COMMAND),
        ("server-name-do_it", {"a": 1}, ToolKind.MCP),
        ("mcp__a__b", {}, ToolKind.MCP),
    ],
)
def test_a_tool_is_known_by_its_own_name_and_by_claude_codes(
    tool: str, given: dict[str, object], kind: ToolKind
) -> None:
    (call,) = tool_calls(tool, given, "c")
    assert (call.kind, call.tool.rpartition("__")[2], call.call_id) == (
        kind,
        tool.rpartition("__")[2].rpartition("-")[2],
        "c",
    )


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("create", {}),
        ("bash", {"command": ""}),
        ("str_replace_editor", {"command": "view", "path": "/a"}),
        ("str_replace_editor", {}),
        ("apply_patch", {"patch": "no patch"}),
        ("read_bash", {"shellId": "1"}),
    ],
)
def test_what_changes_nothing_or_names_nothing_is_no_call(tool: str, given: dict[str, object]) -> None:
    assert tool_calls(tool, given) == ()


def test_edits_are_told_all_or_none() -> None:
    def edits(**given: object) -> tuple[TextEdit, ...]:
        return tool_calls("edit", {"path": "/a", **given})[0].edits

    assert edits(old_str="x", new_str="y", replace_all=True) == (TextEdit("x", "y", every=True),)
    assert edits(old_str="x") == (TextEdit("x", ""),)
    both = [{"old_str": "a", "new_str": "b"}, {"old_str": "c", "new_str": "d"}]
    assert edits(edits=both) == (TextEdit("a", "b"), TextEdit("c", "d"))
    assert edits(edits=[both[0], {"new_str": "d"}]) == ()
    assert edits(insert_line=3, new_str="y") == ()
    assert tool_name("str_replace_editor", {"command": "insert"}) == "insert"


def test_a_view_of_all_lines_is_the_whole_file() -> None:
    assert whole_text({}, "1. a\n2. \n3.   b\n4. ") == "a\n\n  b\n"
    assert whole_text({}, "1. a\n2. b") == "a\nb"
    assert whole_text({"view_range": [1, 2]}, "1. a\n2. b") is None
    assert whole_text({}, "1. a\n3. b") is None
    assert whole_text({}, "outputs\nsession.jsonl") is None
    assert whole_text({}, "1. a\n[Output truncated. Use view_range=[2, ...] to continue reading.]") is None


def test_a_refusal_is_told_by_its_code_or_in_words() -> None:
    assert was_refused("denied", "")
    assert was_refused("", "Permission to run this tool was denied")
    assert not was_refused("failure", "make: permission denied")
