"""What an event says beside the start of its call: where it began, and whether its session works on."""

from dataclasses import replace

from sulcus_panel.core.capture.adapter import (
    SessionEnded,
    SessionStarted,
    ToolCall,
    ToolFailed,
    ToolKind,
    ToolStarted,
    TurnEnded,
)
from sulcus_panel.core.capture.event_facts import activity_of, git_since, writes_late
from sulcus_panel.core.capture.whereabouts import where_it_began
from sulcus_panel.core.ledger.activity import Activity
from tests.core.capture.test_drafts import SCENE

CALL = ToolCall("Bash", ToolKind.COMMAND, command="cd sub")


def test_a_call_ends_in_the_folder_in_which_it_began() -> None:
    ended = ToolFailed(replace(SCENE, cwd="/w/sub"), CALL, None)
    began = ToolStarted(replace(SCENE, cwd="/w"), CALL, None)
    assert where_it_began(ended, began).scene.cwd == "/w"
    assert where_it_began(ended, None) is ended


def test_a_session_rests_with_its_turn_and_not_with_a_subagents() -> None:
    events = (
        SessionStarted(SCENE),
        TurnEnded(SCENE, of_subagent=True),
        TurnEnded(SCENE),
        SessionEnded(SCENE),
    )
    found = [activity_of(event) for event in events]
    assert found == [Activity.WORKING, Activity.WORKING, Activity.RESTING, Activity.ENDED]


def test_git_is_told_where_both_ends_of_a_call_were_looked_at() -> None:
    began = ToolStarted(replace(SCENE, head="1", branch="main"), CALL, None)
    found = git_since(replace(SCENE, head="2", branch="main"), began)
    assert found is not None
    assert (found.before.head, found.after.head) == ("1", "2")
    assert git_since(SCENE, began) is None


def test_vs_code_alone_writes_late_also_through_anothers_hooks() -> None:
    assert writes_late(replace(SCENE, harness="copilot-vscode"))
    assert writes_late(replace(SCENE, caller="copilot-vscode"))
    assert not writes_late(SCENE)
