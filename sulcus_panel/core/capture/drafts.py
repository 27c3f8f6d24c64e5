"""Calls and sides -> the entries to be recorded, by the names that are fixed for clients. Pure."""

from dataclasses import dataclass, replace
from datetime import datetime

from sulcus_panel.core.capture.adapter import Adapter, Scene, ToolCall, ToolKind, ToolStarted
from sulcus_panel.core.capture.changes import is_outside
from sulcus_panel.core.capture.mcp import server_and_tool
from sulcus_panel.core.capture.place import Place, name_in
from sulcus_panel.core.capture.turns import Turn
from sulcus_panel.core.credentials import holds_a_key, redacted
from sulcus_panel.core.model import (
    ActionType,
    Actor,
    ActorKind,
    Change,
    FileKind,
    GitDelta,
    GitState,
    LedgerPath,
    NewEntry,
    Origin,
    Provenance,
)

MAX_SUMMARY = 500
MAX_INPUT = 65_536
INPUT_NOT_KEPT = "The call's input is not kept: it is very large, or holds what looks like a key."
OUTSIDE_HARNESS = "outside"
OUTSIDE_ACTOR = Actor("outside", ActorKind.PERSON)


@dataclass(frozen=True, slots=True)
class Context:
    """Who called, and in which turn. `nth`: a harness may give one agent the same id again for another call."""

    adapter: Adapter
    scene: Scene
    turn: Turn
    nth: int = 1

    def uid(self, call: ToolCall) -> str:
        """The same for every source of this call: the hook's events and the harness's transcript."""
        scene = self.scene
        again = f"#{self.nth}" if self.nth > 1 else ""
        if self.is_nameless(call):
            return f"{self.adapter.harness}:spool:{scene.spool_name}{again}"
        agent = f"/{scene.agent_id}" if scene.agent_id else ""
        return f"{self.adapter.harness}:{scene.session_id}{agent}:{call.call_id}{again}"

    def is_nameless(self, call: ToolCall) -> bool:
        """Whether only its event tells a call from others; a call on several files is then one uid's `#n`."""
        return not call.call_id or not self.scene.session_id

    @property
    def session(self) -> str:
        """The run's own id: a subagent's is its agent id."""
        return self.scene.agent_id or self.scene.session_id


def is_another(context: Context, call: ToolCall, started: ToolStarted | None, known: NewEntry) -> bool:
    """Whether a call is another one than the recorded one of the same id: a resumed session may count anew.

    It is where it began after that one had ended. Of a call whose start nobody saw only what it was can tell;
    the same event may also come twice.
    """
    if started is not None:
        return started.scene.at > known.at
    if known.at == context.scene.at:
        return False
    file_name = call.path.replace("\\", "/").rpartition("/")[2]
    alike = known.tool_name == call.tool and (known.command or "") == call.command
    return not (alike and known.turn_id == context.turn.turn_id and known.target_path.endswith(file_name))


def file_entry(
    context: Context,
    call: ToolCall,
    change: Change,
    provenance: Provenance,
    derived_from: tuple[LedgerPath, ...],
) -> NewEntry:
    """The entry of a file tool's call."""
    action = _action(change, wrote=call.kind is ToolKind.WRITE)
    return replace(
        _entry(context, call, action, f"{_verb(action, call.kind)} {change.path}"),
        target_path=change.path,
        provenance=provenance,
        changes=(change,),
        derived_from=derived_from,
    )


def move_entry(context: Context, call: ToolCall, gone: Change, come: Change) -> NewEntry:
    """The entry of a call that gave a file another name, and perhaps edited it on the way."""
    return replace(
        _entry(context, call, ActionType.FILE_EDIT, f"moved {gone.path} to {come.path}"),
        target_path=come.path,
        changes=(gone, come),
    )


def git_around(start: Scene, end: Scene) -> GitDelta | None:
    """Where git stood before and after a call, None where nobody looked."""
    if start.head is None or end.head is None:
        return None
    before, after = (GitState(scene.head or None, scene.branch or None, {}) for scene in (start, end))
    return GitDelta(before, after)


def command_entry(context: Context, call: ToolCall, exit_code: int | None) -> NewEntry:
    """The entry of a shell command; never a word of its output."""
    return replace(
        _entry(context, call, ActionType.RUN_COMMAND, f"ran: {redacted(call.command)}"),
        command=call.command,
        cwd=context.scene.cwd or None,
        exit_code=exit_code,
    )


def mcp_entry(context: Context, call: ToolCall) -> NewEntry:
    """The entry of another server's tool. Its input is kept where it holds no key, and never listed."""
    server, tool = server_and_tool(call.tool)
    kept = not holds_a_key(call.given.encode("utf-8", "surrogatepass")) and len(call.given) <= MAX_INPUT
    return replace(
        _entry(context, call, ActionType.MCP_MUTATION, f"called {tool} of {server or 'a server'}"),
        cwd=context.scene.cwd or None,
        input=call.given if kept else "",
        notes=(*_placed(context), *(() if kept or not call.given else (INPUT_NOT_KEPT,))),
    )


def _placed(context: Context) -> tuple[str, ...]:
    return (context.scene.placed,) if context.scene.placed else ()


def _entry(context: Context, call: ToolCall, action: ActionType, summary: str) -> NewEntry:
    """What is the same for every call of an agent."""
    return NewEntry(
        uid=context.uid(call),
        at=context.scene.at,
        harness=context.scene.caller or context.adapter.harness,
        actor=Actor(context.adapter.actor, ActorKind.AGENT),
        origin=Origin.AGENT,
        action_type=action,
        tool_name=call.tool,
        target_path=LedgerPath(""),
        summary=summary[:MAX_SUMMARY],
        provenance=Provenance.OBSERVED,
        session_id=context.session,
        turn_id=context.turn.turn_id,
        intent=context.turn.intent,
        model=context.scene.model,
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


def derived_from(turn: Turn, place: Place) -> tuple[LedgerPath, ...]:
    """What the turn had read before it changed a file: not the file itself, and nothing outside its workspace."""
    names = {name_in(place.workspace, path) for path in turn.reads}
    return tuple(sorted(name for name in names if name != place.path and not is_outside(name)))
