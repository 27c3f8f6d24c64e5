"""What is noted of a conversation: each thing once, with all that was said of it, and the files to look at."""

from collections.abc import Mapping

import pytest

from sulcus_panel.core.capture.harnesses.acp import conversation
from sulcus_panel.core.capture.harnesses.acp.conversation import Conversation, Note
from sulcus_panel.core.capture.hook_calls import command_of, folder_of, key_of, moment_of
from sulcus_panel.core.capture.shell.reading import only_reads

Message = Mapping[str, object]


class Talk:
    """A conversation, said message by message."""

    def __init__(self) -> None:
        self.talk = Conversation("c")

    def agent(self, **message: object) -> tuple[Note, ...]:
        return self.talk.hear(message, from_agent=True)

    def editor(self, **message: object) -> tuple[Note, ...]:
        return self.talk.hear(message, from_agent=False)

    def awaits_deed(self) -> bool:
        return self.talk.awaits_deed

    def open(self, cwd: str = "/w") -> tuple[Note, ...]:
        assert self.editor(id=0, method="session/new", params={"cwd": cwd}) == ()
        return self.agent(id=0, result={"sessionId": "s"})

    def update(self, **update: object) -> tuple[Note, ...]:
        params = {"sessionId": "s", "update": {"sessionUpdate": "tool_call_update", **update}}
        return self.agent(method="session/update", params=params)


def shown(notes: tuple[Note, ...]) -> list[tuple[object, tuple[str, ...]]]:
    return [(note.payload["event"], note.paths) for note in notes]


def diff(path: str, old: str | None = "a", new: str = "b") -> Message:
    return {"type": "diff", "path": path, "oldText": old, "newText": new}


def test_a_session_has_its_folder_and_a_prompt_begins_a_turn_that_its_answer_ends() -> None:
    talk = Talk()
    (opened,) = talk.open()
    assert (opened.payload["event"], opened.payload["cwd"]) == ("session/new", "/w")
    (asked,) = talk.editor(id=1, method="session/prompt", params={"sessionId": "s", "prompt": []})
    (again,) = talk.agent(id=1, result={"stopReason": "end_turn"})
    assert asked.payload["turn"] == again.payload["turn"] != ""
    assert ("answered" in asked.payload, again.payload["answered"]) == (False, True)
    (later,) = talk.editor(id=2, method="session/prompt", params={"sessionId": "s", "prompt": []})
    assert later.payload["turn"] != asked.payload["turn"]


def test_a_write_is_looked_at_before_and_after_under_one_id() -> None:
    talk = Talk()
    talk.open()
    params = {"sessionId": "s", "path": "/w/a", "content": "x"}
    (before,) = talk.agent(id=0, method="fs/write_text_file", params=params)
    assert talk.awaits_deed()
    (after,) = talk.editor(id=0, result=None)
    assert not talk.awaits_deed()
    assert (before.paths, after.paths) == (("/w/a",), ("/w/a",))
    assert before.payload["call_id"] == after.payload["call_id"]
    assert (after.payload["failed"], after.payload["params"]) == (False, params)
    talk.agent(id=0, method="fs/write_text_file", params=params)
    (failed,) = talk.editor(id=0, error={"code": 1})
    assert failed.payload["failed"] is True
    assert failed.payload["call_id"] != after.payload["call_id"]


def test_the_same_id_on_both_sides_is_two_requests() -> None:
    talk = Talk()
    talk.open()
    talk.editor(id=5, method="session/prompt", params={"sessionId": "s"})
    talk.agent(id=5, method="fs/read_text_file", params={"sessionId": "s", "path": "/w/a"})
    assert shown(talk.editor(id=5, result={"content": "x"})) == [("fs/read_text_file", ())]
    assert shown(talk.agent(id=5, result={"stopReason": "end_turn"})) == [("session/prompt", ())]
    assert talk.agent(id=5, result={}) == ()
    assert talk.agent(id="5", result={}) == ()


def test_a_files_first_mention_is_looked_at_and_at_the_end_all_of_them() -> None:
    talk = Talk()
    talk.open()
    begun = talk.update(toolCallId="t", kind="edit", status="pending", locations=[{"path": "/w/a"}])
    assert shown(begun) == [("call", ("/w/a",))]
    assert talk.update(toolCallId="t", status="in_progress") == ()
    more = talk.update(toolCallId="t", content=[diff("/w/b"), diff("/w/a"), diff("/w/b")])
    assert (shown(more), more[0].payload["files"]) == ([("call", ("/w/b",))], [["/w/b", 1]])
    (ended,) = talk.update(toolCallId="t", status="completed")
    assert (ended.paths, ended.payload["files"]) == (("/w/a", "/w/b"), [["/w/a", 0], ["/w/b", 1]])
    call = ended.payload["call"]
    assert isinstance(call, dict)
    assert (call["kind"], len(call["content"])) == ("edit", 3)
    assert talk.update(toolCallId="t", status="completed") == ()


def test_a_permission_that_is_asked_for_tells_of_the_call_as_well() -> None:
    talk = Talk()
    talk.open()
    params = {"sessionId": "s", "toolCall": {"toolCallId": "t", "kind": "edit", "content": [diff("/w/a")]}}
    asked = talk.agent(id=1, method="session/request_permission", params=params)
    assert shown(asked) == [("call", ("/w/a",))]


def test_files_that_are_only_read_are_not_looked_at() -> None:
    talk = Talk()
    talk.open()
    where = [{"path": "/w/a"}]
    assert talk.update(toolCallId="t", kind="read", status="pending", locations=where) == ()
    assert shown(talk.update(toolCallId="t", status="completed")) == [("call", ())]


def test_what_a_loaded_session_tells_again_is_not_noted() -> None:
    talk = Talk()
    talk.editor(id=1, method="session/load", params={"sessionId": "s", "cwd": "/w"})
    assert talk.update(toolCallId="t", kind="edit", status="completed", content=[diff("/w/a")]) == ()
    assert shown(talk.agent(id=1, result={})) == [("session/load", ())]
    assert shown(talk.update(toolCallId="u", kind="edit", content=[diff("/w/a")])) == [("call", ("/w/a",))]


@pytest.mark.parametrize("end", ["wait", "output", "release"])
def test_a_commands_end_is_told_once_whoever_learns_it(end: str) -> None:
    talk = Talk()
    talk.open()
    (begun,) = talk.agent(id=1, method="terminal/create", params={"sessionId": "s", "command": "ls"})
    assert talk.editor(id=1, result={"terminalId": "x"}) == ()
    params = {"sessionId": "s", "terminalId": "x"}
    talk.agent(id=2, method="terminal/output", params=params)
    assert talk.editor(id=2, result={"output": "", "truncated": False}) == ()
    found: tuple[Note, ...] = ()
    if end == "wait":
        talk.agent(id=3, method="terminal/wait_for_exit", params=params)
        found = talk.editor(id=3, result={"exitCode": 2})
    elif end == "output":
        talk.agent(id=3, method="terminal/output", params=params)
        found = talk.editor(id=3, result={"output": "o", "exitStatus": {"exitCode": 2}})
    found += talk.agent(id=4, method="terminal/release", params=params)
    assert [note.payload["event"] for note in found] == ["terminal/wait_for_exit"]
    assert found[0].payload["call_id"] == begun.payload["call_id"]


def test_a_command_that_could_not_be_started_failed() -> None:
    talk = Talk()
    talk.open()
    talk.agent(id=1, method="terminal/create", params={"sessionId": "s", "command": "ls"})
    (failed,) = talk.editor(id=1, error={"code": 1})
    assert failed.payload["failed"] is True


def test_a_command_of_the_agents_own_begins_once() -> None:
    talk = Talk()
    talk.open()
    assert len(talk.update(toolCallId="t", kind="execute", status="pending")) == 1
    assert talk.update(toolCallId="t", status="in_progress", rawInput={"command": "ls"}) == ()
    assert len(talk.update(toolCallId="t", status="completed")) == 1


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"method": 3},
        {"id": [1], "result": {}},
        {"method": "session/update"},
        {"method": "session/update", "params": {"sessionId": "s", "update": {"sessionUpdate": "tool_call"}}},
        {"method": "fs/write_text_file", "id": 1, "params": {"sessionId": "s", "path": 7}},
        {"method": "session/new", "id": None, "params": []},
    ],
)
def test_odd_messages_are_passed_over(message: Message) -> None:
    assert Conversation("c").hear(message, from_agent=True) == ()


def test_the_oldest_of_too_many_open_requests_gives_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conversation, "MAX_OPEN", 2)
    talk = Talk()
    for number in range(3):
        talk.agent(id=number, method="fs/read_text_file", params={"sessionId": "s", "path": f"/{number}"})
    assert [len(talk.editor(id=number, result={})) for number in range(3)] == [0, 1, 1]


def test_the_end_of_the_connection_ends_its_sessions() -> None:
    talk = Talk()
    talk.open()
    assert shown(talk.talk.end()) == [("end", ())]


def test_a_command_is_told_in_the_words_of_the_hook_too() -> None:
    talk = Talk()
    talk.open()
    params = {"sessionId": "s", "command": "git", "args": ["diff", "-w"], "cwd": "/w/x"}
    (begun,) = talk.agent(id=1, method="terminal/create", params=params)
    assert (begun.looks, command_of(begun.payload), folder_of(begun.payload)) == (True, "git diff -w", "/w/x")
    assert (moment_of(begun.payload), only_reads("git diff -w")) == ("before", True)
    talk.editor(id=1, result={"terminalId": "x"})
    assert (
        talk.agent(id=2, method="terminal/wait_for_exit", params={"sessionId": "s", "terminalId": "x"}) == ()
    )
    assert talk.awaits_deed()
    (ended,) = talk.editor(id=2, result={"exitCode": 0})
    assert (moment_of(ended.payload), key_of(ended.payload)) == ("after", key_of(begun.payload))
    with_pager = {**params, "env": [{"name": "GIT_EXTERNAL_DIFF", "value": "rm"}]}
    (other,) = talk.agent(id=3, method="terminal/create", params=with_pager)
    assert not only_reads(command_of(other.payload) or "")
    assert key_of(other.payload) != key_of(begun.payload)
