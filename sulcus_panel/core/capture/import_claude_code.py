"""Past runs of Claude Code -> ledger entries, so that the panel is full on the first day.

`read_run` only reads files and knows no ledger; `import_into` appends what the ledger does not have yet. A
call has the same uid here and in the live hooks, so that both may see it. What cannot be known is
`unknown`, with why.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from sulcus_panel.core.capture.adapter import Scene
from sulcus_panel.core.capture.changes import ABSENT_SIDE, build_change, file_side, unknown_side
from sulcus_panel.core.capture.claude_code import ClaudeCode
from sulcus_panel.core.capture.claude_history import FileHistory
from sulcus_panel.core.capture.claude_places import (
    PathMap,
    config_of,
    find_transcripts,
    path_map,
    with_subagents,
)
from sulcus_panel.core.capture.claude_rebuild import (
    NO_FILE,
    AgentChange,
    FileChange,
    OutsideChange,
    Version,
    Witness,
    rebuild,
)
from sulcus_panel.core.capture.claude_records import (
    Backup,
    CommandCall,
    FileCall,
    ReadCall,
    Stamp,
    Transcript,
)
from sulcus_panel.core.capture.claude_text import encode
from sulcus_panel.core.capture.claude_transcript import read_transcripts
from sulcus_panel.core.capture.claude_turns import TurnBook
from sulcus_panel.core.capture.drafts import Context, command_entry, file_entry, outside_entry
from sulcus_panel.core.capture.edits import Unknown
from sulcus_panel.core.capture.exact import told_hunks
from sulcus_panel.core.capture.import_ledger import ImportedEntry, ImportedRun, ImportReport, import_into
from sulcus_panel.core.model import DiskFile, LedgerPath, Provenance, Settings, Sha256

__all__ = ["ImportReport", "ImportedEntry", "ImportedRun", "find_transcripts", "import_into", "read_run"]

DEFAULTS = Settings()
HARNESS = "claude-code"

_OUTSIDE_SUMMARY = "changed outside the recorded edits: by a shell command or by hand"


Moment = tuple[datetime, int]


def read_run(
    paths: Sequence[Path],
    *,
    config_dir: Path | None,
    root: str,
    recorded_root: str | None = None,
    settings: Settings = DEFAULTS,
) -> ImportedRun:
    """Read these transcripts (a folder stands for all in it, a session for its subagents' too).

    `root` is the workspace's folder; it stands for `recorded_root`, where the run took place (None: where
    its sessions started). `config_dir` is the harness's own folder with the backups (None: the one around
    the files).
    """
    files = with_subagents(paths)
    transcript = read_transcripts(files)
    places = path_map(transcript.sessions, root, recorded_root)
    history = FileHistory(config_dir or config_of(files))
    run = _Run(transcript, places, history, settings)
    entries = sorted(run.entries(), key=lambda pair: pair[0])
    problems = (*transcript.problems, *history.problems)
    return ImportedRun(HARNESS, tuple(one for _, one in entries), transcript.sessions, problems)


class _Run:
    """One import under way: the transcripts put beside the places, backups and turns that they speak of."""

    def __init__(
        self, transcript: Transcript, places: PathMap, history: FileHistory, settings: Settings
    ) -> None:
        self._transcript = transcript
        self._places = places
        self._history = history
        self._settings = settings
        self._turns = TurnBook(transcript.prompts)
        self._contexts: dict[int, Context] = {}
        self._derived: dict[int, tuple[LedgerPath, ...]] = {}

    def entries(self) -> Iterator[tuple[Moment, ImportedEntry]]:
        """All entries with the moment that sorts them."""
        self._follow_turns()
        for call in self._transcript.calls:
            if isinstance(call, CommandCall):
                entry = replace(
                    command_entry(self._contexts[call.stamp.order], call.applied, call.exit_code),
                    provenance=Provenance.IMPORTED,
                )
                yield call.stamp.moment, ImportedEntry(entry, {})
        for located, changes in self._file_changes():
            path = self._places.name(located)
            for change in changes:
                yield _moment(change), self._file_entry(path, change)

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
            context = Context(ClaudeCode(), _scene(call), turn)
            uid = context.uid(call.applied)
            named[uid] += 1
            self._contexts[call.stamp.order] = replace(context, nth=named[uid])
            if isinstance(call, FileCall):
                target = self._target(call)
                derived = tuple(self._places.name(one) for one in seen if one != target)
                self._derived[call.stamp.order] = derived

    def _file_changes(self) -> Iterator[tuple[str, tuple[FileChange, ...]]]:
        calls: dict[str, list[FileCall]] = defaultdict(list)
        for call in self._transcript.calls:
            if isinstance(call, FileCall):
                calls[self._target(call)].append(call)
        witnesses = self._witnesses(calls.keys())
        for located, own in calls.items():
            yield located, rebuild(own, witnesses[located])

    def _witnesses(self, changed: Iterable[str]) -> Mapping[str, list[tuple[Stamp | None, Witness]]]:
        """What backups and whole reads show of the files that were changed."""
        wanted = frozenset(changed)
        found: dict[str, list[tuple[Stamp | None, Witness]]] = defaultdict(list)
        for call in self._transcript.calls:
            if isinstance(call, ReadCall) and call.content is not None:
                located, text = self._locate(call.path, call.stamp), encode(call.content)
                if located in wanted and isinstance(text, bytes):
                    found[located].append((call.stamp, Witness(call.stamp.at, Version(text))))
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
        data = self._history.blob(backup.sessions, backup.blob)
        return Version(data, exact=True) if data is not None else None

    def _target(self, call: FileCall) -> str:
        return self._locate(call.applied.path, call.stamp)

    def _locate(self, path: str, stamp: Stamp) -> str:
        return self._places.locate(path, stamp.cwd)

    def _file_entry(self, path: LedgerPath, change: FileChange) -> ImportedEntry:
        before, after = _side(change.before), _side(change.after)
        told = None
        if isinstance(change, AgentChange):
            told = told_hunks(change.call.applied, before.content, after.content)
        built, contents = build_change(path, before, after, self._settings, told=told)
        if isinstance(change, AgentChange):
            order = change.call.stamp.order
            context, derived = self._contexts[order], self._derived[order]
            entry = file_entry(context, change.call.applied, built, Provenance.IMPORTED, derived)
            return ImportedEntry(entry, contents)
        entry = replace(
            outside_entry("", change.at, built),
            uid=_outside_uid(path, change, built.before.sha256, built.after.sha256),
            provenance=Provenance.IMPORTED,
            summary=_OUTSIDE_SUMMARY,
        )
        return ImportedEntry(entry, contents)


def _moment(change: FileChange) -> Moment:
    return (change.at, 0) if isinstance(change, OutsideChange) else change.call.stamp.moment


def _scene(call: FileCall | CommandCall) -> Scene:
    stamp = call.stamp
    return Scene(
        spool_name=call.applied.call_id,
        at=stamp.at,
        harness=HARNESS,
        session_id=stamp.session,
        cwd=stamp.cwd,
        turn=stamp.prompt_id,
        agent_id=stamp.agent,
    )


def _side(version: Version | Unknown) -> DiskFile:
    if isinstance(version, Unknown):
        return unknown_side(version.reason)
    return ABSENT_SIDE if version.content is None else file_side(version.content)


def _outside_uid(path: LedgerPath, change: OutsideChange, before: Sha256 | None, after: Sha256 | None) -> str:
    what = "\0".join((path, before or "", after or "", change.at.isoformat()))
    digest = hashlib.sha256(what.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{HARNESS}:{change.session}:outside-{digest[:24]}"
