"""Chats of 2025 and 2026: every call that did something, once, with what is known of it."""

from pathlib import Path

import pytest

from sulcus_panel.core.capture.adapter import ToolKind
from sulcus_panel.core.capture.harnesses.gemini.chats import hash_in, project_hash, read_chats
from sulcus_panel.core.capture.past.records import CommandCall, FileCall, ReadCall

DATA = Path(__file__).parents[4] / "data" / "transcripts" / "gemini"
OLD, NEW = DATA / "session-2025.json", DATA / "session-2026.jsonl"


def test_a_chat_of_2025_is_read() -> None:
    read = read_chats([OLD])
    files = [call for call in read.calls if isinstance(call, FileCall)]
    assert [(call.applied.tool, call.created) for call in files] == [("write_file", True), ("replace", False)]
    commands = [call for call in read.calls if isinstance(call, CommandCall)]
    assert [(call.applied.command, call.exit_code) for call in commands] == [
        ("python3 hello.py", 0),
        ("false", 1),
    ]
    (seen,) = [call for call in read.calls if isinstance(call, ReadCall)]
    assert seen.content == 'print("hello")\n'
    assert [prompt.text for prompt in read.prompts] == ["Write a greeting", "Make it louder"]
    assert read.sessions[0].cwds == ("/home/dev/shop",)
    assert read.problems == ()


def test_of_lines_the_last_of_an_id_holds_and_what_was_taken_back_was_done_all_the_same() -> None:
    read = read_chats([NEW])
    total, note = [call for call in read.calls if isinstance(call, FileCall)]
    assert (total.original, total.applied.content, total.applied.kind) == (
        "total = 1\n",
        "total = 2  # kept by hand\n",
        ToolKind.WRITE,
    )
    assert (note.created, note.applied.content) == (True, "A note\n")
    assert [prompt.text for prompt in read.prompts] == ["Fix the total", "Now a note", "Rather not"]
    assert read.sessions[0].cwds == ("/home/dev/shop",)
    assert read.problems == (
        "session-2026.jsonl, line 12: not a JSON object",
        "session-2026.jsonl, line 13: cut off",
    )


def test_the_folder_of_a_chat_is_known_by_its_hash() -> None:
    assert hash_in(OLD) == project_hash("/home/dev/shop")


@pytest.mark.parametrize("content", ["", "{", "[]", '{"messages": 3}', "\0\0", '{"a": {"b": ' * 2_000])
@pytest.mark.parametrize("name", ["session-x.json", "session-x.jsonl"])
def test_what_is_no_chat_is_a_problem_and_no_error(content: str, name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    read = read_chats([path])
    assert read.calls == ()
    assert any(problem.startswith(name) for problem in read.problems)


def test_a_file_that_is_not_there_is_a_problem(tmp_path: Path) -> None:
    assert read_chats([tmp_path / "session-1.json"]).problems == (
        "session-1.json: No such file or directory",
    )
