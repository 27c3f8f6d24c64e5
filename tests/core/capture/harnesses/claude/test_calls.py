from datetime import UTC, datetime

import pytest

from sulcus_panel.core.capture.adapter import TextEdit
from sulcus_panel.core.capture.harnesses.claude.calls import ToolResult, ToolUse, build_call, slim, tool_of
from sulcus_panel.core.capture.past.records import Call, CommandCall, FileCall, ReadCall, Stamp

STAMP = Stamp(datetime(2026, 5, 4, tzinfo=UTC), 1, "s", "", "/w", "")
Json = dict[str, object]


def built(tool: str, arguments: Json, details: Json, text: str = "", *, failed: bool = False) -> Call | None:
    result = ToolResult("c", STAMP, text, failed, False, slim(details))
    return build_call(ToolUse(tool, arguments), result)


def file_call(tool: str, arguments: Json, details: Json, text: str = "") -> FileCall:
    call = built(tool, arguments, details, text)
    assert isinstance(call, FileCall)
    return call


def exit_code(details: Json, text: str = "", *, failed: bool = False) -> int | None:
    call = built("Bash", {"command": "make"}, details, text, failed=failed)
    assert isinstance(call, CommandCall)
    return call.exit_code


def test_what_was_applied_counts_more_than_what_was_proposed() -> None:
    call = file_call(
        "Edit",
        {"file_path": "/w/a", "old_string": "a", "new_string": "proposed"},
        {
            "filePath": "/w/a",
            "oldString": "a",
            "newString": "approved",
            "replaceAll": True,
            "originalFile": "a",
        },
    )
    assert (call.applied.edits, call.original) == ((TextEdit("a", "approved", True),), "a")


def test_multi_edits_of_2025_are_read() -> None:
    details: Json = {
        "filePath": "/w/a",
        "edits": [{"old_string": "a", "new_string": "b", "replace_all": False}],
        "originalFileContents": "a",
    }
    call = file_call("MultiEdit", {}, details)
    assert (call.applied.edits, call.original) == ((TextEdit("a", "b"),), "a")
    assert tool_of(details) == "MultiEdit"


def test_a_write_without_a_result_dict_uses_its_input() -> None:
    call = file_call("Write", {"file_path": "/w/a", "content": "x"}, {}, "File created successfully at: /w/a")
    assert (call.applied.content, call.created) == ("x", True)


def test_a_notebook_brings_both_texts() -> None:
    call = file_call(
        "NotebookEdit",
        {"notebook_path": "/w/n.ipynb", "new_source": "1"},
        {"notebook_path": "/w/n.ipynb", "original_file": "{}", "updated_file": "{1}"},
    )
    assert (call.applied.path, call.original, call.applied.content) == ("/w/n.ipynb", "{}", "{1}")


@pytest.mark.parametrize("details", [{"staged": True}, {"error": "no such cell"}])
def test_what_was_not_written_is_no_call(details: Json) -> None:
    assert built("Write", {"file_path": "/w/a", "content": "x"}, details) is None


def test_a_failed_file_call_is_no_call() -> None:
    assert built("Edit", {"file_path": "/w/a"}, {}, "Error: not found", failed=True) is None


def test_exit_codes_come_from_the_text_and_never_from_a_guess() -> None:
    assert exit_code({"stdout": "Exit code 3"}, "Exit code 3") == 0
    assert exit_code({}, "Exit code 3\nboom", failed=True) == 3
    assert exit_code({}, "Error: Exit code 127", failed=True) == 127
    assert exit_code({}, "Command timed out after 2m", failed=True) is None
    for open_end in ("backgroundTaskId", "interrupted", "returnCodeInterpretation"):
        assert exit_code({"stdout": "", open_end: "yes"}) is None


@pytest.mark.parametrize(
    "text",
    [
        "The user doesn't want to proceed with this tool use.",
        "<tool_use_error>Blocked: sleep 3</tool_use_error>",
        "Permission to use Bash with command rm has been denied.",
        "Claude requested permissions to use Bash, but you haven't granted it yet.",
        "This command requires approval",
        "PreToolUse:Bash hook error: [guard]: no",
        "Error: User rejected tool use",
    ],
)
def test_a_command_that_never_ran_is_no_call(text: str) -> None:
    assert built("Bash", {"command": "rm -r /"}, {}, text, failed=True) is None


def test_only_a_whole_read_is_a_known_text() -> None:
    def content(arguments: Json, **file: object) -> str | None:
        base: Json = {"filePath": "/w/a", "content": "a\nb\n", "startLine": 1, "numLines": 3, "totalLines": 3}
        call = built("Read", arguments, {"type": "text", "file": {**base, **file}})
        assert isinstance(call, ReadCall)
        return call.content

    assert content({}) == "a\nb\n"
    assert content({"offset": 1}) is None
    assert content({}, totalLines=9) is None
    assert content({}, startLine=2) is None
    assert content({}, content="a\nb", totalLines=2) is None


def test_other_tools_are_no_call() -> None:
    assert built("Grep", {"pattern": "x"}, {"filenames": []}) is None


def test_outputs_are_not_held() -> None:
    assert slim({"stdout": "x" * 99, "stderr": "y", "content": "z"}) == {"stdout": ""}
