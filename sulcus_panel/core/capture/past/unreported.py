"""Which of a transcript's calls no hook told of: those that neither the ledger nor what was heard answers for.

Better to miss one than to record one twice. A hook that gave no id answers for the nearest call of the same deed;
where a transcript gives none and knows no times, a session counts only if no hook told anything of it at all.
"""

import os
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from sulcus_panel.core.capture.heard import Heard, heard_calls
from sulcus_panel.core.capture.past.into_ledger import ImportedEntry
from sulcus_panel.core.capture.past.likeness import MADE_UP, SAME_MOMENT
from sulcus_panel.core.ledger.encoding import encode_text
from sulcus_panel.core.ledger.queries import LedgerQuery, SortKey
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import Change, FileKind, FileState, NewEntry, Origin, Step, Workspace
from sulcus_panel.core.states import same_state

MOST_OF_A_SESSION = 50_000
NEWEST = 2_000
ECHO = "Before its transcript was read it had been seen as a change from outside: #{number}."
_Deed = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Span:
    """The times of calls that are looked for: from `since` on, and up to `ripe`, for a hook may still tell."""

    since: datetime
    ripe: datetime

    def holds(self, at: datetime) -> bool:
        """Whether a call of this time is."""
        return self.since <= at <= self.ripe


def unreported(
    ledger: Ledger, workspace: Workspace, told: Sequence[ImportedEntry], span: Span
) -> tuple[ImportedEntry, ...]:
    """The calls that no hook told of, with the changes from outside that came just before one of them."""
    calls = [one for one in told if one.entry.origin is Origin.AGENT]
    asked = {_session(one.entry) for one in calls if span.holds(one.entry.at)}
    own = [one for one in calls if _session(one.entry) in asked]
    answers = _Answers.of(ledger, workspace, [one.entry for one in own])
    missing = [
        one
        for one in own
        if span.holds(one.entry.at)
        and _is_deed(one.entry)
        and _is_of(ledger, workspace, one.entry)
        and not answers.has(one.entry)
    ]
    uids = {one.entry.uid for one in missing}
    if missing:
        uids -= _told_by_others(ledger, workspace, [one.entry for one in missing])
    return tuple(
        one for place, one in enumerate(told) if one.entry.uid in uids or _leads_to(told, place, uids)
    )


def _told_by_others(ledger: Ledger, workspace: Workspace, calls: Sequence[NewEntry]) -> set[str]:
    """The uids of calls that were recorded as another product's, under its own session: an editor ran the agent."""
    query = LedgerQuery(workspace_id=workspace.id, origin=Origin.AGENT, sort=SortKey.TIME, limit=NEWEST)
    kept = [entry.record for entry in ledger.find(query) if entry.record.harness != calls[0].harness]
    told = set()
    for call in calls:
        near = (one for one in kept if abs(one.at - call.at) <= SAME_MOMENT)
        found = next((one for one in near if _is_same_deed(call, one)), None)
        if found is not None:
            kept.remove(found)
            told.add(call.uid)
    return told


def _is_same_deed(call: NewEntry, kept: NewEntry) -> bool:
    """The same command, or the same paths left alike; of what is unknown nothing is said."""
    if call.command is not None or kept.command is not None:
        return kept.command is not None and encode_text(kept.command) == _deed(call)
    left = {change.path: change.after for change in kept.changes}
    return bool(call.changes) and all(
        change.path in left
        and (_is_open(change.after, left[change.path]) or same_state(change.after, left[change.path]))
        for change in call.changes
    )


def _is_open(one: FileState, other: FileState) -> bool:
    return FileKind.UNKNOWN in (one.kind, other.kind)


def with_its_echo(ledger: Ledger, workspace: Workspace, one: ImportedEntry) -> ImportedEntry:
    """The call, with a note where the ledger has taken what it did for a change from outside."""
    if one.entry.origin is not Origin.AGENT:
        return one
    notes = []
    for change in one.entry.changes:
        steps = ledger.timeline(workspace.id, change.path)
        seen = [step for step in steps if step.origin is Origin.OUTSIDE and _is_echo(step, one.entry, change)]
        notes += [ECHO.format(number=step.seq_id) for step in seen[:1]]
    return replace(one, entry=replace(one.entry, notes=(*one.entry.notes, *notes)))


def _is_echo(step: Step, entry: NewEntry, change: Change) -> bool:
    """Whether a change from outside, seen when the call was over, begins or ends as the call does."""
    is_later = step.at >= entry.at - SAME_MOMENT
    return is_later and (same_state(step.before, change.before) or same_state(step.after, change.after))


def is_told(ledger: Ledger, uid: str, heard: Iterable[Heard]) -> bool:
    """Whether hooks, or a transcript before this one, told of a call by this uid.

    Hooks of 2025 did not tell which subagent called.
    """
    harness, _, rest = uid.partition(":")
    session, _, call = rest.partition(":")
    names = {uid, f"{harness}:{session.partition('/')[0]}:{call}"}
    return any(ledger.entry_by_uid(name) for name in names) or any(_named(uid, one) for one in heard)


@dataclass(slots=True)
class _Answers:
    """What hooks told of the sessions of some calls."""

    ledger: Ledger
    heard: tuple[Heard, ...]
    sessions: set[str] = field(default_factory=set)
    """Those of which hooks told anything."""
    alike: set[str] = field(default_factory=set)
    """The uids of calls that are answered for by an event without an id."""

    @classmethod
    def of(cls, ledger: Ledger, workspace: Workspace, calls: Sequence[NewEntry]) -> "_Answers":
        names = {name for call in calls for name in _sessions(call)}
        heard = tuple(one for one in heard_calls(ledger) if one.session_id in names)
        self = cls(ledger, heard, {one.session_id for one in heard})
        nameless: dict[_Deed, list[datetime]] = defaultdict(list)
        for one in heard:
            if not one.call_id:
                nameless[one.session_id, _shortened(workspace, one.deed)].append(one.at)
        for name in names:
            query = LedgerQuery(session_id=name, limit=MOST_OF_A_SESSION)
            for kept in (entry.record for entry in ledger.find(query)):
                if not _is_made_up(kept):
                    self.sessions.add(name)
                if _is_nameless(kept, calls[0].uid):
                    nameless[name, _deed(kept)].append(kept.at)
        self._match(calls, nameless)
        return self

    def has(self, call: NewEntry) -> bool:
        """Whether hooks told of this call."""
        if call.uid in self.alike or is_told(self.ledger, call.uid, self.heard):
            return True
        return _is_made_up(call) and not self.sessions.isdisjoint(_sessions(call))

    def _match(self, calls: Sequence[NewEntry], nameless: Mapping[_Deed, list[datetime]]) -> None:
        """Give each event without an id to the nearest call of its deed, the nearest pairs first."""
        pairs = sorted(
            (abs(call.at - at), place, key, nth)
            for place, call in enumerate(calls)
            for key in ((name, _deed(call)) for name in _sessions(call))
            for nth, at in enumerate(nameless.get(key, ()))
            if abs(call.at - at) <= SAME_MOMENT
        )
        taken: set[tuple[_Deed, int]] = set()
        for _, place, key, nth in pairs:
            if (key, nth) not in taken and calls[place].uid not in self.alike:
                taken.add((key, nth))
                self.alike.add(calls[place].uid)


def _session(call: NewEntry) -> str:
    """The session in a call's uid, of a subagent its parent's."""
    parts = call.uid.split(":", 2)
    return parts[1].partition("/")[0] if len(parts) == 3 else ""


def _sessions(call: NewEntry) -> tuple[str, ...]:
    """A subagent's call may have been told under its parent's session."""
    return tuple(dict.fromkeys(name for name in (call.session_id, _session(call)) if name))


def _deed(entry: NewEntry) -> str:
    if entry.command is not None:
        return encode_text(entry.command)
    return entry.target_path or entry.tool_name


def _shortened(workspace: Workspace, deed: str) -> str:
    """A path as the workspace's entries name it; a command stays."""
    root = os.path.realpath(workspace.root or "/").rstrip("/") + "/"
    return encode_text(deed.removeprefix(root))


def _named(uid: str, heard: Heard) -> bool:
    return bool(heard.call_id) and uid.endswith(f":{heard.call_id}") and heard.session_id in uid


def _is_made_up(entry: NewEntry) -> bool:
    """Whether a transcript's reader gave it its id, by its place: no hook has told of it."""
    return entry.uid.split(":", 2)[-1].startswith(MADE_UP)


def _is_nameless(kept: NewEntry, uid: str) -> bool:
    """Whether an entry has no id that a transcript could name: none at all, or another harness's."""
    harness = uid.split(":", 1)[0]
    return kept.uid.startswith(f"{harness}:spool:") or not kept.uid.startswith(f"{harness}:")


def _is_deed(entry: NewEntry) -> bool:
    """Whether it changed something, as far as is known."""
    return not entry.changes or any(
        FileKind.UNKNOWN in (change.before.kind, change.after.kind)
        or not same_state(change.before, change.after)
        for change in entry.changes
    )


def _is_of(ledger: Ledger, workspace: Workspace, entry: NewEntry) -> bool:
    """Whether hooks would have recorded it here, and not in a workspace inside this one."""
    where = os.path.join(workspace.root or "", entry.target_path) if entry.changes else entry.cwd or ""
    found = ledger.workspace_above(where) if where else None
    return found is None or found.id == workspace.id


def _leads_to(told: Sequence[ImportedEntry], place: int, uids: set[str]) -> bool:
    """Whether a change from outside is what one of these calls found on its path."""
    one = told[place].entry
    if one.origin is not Origin.OUTSIDE:
        return False
    paths = {change.path for change in one.changes}
    following = (later.entry for later in told[place + 1 :] if later.entry.origin is Origin.AGENT)
    found = next((later for later in following if any(c.path in paths for c in later.changes)), None)
    return found is not None and found.uid in uids
