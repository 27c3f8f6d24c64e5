"""Calls and sides -> the entries to be recorded, in api.md's words. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sulcus_panel.core.capture.adapter import Adapter, Scene, ToolCall, ToolKind
from sulcus_panel.core.capture.turns import Turn
from sulcus_panel.core.model import (
    ActionType,
    Actor,
    ActorKind,
    Change,
    FileKind,
    LedgerPath,
    NewEntry,
    Origin,
    Provenance,
    Sha256,
)

MAX_SUMMARY = 500
OUTSIDE_HARNESS = "outside"
OUTSIDE_ACTOR = Actor("outside", ActorKind.PERSON)


@dataclass(frozen=True, slots=True)
class Draft:
    """An entry and the bytes that go with it."""

    workspace_id: int
    entry: NewEntry
    contents: Mapping[Sha256, bytes]


@dataclass(frozen=True, slots=True)
class Context:
    """Who called, and in which turn."""

    adapter: Adapter
    scene: Scene
    turn: Turn

    def uid(self, call: ToolCall) -> str:
        """The same for every source of this call: the hook's events and the harness's transcript."""
        scene = self.scene
        if call.call_id and scene.session_id:
            return f"{self.adapter.harness}:{scene.session_id}:{call.call_id}"
        return f"{self.adapter.harness}:spool:{scene.spool_name}"

    @property
    def session(self) -> str:
        """The run's own id: a subagent's is its agent id."""
        return self.scene.agent_id or self.scene.session_id


def file_entry(
    context: Context,
    call: ToolCall,
    change: Change,
    provenance: Provenance,
    derived_from: tuple[LedgerPath, ...],
) -> NewEntry:
    """The entry of a file tool's call."""
    action = _action(change, wrote=call.kind is ToolKind.WRITE)
    return NewEntry(
        uid=context.uid(call),
        at=context.scene.at,
        harness=context.scene.caller or context.adapter.harness,
        actor=Actor(context.adapter.actor, ActorKind.AGENT),
        origin=Origin.AGENT,
        action_type=action,
        tool_name=call.tool,
        target_path=change.path,
        summary=f"{_verb(action, call.kind)} {change.path}"[:MAX_SUMMARY],
        provenance=provenance,
        session_id=context.session,
        turn_id=context.turn.turn_id,
        intent=context.turn.intent,
        changes=(change,),
        derived_from=derived_from,
    )


def command_entry(context: Context, call: ToolCall, exit_code: int | None) -> NewEntry:
    """The entry of a shell command; never a word of its output."""
    return NewEntry(
        uid=context.uid(call),
        at=context.scene.at,
        harness=context.scene.caller or context.adapter.harness,
        actor=Actor(context.adapter.actor, ActorKind.AGENT),
        origin=Origin.AGENT,
        action_type=ActionType.RUN_COMMAND,
        tool_name=call.tool,
        target_path=LedgerPath(""),
        summary=f"ran: {call.command}"[:MAX_SUMMARY],
        provenance=Provenance.OBSERVED,
        session_id=context.session,
        turn_id=context.turn.turn_id,
        intent=context.turn.intent,
        command=call.command,
        cwd=context.scene.cwd or None,
        exit_code=exit_code,
    )


def outside_entry(spool_name: str, at: datetime, change: Change) -> NewEntry:
    """What happened to a file between two of our sightings, so that its chain has no hole."""
    return NewEntry(
        uid=f"outside:{spool_name}:{change.path}",
        at=at,
        harness=OUTSIDE_HARNESS,
        actor=OUTSIDE_ACTOR,
        origin=Origin.OUTSIDE,
        action_type=_action(change, wrote=False),
        tool_name="",
        target_path=change.path,
        summary="changed outside the agents",
        provenance=Provenance.OBSERVED,
        changes=(change,),
    )


def _action(change: Change, *, wrote: bool) -> ActionType:
    if change.before.kind is FileKind.ABSENT:
        return ActionType.FILE_CREATE
    if change.after.kind is FileKind.ABSENT:
        return ActionType.FILE_DELETE
    return ActionType.FILE_WRITE if wrote else ActionType.FILE_EDIT


def _verb(action: ActionType, kind: ToolKind) -> str:
    if action is ActionType.FILE_CREATE:
        return "created"
    if action is ActionType.FILE_DELETE:
        return "deleted"
    if kind is ToolKind.NOTEBOOK:
        return "edited notebook"
    return "wrote" if kind is ToolKind.WRITE else "edited"
