"""Events made by hand, for what no hook in test_recorder.py brings about at will."""

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from sulcus_panel.core.capture.adapter import (
    FileRead,
    PromptSubmitted,
    SessionEnded,
    SessionStarted,
    TextEdit,
    ToolCall,
    ToolFailed,
    ToolFinished,
    ToolKind,
    ToolStarted,
    TurnEnded,
)
from sulcus_panel.core.capture.changes import ABSENT_SIDE, file_side
from sulcus_panel.core.capture.drafts import INPUT_NOT_KEPT
from sulcus_panel.core.capture.draining import STARTED
from sulcus_panel.core.capture.recording import FOLDED
from sulcus_panel.core.capture.spool import Sighting
from sulcus_panel.core.capture.whereabouts import BY_FILE, BY_SESSION, ONLY_ONE
from sulcus_panel.core.errors import BadPayload
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import ActionType, FileKind, Origin, Undoability
from sulcus_panel.service.wire import entry_json
from tests.support.events import NOW, Events


@pytest.fixture
def events(ledger: Ledger, project: Path) -> Events:
    return Events(ledger, project)


def test_a_command_without_a_folder_belongs_nowhere(events: Events) -> None:
    command = ToolCall("Bash", ToolKind.COMMAND, "c", command="make")
    with pytest.raises(BadPayload, match="without a folder"):
        events.take(ToolFinished(replace(events.scene(), cwd=""), command, None))


def test_a_call_of_another_server_is_placed_by_what_is_known_of_it_and_says_how(
    events: Events, tmp_path: Path
) -> None:
    def called(given: str, tool: str = "mcp__db__write") -> None:
        call = ToolCall(tool, ToolKind.MCP, given=given)
        events.take(ToolFinished(replace(events.scene(), cwd="", session_id=session), call, None))

    session = ""
    with pytest.raises(BadPayload, match="nothing tells its folder"):
        called("{}")
    called("{}", "mcp__db__list_rows")
    assert events.rows() == ()
    ours = events.ledger.add_workspace(str(events.folder))
    called("{}")
    (tmp_path / "other").mkdir()
    other = events.ledger.add_workspace(str(tmp_path / "other"))
    with pytest.raises(BadPayload, match="nothing tells its folder"):
        called("{}")
    called('{"x": [{"file": "' + str(tmp_path / "other/a") + '"}, "/nowhere/b", 3]}')
    session = "s1"
    events.take(events.starts("a", "1"), events.ends("a", b"1"))
    called("not JSON")
    rows = [row for row in events.rows() if row.record.action_type is ActionType.MCP_MUTATION]
    found = [(row.workspace_id, row.record.notes) for row in rows]
    assert found == [(ours.id, (ONLY_ONE,)), (other.id, (BY_FILE,)), (ours.id, (BY_SESSION,))]


def test_every_file_of_a_call_without_an_id_is_recorded(events: Events) -> None:
    calls = [replace(events.call(name, "x"), call_id="") for name in ("a", "b/a", "c")]
    scene = events.scene()
    events.take(*(ToolStarted(scene, call, Sighting(call.path, ABSENT_SIDE)) for call in calls))
    ended = events.scene()
    finished = [ToolFinished(ended, call, Sighting(call.path, file_side(b"x"))) for call in calls]
    events.take(*finished)
    assert [row.record.target_path for row in events.rows()] == ["a", "b/a", "c"]
    events.take(*finished)  # the same event once more
    assert len(events.rows()) == 3


def test_a_session_that_only_read_is_a_run_with_an_end(events: Events) -> None:
    events.take(SessionStarted(events.scene()), FileRead(events.scene(), str(events.folder / "a")))
    (workspace,) = events.ledger.workspaces()
    (run,) = events.ledger.runs(workspace.id)
    assert (run.session_id, run.ended, run.entries) == ("s1", False, 0)
    events.take(SessionEnded(events.scene()))
    assert events.ledger.runs(workspace.id)[0].ended


def active(events: Events) -> frozenset[str]:
    workspace = events.ledger.workspaces()[0]
    return events.ledger.active_sessions(workspace.id, NOW)


def test_an_agent_is_at_work_until_it_stops_and_again_with_the_next_prompt(events: Events) -> None:
    events.take(PromptSubmitted(events.scene(), "go"), events.starts("a", "1"), events.ends("a", b"1"))
    assert active(events) == {"s1"}
    events.take(TurnEnded(events.scene()))
    assert active(events) == set()
    events.take(PromptSubmitted(events.scene(), "on"))
    assert active(events) == {"s1"}


def test_a_subagent_that_stops_leaves_the_one_that_called_it_at_work(events: Events) -> None:
    events.take(PromptSubmitted(events.scene(), "go"), TurnEnded(events.scene("helper")))
    assert active(events) == {"s1"}
    events.take(TurnEnded(events.scene(), of_subagent=True))
    assert active(events) == {"s1"}


def test_a_session_is_over_although_its_end_closes_a_call_that_is_recorded_then(events: Events) -> None:
    events.take(events.starts("a", "1"))
    (events.folder / "a").write_bytes(b"1")
    events.take(SessionEnded(events.scene()))
    assert [row.record.target_path for row in events.rows()] == ["a"]
    assert active(events) == set()


@pytest.mark.parametrize("spoil", ["DELETE FROM snapshot", "UPDATE snapshot SET data = zeroblob(9)"])
def test_a_chain_goes_on_where_the_snapshot_before_it_is_gone_or_damaged(
    events: Events, ledger: Ledger, spoil: str
) -> None:
    events.take(events.starts("a", "1"), events.ends("a", b"1"))
    with ledger.write():
        ledger._db.run(spoil)
    again = replace(events.call("a"), call_id="c2")
    events.take(
        ToolStarted(events.scene(), again, events.sight("a", file_side(b"2"))),
        ToolFinished(events.scene(), again, events.sight("a", file_side(b"3"))),
    )
    first, outside, last = events.rows()
    assert [row.record.origin for row in (first, outside, last)] == [
        Origin.AGENT,
        Origin.OUTSIDE,
        Origin.AGENT,
    ]
    assert outside.record.changes[0].before.sha256 == first.record.changes[0].after.sha256
    assert outside.record.changes[0].after == last.record.changes[0].before
    assert last.undoability is Undoability.FULLY


def test_the_end_of_a_turn_closes_its_own_agents_calls_only(events: Events, ledger: Ledger) -> None:
    events.take(events.starts("main", "1"), events.starts("sub", "1", agent="a7"))
    for name in ("main", "sub"):
        (events.folder / name).write_bytes(b"1")
    events.take(TurnEnded(events.scene()))
    assert [row.record.target_path for row in events.rows()] == ["main"]
    assert len(ledger.pending(STARTED)) == 1
    events.take(SessionEnded(events.scene()))
    assert [row.record.session_id for row in events.rows()] == ["s1", "a7"]


def test_a_call_whose_end_nobody_told_is_recorded_at_the_time_it_was_found(events: Events) -> None:
    events.take(events.starts("a", "1"))
    (events.folder / "a").write_bytes(b"1")
    end = TurnEnded(events.scene())
    events.take(end)
    (row,) = events.rows()
    assert row.record.at == end.scene.at


def test_of_a_secret_no_contents_wait_for_the_end_of_its_call(events: Events, ledger: Ledger) -> None:
    events.take(events.starts(".env", "SECRET", file_side(b"SECRET=1")), events.starts("a", "OPEN"))
    secret, open_ = ledger.pending(STARTED)
    assert b"SECRET" not in secret.payload
    assert b"OPEN" in open_.payload


def test_two_calls_at_once_with_one_result_are_one_entry_and_it_is_told(events: Events) -> None:
    one = events.starts("a", "1")
    two = replace(events.starts("a", "1"), call=replace(events.call("a", "1"), call_id="c2"))
    first, second = events.ends("a", b"1"), events.ends("a", b"1")
    events.take(one, two, first, replace(second, call=replace(second.call, call_id="c2")))
    (row,) = events.rows()
    assert events.messages == [f"a: two calls at once, recorded together as #{row.seq_id}"]


def test_an_edit_is_recorded_where_the_agent_made_it_and_a_write_as_comparing_finds_it(
    events: Events,
) -> None:
    block = b"try:\n    step()\n"
    before, after = block * 3 + b"end\n", block * 2 + b"# last\n" + block + b"end\n"
    edit = ToolCall(
        "Edit",
        ToolKind.EDIT,
        "edit",
        str(events.folder / "a.py"),
        edits=(TextEdit("try:\n    step()\nend", "# last\ntry:\n    step()\nend"),),
    )
    twice = replace(edit, edits=(TextEdit("# last\n", "# last\n# last\n"),), call_id="twice")
    write = replace(edit, tool="Write", kind=ToolKind.WRITE, edits=(), call_id="write", content="")
    more = after.replace(b"# last\n", b"# last\n# last\n")
    states = [before, after, more, more + b"more\n", more + b"more\n" * 2]
    calls = [edit, twice, write, replace(write, call_id="again")]
    for call, (old, new) in zip(calls, pairwise(states), strict=True):
        path = call.path
        events.take(
            ToolStarted(events.scene(), call, Sighting(path, file_side(old))),
            ToolFinished(events.scene(), call, Sighting(path, file_side(new))),
        )
    found = [entry.record.changes[0].hunks for entry in events.rows()]
    assert [[hunk.exact for hunk in hunks] for hunks in found] == [[True], [False], [True], [False]]
    assert (found[0][0].after_start, found[0][0].after_lines) == (4, 1)


def test_a_file_that_was_deleted_by_a_tool_is_an_entry_that_gives_it_back(events: Events) -> None:
    call = ToolCall("Delete", ToolKind.DELETE, "d1", str(events.folder / "a"))
    events.take(
        ToolStarted(events.scene(), call, events.sight("a", file_side(b"1"))),
        ToolFinished(events.scene(), call, events.sight("a", ABSENT_SIDE)),
    )
    (row,) = events.rows()
    assert (row.record.action_type, row.undoability) == (ActionType.FILE_DELETE, Undoability.FULLY)


def test_a_deletion_whose_end_nobody_told_is_found_on_the_disk(events: Events) -> None:
    call = ToolCall("Delete", ToolKind.DELETE, "d1", str(events.folder / "a"))
    events.take(ToolStarted(events.scene(), call, events.sight("a", file_side(b"1"))))
    events.take(TurnEnded(events.scene()))
    assert [row.record.action_type for row in events.rows()] == [ActionType.FILE_DELETE]


def moving(events: Events, *, between: bool = False) -> ToolFinished:
    call = ToolCall(
        "apply_patch", ToolKind.EDIT, "m1", str(events.folder / "a"), moved_to=str(events.folder / "b")
    )
    start = ToolStarted(
        events.scene(), call, events.sight("a", file_side(b"1\n")), events.sight("b", ABSENT_SIDE)
    )
    end = ToolFinished(
        events.scene(),
        call,
        events.sight("a", ABSENT_SIDE),
        moved=events.sight("b", file_side(b"2\n")),
    )
    if between:
        events.take(start)
        events.take(end)
    else:
        events.take(start, end)
    return end


def test_a_move_whose_names_came_the_other_way_round_is_told_the_right_way(events: Events) -> None:
    call = ToolCall(
        "move", ToolKind.EDIT, "m2", str(events.folder / "new"), moved_to=str(events.folder / "old")
    )
    old = events.sight("old", file_side(b"1\n"))
    events.take(ToolStarted(events.scene(), call, events.sight("new", ABSENT_SIDE), old))
    now = events.sight("new", file_side(b"1\n"))
    events.take(ToolFinished(events.scene(), call, now, moved=events.sight("old", ABSENT_SIDE)))
    (row,) = events.rows()
    assert (row.record.summary, row.record.target_path, row.paths) == (
        "moved old to new",
        "new",
        ("old", "new"),
    )


@pytest.mark.parametrize("between", [False, True])
def test_a_file_that_goes_under_another_name_is_one_entry_of_two_paths(
    events: Events, *, between: bool
) -> None:
    moving(events, between=between)
    (row,) = events.rows()
    assert row.paths == ("a", "b")
    assert row.record.summary == "moved a to b"
    assert [change.before.kind for change in row.record.changes] == [FileKind.FILE, FileKind.ABSENT]
    assert row.undoability is Undoability.FULLY


def test_a_move_that_is_told_twice_is_recorded_once(events: Events) -> None:
    events.take(moving(events))
    assert len(events.rows()) == 1


def test_what_a_formatter_wrote_before_the_call_ended_is_part_of_it_and_said(events: Events) -> None:
    events.take(events.starts("a.py", "x=1\n"), events.ends_with("a.py", "x=1\n", b"x = 1\n"))
    events.take(events.starts("b.py", "x = 1\n"), events.ends_with("b.py", "x = 1\n", b"x = 1\n"))
    formatted, plain = events.rows()
    assert formatted.record.notes == (FOLDED,)
    assert plain.record.notes == ()


def test_a_change_of_what_agents_obey_stands_on_governance_too(events: Events, ledger: Ledger) -> None:
    events.take(events.starts("CLAUDE.md", "Be kind\n"), events.ends("CLAUDE.md", b"Be kind\n"))
    events.take(events.starts("app.py", "1\n"), events.ends("app.py", b"1\n"))
    (row,) = ledger.governance(None, kind_prefix="agent.")
    assert (row.kind, row.seq_ids) == ("agent.instructions", (events.rows()[0].seq_id,))
    assert "CLAUDE.md" in row.summary


def call_mcp(events: Events, tool: str, given: str = '{"title": "x"}') -> None:
    call = ToolCall(tool, ToolKind.MCP, f"m-{tool}", given=given)
    events.take(ToolStarted(events.scene(), call, None), ToolFinished(events.scene(), call, None))


def test_a_call_of_another_server_s_tool_is_an_entry_with_its_input(events: Events) -> None:
    call_mcp(events, "mcp__github__create_issue")
    call_mcp(events, "mcp__github__get_issue")
    failed = ToolCall("mcp__github__close_issue", ToolKind.MCP, "f1")
    events.take(ToolFailed(events.scene(), failed, None, "no"))
    (row,) = events.rows()
    assert (row.record.action_type, row.record.tool_name) == (
        ActionType.MCP_MUTATION,
        "mcp__github__create_issue",
    )
    assert row.record.input == '{"title": "x"}'
    assert "title" not in json.dumps(entry_json(row))


def test_an_input_that_holds_a_key_is_not_kept_and_that_is_said(events: Events) -> None:
    call_mcp(events, "mcp__x__login", '{"key": "ghp_' + "a1B2" * 9 + '"}')
    (row,) = events.rows()
    assert row.record.input == ""
    assert row.record.notes == (INPUT_NOT_KEPT,)
