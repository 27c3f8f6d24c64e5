"""What an importer read -> the ledger, each action once, whoever saw it first.

A call has the same uid in the live hooks and in the transcript, but for its session where a run was
resumed: so calls are compared by their own id. A hook that was given no id is recognised by what it saw:
session, path and hashes, or session and command; each such entry answers for one imported call.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from sulcus_panel.core.errors import BadRequest, UnsafePath
from sulcus_panel.core.ledger.encoding import encode_text
from sulcus_panel.core.ledger.queries import LedgerQuery
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import Entry, NewEntry, Origin, Provenance, SeqId, Sha256, Workspace

BATCH = 200
PAGE = 500

RECORDED = ""
ELSEWHERE = "already recorded in another workspace"
NO_ROOM = "not recorded: too old for the newest max_entries that are kept (config set max_entries)"
SWITCHED_OFF = "not recorded: recording is switched off for this workspace"
REFUSED = "not recorded: the ledger cannot hold what they say"


@dataclass(frozen=True, slots=True)
class SessionFacts:
    """One session or subagent as its transcripts show it. `cwds` in order of appearance."""

    session_id: str
    parent: str | None
    transcript: str
    first: datetime
    last: datetime
    cwds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ImportedEntry:
    """One entry to be, and the bytes that go with it."""

    entry: NewEntry
    contents: Mapping[Sha256, bytes]


@dataclass(frozen=True, slots=True)
class ImportedRun:
    """What past runs say, sorted by time of happening. `problems` are sentences for the person."""

    harness: str
    entries: tuple[ImportedEntry, ...]
    sessions: tuple[SessionFacts, ...]
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ImportReport:
    """How many entries were recorded, how many the ledger had already, and what could not be read."""

    recorded: int
    already: int
    problems: tuple[str, ...]


def import_into(ledger: Ledger, workspace: Workspace, run: ImportedRun) -> ImportReport:
    """Append what the ledger does not have yet. Doing it again records nothing."""
    known = _Known()
    for entry in _all_entries(ledger, workspace.id):
        known.add(entry.record)
    unknown = [one for one in run.entries if not known.covers(one.entry)]
    fresh = unknown[max(0, len(unknown) - _room(ledger, workspace)) :]
    outcome: Counter[str] = Counter()
    for at in range(0, len(fresh), BATCH):
        with ledger.write():
            outcome.update(_append(ledger, workspace, one) for one in fresh[at : at + BATCH])
    with ledger.write():
        for session in run.sessions:
            _touch(ledger, workspace, run.harness, session)
    already = len(run.entries) - len(unknown) + outcome[ELSEWHERE]
    outcome[NO_ROOM] = len(unknown) - len(fresh)
    counts = [(count, what) for what, count in outcome.items() if what and count]
    told = tuple(f"{count} {'entry' if count == 1 else 'entries'} {what}" for count, what in counts)
    return ImportReport(outcome[RECORDED], already, run.problems + told)


def _room(ledger: Ledger, workspace: Workspace) -> int:
    """How many entries fit beside those of today: the past must not push out what was recorded live."""
    kept = ledger.count(LedgerQuery(workspace_id=workspace.id))
    return max(0, ledger.settings(workspace.id).max_entries - kept)


def _append(ledger: Ledger, workspace: Workspace, one: ImportedEntry) -> str:
    """Record one entry and give what is to be told of it."""
    try:
        entry = ledger.append(workspace.id, one.entry, contents=one.contents)
    except (BadRequest, UnsafePath, ValueError, OverflowError):
        return REFUSED
    if entry.workspace_id != workspace.id:
        return ELSEWHERE
    return RECORDED if entry.seq_id else SWITCHED_OFF


def _touch(ledger: Ledger, workspace: Workspace, harness: str, session: SessionFacts) -> None:
    for moment in (session.first, session.last):
        ledger.touch_session(
            workspace.id,
            harness,
            session.session_id,
            moment,
            parent=session.parent,
            transcript=session.transcript,
        )


def _all_entries(ledger: Ledger, workspace_id: int) -> Iterator[Entry]:
    last = SeqId(0)
    while page := ledger.after(last, workspace_id, PAGE):
        yield from page
        last = page[-1].seq_id


@dataclass(slots=True)
class _Known:
    """What the ledger has, in the ways in which an imported entry can be the same."""

    calls: set[tuple[str, str]] = field(default_factory=set)
    nameless: Counter[tuple[str, ...]] = field(default_factory=Counter)
    seen_results: set[tuple[str, str]] = field(default_factory=set)

    def add(self, entry: NewEntry) -> None:
        """Take in one entry of the ledger."""
        self.calls.add(_call(entry))
        if entry.uid.startswith(f"{entry.harness}:spool:"):
            self.nameless[_likeness(entry)] += 1
        if entry.provenance is Provenance.OBSERVED:
            self.seen_results.update((change.path, change.after.sha256 or "") for change in entry.changes)

    def covers(self, entry: NewEntry) -> bool:
        """Whether the ledger has this action already."""
        if _call(entry) in self.calls:
            return True
        if entry.origin is Origin.OUTSIDE:
            return any(
                (change.path, change.after.sha256 or "") in self.seen_results for change in entry.changes
            )
        for likeness in (_likeness(entry), _likeness(entry, blind=True)):
            if self.nameless[likeness] > 0:
                self.nameless[likeness] -= 1
                return True
        return False


def _call(entry: NewEntry) -> tuple[str, str]:
    """The harness and the call's own id: a uid without its session, which a resumed run changes."""
    parts = entry.uid.split(":", 2)
    return (parts[0], parts[2]) if len(parts) == 3 else ("", entry.uid)


def _likeness(entry: NewEntry, *, blind: bool = False) -> tuple[str, ...]:
    """What makes two records of one call alike; `blind`: the hook had not seen the file before."""
    if entry.command is not None:
        return entry.session_id, encode_text(entry.command)
    sides = [
        part
        for change in entry.changes
        for part in (
            change.path,
            "unknown" if blind else change.before.sha256 or change.before.kind.value,
            change.after.sha256 or change.after.kind.value,
        )
    ]
    return entry.session_id, *sides
