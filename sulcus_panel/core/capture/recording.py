"""One event after the other becomes ledger entries, inside the transaction that the Recorder holds.

Nothing here guesses: a change is two states that were seen, or one that was seen and one that is unknown and
says why. Between two sightings of a path that do not fit, an entry "outside" closes the chain.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from sulcus_panel.core.capture.adapter import (
    Adapter,
    CaptureEvent,
    FileRead,
    Ignored,
    PromptSubmitted,
    Scene,
    SessionEnded,
    ToolCall,
    ToolFailed,
    ToolFinished,
    ToolKind,
    ToolStarted,
    TurnEnded,
)
from sulcus_panel.core.capture.chains import Chains, Named
from sulcus_panel.core.capture.changes import build_change, is_outside, why_withheld
from sulcus_panel.core.capture.drafts import (
    Context,
    command_entry,
    derived_from,
    file_entry,
    mcp_entry,
    move_entry,
)
from sulcus_panel.core.capture.echoes import is_told
from sulcus_panel.core.capture.event_facts import activity_of, git_since, is_more, writes_late
from sulcus_panel.core.capture.exact import told_hunks
from sulcus_panel.core.capture.known_calls import unrecorded
from sulcus_panel.core.capture.mcp import only_reads
from sulcus_panel.core.capture.pairing import WHOLE_TREE, Pairs
from sulcus_panel.core.capture.place import (
    Place,
    locate,
    names_of,
    place_folder,
    place_path,
    spelled,
)
from sulcus_panel.core.capture.shell.effects import Effects
from sulcus_panel.core.capture.sides import (
    Sides,
    is_change,
    is_result,
    is_unwritten,
    sides_between,
    sides_of_answer,
)
from sulcus_panel.core.capture.sight import sight
from sulcus_panel.core.capture.spool import Looked, Sighting, bad_event
from sulcus_panel.core.capture.told_models import ToldModels
from sulcus_panel.core.capture.trees import Trees
from sulcus_panel.core.capture.turns import SessionTurns, decode_turns, turns_key
from sulcus_panel.core.capture.unended import Unended, look_of
from sulcus_panel.core.capture.whereabouts import where_it_began, with_folder
from sulcus_panel.core.ledger.activity import Activity
from sulcus_panel.core.ledger.sessions import SessionSeen
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import (
    Change,
    FileKind,
    LedgerPath,
    NewEntry,
    SeqId,
    Sha256,
    Workspace,
)
from sulcus_panel.core.states import same_state

TURNS = "turns"
FOLDED = "More than the tool was asked to write: a formatter, a hook or somebody else wrote before it ended."


@dataclass(frozen=True, slots=True)
class _Built:
    """One path's change, ready to be appended."""

    place: Place
    sides: Sides
    change: Change
    contents: Mapping[Sha256, bytes]


class Recording:
    """The state of one transaction: turns and sessions touched, entries appended."""

    def __init__(self, ledger: Ledger, adapters: Mapping[str, Adapter], pairs: Pairs, home: Path) -> None:
        self._ledger = ledger
        self._adapters = adapters
        self._pairs = pairs
        self._turns: dict[str, SessionTurns] = {}
        self._kept_turns = {kept.key: kept.payload for kept in ledger.pending(TURNS)}
        self._workspaces: dict[str, Workspace] = {}
        self._chains = Chains(ledger)
        self._models = ToldModels()
        self._trees = Trees(ledger, self._chains, pairs, home)
        self._unended = Unended(ledger, self._trees)

    @property
    def recorded(self) -> Sequence[SeqId]:
        """The entries appended."""
        return self._chains.recorded

    @property
    def messages(self) -> Sequence[str]:
        """What is to be told of it."""
        return self._chains.messages

    def take(self, event: CaptureEvent, looked: Looked | None = None, lost: Sequence[Looked] = ()) -> None:
        """Record what one event says; its hook looked at the whole tree for it, or for calls `lost` before it."""
        scene = event.scene
        if scene.cwd:
            self._workspace(scene)  # an event registers its folder before paths are looked for in it
        self._take(event, scene, looked, lost)
        if scene.cwd:  # last, for what an end records is no sign of life
            self._touch(self._workspace(scene), scene, activity_of(event))

    def take_silent(self, started: ToolStarted, now: datetime, looked: Looked | None) -> None:
        """Record a command or call of which no word has come for long."""
        self._record_unended(started, now, () if looked is None else (looked,))

    def _take(self, event: CaptureEvent, scene: Scene, looked: Looked | None, lost: Sequence[Looked]) -> None:
        match event:
            case ToolStarted(call=ToolCall(kind=ToolKind.COMMAND | ToolKind.MCP)):
                self._pairs.open(replace(event, look=look_of(looked)), withheld=False)
            case ToolStarted():
                self._take_start(event)
            case ToolFinished() | ToolFailed():
                self._take_end(event, looked)
            case FileRead():
                self._take_read(event)
            case PromptSubmitted():
                self._close(scene, lost=lost)
                self._keep_turns(scene, self._session(scene).begin(scene.turn, event.prompt))
            case TurnEnded():
                self._close(scene, event.seen, lost=None if event.of_subagent else lost)
            case SessionEnded():
                self._close(scene, whole_session=True, lost=lost)
            case Ignored() if looked is not None:  # the end of a call that was refused
                self._pairs.close_looked(look_of(looked))

    def _take_start(self, event: ToolStarted) -> None:
        """What a hook sees before a call is also what became of earlier ones that ended before they had written."""
        for started in self._pairs.close_unwritten(event.scene, event.call.path):
            if not self._record_seen(started, event.scene, event.sighting):
                self._pairs.open(started, withheld=self._is_withheld(started), unwritten=True)
        self._pairs.open(event, withheld=self._is_withheld(event))

    def _take_end(self, event: ToolFinished | ToolFailed, looked: Looked | None) -> None:
        call, scene = event.call, event.scene
        started = self._pairs.close(scene, call)
        if isinstance(event, ToolFinished) and is_told(self._ledger, self._pairs, event):
            return
        if call.kind is ToolKind.COMMAND:
            self._record_command(event, started, looked)
            return
        if call.kind is ToolKind.MCP:
            self._record_mcp(event, started, looked)
            return
        if isinstance(event, ToolFinished) and event.staged:
            return
        if started is not None:
            sides = sides_between(started.sighting, event.sighting)
        elif isinstance(event, ToolFinished):
            sides = sides_of_answer(event)
        else:
            return
        if call.moved_to:
            self._record_move(event, sides, started)
        elif is_change(sides, event):
            self._record(self._context(scene), call, sides, started)
        elif started is not None and writes_late(scene) and is_unwritten(sides, event):
            again = replace(started, call=call)
            self._pairs.open(again, withheld=self._is_withheld(again), unwritten=True)

    def _record_command(
        self, event: ToolFinished | ToolFailed, started: ToolStarted | None, looked: Looked | None
    ) -> None:
        scene = event.scene
        if not scene.cwd:
            raise bad_event(scene.spool_name, "a command without a folder")
        event = where_it_began(event, started)
        context = self._unrecorded(self._context(event.scene), event.call, started)
        late = self._unended.told(context or self._context(event.scene), event) if started is None else ""
        if context is None or late:
            self._chains.messages.extend([late] if late else [])
            return
        effects = self._trees.effects(context, event, self._workspace(context.scene), looked)
        entry = command_entry(context, event.call, event.exit_code)
        self._append_effects(self._workspace(event.scene), entry, effects)

    def _record_unended(self, started: ToolStarted, at: datetime, lost: Sequence[Looked]) -> None:
        """A command, or another server's call, that began and of which no end was told."""
        context = self._context_then(started, at)
        if self._unrecorded(context, started.call, started) is None or not started.scene.cwd:
            return
        workspace = self._workspace(started.scene)
        found = self._unended.found(context, started, workspace, lost)
        if found is not None:
            self._append_effects(workspace, *found)

    def _record_mcp(
        self, event: ToolFinished | ToolFailed, started: ToolStarted | None, looked: Looked | None
    ) -> None:
        """A call of another server's tool that succeeded; one that only reads by its name if it changed files."""
        if isinstance(event, ToolFailed):
            return
        event = with_folder(self._ledger, event if event.scene.cwd else where_it_began(event, started))
        if not event.scene.cwd:
            if only_reads(event.call.tool):
                return
            raise bad_event(event.scene.spool_name, "a call of another server, and nothing tells its folder")
        context = self._unrecorded(self._context(event.scene), event.call, started)
        if context is None:
            return
        effects = self._trees.effects(context, event, self._workspace(context.scene), looked)
        if effects.changes or not only_reads(event.call.tool):
            self._append_effects(self._workspace(event.scene), mcp_entry(context, event.call), effects)

    def _append_effects(self, workspace: Workspace, entry: NewEntry, effects: Effects) -> None:
        """An entry of a call that may have changed any file, with all that it changed."""
        entry = replace(
            entry,
            target_path=effects.changes[0].path if effects.changes else LedgerPath(""),
            changes=effects.changes,
            git=effects.git,
            ran=effects.facts,
        )
        self._chains.append(workspace, entry, effects.contents)

    def _is_withheld(self, event: ToolStarted) -> bool:
        link = sides_between(event.sighting, None).link
        place = place_path(self._ledger, event.call.path, event.scene.cwd, link=link)
        names = names_of(place.workspace, event.call.path, event.scene.cwd, link)
        return why_withheld(place.path, names, self._ledger.settings(place.workspace.id)) is not None

    def _take_read(self, event: FileRead) -> None:
        scene = event.scene
        self._keep_turns(scene, self._session(scene).add_read(scene.turn, locate(event.path, scene.cwd)))

    def _close(
        self,
        scene: Scene,
        seen: tuple[Sighting, ...] = (),
        *,
        lost: Sequence[Looked] | None,
        whole_session: bool = False,
    ) -> None:
        """Calls whose end, or whose write, nobody told; `seen` is what the hook saw of their files just now.

        `lost`: what it saw of the trees of commands; None where these may go on.
        """
        there = {locate(one.path, scene.cwd): one for one in seen}
        for started in self._pairs.close_unwritten(scene):
            located = locate(started.call.path, started.scene.cwd)
            if not self._record_seen(started, scene, there.get(located)):
                self._record_result(started, scene, sight(located))
        closed = self._pairs.close_all(scene, whole_session=whole_session, commands=lost is not None)
        commands = [started for started in closed if started.call.kind in WHOLE_TREE]
        for started in sorted(
            commands, key=lambda started: not started.call.call_id
        ):  # a second voice has none
            self._record_unended(started, scene.at, lost or ())
        for started in (one for one in closed if one not in commands):
            located = locate(started.call.path, started.scene.cwd)
            self._record_result(started, scene, there.get(located) or sight(located))

    def _record_seen(self, started: ToolStarted, scene: Scene, now: Sighting | None) -> bool:
        """A call that ended well before it had written, by what a hook saw later; whether it saw a change."""
        sides = sides_between(started.sighting, now)
        states = (sides.before.state, sides.after.state)
        if same_state(*states) or FileKind.UNKNOWN in (states[0].kind, states[1].kind):
            return False
        self._record(self._context_then(started, scene.at), started.call, sides, started)
        return True

    def _record_result(self, started: ToolStarted, scene: Scene, now: Sighting | None) -> None:
        """A call by what stands there now: recorded only where that is exactly what the call would make."""
        if started.sighting is None:
            return
        sides = sides_between(started.sighting, now)
        if not same_state(sides.before.state, sides.after.state) and is_result(
            started.call, sides.before, sides.after
        ):
            self._record(self._context_then(started, scene.at), started.call, sides, started)

    def _context_then(self, started: ToolStarted, at: datetime) -> Context:
        """Who called, at the time at which it was seen what became of it."""
        return replace(self._context(started.scene), scene=replace(started.scene, at=at))

    def _unrecorded(self, context: Context, call: ToolCall, started: ToolStarted | None) -> Context | None:
        found = unrecorded(self._ledger, context, call, started)
        if found is None or found.scene.model:
            return found
        model = self._models.of_call(found.scene.transcript, call.call_id)
        return replace(found, scene=replace(found.scene, model=model))

    def _record(self, given: Context, call: ToolCall, sides: Sides, started: ToolStarted | None) -> None:
        """One change of one path; `sides.before` was seen when the call started."""
        context = self._unrecorded(given, call, started)
        since = started.scene.at if started is not None else given.scene.at
        built = self._built(context, call, sides, since) if context is not None else None
        if context is None or built is None:
            return
        self._touch(built.place.workspace, context.scene)
        derived = derived_from(context.turn, built.place)
        entry = file_entry(context, call, built.change, built.sides.provenance, derived)
        notes = (FOLDED,) if is_more(call, built.sides) else ()
        entry = replace(entry, notes=notes, git=git_since(context.scene, started))
        self._chains.append(built.place.workspace, entry, built.contents)

    def _record_move(
        self, event: ToolFinished | ToolFailed, sides: Sides, started: ToolStarted | None
    ) -> None:
        """A file that went under another name is one entry of two paths, so that it goes back as one."""
        call = event.call
        context = self._unrecorded(self._context(event.scene), call, started)
        if context is None:
            return
        since = started.scene.at if started is not None else context.scene.at
        there = sides_between(started.moved if started is not None else None, event.moved)
        gone = self._built(context, call, sides, since)
        come = self._built(context, replace(call, path=call.moved_to, edits=(), content=None), there, since)
        if gone is None or come is None or gone.place.workspace != come.place.workspace:
            for built in (gone, come):  # to another workspace, or half of it is known already
                if built is not None:
                    self._append_part(context, call, built, part=int(built is come))
            return
        if come.change.after.kind is FileKind.ABSENT and gone.change.after.kind is not FileKind.ABSENT:
            gone, come = come, gone  # a harness that does not say which of the two names is the new one
        self._touch(come.place.workspace, context.scene)
        entry = move_entry(context, call, gone.change, come.change)
        entry = replace(entry, git=git_since(context.scene, started))
        self._chains.append(come.place.workspace, entry, {**gone.contents, **come.contents})

    def _append_part(self, context: Context, call: ToolCall, built: "_Built", part: int) -> None:
        own = replace(call, call_id=f"{call.call_id}/to") if part and call.call_id else call
        self._touch(built.place.workspace, context.scene)
        entry = file_entry(context, own, built.change, built.sides.provenance, ())
        self._chains.append(built.place.workspace, entry, built.contents)

    def _built(self, context: Context, call: ToolCall, sides: Sides, since: datetime) -> "_Built | None":
        """The change of the call's path as it goes on from what is known; None where nothing is left of it."""
        place = place_path(self._ledger, call.path, context.scene.cwd, link=sides.link)
        settings = self._ledger.settings(place.workspace.id)
        loose = is_outside(place.path) or not settings.enabled
        names = names_of(place.workspace, call.path, context.scene.cwd, sides.link)
        joined = sides if loose else self._chains.join(context.scene, Named(place, names), sides, since)
        if joined is None or same_state(joined.before.state, joined.after.state):
            return None
        told = told_hunks(call, joined.before.content, joined.after.content)
        change, contents = build_change(
            place.path, joined.before, joined.after, settings, names=names, told=told
        )
        return _Built(place, joined, change, contents)

    def _context(self, scene: Scene) -> Context:
        """Who and in which turn; a turn first heard of here is kept."""
        turns = self._session(scene)
        turn = turns.turn(scene.turn)
        self._keep_turns(scene, turns.note(turn))
        return Context(self._adapters[scene.harness], scene, turn)

    def _session(self, scene: Scene) -> SessionTurns:
        key = turns_key(scene)
        if key not in self._turns:
            self._turns[key] = decode_turns(scene.session_id, self._kept_turns.get(key))
        return self._turns[key]

    def _keep_turns(self, scene: Scene, turns: SessionTurns) -> None:
        key = turns_key(scene)
        if turns != self._turns.get(key):
            self._turns[key] = turns
            self._ledger.put_pending(key, TURNS, scene.at, turns.encode())

    def _workspace(self, scene: Scene) -> Workspace:
        if scene.cwd not in self._workspaces:
            self._workspaces[scene.cwd] = place_folder(self._ledger, scene.cwd)
        return self._workspaces[scene.cwd]

    def _touch(self, workspace: Workspace, scene: Scene, activity: Activity = Activity.WORKING) -> None:
        if not scene.session_id:
            return
        harness = scene.caller or scene.harness
        parent = scene.session_id if scene.agent_id else None
        transcript = spelled(scene.transcript) or None
        session = scene.agent_id or scene.session_id
        seen = SessionSeen(harness, session, scene.at, parent, transcript, activity)
        self._ledger.touch_session(workspace.id, seen)
