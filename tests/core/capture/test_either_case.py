"""Keys in either spelling say the same, and only a subagent with a name ends its own turn."""

from datetime import UTC, datetime

import pytest

from sulcus_panel.core.capture.adapter import (
    Ignored,
    PromptSubmitted,
    SessionEnded,
    SessionStarted,
    ToolCall,
    ToolKind,
    TurnEnded,
)
from sulcus_panel.core.capture.changes import file_side
from sulcus_panel.core.capture.either_case import call_started, scene_of, session_event
from sulcus_panel.core.capture.payload import JsonObject
from sulcus_panel.core.capture.spool import Sighting, SpoolEvent

AT = datetime(2026, 1, 1, tzinfo=UTC)
SNAKE = {"session_id": "s", "cwd": "/w", "agent_id": "a", "transcript_path": "/t"}
CAMEL = {"sessionId": "s", "cwd": "/w", "agentId": "a", "transcriptPath": "/t"}


def event(payload: JsonObject, *names: str) -> SpoolEvent:
    seen = tuple(Sighting(name, file_side(name.encode())) for name in names)
    first = seen[0] if seen else None
    return SpoolEvent("1-1", "copilot-cli", AT, payload, first, others=seen[1:])


@pytest.mark.parametrize("payload", [SNAKE, CAMEL])
def test_a_scene_is_the_same_in_both_spellings(payload: JsonObject) -> None:
    scene = scene_of(event(payload))
    assert (scene.session_id, scene.cwd, scene.agent_id, scene.transcript) == ("s", "/w", "a", "/t")
    assert (scene.spool_name, scene.at, scene.harness, scene.turn) == ("1-1", AT, "copilot-cli", "")


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("UserPromptSubmit", PromptSubmitted),
        ("Stop", TurnEnded),
        ("SubagentStop", TurnEnded),
        ("SessionStart", SessionStarted),
        ("SessionEnd", SessionEnded),
        ("PreCompact", Ignored),
    ],
)
def test_a_name_tells_what_happened_to_the_session(name: str, kind: type) -> None:
    assert isinstance(session_event(name, scene_of(event(CAMEL)), {"prompt": "x"}), kind)


def test_a_subagent_without_a_name_ends_nobodys_turn() -> None:
    told = session_event("SubagentStop", scene_of(event({"sessionId": "s"})), {})
    assert isinstance(told, Ignored)


def test_a_lone_calls_file_is_what_the_hook_saw_first_however_it_is_spelled() -> None:
    told, call = event(SNAKE, "/w/a", "/w/b"), ToolCall("edit", ToolKind.EDIT, path="~/odd")
    assert call_started(scene_of(told), call, told, alone=True).sighting is told.sighting
    assert call_started(scene_of(told), call, told, alone=False).sighting is None


def test_a_moved_file_is_looked_up_by_both_of_its_names() -> None:
    told, call = event(SNAKE, "/w/a", "/w/b"), ToolCall("edit", ToolKind.EDIT, path="b", moved_to="a")
    started = call_started(scene_of(told), call, told, alone=True)
    assert (started.sighting, started.moved) == (told.others[0], told.sighting)
