"""Conversations become one transcript; how a file ends is only known where it is told."""

import json
from pathlib import Path

import pytest

from sulcus_panel.core.capture.harnesses.cline.history import (
    folder_of,
    read_histories,
    read_talk,
    session_id,
)
from sulcus_panel.core.capture.past.records import CommandCall, FileCall, ReadCall

Json = dict[str, object]


def use(key: str, tool: str, **given: object) -> Json:
    return {"role": "assistant", "content": [{"type": "tool_use", "id": key, "name": tool, "input": given}]}


def result(key: str, content: object) -> Json:
    return {"role": "user", "content": [{"type": "tool_result", "tool_use_id": key, "content": content}]}


def put(folder: Path, *messages: Json) -> Path:
    path = folder / "1767225600000" / "api_conversation_history.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(messages), encoding="utf-8")
    return path


SAVED = "The content was successfully saved to a."


def test_a_written_file_ends_as_a_later_read_shows(tmp_path: Path) -> None:
    path = put(
        tmp_path,
        use("1", "write_to_file", path="a", content="x\n"),
        result("1", SAVED),
        use("2", "read_file", path="a"),
        result("2", "[read_file for 'a'] Result:\nx"),
        use("3", "write_to_file", path="b", content="y\n"),
        result("3", SAVED),
    )
    calls = read_histories([path]).calls
    written = [one.applied.content for one in calls if isinstance(one, FileCall)]
    assert written == ["x", None]
    assert [one.content for one in calls if isinstance(one, ReadCall)] == ["x"]


def test_what_a_formatter_changed_is_not_taken_as_asked(tmp_path: Path) -> None:
    diff = "------- SEARCH\nx\n=======\ny\n+++++++ REPLACE"
    path = put(
        tmp_path,
        use("1", "replace_in_file", path="a", diff=diff),
        result("1", SAVED),
        use("2", "replace_in_file", path="a", diff=diff),
        result("2", "The user's editor also applied the following auto-formatting to your content:"),
    )
    edits = [one.applied.edits for one in read_histories([path]).calls if isinstance(one, FileCall)]
    assert [len(one) for one in edits] == [1, 0]


def test_a_command_that_was_denied_did_not_run(tmp_path: Path) -> None:
    path = put(
        tmp_path,
        use("1", "execute_command", command="ls"),
        result("1", "The user denied this operation."),
        use("2", "execute_command", command="pwd"),
        result("2", "Command executed.\nOutput:\n/w"),
    )
    found = [one.applied.command for one in read_histories([path]).calls if isinstance(one, CommandCall)]
    assert found == ["pwd"]


def test_a_patch_names_its_files_and_their_lines(tmp_path: Path) -> None:
    text = "*** Begin Patch\n*** Add File: a\n+x\n*** Update File: b\n@@\n-x\n+y\n*** End Patch"
    path = put(tmp_path, use("1", "apply_patch", input=text), result("1", "Successfully applied"))
    add, update = (one for one in read_histories([path]).calls if isinstance(one, FileCall))
    assert (add.adds, add.applied.content, add.stamp.order != update.stamp.order) == (True, None, True)
    assert len(update.chunks) == 1


def test_the_folder_is_told_beside_the_messages_or_found_from_what_is_named(tmp_path: Path) -> None:
    path = tmp_path / "s.messages.json"
    shown = {"type": "file", "path": "/w/src/a.py", "content": ""}
    asked = {"role": "user", "content": [{"type": "text", "text": "look at @src/a.py"}, shown]}
    path.write_text(json.dumps({"messages": [asked], "sessionId": "own"}), encoding="utf-8")
    talk, _ = read_talk(path)
    assert talk is not None
    assert (folder_of(talk), talk.session) == ("/w", "own")
    (tmp_path / "s.json").write_text('{"cwd": "/elsewhere"}', encoding="utf-8")
    talk, _ = read_talk(path)
    assert talk is not None
    assert folder_of(talk) == "/elsewhere"


def test_a_task_is_called_as_its_folder(tmp_path: Path) -> None:
    path = put(tmp_path, {"role": "user", "content": "go"})
    (session,) = read_histories([path]).sessions
    assert (session.session_id, session_id(path)) == ("1767225600000", "1767225600000")
    assert session.first.isoformat() == "2026-01-01T00:00:00+00:00"


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"[", "not a conversation, it is no whole JSON"),
        (b"[1]", "not a conversation, it holds no message"),
        (b'{"messages": 3}', "not a conversation, it holds no message"),
    ],
)
def test_a_file_that_is_no_conversation_is_told(tmp_path: Path, data: bytes, why: str) -> None:
    path = tmp_path / "x.messages.json"
    path.write_bytes(data)
    assert read_histories([path]).problems == (f"x.messages.json: {why}",)


def test_a_file_that_is_gone_is_told(tmp_path: Path) -> None:
    assert len(read_histories([tmp_path / "gone.messages.json"]).problems) == 1
