"""The states of all files over a run, from everything the transcripts and the file-history say of them.

Evidence comes in order of happening: backups, whole reads, and the calls themselves, which tell the text
before them or not. Where new evidence contradicts the state that was rebuilt, somebody else wrote in
between: that is an outside change, and the chain goes on from the evidence. What is not known when a call comes
may follow from what is known later: an exact patch goes backwards too, and so do edits that a display diff
confirms. What no evidence supports stays unknown, with why.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sulcus_panel.core.capture.adapter import ToolKind
from sulcus_panel.core.capture.edits import NOT_UNICODE, Unknown
from sulcus_panel.core.capture.past.patches import NOT_THERE, apply_exact
from sulcus_panel.core.capture.past.records import FileCall, Stamp
from sulcus_panel.core.capture.past.replay import agrees, encode, replay_call, same_text, take_back_edits

NO_BASE = Unknown("the transcript does not hold the file as it was before")
NONE_OR_EMPTY = Unknown("the transcript does not tell an empty file from none")
CONTRADICTED = Unknown("the file as it is known contradicts the harness's own diff")
OVERWRITTEN = Unknown("the transcript does not hold the file that was overwritten")
BASE_UNKNOWN = Unknown("the file as it was before is not known")
NO_AFTER = Unknown("the transcript does not hold the file as it was after")
JUST_BEFORE = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Version:
    """A known state: the bytes, None where there was no file. `exact` where they were bytes, not a string."""

    content: bytes | None
    exact: bool = False


NO_FILE = Version(None, exact=True)


@dataclass(frozen=True, slots=True)
class Witness:
    """A backup or a read: the file as something other than a change saw it; `version` None: there was one."""

    at: datetime
    version: Version | None


@dataclass(frozen=True, slots=True)
class AgentChange:
    """What a call did to one path, as far as it can be known."""

    call: FileCall
    before: Version | Unknown
    after: Version | Unknown
    worked_back: bool = False
    """The state before follows from one that is known later."""


@dataclass(frozen=True, slots=True)
class OutsideChange:
    """The file was not as the run left it: who wrote, and when exactly, is not in the transcript."""

    at: datetime
    session: str
    before: Version
    after: Version


FileChange = AgentChange | OutsideChange


@dataclass(frozen=True, slots=True)
class Located:
    """A call, and the names by which its paths can be compared; `moved_to` empty where it moves nothing."""

    call: FileCall
    path: str
    moved_to: str = ""


Seen = tuple[Stamp | None, Witness]
"""Evidence of a path; without a stamp it is a backup, and precedes calls."""


def nothing_known(_path: str) -> Version | None:
    """Where nobody can say how a file is now."""
    return None


def rebuild(
    calls: Sequence[Located],
    witnesses: Mapping[str, Iterable[Seen]],
    now: Callable[[str], Version | None] = nothing_known,
) -> Mapping[str, tuple[FileChange, ...]]:
    """All changes of each path, in order. `now` is how a file was left: asked where the run does not tell."""
    events: list[tuple[tuple[datetime, int, int], str, Located | Witness]] = [
        ((seen.at, 0 if stamp is None else 1, stamp.order if stamp else 0), path, seen)
        for path, all_seen in witnesses.items()
        for stamp, seen in all_seen
    ]
    events += [((one.call.stamp.at, 1, one.call.stamp.order), one.path, one) for one in calls]
    first = {
        path: one.call.stamp.session for one in reversed(calls) for path in (one.path, one.moved_to) if path
    }
    replay = _Replay(first)
    for _, path, event in sorted(events, key=lambda known: known[0]):
        if isinstance(event, Located):
            replay.change(event)
        else:
            replay.witness(path, event)
    _work_back(replay.steps, now)
    return _changes(replay.steps)


@dataclass(slots=True)
class _Step:
    """One thing that is known of a path: a state that was seen, a change of somebody else, or a call's."""

    path: str
    seen: Version | None = None
    outside: OutsideChange | None = None
    call: FileCall | None = None
    before: Version | Unknown = NO_BASE
    after: Version | Unknown = NO_AFTER
    lost: Version | None = None
    """The state that was taken for the one before, and is contradicted."""
    moved_to: str = ""
    displaced: Version | Unknown = NO_FILE
    """What stood where the file was moved to."""
    worked_back: bool = False


class _Replay:
    """All paths, forward in time."""

    def __init__(self, sessions: Mapping[str, str]) -> None:
        self.steps: list[_Step] = []
        self._sessions = dict(sessions)
        self._states: dict[str, Version] = {}
        self._exist: set[str] = set()

    def witness(self, path: str, seen: Witness) -> None:
        """Take in what a backup or a read shows."""
        if seen.version is not None:
            self._see(path, seen.version, seen.at)
            return
        self._exist.add(path)
        if self._states.get(path) == NO_FILE:
            del self._states[path]

    def change(self, one: Located) -> None:
        """Take in a call: what it says of the state before, and what it makes of it."""
        call, path = one.call, one.path
        self._sessions[path] = call.stamp.session
        known = self._states.get(path)
        told = self._told_before(one, known)
        if isinstance(told, Version):
            self._see(path, told, call.stamp.at - JUST_BEFORE)
        before: Version | Unknown = told if isinstance(told, Unknown) else self._states.get(path) or NO_BASE
        after = _after(call, before)
        lost = None
        if not isinstance(told, Version) and _is_contradicted(call, before, after):
            lost = before if isinstance(before, Version) else None
            before = CONTRADICTED
            after = _after(call, before)
        step = _Step(path, call=call, before=before, after=after, lost=lost, moved_to=one.moved_to)
        step.worked_back = call.sides is not None and call.sides.worked_back
        self.steps.append(step)
        if one.moved_to:
            step.displaced = self._states.get(one.moved_to) or self._unless_there(one.moved_to)
            self._leave(path, NO_FILE)
            self._leave(one.moved_to, after)
        else:
            self._leave(path, after)

    def _see(self, path: str, seen: Version, at: datetime) -> None:
        """Take in evidence of the state at `at`."""
        state = self._states.get(path)
        if state is None or (_same(state, seen) and seen.exact):
            self._states[path] = seen
        elif not _same(state, seen):
            outside = OutsideChange(at, self._sessions.get(path, ""), state, seen)
            self.steps.append(_Step(path, outside=outside))
            self._states[path] = seen
        self.steps.append(_Step(path, seen=self._states[path]))

    def _leave(self, path: str, after: Version | Unknown) -> None:
        self._states.pop(path, None)
        if isinstance(after, Version):
            self._states[path] = after
        if after == NO_FILE:
            self._exist.discard(path)
        else:
            self._exist.add(path)

    def _unless_there(self, path: str) -> Version | Unknown:
        """No file, unless there is reason to think that there was one."""
        return OVERWRITTEN if path in self._exist else NO_FILE

    def _told_before(self, one: Located, state: Version | None) -> Version | Unknown | None:
        """What the call itself says of the file before it, None where it says nothing.

        "Created" and an empty original are also said of an empty file: there, what is known decides.
        """
        call = one.call
        if call.sides is not None:
            return _known(call.sides.before)
        if call.adds:
            return state or self._unless_there(one.path)
        fills_nothing = call.created or (bool(call.applied.edits) and not call.applied.edits[0].old)
        if fills_nothing and not call.original:
            if state is not None and not state.content:
                return state
            return NO_FILE if call.created else NONE_OR_EMPTY
        if call.original is None:
            return None
        original = encode(call.original)
        return original if isinstance(original, Unknown) else Version(original, exact=call.is_exact)


def _same(one: Version, other: Version) -> bool:
    if one.content is None or other.content is None:
        return one.content is other.content
    return same_text(one.content, other.content)


def _after(call: FileCall, before: Version | Unknown) -> Version | Unknown:
    if call.sides is not None:
        return _known(call.sides.after)
    known = before.content if isinstance(before, Version) else None
    if call.applied.kind is ToolKind.DELETE:
        return NO_FILE
    if call.applied.content is None and isinstance(before, Unknown):
        only = call.applied.edits[0] if len(call.applied.edits) == 1 else None
        if before is NONE_OR_EMPTY and only is not None:
            return _version(encode(only.new), exact=False)
        return before if before is NOT_UNICODE else BASE_UNKNOWN if _says_how(call) else NO_AFTER
    if call.applied.content is None and not _says_how(call) and not call.applied.moved_to:
        return NO_AFTER
    exact = (
        call.is_exact if call.applied.content is not None else isinstance(before, Version) and before.exact
    )
    return _version(replay_call(call, known), exact=exact)


def _known(content: bytes | Unknown | None) -> Version | Unknown:
    return content if isinstance(content, Unknown) else Version(content, exact=True)


def _says_how(call: FileCall) -> bool:
    return bool(call.applied.edits or call.chunks or (call.is_exact and call.patch))


def _version(content: bytes | Unknown, *, exact: bool) -> Version | Unknown:
    return content if isinstance(content, Unknown) else Version(content, exact)


def _is_contradicted(call: FileCall, before: Version | Unknown, after: Version | Unknown) -> bool:
    if isinstance(before, Unknown):
        return False
    if call.is_exact and call.patch:
        return isinstance(after, Unknown)
    if isinstance(after, Unknown):
        return after is NOT_THERE
    return not agrees(before.content or b"", after.content or b"", call.patch)


def _work_back(steps: Sequence[_Step], now: Callable[[str], Version | None]) -> None:
    """What stands behind a patch tells what stood before it, as long as no gap lies in between."""
    later: dict[str, Version | None] = {}
    for step in reversed(steps):
        if step.call is None:
            later[step.path] = step.seen if step.outside is None else step.outside.before
            continue
        target = step.moved_to or step.path
        if isinstance(step.after, Unknown) and step.call.patch:
            known = later[target] if target in later else now(target)
            _take_back(step, known)
        if step.moved_to:
            later[step.moved_to] = step.displaced if isinstance(step.displaced, Version) else None
        later[step.path] = step.before if isinstance(step.before, Version) else None


def _take_back(step: _Step, known: Version | None) -> None:
    if step.call is None or known is None or known.content is None:
        return
    if step.call.is_exact:
        before = apply_exact(known.content, step.call.patch, backward=True)
    else:
        before = take_back_edits(known.content, step.call.applied.edits, step.call.patch)
    if isinstance(before, bytes):
        step.before, step.after = Version(before, known.exact), known
        step.worked_back = True


def _changes(steps: Sequence[_Step]) -> Mapping[str, tuple[FileChange, ...]]:
    found: dict[str, list[FileChange]] = defaultdict(list)
    for step in steps:
        if step.outside is not None:
            found[step.path].append(step.outside)
        if step.call is None:
            continue
        if step.lost is not None and isinstance(step.before, Version) and not _same(step.lost, step.before):
            stamp = step.call.stamp
            outside = OutsideChange(stamp.at - JUST_BEFORE, stamp.session, step.lost, step.before)
            found[step.path].append(outside)
        sides = [(step.path, step.before, NO_FILE if step.moved_to else step.after)]
        if step.moved_to:
            sides.append((step.moved_to, step.displaced, step.after))
        for path, before, after in sides:
            if not _is_nothing(before, after):
                found[path].append(AgentChange(step.call, before, after, step.worked_back))
    return {path: tuple(changes) for path, changes in found.items()}


def _is_nothing(before: Version | Unknown, after: Version | Unknown) -> bool:
    return isinstance(before, Version) and isinstance(after, Version) and before.content == after.content
