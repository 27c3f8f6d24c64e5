"""What an importer read -> the ledger, each action once, whoever saw it first.

A call has the same id in the live hooks and in the transcript. An id may come again for another call, so each
entry of the ledger answers for one call of its session, the nearest in time. Where a run was resumed, its calls
stand under another session too: there time and deed must agree. A hook that was given no id is recognised by
what it saw: session, path and hashes, or session and command.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import count

from sulcus_panel.core.capture.past.likeness import SAME_MOMENT, Likenesses
from sulcus_panel.core.capture.past.records import SessionFacts
from sulcus_panel.core.errors import BadRequest, UnsafePath
from sulcus_panel.core.ledger.queries import LedgerQuery
from sulcus_panel.core.ledger.sessions import SessionSeen
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import Entry, NewEntry, Origin, Provenance, SeqId, Sha256, Workspace

BATCH = 200
PAGE = 500

RECORDED = ""
ELSEWHERE = "already recorded in another workspace"
NO_ROOM = "not recorded: too old for the newest max_entries that are kept (config set max_entries)"
SWITCHED_OFF = "not recorded: recording is switched off for this workspace"
REFUSED = "not recorded: the ledger cannot hold what they say"


_CallName = tuple[str, str]
_AGAIN = re.compile(r"#\d+\Z")
"""What tells the further calls of one id apart in their uids."""


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


def import_into(
    ledger: Ledger, workspace: Workspace, run: ImportedRun, *, live_since: datetime | None = None
) -> ImportReport:
    """Append what the ledger does not have yet. Doing it again records nothing.

    What happened from `live_since` on is no past: it is recorded however full the ledger is.
    """
    known = _Known()
    for entry in _all_entries(ledger, workspace.id):
        known.add(entry.record)
    own = known.own_calls([one.entry for one in run.entries])
    left = [one for place, one in enumerate(run.entries) if place not in own and not known.covers(one.entry)]
    unknown = [
        replace(one, entry=known.with_free_uid(one.entry))
        for one in left
        if one.entry.origin is Origin.OUTSIDE or not known.is_alike(one.entry, loosely=True)
    ]
    past = [one for one in unknown if live_since is None or one.entry.at < live_since]
    fresh = unknown[max(0, len(past) - _room(ledger, workspace)) :]
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
    if entry is None:
        return SWITCHED_OFF
    return RECORDED if entry.workspace_id == workspace.id else ELSEWHERE


def _touch(ledger: Ledger, workspace: Workspace, harness: str, session: SessionFacts) -> None:
    for moment in (session.first, session.last):
        seen = SessionSeen(harness, session.session_id, moment, session.parent, session.transcript)
        ledger.touch_session(workspace.id, seen)


def _all_entries(ledger: Ledger, workspace_id: int) -> Iterator[Entry]:
    last = SeqId(0)
    while page := ledger.after(last, workspace_id, PAGE):
        yield from page
        last = page[-1].seq_id


@dataclass(slots=True)
class _Known:
    """What the ledger has, in the ways in which an imported entry can be the same."""

    calls: dict[_CallName, list[NewEntry]] = field(default_factory=lambda: defaultdict(list))
    uids: set[str] = field(default_factory=set)
    alike: Likenesses = field(default_factory=Likenesses)
    seen_results: set[tuple[str, str]] = field(default_factory=set)

    def add(self, entry: NewEntry) -> None:
        """Take in one entry of the ledger."""
        self.calls[_call_name(entry)].append(entry)
        self.uids.add(entry.uid)
        self.alike.add(entry)
        if entry.provenance is Provenance.OBSERVED:
            self.seen_results.update((change.path, change.after.sha256 or "") for change in entry.changes)

    def own_calls(self, entries: Sequence[NewEntry]) -> frozenset[int]:
        """Which of these calls, by their places, the ledger has under their own session."""
        asked: dict[tuple[_CallName, str], list[int]] = defaultdict(list)
        for place, entry in enumerate(entries):
            asked[_call_name(entry), _session(entry)].append(place)
        found: set[int] = set()
        for (name, session), places in asked.items():
            for kept in self.calls.get(name, ()):
                if places and _session(kept) == session:
                    nearest = min(places, key=lambda place: abs(entries[place].at - kept.at))
                    places.remove(nearest)
                    found.add(nearest)
        return frozenset(found)

    def with_free_uid(self, entry: NewEntry) -> NewEntry:
        """The entry under a uid that no other call has; the ledger would take it for that one."""
        uid = next(uid for uid in _uids(entry.uid) if uid not in self.uids)
        self.uids.add(uid)
        return replace(entry, uid=uid)

    def covers(self, entry: NewEntry) -> bool:
        """Whether the ledger has this action already, under another session or without a name."""
        if any(_is_copy(entry, kept) for kept in self.calls.get(_call_name(entry), ())):
            return True
        if entry.origin is Origin.OUTSIDE:
            return any(
                (change.path, change.after.sha256 or "") in self.seen_results for change in entry.changes
            )
        return self.is_alike(entry, loosely=False)

    def is_alike(self, entry: NewEntry, *, loosely: bool) -> bool:
        """Whether a record without an id is this call's; a subagent's may stand under its parent's session."""
        sessions = dict.fromkeys((entry.session_id, _session(entry)))
        return any(self.alike.take(entry, loosely=loosely, session=session) for session in sessions)


def _call_name(entry: NewEntry) -> _CallName:
    """The harness and the id that it gave to the call."""
    parts = entry.uid.split(":", 2)
    return (parts[0], _AGAIN.sub("", parts[2])) if len(parts) == 3 else ("", entry.uid)


def _session(entry: NewEntry) -> str:
    """The session in a uid, a subagent's parent's: a run of 2025 did not tell the agent to its hooks."""
    parts = entry.uid.split(":", 2)
    return parts[1].partition("/")[0] if len(parts) == 3 else ""


def _uids(uid: str) -> Iterator[str]:
    yield uid
    base = _AGAIN.sub("", uid)
    yield from (f"{base}#{nth}" for nth in count(2))


def _is_copy(entry: NewEntry, kept: NewEntry) -> bool:
    """Whether a call of another session is this one, as a resumed run tells it again."""
    same_deed = (entry.tool_name, entry.target_path, entry.command) == (
        kept.tool_name,
        kept.target_path,
        kept.command,
    )
    elsewhere = _session(entry) != _session(kept)
    return elsewhere and same_deed and abs(entry.at - kept.at) <= SAME_MOMENT
