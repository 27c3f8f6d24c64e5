"""What the notes of a conversation mean: and that a difference is believed only where the file proves it."""

from datetime import UTC, datetime

import pytest

from sulcus_panel.core.capture.adapter import (
    CaptureEvent,
    FileRead,
    Ignored,
    PromptSubmitted,
    SessionEnded,
    SessionStarted,
    ToolFailed,
    ToolFinished,
    ToolKind,
    ToolStarted,
    TurnEnded,
)
from sulcus_panel.core.capture.changes import ABSENT_SIDE, file_side
from sulcus_panel.core.capture.harnesses.acp.live import AcpAgent
from sulcus_panel.core.capture.sides import sides_of_answer
from sulcus_panel.core.capture.spool import Sighting, SpoolEvent
from sulcus_panel.core.errors import BadPayload


def read(event: str, *seen: Sighting, **more: object) -> tuple[CaptureEvent, ...]:
    payload = {"event": event, "session_id": "s", "cwd": "/w", "turn": "c#1", **more}
    first, others = (seen[0], seen[1:]) if seen else (None, ())
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return AcpAgent().read(SpoolEvent("1-1", "acp", at, payload, first, others=others))


def only(event: str, *seen: Sighting, **more: object) -> CaptureEvent:
    (found,) = read(event, *seen, **more)
    return found


def file(content: bytes | None, path: str = "/w/a") -> Sighting:
    return Sighting(path, ABSENT_SIDE if content is None else file_side(content))


def call(status: str, *diffs: tuple[str, str | None, str], **more: object) -> dict[str, object]:
    content = [{"type": "diff", "path": path, "oldText": old, "newText": new} for path, old, new in diffs]
    return {"kind": "edit", "status": status, "content": content, **more}


def one_file(
    status: str, seen: Sighting, *diffs: tuple[str, str | None, str], **more: object
) -> CaptureEvent:
    return only("call", seen, call=call(status, *diffs, **more), call_id="t", files=[["/w/a", 0]])


def test_turns_and_sessions() -> None:
    prompt = {"prompt": [{"type": "text", "text": "one"}, {"type": "image"}, {"type": "text", "text": "two"}]}
    asked = only("session/prompt", params=prompt)
    assert isinstance(asked, PromptSubmitted)
    assert (asked.prompt, asked.scene.turn, asked.scene.cwd) == ("one\ntwo", "c#1", "/w")
    assert isinstance(only("session/prompt", answered=True), TurnEnded)
    assert isinstance(only("session/new"), SessionStarted)
    assert isinstance(only("session/load"), SessionStarted)
    assert isinstance(only("end"), SessionEnded)
    assert isinstance(only("session/cancel"), Ignored)
    with pytest.raises(BadPayload):
        only("")


def test_a_write_through_the_editor_is_the_whole_file() -> None:
    params = {"path": "/w/a", "content": "x"}
    begun = only("fs/write_text_file", file(None), params=params, call_id="c")
    done = only("fs/write_text_file", file(b"x"), params=params, call_id="c", answered=True)
    failed = only("fs/write_text_file", file(None), params=params, call_id="c", answered=True, failed=True)
    assert isinstance(begun, ToolStarted)
    assert isinstance(done, ToolFinished)
    assert isinstance(failed, ToolFailed)
    assert (begun.call, begun.call.content, begun.call.kind) == (done.call, "x", ToolKind.WRITE)


def test_a_call_on_two_files_is_one_event_a_file() -> None:
    diffs = (("/w/a", "1", "2"), ("/w/b", "3", "4"))
    found = read(
        "call",
        file(b"1"),
        file(b"3", "/w/b"),
        call=call("pending", *diffs),
        call_id="t",
        files=[["/w/a", 0], ["/w/b", 1]],
    )
    assert [one.call.call_id for one in found if isinstance(one, ToolStarted)] == ["t", "t/2"]


def test_what_was_written_before_we_looked_was_not_seen_before() -> None:
    assert isinstance(one_file("pending", file(b"h\nold\n"), ("/w/a", "old", "new")), ToolStarted)
    assert isinstance(one_file("pending", file(b"h\nnew\n"), ("/w/a", "old", "new")), Ignored)
    assert isinstance(one_file("pending", file(b"new"), ("/w/a", None, "new")), Ignored)
    assert isinstance(one_file("pending", file(None), ("/w/a", None, "new")), ToolStarted)
    assert isinstance(one_file("pending", file(b"\xff"), ("/w/a", "old", "new")), ToolStarted)


@pytest.mark.parametrize(
    ("after", "old", "new", "before"),
    [
        (b"whole\nnew\n", "whole\nold\n", "whole\nnew\n", b"whole\nold\n"),
        (b"head\nnew\ntail", "old", "new", b"head\nold\ntail"),
        (b"new\nnew\n", "old", "new", None),
        (b"head\n", "old", "", None),
        (b"head\nnew\n", None, "new", None),
        (b"new", None, "new", None),
        (b"other\n", "old", "new", None),
        (b"old new\n", "old", "new", None),
    ],
)
def test_of_a_file_that_was_not_seen_before_a_difference_tells_only_what_the_file_proves(
    after: bytes, old: str | None, new: str, before: bytes | None
) -> None:
    done = one_file("completed", file(after), ("/w/a", old, new))
    assert isinstance(done, ToolFinished)
    assert not done.created
    assert sides_of_answer(done).before.content == before


def test_two_differences_of_one_file_prove_nothing_alone() -> None:
    done = one_file("completed", file(b"2\n4\n"), ("/w/a", "1", "2"), ("/w/a", "3", "4"))
    assert isinstance(done, ToolFinished)
    assert (done.original, len(done.call.edits)) == (None, 2)


def test_a_deletion_and_a_failure() -> None:
    gone = one_file("completed", file(None), kind="delete")
    assert isinstance(gone, ToolFinished)
    assert gone.call.kind is ToolKind.DELETE
    told = [{"type": "content", "content": {"type": "text", "text": "no"}}]
    failed = one_file("failed", file(b"x"), content=told)
    assert isinstance(failed, ToolFailed)
    assert failed.error == "no"


def test_reads_are_told_where_they_succeeded() -> None:
    listed = {"kind": "read", "status": "completed", "locations": [{"path": "/w/a", "line": 3}]}
    found = only("call", call=listed, call_id="t")
    assert isinstance(found, FileRead)
    assert found.path == "/w/a"
    assert isinstance(only("fs/read_text_file", params={"path": "/w/a"}, failed=False), FileRead)
    assert isinstance(only("fs/read_text_file", params={"path": "/w/a"}, failed=True), Ignored)


@pytest.mark.parametrize(
    ("params", "command", "cwd"),
    [
        ({"command": "ls | wc"}, "ls | wc", "/w"),
        ({"command": "rm", "args": ["a b", "-r"], "cwd": "/x"}, "rm 'a b' -r", "/x"),
    ],
)
def test_a_command_that_the_editor_runs(params: dict[str, object], command: str, cwd: str) -> None:
    begun = only("terminal/create", params=params, call_id="r")
    done = only("terminal/wait_for_exit", params=params, call_id="r", result={"exitCode": 3})
    assert isinstance(begun, ToolStarted)
    assert isinstance(done, ToolFinished)
    assert (begun.call, begun.call.command, begun.scene.cwd) == (done.call, command, cwd)
    assert done.exit_code == 3
    assert isinstance(only("terminal/wait_for_exit", params=params, call_id="r", failed=True), ToolFailed)


@pytest.mark.parametrize(
    ("given", "command"),
    [
        ({"rawInput": {"command": "ls -l"}}, "ls -l"),
        ({"rawInput": {"command": ["sh", "-c", "a b"]}}, "sh -c 'a b'"),
        ({"title": "`make all`"}, "make all"),
    ],
)
def test_a_command_that_the_agent_runs_itself(given: dict[str, object], command: str) -> None:
    known = {"kind": "execute", "status": "completed", "rawOutput": {"exit_code": 1}, **given}
    done = only("call", call=known, call_id="t")
    assert isinstance(done, ToolFinished)
    assert (done.call.command, done.exit_code) == (command, 1)
    assert isinstance(only("call", call={**known, "status": "pending"}, call_id="t"), ToolStarted)
    assert isinstance(only("call", call={**known, "status": "failed"}, call_id="t"), ToolFailed)
    shown = [{"type": "terminal", "terminalId": "x"}]
    assert isinstance(only("call", call={**known, "content": shown}, call_id="t"), Ignored)


def test_a_tool_is_named_as_the_agent_names_it_where_it_does() -> None:
    named = one_file("pending", file(b"1"), ("/w/a", "1", "2"), _meta={"claudeCode": {"toolName": "Edit"}})
    assert isinstance(named, ToolStarted)
    assert named.call.tool == "Edit"


def test_a_move_is_one_call_of_two_files() -> None:
    def moved(status: str, *seen: Sighting) -> CaptureEvent:
        known = {"kind": "move", "status": status}
        return only("call", *seen, call=known, call_id="t", files=[["/w/a", 0], ["/w/b", 1]])

    before = moved("pending", file(b"x"), file(None, "/w/b"))
    assert isinstance(before, ToolStarted)
    assert (before.call.path, before.call.moved_to, before.call.call_id) == ("/w/a", "/w/b", "t")
    assert before.moved == file(None, "/w/b")
    after = moved("completed", file(None), file(b"x", "/w/b"))
    assert isinstance(after, ToolFinished)
    assert (after.call, after.sighting, after.moved) == (before.call, file(None), file(b"x", "/w/b"))
    assert isinstance(moved("failed", file(b"x"), file(None, "/w/b")), ToolFailed)
    assert isinstance(moved("in_progress", file(None), file(b"x", "/w/b")), Ignored)
