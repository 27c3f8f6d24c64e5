"""Transcripts of Cursor hold what was asked for, and the import says that it is no more."""

import json
from pathlib import Path

from sulcus_panel.core.capture.adapter import ToolKind
from sulcus_panel.core.capture.harnesses.cursor.transcripts import (
    WEAK,
    folder_in,
    project_key,
    read_transcripts,
)
from sulcus_panel.core.capture.past.records import CommandCall, FileCall, ReadCall

Json = dict[str, object]


def asked(text: str) -> Json:
    return {"role": "user", "message": {"content": [{"type": "text", "text": text}]}}


def use(*calls: tuple[str, Json]) -> Json:
    blocks = [{"type": "tool_use", "name": name, "input": given} for name, given in calls]
    return {"role": "assistant", "message": {"content": blocks}}


def put(folder: Path, *lines: Json) -> Path:
    path = folder / "t.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_calls_are_known_by_their_place(tmp_path: Path) -> None:
    path = put(
        tmp_path,
        asked("<user_query>\ngo\n</user_query>"),
        use(("Write", {"path": "/w/a", "contents": "x"}), ("Shell", {"command": "ls"})),
        use(("Read", {"path": "/w/b"}), ("Delete", {"path": "/w/a"}), ("MCP:create", {"a": 1})),
    )
    found = read_transcripts([path])
    write, command, read, gone = found.calls
    assert isinstance(write, FileCall)
    assert isinstance(command, CommandCall)
    assert isinstance(read, ReadCall)
    assert isinstance(gone, FileCall)
    assert (write.applied.call_id, command.applied.call_id, gone.applied.call_id) == (
        "@t.2.1",
        "@t.2.2",
        "@t.3.2",
    )
    assert (write.applied.content, command.exit_code, gone.applied.kind) == ("x", None, ToolKind.DELETE)
    assert [one.text for one in found.prompts] == ["go"]
    assert found.problems == (f"t.jsonl: {WEAK}",)


def test_each_file_of_a_patch_is_a_call(tmp_path: Path) -> None:
    text = "*** Begin Patch\n*** Add File: /w/a\n+x\n*** Update File: /w/b\n@@\n-x\n+y\n*** End Patch"
    add, update = read_transcripts([put(tmp_path, use(("ApplyPatch", {"patch": text})))]).calls
    assert isinstance(add, FileCall)
    assert isinstance(update, FileCall)
    assert (add.adds, len(update.chunks), update.applied.call_id) == (True, 1, "@t.1.1/2")


def test_the_folder_is_the_one_whose_name_the_place_bears(tmp_path: Path) -> None:
    line = use(("Write", {"path": "/w/my.proj/src/a", "contents": ""}))
    assert project_key("/w/my.proj") == "w-my-proj"
    assert folder_in(put(tmp_path / "w-my-proj" / "agent-transcripts", line)) == "/w/my.proj"
    assert folder_in(put(tmp_path / "elsewhere", line)) == "/w/my.proj/src"
    assert folder_in(put(tmp_path, asked("hi"))) == ""


def test_what_cursor_puts_around_a_prompt_is_none(tmp_path: Path) -> None:
    path = put(tmp_path, asked("<attached_files>x</attached_files>"), asked("plain"))
    assert [one.text for one in read_transcripts([path]).prompts] == ["", "plain"]


def test_damaged_lines_and_other_files_are_told(tmp_path: Path) -> None:
    path = put(tmp_path, {"x": 1})
    with path.open("ab") as file:
        file.write(b'{"role": "us')
    problems = ("t.jsonl, line 2: cut off", "t.jsonl: not a transcript, nobody speaks in it")
    assert read_transcripts([path]).problems == problems
    assert len(read_transcripts([tmp_path / "gone.jsonl"]).problems) == 1
