"""What a harness's files say of its past runs -> ledger entries, whichever harness it was.

An importer reads its files into a `Transcript`; here the calls are put beside the places, backups and turns
that they speak of. A call has the same uid here and in the live hooks, so that both may see it. What cannot be
known is `unknown`, with why. Knows no ledger.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Protocol

from sulcus_panel.core.capture.adapter import Adapter, Scene, ToolKind
from sulcus_panel.core.capture.changes import ABSENT_SIDE, build_change, file_side, is_outside, unknown_side
from sulcus_panel.core.capture.drafts import (
    Context,
    command_entry,
    file_entry,
    mcp_entry,
    move_entry,
    outside_entry,
)
from sulcus_panel.core.capture.edits import Unknown
from sulcus_panel.core.capture.exact import told_hunks
from sulcus_panel.core.capture.mcp import only_reads
from sulcus_panel.core.capture.past.into_ledger import ImportedEntry, ImportedRun
from sulcus_panel.core.capture.past.path_map import PathMap, path_map
from sulcus_panel.core.capture.past.rebuild import (
    NO_FILE,
    AgentChange,
    FileChange,
    Located,
    OutsideChange,
    Version,
    Witness,
    rebuild,
)
from sulcus_panel.core.capture.past.records import (
    Backup,
    CommandCall,
    FileCall,
    ReadCall,
    Stamp,
    Transcript,
)
from sulcus_panel.core.capture.past.replay import encode
from sulcus_panel.core.capture.past.turn_book import TurnBook
from sulcus_panel.core.capture.turns import Turn
from sulcus_panel.core.disk import look
from sulcus_panel.core.model import (
    Change,
    DiskFile,
    FileKind,
    LedgerPath,
    NewEntry,
    Provenance,
    Settings,
    Sha256,
)

WORKED_BACK = "The file before it is worked out from how it was left."
FILES_NOT_TOLD = "Which files it changed is not told: a past run does not show them."
_OUTSIDE_SUMMARY = "changed outside the recorded edits: by a shell command or by hand"

DEFAULTS = Settings()

Moment = tuple[datetime, int]


class Backups(Protocol):
    """The bytes that a harness itself kept of files as they were."""

    @property
    def problems(self) -> Sequence[str]:
        """Of each backup that is there and cannot be read, why."""

    def blob(self, sessions: Sequence[str], name: str) -> bytes | None:
        """The bytes of one backup of these sessions, None where it is gone."""


class NoBackups:
    """A harness that keeps none."""

    problems: Sequence[str] = ()

    def blob(self, sessions: Sequence[str], name: str) -> bytes | None:  # noqa: ARG002 - it has none of any name
        """Nothing."""
        return None


@dataclass(frozen=True, slots=True)
class Importing:
    """One import: whose runs, and the workspace that they go to.

    `root` is the workspace's folder; it stands for `recorded_root`, where the run took place (None: where
    its sessions started).
    """

    adapter: Adapter
    root: str
    recorded_root: str | None = None
    settings: Settings = DEFAULTS
    known: Collection[str] = ()
    """The uids of entries that need not be made again."""


def imported_run(transcript: Transcript, importing: Importing, backups: Backups) -> ImportedRun:
    """The entries of what was read, sorted by time of happening."""
    run = _Run(transcript, importing, backups)
    entries = sorted(run.entries(), key=lambda pair: pair[0])
    problems = (*transcript.problems, *backups.problems)
    harness = importing.adapter.harness
    return ImportedRun(harness, tuple(one for _, one in entries), transcript.sessions, problems)


class _Run:
    """One import under way: the transcripts put beside the places, backups and turns that they speak of."""

    def __init__(self, transcript: Transcript, importing: Importing, backups: Backups) -> None:
        self._transcript = transcript
        self._places: PathMap = path_map(transcript.sessions, importing.root, importing.recorded_root)
        self._backups = backups
        self._root = importing.root
        self._known = importing.known
        self._adapter = importing.adapter
        self._settings = importing.settings
        self._turns = TurnBook(transcript.prompts)
        self._contexts: dict[int, Context] = {}
        self._derived: dict[int, tuple[LedgerPath, ...]] = {}

    def entries(self) -> Iterator[tuple[Moment, ImportedEntry]]:
        """All entries with the moment that sorts them."""
        self._follow_turns()
        for call in self._transcript.calls:
            if isinstance(call, CommandCall) and not _only_reads(call) and not self._is_known(call):
                yield call.stamp.moment, ImportedEntry(self._command_entry(call), {})
        calls: dict[int, list[tuple[LedgerPath, AgentChange]]] = defaultdict(list)
        for located, changes in self._file_changes().items():
            path = self._places.name(located)
            for change in changes:
                if isinstance(change, AgentChange):
                    calls[change.call.stamp.order].append((path, change))
                else:
                    yield (change.at, 0), self._outside_entry(path, change)
        for parts in calls.values():
            if not self._is_known(parts[0][1].call):
                yield parts[0][1].call.stamp.moment, self._call_entry(parts)

    def _command_entry(self, call: CommandCall) -> NewEntry:
        context = self._contexts[call.stamp.order]
        if call.applied.kind is ToolKind.MCP:
            entry = mcp_entry(context, call.applied)
            return replace(entry, provenance=Provenance.IMPORTED, notes=(*entry.notes, FILES_NOT_TOLD))
        return replace(command_entry(context, call.applied, call.exit_code), provenance=Provenance.IMPORTED)

    def _is_known(self, call: FileCall | CommandCall) -> bool:
        return self._contexts[call.stamp.order].uid(call.applied) in self._known

    def _follow_turns(self) -> None:
        """Give every call its turn, and to every change what was read in the turn before it."""
        reads: dict[tuple[str, str], tuple[str, dict[str, None]]] = {}
        named: Counter[str] = Counter()
        for call in self._transcript.calls:
            turn = self._turns.turn(call.stamp)
            who = (call.stamp.session, call.stamp.agent)
            turn_id, seen = reads.get(who, ("", {}))
            if who not in reads or turn_id != turn.turn_id:
                seen = {}
                reads[who] = (turn.turn_id, seen)
            if isinstance(call, ReadCall):
                seen[self._locate(call.path, call.stamp)] = None
                continue
            context = Context(self._adapter, _scene(self._adapter, call), turn)
            uid = context.uid(call.applied)
            named[uid] += 1
            self._contexts[call.stamp.order] = replace(context, nth=named[uid])
            if isinstance(call, FileCall):
                target = self._target(call)
                derived = tuple(self._places.name(one) for one in seen if one != target)
                self._derived[call.stamp.order] = derived

    def _file_changes(self) -> Mapping[str, tuple[FileChange, ...]]:
        calls = [
            Located(
                call,
                self._target(call),
                self._locate(to, call.stamp) if (to := call.applied.moved_to) else "",
            )
            for call in self._transcript.calls
            if isinstance(call, FileCall)
        ]
        witnesses = self._witnesses({path for one in calls for path in (one.path, one.moved_to) if path})
        return rebuild(calls, witnesses, self._now)

    def _now(self, located: str) -> Version | None:
        """A plain file of the workspace as it is now, None for anything else."""
        name = self._places.name(located)
        if is_outside(name):
            return None
        found = look(self._root, name)
        is_file = found.state.kind is FileKind.FILE and found.content is not None
        return Version(found.content, exact=True) if is_file else None

    def _witnesses(self, changed: Iterable[str]) -> Mapping[str, list[tuple[Stamp | None, Witness]]]:
        """What backups and whole reads show of the files that were changed."""
        wanted = frozenset(changed)
        found: dict[str, list[tuple[Stamp | None, Witness]]] = defaultdict(list)
        for call in self._transcript.calls:
            if isinstance(call, ReadCall):
                located = self._locate(call.path, call.stamp)
                text = encode(call.content) if call.content is not None else None
                version = Version(text) if isinstance(text, bytes) else None
                if located in wanted:
                    found[located].append((call.stamp, Witness(call.stamp.at, version)))
        cwds = {one.session_id: one.cwds for one in self._transcript.sessions}
        for backup in self._transcript.backups:
            at = next((place for place in self._backed_up(backup, cwds) if place in wanted), None)
            version = self._backup_version(backup) if at is not None else None
            if at is not None and version is not None:
                found[at].append((None, Witness(backup.at, version)))
        return found

    def _backed_up(self, backup: Backup, cwds: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
        """Where a backup's file may be: named from where the session started, seldom from a later cwd."""
        for session in backup.sessions:
            for cwd in cwds.get(session, ()):
                yield self._places.locate(backup.path, cwd)

    def _backup_version(self, backup: Backup) -> Version | None:
        if backup.blob is None:
            return NO_FILE
        data = self._backups.blob(backup.sessions, backup.blob)
        return Version(data, exact=True) if data is not None else None

    def _target(self, call: FileCall) -> str:
        return self._locate(call.applied.path, call.stamp)

    def _locate(self, path: str, stamp: Stamp) -> str:
        return self._places.locate(path, stamp.cwd)

    def _call_entry(self, parts: Sequence[tuple[LedgerPath, AgentChange]]) -> ImportedEntry:
        """The entry of a call on one file, or of one that moved it: then both of its paths are in it."""
        call = parts[0][1].call
        old = self._places.name(self._target(call))
        changes: list[Change] = []
        contents: dict[Sha256, bytes] = {}
        for path, change in sorted(parts, key=lambda part: part[0] != old):
            before, after = _side(change.before), _side(change.after)
            told = told_hunks(call.applied, before.content, after.content)
            built, kept = build_change(path, before, after, self._settings, told=told)
            changes.append(built)
            contents.update(kept)
        context, derived = self._contexts[call.stamp.order], self._derived[call.stamp.order]
        entry = (
            file_entry(context, call.applied, changes[0], Provenance.IMPORTED, derived)
            if len(changes) == 1
            else replace(
                move_entry(context, call.applied, changes[0], changes[1]),
                provenance=Provenance.IMPORTED,
                derived_from=derived,
            )
        )
        if any(change.worked_back for _, change in parts):
            entry = replace(entry, notes=(*entry.notes, WORKED_BACK))
        return ImportedEntry(entry, contents)

    def _outside_entry(self, path: LedgerPath, change: OutsideChange) -> ImportedEntry:
        built, contents = build_change(path, _side(change.before), _side(change.after), self._settings)
        entry = replace(
            outside_entry("", change.at, built),
            uid=_outside_uid(self._adapter.harness, path, change, built),
            provenance=Provenance.IMPORTED,
            summary=_OUTSIDE_SUMMARY,
        )
        return ImportedEntry(entry, contents)


def uid_of(adapter: Adapter, call: FileCall | CommandCall) -> str:
    """The uid of a call's entry; empty where it makes none."""
    if isinstance(call, CommandCall) and _only_reads(call):
        return ""
    return Context(adapter, _scene(adapter, call), Turn("")).uid(call.applied)


def _scene(adapter: Adapter, call: FileCall | CommandCall) -> Scene:
    stamp = call.stamp
    return Scene(
        spool_name=call.applied.call_id,
        at=stamp.at,
        harness=adapter.harness,
        session_id=stamp.session,
        cwd=stamp.cwd,
        turn=stamp.prompt_id,
        agent_id=stamp.agent,
        model=stamp.model,
    )


def _only_reads(call: CommandCall) -> bool:
    return call.applied.kind is ToolKind.MCP and only_reads(call.applied.tool)


def _side(version: Version | Unknown) -> DiskFile:
    if isinstance(version, Unknown):
        return unknown_side(version.reason)
    return ABSENT_SIDE if version.content is None else file_side(version.content)


def _outside_uid(harness: str, path: LedgerPath, change: OutsideChange, built: Change) -> str:
    what = "\0".join((path, built.before.sha256 or "", built.after.sha256 or "", change.at.isoformat()))
    digest = hashlib.sha256(what.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{harness}:{change.session}:outside-{digest[:24]}"
