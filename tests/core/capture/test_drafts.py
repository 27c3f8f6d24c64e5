"""The words of an entry, from a call and what it did."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from sulcus_panel.core.capture.adapter import Scene, ToolCall, ToolKind
from sulcus_panel.core.capture.drafts import Context, command_entry, file_entry, git_around, outside_entry
from sulcus_panel.core.capture.harnesses.claude.live import ClaudeCode
from sulcus_panel.core.capture.turns import Turn
from sulcus_panel.core.model import (
    ActionType,
    ActorKind,
    Change,
    GitState,
    LedgerPath,
    NewEntry,
    Origin,
    Provenance,
)
from tests.support.ledgers import change

NOW = datetime(2026, 1, 1, tzinfo=UTC)
SCENE = Scene("17-1", NOW, "claude-code", "s1", "/w")
CONTEXT = Context(ClaudeCode(), SCENE, Turn("s1#2", "Make it louder"))
EDIT = ToolCall("Edit", ToolKind.EDIT, "toolu_1", "/w/a")
BASH = ToolCall("Bash", ToolKind.COMMAND, "toolu_2", command="make")
EDITED, MADE, GONE = change("a", b"1", b"2"), change("a", None, b"2"), change("a", b"1", None)


def seen(scene: Scene) -> Context:
    return replace(CONTEXT, scene=scene)


def filed(context: Context = CONTEXT, call: ToolCall = EDIT) -> NewEntry:
    return file_entry(context, call, EDITED, Provenance.OBSERVED, (LedgerPath("notes.md"),))


def test_an_entry_says_who_when_and_in_which_turn() -> None:
    entry = filed()
    assert (entry.at, entry.harness, entry.actor.name, entry.actor.kind) == (
        NOW,
        "claude-code",
        "Claude Code",
        ActorKind.AGENT,
    )
    assert (entry.session_id, entry.turn_id, entry.intent) == ("s1", "s1#2", "Make it louder")
    assert (entry.origin, entry.provenance, entry.tool_name) == (Origin.AGENT, Provenance.OBSERVED, "Edit")
    assert (entry.target_path, entry.changes, entry.derived_from) == ("a", (EDITED,), ("notes.md",))
    assert entry.command is None


def test_one_call_has_one_id_whoever_tells_of_it() -> None:
    assert filed().uid == "claude-code:s1:toolu_1"
    assert filed(seen(replace(SCENE, caller="other", spool_name="99-9"))).uid == filed().uid
    assert filed(seen(replace(SCENE, agent_id="a7"))).uid == "claude-code:s1/a7:toolu_1"
    assert filed(call=replace(EDIT, call_id="")).uid == "claude-code:spool:17-1"
    assert filed(seen(replace(SCENE, session_id=""))).uid == "claude-code:spool:17-1"


def test_a_subagent_is_a_run_of_its_own_and_another_product_a_label() -> None:
    entry = filed(seen(replace(SCENE, agent_id="a7", caller="cursor")))
    assert (entry.session_id, entry.harness, entry.actor.name) == ("a7", "cursor", "Claude Code")


@pytest.mark.parametrize(
    ("kind", "made", "action", "summary"),
    [
        (ToolKind.EDIT, EDITED, ActionType.FILE_EDIT, "edited a"),
        (ToolKind.WRITE, EDITED, ActionType.FILE_WRITE, "wrote a"),
        (ToolKind.NOTEBOOK, EDITED, ActionType.FILE_EDIT, "edited notebook a"),
        (ToolKind.WRITE, MADE, ActionType.FILE_CREATE, "created a"),
        (ToolKind.NOTEBOOK, MADE, ActionType.FILE_CREATE, "created a"),
        (ToolKind.EDIT, GONE, ActionType.FILE_DELETE, "deleted a"),
    ],
)
def test_the_bytes_decide_the_action_before_the_tool_does(
    kind: ToolKind, made: Change, action: ActionType, summary: str
) -> None:
    entry = file_entry(CONTEXT, replace(EDIT, kind=kind), made, Provenance.OBSERVED, ())
    assert (entry.action_type, entry.summary) == (action, summary)


def test_a_command_has_its_line_folder_and_exit_code_and_no_path() -> None:
    entry = command_entry(CONTEXT, BASH, 2)
    assert (entry.action_type, entry.command, entry.cwd, entry.exit_code) == (
        ActionType.RUN_COMMAND,
        "make",
        "/w",
        2,
    )
    assert (entry.summary, entry.target_path, entry.changes) == ("ran: make", "", ())
    assert command_entry(seen(replace(SCENE, cwd="")), BASH, None).cwd is None


def test_a_long_line_is_cut_in_the_summary_only() -> None:
    long = replace(BASH, command="x" * 9_999)
    entry = command_entry(CONTEXT, long, 0)
    assert (len(entry.summary), entry.command) == (500, long.command)


def test_outside_work_has_an_id_of_its_own_for_every_path_and_no_turn() -> None:
    entry = outside_entry("17-1", NOW, EDITED)
    other = outside_entry("17-1", NOW, replace(EDITED, path=LedgerPath("b")))
    assert (entry.uid, other.uid) == ("outside:17-1:a", "outside:17-1:b")
    assert (entry.origin, entry.actor.kind) == (Origin.OUTSIDE, ActorKind.PERSON)
    assert (entry.session_id, entry.turn_id, entry.intent) == ("", "", "")
    assert outside_entry("17-1", NOW, GONE).action_type is ActionType.FILE_DELETE


def test_where_git_stood_is_told_only_where_both_moments_saw_it() -> None:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    blind = Scene("1", at, "claude-code", "s", "/x")
    unborn, born = replace(blind, head="", branch="main"), replace(blind, head="a1", branch="main")
    assert git_around(blind, born) is git_around(born, blind) is None
    delta = git_around(unborn, born)
    assert delta is not None
    assert (delta.before, delta.after) == (GitState(None, "main", {}), GitState("a1", "main", {}))
