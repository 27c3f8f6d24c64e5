"""Sessions become one transcript."""

from sulcus_panel.core.capture.harnesses.opencode.kept import Message, Session
from sulcus_panel.core.capture.harnesses.opencode.sessions import transcript_of
from sulcus_panel.core.capture.past.records import Call, CommandCall, FileCall, ReadCall
from sulcus_panel.core.capture.payload import JsonObject


def tool(name: str, status: str = "completed", **state: object) -> JsonObject:
    return {"type": "tool", "tool": name, "callID": f"c-{name}", "state": {"status": status, **state}}


def calls(*parts: JsonObject) -> tuple[Call, ...]:
    asked = Message("m1", "user", parts=[{"type": "text", "text": "go"}])
    answer = Message("m2", "assistant", None, "m1", "", list(parts))
    return transcript_of([Session("s", "x", "/w", messages=[asked, answer])], ()).calls


def test_calls_have_their_turn_time_and_folder() -> None:
    edit = tool(
        "edit",
        input={"filePath": "a", "oldString": "x", "newString": "y"},
        time={"start": 1_767_225_600_000, "end": 1_767_225_601_000},
    )
    (call,) = calls(edit)
    assert isinstance(call, FileCall)
    assert (call.stamp.prompt_id, call.stamp.cwd, call.stamp.at.isoformat()) == (
        "m1",
        "/w",
        "2026-01-01T00:00:01+00:00",
    )


def test_a_call_that_failed_or_still_runs_changed_no_file() -> None:
    given = {"filePath": "a", "content": "x"}
    assert calls(*(tool("write", status, input=given) for status in ("error", "running", "pending"))) == ()


def test_a_command_counts_unless_it_was_not_allowed() -> None:
    given = {"command": "ls", "workdir": "sub"}
    found = calls(
        tool("bash", input=given, metadata={"exit": 3}),
        tool("bash", "error", input=given, error="Tool execution aborted"),
        tool(
            "bash", "error", input=given, error="The user rejected permission to use this specific tool call."
        ),
        tool("bash", "running", input=given),
    )
    assert [(one.exit_code, one.stamp.cwd) for one in found if isinstance(one, CommandCall)] == [
        (3, "/w/sub"),
        (None, "/w/sub"),
    ]


def test_each_file_of_a_patch_has_an_order_of_its_own() -> None:
    text = "*** Begin Patch\n*** Add File: a\n+x\n*** Add File: b\n+x\n*** End Patch"
    found = calls(tool("apply_patch", input={"patchText": text}))
    assert len({one.stamp.order for one in found}) == 2
    assert [one.applied.call_id for one in found if isinstance(one, FileCall)] == [
        "c-apply_patch",
        "c-apply_patch/2",
    ]


def test_reads_are_known_and_other_tools_are_not() -> None:
    found = calls(tool("read", input={"filePath": "a"}), tool("glob", input={}), tool("x_y", input={}))
    assert [one.path for one in found if isinstance(one, ReadCall)] == ["a"]
    assert len(found) == 1


def test_what_opencode_itself_puts_in_is_no_prompt() -> None:
    parts: list[JsonObject] = [
        {"type": "text", "text": "<reminder>", "synthetic": True},
        {"type": "text", "text": "fix it"},
        {"type": "file", "text": "x"},
    ]
    (prompt,) = transcript_of([Session("s", "x", messages=[Message("m", "user", parts=parts)])], ()).prompts
    assert (prompt.text, prompt.stamp.prompt_id, prompt.number) == ("fix it", "m", 1)
