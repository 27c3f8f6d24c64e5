"""What an event says by itself, or beside the start of its call. Pure."""

from sulcus_panel.core.capture.adapter import (
    CaptureEvent,
    Scene,
    SessionEnded,
    ToolCall,
    ToolStarted,
    TurnEnded,
)
from sulcus_panel.core.capture.drafts import git_around
from sulcus_panel.core.capture.hook_calls import WRITES_LATE
from sulcus_panel.core.capture.sides import Sides, is_result
from sulcus_panel.core.ledger.activity import Activity
from sulcus_panel.core.model import FileKind, GitDelta


def git_since(scene: Scene, started: ToolStarted | None) -> GitDelta | None:
    """Where git stood when a call began, and now."""
    return git_around(started.scene if started is not None else scene, scene)


def is_more(call: ToolCall, sides: Sides) -> bool:
    """Whether the file is another one than the call alone makes of it."""
    known = sides.before.content is not None or sides.before.state.kind is FileKind.ABSENT
    told = (call.content is not None or bool(call.edits)) and sides.after.content is not None
    written = sides.after.content is not None and sides.after.state.kind is FileKind.FILE
    return known and told and written and not is_result(call, sides.before, sides.after)


def activity_of(event: CaptureEvent) -> Activity:
    """Whether its session works on after an event."""
    match event:
        case SessionEnded():
            return Activity.ENDED
        case TurnEnded(of_subagent=False):
            return Activity.RESTING
    return Activity.WORKING


def writes_late(scene: Scene) -> bool:
    """Whether the harness may say "done" before it has written."""
    return not WRITES_LATE.isdisjoint((scene.harness, scene.caller))
