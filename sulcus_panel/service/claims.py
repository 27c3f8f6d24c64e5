"""Recording what a caller says it did: vouched for where we can check it, and else a claim with its badge.

A claim is as good as seen where its `before` is what the ledger last knew at the path (or what git's index holds),
its `after` is what the disk holds now, and it says that it has just happened.
"""

import posixpath
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sulcus_panel.core.access import Caller
from sulcus_panel.core.capture.claims import (
    Claim,
    ClaimedChange,
    claim_uid,
    claimed_change,
    git_blob,
    summary_of,
)
from sulcus_panel.core.capture.place import locate, name_in
from sulcus_panel.core.capture.plain_file import open_plain
from sulcus_panel.core.capture.shell.git_index import object_id, one_file
from sulcus_panel.core.credentials import holds_a_key
from sulcus_panel.core.disk import look
from sulcus_panel.core.errors import BadRequest, SulcusError
from sulcus_panel.core.ledger.activity import Activity
from sulcus_panel.core.ledger.sessions import SessionSeen
from sulcus_panel.core.ledger.store import NO_CONTENTS, Ledger
from sulcus_panel.core.model import (
    COMMANDS,
    Change,
    EntryState,
    FileKind,
    FileState,
    LedgerPath,
    NewEntry,
    Origin,
    Provenance,
    SeqId,
    Settings,
    Workspace,
)
from sulcus_panel.core.states import same_bytes
from sulcus_panel.service.bus import ChangeBus
from sulcus_panel.service.changes import Changes
from sulcus_panel.service.undoing import new_uid

JUST_NOW = timedelta(minutes=10)
MAX_INDEX = 64 * 2**20
EARLIEST, LATEST = datetime(1970, 1, 2, tzinfo=UTC), datetime(9998, 12, 31, tzinfo=UTC)
"""Times that every zone can show: a day nearer to either end would end its calendar."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """What became of a claim. No `seq_id` where recording is switched off."""

    seq_id: SeqId | None
    uid: str
    state: EntryState | None
    is_new: bool


@dataclass(frozen=True, slots=True)
class Told:
    """One claim on its way: whose it is, and for which workspace (made where it is not known)."""

    caller: Caller
    namespace: str
    claim: Claim


Places = dict[str, tuple[Workspace, Settings]]
"""By the name that was given."""


class Claims:
    """Records claims over one ledger."""

    def __init__(self, ledger: Ledger, bus: ChangeBus, clock: Callable[[], datetime]) -> None:
        self._ledger = ledger
        self._bus = bus
        self._clock = clock

    def record(self, told: Told) -> Recorded:
        """Record one. Raises BadRequest naming the field, LedgerBusy, LedgerFull."""
        [done] = self.record_all([told])
        if isinstance(done, SulcusError):
            raise done
        return done

    def record_all(self, told: Sequence[Told]) -> list[Recorded | SulcusError]:
        """Record many in one transaction; one that cannot be leaves the others as they are."""
        done: list[Recorded | SulcusError]
        try:
            with self._ledger.write(whole=True):
                places: Places = {}
                done = [self._record(one, places) for one in told]
        except BadRequest:
            done = self._each_by_itself(told)
        fresh = tuple(
            one.seq_id for one in done if isinstance(one, Recorded) and one.is_new and one.seq_id is not None
        )
        if fresh:
            self._bus.publish(Changes(new_entries=fresh))
        return done

    def _each_by_itself(self, told: Sequence[Told]) -> list[Recorded | SulcusError]:
        """Record those that can be, in one transaction: it costs more, and is seldom needed."""
        done: list[Recorded | SulcusError] = []
        with self._ledger.write():
            for one in told:
                try:
                    with self._ledger.write():
                        done.append(self._record(one, {}))
                except BadRequest as error:
                    done.append(error)
        return done

    def _place(self, told: Told, places: Places) -> tuple[Workspace, Settings]:
        """Return where it belongs; nobody changes that while this transaction lasts."""
        found = places.get(told.namespace)
        if found is None:
            workspace = self._ledger.workspace_named(told.namespace)
            if workspace is None:
                workspace = self._ledger.add_workspace(None, told.namespace, actor=told.caller.actor)
            found = places[told.namespace] = (workspace, self._ledger.settings(workspace.id))
        return found

    def _record(self, told: Told, places: Places) -> Recorded:
        claim, now = told.claim, self._clock()
        if claim.at is not None and not EARLIEST <= claim.at <= LATEST:
            raise BadRequest("A time from 1970 to 9998 is needed", str(claim.at), field="at")
        workspace, settings = self._place(told, places)
        uid = claim_uid(claim, new_uid())
        known = self._ledger.entry_by_uid(uid) if claim.uid else None
        if known is not None:
            if known.workspace_id != workspace.id or known.record.actor != told.caller.actor:
                raise BadRequest("This uid is another entry's", "Give a new one.", field="uid")
            return Recorded(known.seq_id, uid, known.state, is_new=False)
        path = _path(workspace, claim)
        built = claimed_change(path, claim, settings) if path else None
        is_seen = built is not None and self._vouched(workspace, path, claim, built, now)
        entry = _entry(told, uid, path, claim.at or now, built.change if built else None, is_seen)
        seq_id = self._ledger.record(workspace.id, entry, built.contents if built else NO_CONTENTS)
        if claim.session_id:
            seen = SessionSeen(claim.harness, claim.session_id, entry.at, activity=Activity.WORKING)
            self._ledger.touch_session(workspace.id, seen)
        return Recorded(seq_id, uid, EntryState.RECORDED if seq_id is not None else None, is_new=True)

    def _vouched(
        self, workspace: Workspace, path: LedgerPath, claim: Claim, built: ClaimedChange, now: datetime
    ) -> bool:
        """Whether what is said is what we know, before and after."""
        if workspace.root is None or path.startswith("/") or not built.is_sound:
            return False
        if claim.at is not None and not now - JUST_NOW <= claim.at <= now + JUST_NOW:
            return False
        if not _same(look(workspace.root, path).state, built.after.state):
            return False
        known = self._ledger.last_known(workspace.id, (path,)).get(path)
        if known is not None:
            return _same(known, built.before.state)
        return built.before.content is not None and _git_has(workspace.root, path, built.before.content)


def _same(seen: FileState, said: FileState) -> bool:
    return seen.kind is not FileKind.UNKNOWN and seen.kind is said.kind and same_bytes(seen, said)


def _git_has(root: str, path: LedgerPath, content: bytes) -> bool:
    """Whether the index of the repository at the root holds these bytes for this path. Nothing of it is run."""
    try:
        with open_plain(Path(root, ".git", "index"), follow=False) as file:
            entry = one_file(file.read(MAX_INDEX), path)
    except (OSError, ValueError, IndexError):
        return False
    return entry is not None and object_id(entry) == git_blob(content)


def _path(workspace: Workspace, claim: Claim) -> LedgerPath:
    """The file that a claim names, as the ledger spells it; "" for none."""
    given = claim.target_path
    if not given:
        if claim.action_type in COMMANDS:
            return LedgerPath("")
        raise BadRequest("A file's path is missing", str(claim.action_type), field="target_path")
    if "\0" in given:
        raise BadRequest("A path cannot hold a zero byte", field="target_path")
    if workspace.root is not None:
        return name_in(workspace, locate(given, workspace.root))
    normal = posixpath.normpath(given)
    if normal in {".", ".."} or normal.startswith("../"):
        raise BadRequest("The path leads out of the workspace", given[:200], field="target_path")
    return LedgerPath(normal)


def _entry(
    told: Told, uid: str, path: LedgerPath, at: datetime, change: Change | None, is_seen: bool
) -> NewEntry:
    claim = told.claim
    keeps_input = claim.input and not holds_a_key(claim.input.encode("utf-8", "surrogatepass"))
    return NewEntry(
        uid=uid,
        at=at,
        harness=claim.harness,
        actor=told.caller.actor,
        origin=Origin.AGENT,
        action_type=claim.action_type,
        tool_name=claim.tool_name,
        target_path=path,
        summary=summary_of(claim),
        provenance=Provenance.OBSERVED if is_seen else Provenance.CLAIMED,
        changes=() if change is None else (change,),
        session_id=claim.session_id,
        turn_id=claim.turn_id,
        intent=claim.intent,
        command=claim.command,
        cwd=claim.cwd,
        exit_code=claim.exit_code,
        derived_from=tuple(LedgerPath(name) for name in dict.fromkeys(claim.derived_from) if name != path),
        why=claim.why,
        input=claim.input if keeps_input else "",
    )
