"""What the conformance suite does not say of Windsurf's hooks."""

from datetime import UTC, datetime

from sulcus_panel.core.capture.adapter import CaptureEvent, Ignored, ToolFinished, ToolStarted
from sulcus_panel.core.capture.harnesses.windsurf.live import Windsurf
from sulcus_panel.core.capture.spool import SpoolEvent


def read(name: str, **told: object) -> CaptureEvent:
    payload = {"agent_action_name": name, "trajectory_id": "t", "execution_id": "e", "tool_info": told}
    (event,) = Windsurf().read(SpoolEvent("1-1", "windsurf", datetime(2026, 1, 1, tzinfo=UTC), payload))
    return event


def test_edits_are_all_of_a_call_or_none() -> None:
    whole, half = {"old_string": "a", "new_string": "b"}, {"old_string": "c"}
    event = read("pre_write_code", file_path="/w/a", edits=[whole, half])
    assert isinstance(event, ToolStarted)
    assert event.call.edits == ()


def test_a_command_without_a_folder_belongs_nowhere() -> None:
    assert isinstance(read("post_run_command", command_line="ls"), Ignored)


def test_an_exit_code_is_taken_where_it_is_told() -> None:
    event = read("post_run_command", command_line="ls", cwd="/w", exit_code=2)
    assert isinstance(event, ToolFinished)
    assert (event.exit_code, event.scene.cwd, event.scene.turn) == (2, "/w", "e")


def test_an_action_that_nobody_knows_is_ignored() -> None:
    assert isinstance(read("pre_dance"), Ignored)
    assert isinstance(read("during_run_command", command_line="ls", cwd="/w"), Ignored)
