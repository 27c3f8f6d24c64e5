import pytest

from sulcus_panel.core.capture.adapter import TextEdit, ToolKind
from sulcus_panel.core.capture.harnesses.copilot_vscode.toolset import (
    as_applied,
    exit_code,
    given_of,
    has_failed,
    is_background,
    own_id,
    tool_calls,
    whole_text,
)

EDITED = "The following files were successfully edited:\n/w/a.ts\n"
REPLACE = {"filePath": "/w/a.ts", "oldString": "x", "newString": "y"}


def test_arguments_are_an_object_or_its_text() -> None:
    assert given_of('{"filePath": "/a"}') == given_of({"filePath": "/a"}) == {"filePath": "/a"}
    assert given_of('{"filePath": "/cut') == given_of(None) == given_of("7") == {}


def test_a_calls_id_is_told_without_the_editors_own_end() -> None:
    assert own_id("toolu_01__vscode-1759845028970") == "toolu_01"
    assert own_id("call_1") == "call_1"


@pytest.mark.parametrize(
    ("tool", "given", "kind"),
    [
        ("create_file", {"filePath": "/a", "content": ""}, ToolKind.WRITE),
        ("insert_edit_into_file", {"filePath": "/a", "code": "x"}, ToolKind.EDIT),
        ("edit_notebook_file", {"filePath": "/a.ipynb", "newCode": "x"}, ToolKind.NOTEBOOK),
        ("delete_file", {"filePath": "/a"}, ToolKind.DELETE),
        ("mcp_github_create_issue", {}, ToolKind.MCP),
    ],
)
def test_every_tool_that_changes_something_is_known(
    tool: str, given: dict[str, object], kind: ToolKind
) -> None:
    (call,) = tool_calls(tool, given)
    assert (call.kind, call.edits) == (kind, ())


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("create_file", {}),
        ("run_in_terminal", {}),
        ("multi_replace_string_in_file", {"replacements": [{"oldString": "x"}, 7]}),
        ("apply_patch", {"input": "x"}),
        ("grep_search", {"filePath": "/a"}),
    ],
)
def test_what_changes_nothing_or_names_nothing_is_no_call(tool: str, given: dict[str, object]) -> None:
    assert tool_calls(tool, given) == ()


def test_the_replacements_of_a_file_are_one_call_and_told_all_or_none() -> None:
    several = [REPLACE, {**REPLACE, "filePath": "/w/b.ts"}, {**REPLACE, "oldString": "v"}]
    one, other = tool_calls("multi_replace_string_in_file", {"replacements": several}, "c")
    assert (one.path, one.call_id, one.edits) == ("/w/a.ts", "c", (TextEdit("x", "y"), TextEdit("v", "y")))
    assert (other.path, other.call_id) == ("/w/b.ts", "c/2")
    (cut,) = tool_calls("multi_replace_string_in_file", {"replacements": [REPLACE, {"filePath": "/w/a.ts"}]})
    assert cut.edits == ()


def test_of_a_call_that_was_done_in_part_the_words_are_not_what_was_done() -> None:
    (call,) = tool_calls("replace_string_in_file", REPLACE)
    assert as_applied(call, EDITED) == call
    part = EDITED + "Edit at index 1 conflicts with another replacement in /w/a.ts."
    assert (as_applied(call, part).edits, has_failed(part)) == ((), False)
    healed = "There was an error applying your original patch, and it was modified to the following:\nx\n"
    assert (as_applied(call, healed + EDITED).edits, has_failed(healed + EDITED)) == ((), False)


@pytest.mark.parametrize(
    "told",
    [
        "ERROR while calling tool: Invalid input path: a. Be sure to use an absolute path.",
        "ERROR: Your input to the tool was invalid",
        "String replacement failed: Could not find matching text to replace.",
        "File already exists. You must use an edit tool to modify it.",
    ],
)
def test_a_failure_is_told_in_words(told: str) -> None:
    assert has_failed(told)
    assert not has_failed(EDITED)
    assert not has_failed("")


def test_an_exit_code_is_told_in_words_or_not_at_all() -> None:
    assert exit_code("out\n\nCommand exited with code 3") == 3
    assert exit_code("The command exited, and that was all") is None
    assert is_background({"isBackground": True})
    assert is_background({"mode": "async"})
    assert not is_background({"isBackground": "yes"})


def test_a_read_of_all_lines_is_the_whole_file() -> None:
    def shown(first: int, last: int, total: int, text: str) -> str:
        return f"File: `/w/a.md`. Lines {first} to {last} ({total} lines total): \n```markdown\n{text}\n```"

    assert whole_text(shown(1, 2, 2, "# A\n")) == "# A\n"
    assert whole_text(shown(1, 1, 1, "a")) == "a"
    assert whole_text(shown(1, 1, 2, "a")) is None
    assert whole_text(shown(2, 2, 2, "a")) is None
    assert whole_text(shown(1, 2, 2, "the end was trimmed")) is None
    assert whole_text("a") is None
