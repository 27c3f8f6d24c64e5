"""The states of one file over a run, from everything the transcripts and the file-history say of it.

Evidence comes in order of happening: backups, whole reads, and the calls themselves, which tell the text
before them or not. Where new evidence contradicts the state that was rebuilt, somebody else wrote in
between: that is an outside change, and the chain goes on from the evidence. What no evidence supports stays
unknown, with why.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sulcus_panel.core.capture.edits import NOT_UNICODE, Unknown
from sulcus_panel.core.capture.past.records import FileCall, Stamp
from sulcus_panel.core.capture.past.replay import agrees, encode, replay_edits, same_text, whole_text

NO_BASE = Unknown("the transcript does not hold the file as it was before")
NONE_OR_EMPTY = Unknown("the transcript does not tell an empty file from none")
CONTRADICTED = Unknown("the file as it is known contradicts the harness's own diff")
JUST_BEFORE = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Version:
    """A known state: the bytes, None where there was no file. `exact` where they were bytes, not a string."""

    content: bytes | None
    exact: bool = False


NO_FILE = Version(None, exact=True)


@dataclass(frozen=True, slots=True)
class Witness:
    """A backup or a whole read: the file as something other than a change saw it."""

    at: datetime
    version: Version


@dataclass(frozen=True, slots=True)
class AgentChange:
    """What a call did, as far as it can be known."""

    call: FileCall
    before: Version | Unknown
    after: Version | Unknown


@dataclass(frozen=True, slots=True)
class OutsideChange:
    """The file was not as the run left it: who wrote, and when exactly, is not in the transcript."""

    at: datetime
    session: str
    before: Version
    after: Version


FileChange = AgentChange | OutsideChange


def rebuild(
    calls: Sequence[FileCall], witnesses: Iterable[tuple[Stamp | None, Witness]]
) -> tuple[FileChange, ...]:
    """All changes of one file, in order. Witnesses without a stamp are backups: they precede calls."""
    events: list[tuple[tuple[datetime, int, int], FileCall | Witness]] = [
        ((seen.at, 0 if stamp is None else 1, stamp.order if stamp else 0), seen) for stamp, seen in witnesses
    ]
    events += [((call.stamp.at, 1, call.stamp.order), call) for call in calls]
    replay = _Replay(calls[0].stamp.session if calls else "")
    for _, event in sorted(events, key=lambda pair: pair[0]):
        if isinstance(event, FileCall):
            replay.change(event)
        else:
            replay.see(event.version, event.at)
    return tuple(replay.changes)


@dataclass(slots=True)
class _Replay:
    session: str
    state: Version | None = None
    changes: list[FileChange] = field(default_factory=list)

    def see(self, seen: Version, at: datetime) -> None:
        """Take in evidence of the state at `at`."""
        if self.state is None:
            self.state = seen
        elif _same(self.state, seen):
            self.state = seen if seen.exact else self.state
        else:
            self.changes.append(OutsideChange(at, self.session, self.state, seen))
            self.state = seen

    def change(self, call: FileCall) -> None:
        """Take in a call: what it says of the state before, and what it makes of it."""
        self.session = call.stamp.session
        told = _told_before(call, self.state)
        if isinstance(told, Version):
            self.see(told, call.stamp.at - JUST_BEFORE)
        before: Version | Unknown = told if isinstance(told, Unknown) else self.state or NO_BASE
        after = _after(call, before)
        if not isinstance(told, Version) and _is_contradicted(call, before, after):
            before = CONTRADICTED
            after = _after(call, before)
        if not (
            isinstance(before, Version) and isinstance(after, Version) and before.content == after.content
        ):
            self.changes.append(AgentChange(call, before, after))
        self.state = after if isinstance(after, Version) else None


def _same(one: Version, other: Version) -> bool:
    if one.content is None or other.content is None:
        return one.content is other.content
    return same_text(one.content, other.content)


def _told_before(call: FileCall, state: Version | None) -> Version | Unknown | None:
    """What the call itself says of the file before it, None where it says nothing.

    "Created" and an empty original are also said of an empty file: there, what is known decides.
    """
    fills_nothing = call.created or (bool(call.applied.edits) and not call.applied.edits[0].old)
    if fills_nothing and not call.original:
        if state is not None and not state.content:
            return state
        return NO_FILE if call.created else NONE_OR_EMPTY
    if call.original is None:
        return None
    original = encode(call.original)
    return original if isinstance(original, Unknown) else Version(original)


def _after(call: FileCall, before: Version | Unknown) -> Version | Unknown:
    known = before.content if isinstance(before, Version) else None
    if call.applied.content is not None:
        return _version(whole_text(call.applied.content, known), exact=False)
    if not call.applied.edits:
        return Unknown("the transcript does not hold the file as it was after")
    if isinstance(before, Unknown):
        only = call.applied.edits[0] if len(call.applied.edits) == 1 else None
        if before is NONE_OR_EMPTY and only is not None:
            return _version(encode(only.new), exact=False)
        return before if before is NOT_UNICODE else Unknown("the file as it was before is not known")
    result = replay_edits(before.content or b"", call.applied.edits, call.patch)
    return _version(result, exact=before.exact)


def _version(content: bytes | Unknown, *, exact: bool) -> Version | Unknown:
    return content if isinstance(content, Unknown) else Version(content, exact)


def _is_contradicted(call: FileCall, before: Version | Unknown, after: Version | Unknown) -> bool:
    if isinstance(before, Unknown) or isinstance(after, Unknown):
        return False
    return not agrees(before.content or b"", after.content or b"", call.patch)
