from datetime import UTC, datetime

from sulcus_panel.core.capture.harnesses.codex.thread import Thread
from sulcus_panel.core.capture.past.records import CommandCall, FileCall, ReadCall

AT = datetime(2026, 5, 4, tzinfo=UTC)
OWN, OLD_TURN, TURN = (f"0197d{n}00-0000-7000-8000-000000000001" for n in (5, 1, 9))
Json = dict[str, object]


def thread(*records: Json) -> Thread:
    found = Thread("name", "/r.jsonl")
    found.take({"type": "session_meta", "payload": {"id": OWN, "cwd": "/w"}}, AT)
    for record in records:
        found.take(record, AT)
    return found


def event(kind: str, **more: object) -> Json:
    return {"type": "event_msg", "payload": {"type": kind, **more}}


def item(kind: str, item_id: str, thread_id: object = OWN, **more: object) -> Json:
    return event("item_completed", thread_id=thread_id, item={"type": kind, "id": item_id, **more})


def ran(**more: object) -> Json:
    return item("CommandExecution", "exec-1", OWN, command=["bash", "-lc", "cat a"], cwd="file:///w", **more)


def added(item_id: str, thread_id: str = OWN, **more: object) -> Json:
    return item("FileChange", item_id, thread_id, changes={"/w/a": {"type": "add", "content": "x"}}, **more)


def test_what_was_declined_or_failed_did_nothing() -> None:
    for status in ("failed", "declined", "inProgress"):
        assert list(thread(added("exec-1", status=status)).calls()) == []
    assert list(thread(event("patch_apply_end", call_id="c", success=False, changes={})).calls()) == []
    assert list(thread(ran(status="declined")).calls()) == []


def test_an_account_without_a_status_is_of_a_patch_that_was_applied() -> None:
    assert len(list(thread(added("exec-1")).calls())) == 1


def test_a_command_that_ended_well_tells_what_it_read() -> None:
    parsed = [{"type": "read", "path": "a"}, {"type": "search", "path": "b"}, {"type": "read"}]
    command, read = thread(ran(status="completed", exit_code=0, parsed_cmd=parsed)).calls()
    assert isinstance(command, CommandCall)
    assert isinstance(read, ReadCall)
    assert (command.exit_code, read.path, read.content) == (0, "a", None)
    assert len(list(thread(ran(status="failed", exit_code=1, parsed_cmd=parsed)).calls())) == 1


def test_what_the_person_typed_is_not_the_agents() -> None:
    for source in ("user_shell", "userShell", "unified_exec_interaction"):
        assert list(thread(ran(source=source, exit_code=0)).calls()) == []


def test_a_call_of_another_server_that_succeeded_keeps_what_was_given() -> None:
    asked = {"server": "db", "tool": "write", "arguments": {"x": 1}}
    done = (
        event("mcp_tool_call_end", call_id="c", invocation=asked, result={"Ok": {"content": []}}),
        item("McpToolCall", "c", status="completed", **asked),
    )
    for record in done:
        (call,) = thread(record).calls()
        assert isinstance(call, CommandCall)
        assert (call.applied.tool, call.applied.given) == ("mcp__db__write", '{"x": 1}')
    failed = (
        event("mcp_tool_call_end", call_id="c", invocation=asked, result={"Err": "no"}),
        event("mcp_tool_call_end", call_id="c", invocation=asked, result={"Ok": {"isError": True}}),
        item("McpToolCall", "c", status="failed", **asked),
        item("McpToolCall", "c", status="completed", result={"isError": True}, **asked),
    )
    assert [list(thread(record).calls()) for record in failed] == [[]] * 4


def test_a_fork_begins_with_what_is_not_its_own() -> None:
    copied = thread(
        {"type": "session_meta", "payload": {"id": "other", "cwd": "/other"}},
        event("task_started", turn_id=OLD_TURN),
        event("user_message", message="before"),
        event(
            "patch_apply_end", call_id="c", success=True, changes={"/w/a": {"type": "add", "content": "x"}}
        ),
        added("exec-1", thread_id="another"),
        event("task_started", turn_id=TURN),
        event("user_message", message="now"),
        added("exec-2"),
    )
    (call,) = copied.calls()
    assert isinstance(call, FileCall)
    assert (call.applied.call_id, call.stamp.prompt_id) == ("exec-2", TURN)
    assert [prompt.text for prompt in copied.prompts()] == ["now"]


def test_a_subagent_works_in_its_parents_session() -> None:
    source = {"subagent": {"thread_spawn": {"parent_thread_id": "p"}}}
    for meta in ({"source": source}, {"parent_thread_id": "p"}, {"session_id": "p"}):
        child = Thread("name", "/r.jsonl")
        child.take({"type": "session_meta", "payload": {"id": OWN, "cwd": "/w", **meta}}, AT)
        child.take(added("exec-1"), AT)
        (call,) = child.calls()
        facts = child.facts()
        assert (call.stamp.session, call.stamp.agent) == ("p", OWN)
        assert facts is not None
        assert (facts.session_id, facts.parent) == (OWN, "p")


def test_a_review_has_no_parent_that_could_be_named() -> None:
    review = Thread("name", "/r.jsonl")
    review.take({"type": "session_meta", "payload": {"id": OWN, "source": {"subagent": "review"}}}, AT)
    facts = review.facts()
    assert facts is not None
    assert (facts.session_id, facts.parent) == (OWN, None)


def test_what_is_in_no_known_shape_is_passed_over() -> None:
    odd: list[Json] = [
        {},
        {"type": 5, "payload": []},
        {"type": "response_item", "payload": {"type": "function_call"}},
        {"type": "response_item", "payload": {"type": "function_call_output", "call_id": "never asked"}},
        {"type": "response_item", "payload": {"type": "message", "role": "user"}},
        {"type": "compacted", "payload": {"replacement_history": []}},
        event("item_completed"),
        event("item_completed", item={"type": "FileChange", "id": "x"}),
        event("exec_command_end", call_id="x", command="ls"),
    ]
    found = thread(*odd)
    assert [type(call) for call in found.calls()] == [CommandCall]
    assert found.prompts() == ()
    assert Thread("n", "t").facts() is None


def test_a_thread_without_a_head_has_the_id_of_its_files_name() -> None:
    found = Thread("name", "/r.jsonl")
    found.take(event("user_message", message="hi"), AT)
    facts = found.facts()
    assert facts is not None
    assert facts.session_id == "name"


def test_an_account_of_a_patch_through_a_shell_is_numbered_by_that_patch() -> None:
    patch = "*** Begin Patch\n*** Add File: z\n+z\n*** Add File: a\n+a\n*** End Patch"
    script = f"cd web && apply_patch <<'EOF'\n{patch}\nEOF\n"
    asked = {"type": "function_call", "name": "exec_command", "call_id": "c", "arguments": {"cmd": script}}
    changes = {f"/w/web/{name}": {"type": "add", "content": f"{name}\n"} for name in "az"}
    found = thread(
        {"type": "response_item", "payload": asked},
        event("patch_apply_end", call_id="c", success=True, changes=changes),
    )
    assert [
        (one.applied.path, one.applied.call_id) for one in found.calls() if isinstance(one, FileCall)
    ] == [
        ("/w/web/z", "c"),
        ("/w/web/a", "c/2"),
    ]


def test_a_call_bears_the_model_of_its_turn() -> None:
    def context(model: str) -> Json:
        return {"type": "turn_context", "payload": {"turn_id": TURN, "model": model}}

    records = context("one"), added("exec-1"), context("two"), added("exec-2")
    assert [call.stamp.model for call in thread(*records).calls()] == ["one", "two"]
