"""Session files: every call that ended, once, with what is known of it."""

from pathlib import Path

import pytest

from sulcus_panel.core.capture.adapter import ToolKind
from sulcus_panel.core.capture.harnesses.copilot_cli.events import read_sessions
from sulcus_panel.core.capture.past.records import CommandCall, FileCall, PatchHunk, ReadCall

EVENTS = Path(__file__).parents[4] / "data" / "transcripts" / "copilot-cli" / "5e55-1" / "events.jsonl"


def test_commands_have_the_exit_code_that_their_words_tell_and_refused_ones_did_not_run() -> None:
    calls = [call for call in read_sessions([EVENTS]).calls if isinstance(call, CommandCall)]
    commands = [call for call in calls if call.applied.kind is ToolKind.COMMAND]
    assert [(call.applied.command, call.exit_code) for call in commands] == [
        ("false", 1),
        ("make", 3),
        ("./slow", None),
        ("pytest", 2),
    ]


def test_a_call_of_another_server_has_the_name_that_its_hooks_have_too() -> None:
    calls = [call for call in read_sessions([EVENTS]).calls if isinstance(call, CommandCall)]
    (found,) = [call.applied for call in calls if call.applied.kind is ToolKind.MCP]
    assert (found.tool, found.given) == ("mcp__github-mcp-server__get_issue", '{"n": 1}')


def test_calls_on_files_count_where_they_ended_well() -> None:
    files = [call for call in read_sessions([EVENTS]).calls if isinstance(call, FileCall)]
    assert [(call.applied.call_id, call.applied.path, call.adds) for call in files] == [
        ("c2", "/home/dev/shop/app.py", False),
        ("c3", "/home/dev/shop/notes.md", True),
        ("c4", "app.py", False),
        ("c4/2", "lib.py", True),
        ("c12", "/home/dev/shop/sub.txt", True),
    ]
    assert files[0].patch == (PatchHunk(1, 1, ("-price = 1", "+price = 5", " tax = 2", " ")),)
    assert len({call.stamp.order for call in files}) == 5


def test_a_view_of_the_whole_file_tells_it() -> None:
    (seen,) = [call for call in read_sessions([EVENTS]).calls if isinstance(call, ReadCall)]
    assert seen.content == "price = 1\ntax = 2\n"


def test_prompts_subagents_and_bad_lines_are_told() -> None:
    read = read_sessions([EVENTS])
    assert [(one.text, one.number) for one in read.prompts] == [
        ("Raise the price", 1),
        ("", 2),
        ("And now the tests", 3),
    ]
    assert [(one.session_id, one.parent, one.cwds) for one in read.sessions] == [
        ("5e55-1", None, ("/home/dev/shop",)),
        ("task-1", "5e55-1", ("/home/dev/shop",)),
    ]
    assert read.problems == (
        "5e55-1/events.jsonl, line 34: not a JSON object",
        "5e55-1/events.jsonl, line 35: cut off",
    )


@pytest.mark.parametrize(
    "content",
    ["", "{}\n", "[]\n", '{"type": 7, "data": []}\n', "\0\n", '{"a": ' * 3000],
)
def test_what_is_no_session_is_a_problem_and_no_error(content: str, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(content, encoding="utf-8")
    read = read_sessions([path])
    assert (read.calls, read.sessions) == ((), ())
    assert read.problems == ("x.jsonl: not a session, it holds no event of one",)


@pytest.mark.parametrize("data", ["7", "[]", "{}", '{"toolCallId": 7, "result": 7, "arguments": [7]}'])
@pytest.mark.parametrize(
    "kind", ["session.start", "user.message", "tool.execution_start", "tool.execution_complete"]
)
def test_an_event_of_another_shape_is_no_error(kind: str, data: str, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(f'{{"type": "{kind}", "data": {data}, "timestamp": "never"}}\n' * 2, encoding="utf-8")
    read = read_sessions([path])
    assert (read.calls, read.problems) == ((), ())


def test_a_file_that_is_not_there_is_a_problem(tmp_path: Path) -> None:
    assert read_sessions([tmp_path / "x.jsonl"]).problems == ("x.jsonl: No such file or directory",)
