"""What the conformance suite does not say of OpenCode's plugin: patches, and older answers."""

from collections.abc import Mapping
from datetime import UTC, datetime

from sulcus_panel.core.capture.adapter import (
    CaptureEvent,
    SessionEnded,
    SessionStarted,
    ToolFailed,
    ToolFinished,
    ToolStarted,
)
from sulcus_panel.core.capture.changes import file_side
from sulcus_panel.core.capture.harnesses.opencode.live import OpenCode
from sulcus_panel.core.capture.spool import Sighting, SpoolEvent


def read(name: str, *seen: str, **payload: object) -> tuple[CaptureEvent, ...]:
    told = {"hook_event_name": name, "session_id": "s", "cwd": "/w", "tool_use_id": "c", **payload}
    sightings = [Sighting(path, file_side(path.encode())) for path in seen]
    at = datetime(2026, 1, 1, tzinfo=UTC)
    first = sightings[0] if sightings else None
    return OpenCode().read(SpoolEvent("1-1", "opencode", at, told, first, others=tuple(sightings[1:])))


PATCH = {
    "patchText": "*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n-x\n+y\n"
    "*** Delete File: c\n*** End Patch"
}


def test_a_patch_is_an_event_a_file_each_with_what_was_seen_there() -> None:
    moved, deleted = read(
        "tool.execute.before", "/w/a", "/w/b", "/w/c", tool_name="apply_patch", tool_input=PATCH
    )
    assert isinstance(moved, ToolStarted)
    assert isinstance(deleted, ToolStarted)
    assert (moved.call.call_id, moved.call.moved_to, deleted.call.call_id) == ("c", "b", "c/2")
    assert [one.path if one else "" for one in (moved.sighting, moved.moved, deleted.sighting)] == [
        "/w/a",
        "/w/b",
        "/w/c",
    ]


def test_every_file_of_a_patch_finishes_or_fails() -> None:
    finished = read("tool.execute.after", "/w/a", "/w/c", tool_name="apply_patch", tool_input=PATCH)
    failed = read("tool.execute.error", "/w/a", "/w/c", tool_name="apply_patch", tool_input=PATCH, error="no")
    assert [type(one) for one in finished] == [ToolFinished, ToolFinished]
    assert [one.error for one in failed if isinstance(one, ToolFailed)] == ["no", "no"]


def test_the_texts_that_older_versions_tell_are_taken() -> None:
    given = {"filePath": "/w/a", "oldString": "x", "newString": "y"}
    answer: Mapping[str, object] = {"metadata": {"filediff": {"before": "x\n", "after": "y\n"}}}
    (event,) = read("tool.execute.after", tool_name="edit", tool_input=given, tool_response=answer)
    assert isinstance(event, ToolFinished)
    assert (event.original, event.call.content) == ("x\n", "y\n")


def test_sessions_begin_and_end() -> None:
    (begun,), (ended,) = read("session.created"), read("session.deleted")
    assert isinstance(begun, SessionStarted)
    assert isinstance(ended, SessionEnded)


def test_the_model_is_the_one_that_the_plugin_tells() -> None:
    given = {"command": "make"}
    (event,) = read("tool.execute.before", tool_name="bash", tool_input=given, model="big-1")
    (bare,) = read("tool.execute.before", tool_name="bash", tool_input=given)
    assert (event.scene.model, bare.scene.model) == ("big-1", "")
