"""One event after the other becomes ledger entries, inside the transaction that the Recorder holds.

Nothing here guesses: a change is two states that were seen, or one that was seen and one that is unknown and
says why. Between two sightings of a path that do not fit, an entry "outside" closes the chain.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from sulcus_panel.core.capture.adapter import (
    Adapter,
    CaptureEvent,
    FileRead,
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
from sulcus_panel.core.capture.changes import build_change, is_outside, why_withheld
from sulcus_panel.core.capture.drafts import (
    Context,
    command_entry,
    file_entry,
    git_around,
    is_another,
    outside_entry,
)
from sulcus_panel.core.capture.exact import told_hunks
from sulcus_panel.core.capture.pairing import Pairs
from sulcus_panel.core.capture.place import (
    Place,
    locate,
    name_in,
    names_of,
    place_folder,
    place_path,
    resolve,
    spelled,
)
from sulcus_panel.core.capture.shell.effects import Desk, Effects, effects_of
from sulcus_panel.core.capture.shell.report import read_report
from sulcus_panel.core.capture.sides import Sides, is_change, is_result, sides_between, sides_of_answer
from sulcus_panel.core.capture.spool import Looked, Sighting, bad_event
from sulcus_panel.core.capture.turns import SessionTurns, Turn, decode_turns, turns_key
from sulcus_panel.core.disk import look
from sulcus_panel.core.errors import LedgerCorrupt, NotFound
from sulcus_panel.core.ledger.queries import LedgerQuery
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import (
    ActionType,
    DiskFile,
    FileKind,
    FileState,
    LedgerPath,
    NewEntry,
    SeqId,
    Sha256,
    Workspace,
)
from sulcus_panel.core.states import same_state

TURNS = "turns"
RECENT = 8
"""So many commands before one are asked whether they ran at the same time."""


@dataclass(frozen=True, slots=True)
class _Seen:
    """The newest state of a path in the ledger."""

    at: datetime
    seq_id: SeqId
    after: FileState


@dataclass(frozen=True, slots=True)
class _Named:
    """Where a changed file is, and the names by which the agent reached it."""

    place: Place
    names: tuple[LedgerPath, ...]


class Recording:
    """The state of one transaction: turns and sessions touched, entries appended."""

    def __init__(self, ledger: Ledger, adapters: Mapping[str, Adapter], pairs: Pairs, home: Path) -> None:
        self._ledger = ledger
        self._home = home
        self._adapters = adapters
        self._pairs = pairs
        self._turns: dict[str, SessionTurns] = {}
        self._kept_turns = {kept.key: kept.payload for kept in ledger.pending(TURNS)}
        self._workspaces: dict[str, Workspace] = {}
        self._seen: dict[tuple[int, LedgerPath], _Seen] = {}
        self.recorded: list[SeqId] = []
        self.messages: list[str] = []

    def take(self, event: CaptureEvent, looked: Looked | None = None) -> None:
        """Record what one event says; `looked`: what its hook saw of the whole tree."""
        scene = event.scene
        if scene.cwd:
            self._touch(self._workspace(scene), scene, ended=isinstance(event, SessionEnded))
        match event:
            case ToolStarted(call=ToolCall(kind=ToolKind.COMMAND)):
                self._pairs.open(event, withheld=False)
            case ToolStarted():
                self._pairs.open(event, withheld=self._is_withheld(event))
            case ToolFinished() | ToolFailed():
                self._take_end(event, looked)
            case FileRead():
                self._take_read(event)
            case PromptSubmitted():
                self._close(scene)
                self._keep_turns(scene, self._session(scene).begin(scene.turn, event.prompt))
            case TurnEnded():
                self._close(scene)
            case SessionEnded():
                self._close(scene, whole_session=True)

    def _take_end(self, event: ToolFinished | ToolFailed, looked: Looked | None) -> None:
        call, scene = event.call, event.scene
        started = self._pairs.close(scene, call)
        if call.kind is ToolKind.COMMAND:
            self._record_command(event, started, looked)
            return
        if isinstance(event, ToolFinished) and event.staged:
            return
        if started is not None:
            sides = sides_between(started.sighting, event.sighting)
        elif isinstance(event, ToolFinished):
            sides = sides_of_answer(event)
        else:
            return
        if is_change(sides, event):
            self._record(self._context(scene), call, sides, started)

    def _record_command(
        self, event: ToolFinished | ToolFailed, started: ToolStarted | None, looked: Looked | None
    ) -> None:
        scene = event.scene
        if not scene.cwd:
            raise bad_event(scene.spool_name, "a command without a folder")
        context = self._unrecorded(self._context(scene), event.call, started)
        if context is None:
            return
        effects = self._effects(context, event, looked)
        entry = replace(
            command_entry(context, event.call, event.exit_code),
            target_path=effects.changes[0].path if effects.changes else LedgerPath(""),
            changes=effects.changes,
            git=effects.git,
            ran=effects.facts,
        )
        self._append(self._workspace(scene), entry, effects.contents)

    def _effects(self, context: Context, event: ToolFinished | ToolFailed, looked: Looked | None) -> Effects:
        """What the looks at the tree around a call tell of it."""
        scene, workspace = context.scene, self._workspace(context.scene)
        report = read_report(scene.spool_name, looked)
        root = resolve(report.root) if report is not None else ""

        def known(path: str) -> tuple[DiskFile, datetime] | None:
            last = self._last_seen(Place(workspace, name_in(workspace, os.path.join(root, path))), scene.at)
            return None if last is None else (DiskFile(last.after, self._content(last.after)), last.at)

        def join(place: Place, sides: Sides, since: datetime) -> Sides | None:
            return self._join(context, _Named(place, ()), sides, since)

        def outside(place: Place, sides: Sides, at: datetime) -> None:
            joined = self._join(context, _Named(place, ()), sides, at)
            if joined is not None:
                settings = self._ledger.settings(workspace.id)
                change, contents = build_change(place.path, joined.before, joined.after, settings)
                self._append(workspace, outside_entry(f"{scene.spool_name}+", at, change), contents)

        query = LedgerQuery(workspace_id=workspace.id, action_type=ActionType.RUN_COMMAND, limit=RECENT)
        recent = [entry.record for entry in self._ledger.find(query)]
        running = self._pairs.commands_below(workspace.root or scene.cwd)
        settings = self._ledger.settings(workspace.id)
        desk = Desk(workspace, settings, self._home, join, known, outside, recent, running)
        return effects_of(report, event, desk)

    def _is_withheld(self, event: ToolStarted) -> bool:
        link = sides_between(event.sighting, None).link
        place = place_path(self._ledger, event.call.path, event.scene.cwd, link=link)
        names = names_of(place.workspace, event.call.path, event.scene.cwd, link)
        return why_withheld(place.path, names, self._ledger.settings(place.workspace.id)) is not None

    def _take_read(self, event: FileRead) -> None:
        scene = event.scene
        self._keep_turns(scene, self._session(scene).add_read(scene.turn, locate(event.path, scene.cwd)))

    def _close(self, scene: Scene, *, whole_session: bool = False) -> None:
        """Calls whose end nobody told: recorded only where the disk is exactly what the call would make."""
        for started in self._pairs.close_all(scene, whole_session=whole_session):
            seen = started.sighting
            if seen is None:
                continue
            sides = sides_between(seen, _sight(locate(started.call.path, started.scene.cwd)))
            if not same_state(sides.before.state, sides.after.state) and is_result(
                started.call, sides.before, sides.after
            ):
                context = self._context(started.scene)
                context = replace(context, scene=replace(started.scene, at=scene.at))
                self._record(context, started.call, sides, started)

    def _unrecorded(self, context: Context, call: ToolCall, started: ToolStarted | None) -> Context | None:
        """Who called, numbered among the calls of the same id; None where the ledger has this very call."""
        while (known := self._ledger.entry_by_uid(context.uid(call))) is not None:
            following = replace(context, nth=context.nth + 1)
            nameless = following.uid(call) == context.uid(call)
            if nameless or not is_another(context, call, started, known.record):
                return None
            context = following
        return context

    def _record(self, given: Context, call: ToolCall, sides: Sides, started: ToolStarted | None) -> None:
        """One change of one path; `sides.before` was seen when the call started."""
        context = self._unrecorded(given, call, started)
        if context is None:
            return
        scene = context.scene
        since = started.scene.at if started is not None else scene.at
        place = place_path(self._ledger, call.path, scene.cwd, link=sides.link)
        settings = self._ledger.settings(place.workspace.id)
        loose = is_outside(place.path) or not settings.enabled
        names = names_of(place.workspace, call.path, scene.cwd, sides.link)
        joined = sides if loose else self._join(context, _Named(place, names), sides, since)
        if joined is None:
            return
        told = told_hunks(call, joined.before.content, joined.after.content)
        change, contents = build_change(
            place.path, joined.before, joined.after, settings, names=names, told=told
        )
        derived = _derived(context.turn, place)
        self._touch(place.workspace, scene)
        entry = file_entry(context, call, change, joined.provenance, derived)
        git = git_around(started.scene if started is not None else scene, scene)
        self._append(place.workspace, replace(entry, git=git), contents)

    def _join(self, context: Context, named: _Named, sides: Sides, since: datetime) -> Sides | None:
        """The sides so that they go on from what the ledger last saw; None where nothing is left of them."""
        place = named.place
        last = self._last_seen(place, context.scene.at)
        if last is None or FileKind.UNKNOWN in (last.after.kind, sides.before.state.kind):
            return sides
        if same_state(last.after, sides.before.state) or self._is_newest(place, sides.before.state):
            return sides
        known = DiskFile(last.after, self._content(last.after))
        if last.at > since:
            if same_state(last.after, sides.after.state):
                self.messages.append(f"{place.path}: two calls at once, recorded together as #{last.seq_id}")
                return None
            return replace(sides, before=known)
        settings = self._ledger.settings(place.workspace.id)
        change, contents = build_change(place.path, known, sides.before, settings, names=named.names)
        self._append(place.workspace, outside_entry(context.scene.spool_name, since, change), contents)
        return sides

    def _last_seen(self, place: Place, at: datetime) -> _Seen | None:
        """What the ledger last saw of a path up to then; read once, as nobody else writes meanwhile."""
        key = (place.workspace.id, place.path)
        known = self._seen.get(key)
        if known is not None and known.at <= at:
            return known
        steps = [step for step in self._ledger.timeline(*key) if step.at <= at]
        return _Seen(steps[-1].at, steps[-1].seq_id, steps[-1].after) if steps else None

    def _is_newest(self, place: Place, state: FileState) -> bool:
        """Whether a path was left like this by what came last, however early that was by a clock set back."""
        steps = self._ledger.timeline(place.workspace.id, place.path)
        return bool(steps) and same_state(steps[-1].after, state)

    def _content(self, state: FileState) -> bytes | None:
        try:
            return self._ledger.blobs.get(state.sha256) if state.kept and state.sha256 else None
        except (LedgerCorrupt, NotFound):
            return None  # a snapshot that is damaged or gone must not stop what comes after

    def _append(self, workspace: Workspace, entry: NewEntry, contents: Mapping[Sha256, bytes]) -> None:
        before = self._ledger.newest_seq()
        recorded = self._ledger.append(workspace.id, entry, contents=contents)
        if recorded is not None and recorded.seq_id > before:
            self.recorded.append(recorded.seq_id)
            for change in recorded.record.changes:
                seen = _Seen(entry.at, recorded.seq_id, change.after)
                self._seen[workspace.id, change.path] = seen

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

    def _touch(self, workspace: Workspace, scene: Scene, *, ended: bool = False) -> None:
        if not scene.session_id:
            return
        harness = scene.caller or scene.harness
        parent = scene.session_id if scene.agent_id else None
        self._ledger.touch_session(
            workspace.id,
            harness,
            scene.agent_id or scene.session_id,
            scene.at,
            parent=parent,
            transcript=spelled(scene.transcript) or None,
            ended=ended,
        )


def _derived(turn: Turn, place: Place) -> tuple[LedgerPath, ...]:
    names = {name_in(place.workspace, path) for path in turn.reads}
    return tuple(sorted(name for name in names if name != place.path and not is_outside(name)))


def _sight(located: str) -> Sighting:
    """What is at a path now, as the hook would have seen it."""
    own = _look(located)
    if own.state.kind is not FileKind.SYMLINK:
        return Sighting(located, own)
    return Sighting(located, own, _look(resolve(located)))


def _look(located: str) -> DiskFile:
    drive, tail = os.path.splitdrive(located)
    return look(drive + os.sep, LedgerPath(tail.lstrip(os.sep).replace(os.sep, "/")))
