"""The Ledger: one door to everything recorded. Each verb's work and its SQL live in the neighbour it names.

Every write is one immediate transaction; open several ledgers for several threads or processes, they lose
nothing to each other. The format and its promise are in docs/ledger-format.md.
"""

from array import array
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from types import MappingProxyType, TracebackType
from typing import TYPE_CHECKING, Self

from sulcus_panel.core.errors import LedgerBusy, LedgerFull, NotFound
from sulcus_panel.core.ledger import (
    checkpoints,
    drift_marks,
    governance,
    journal,
    marks,
    opening,
    recording,
    settings,
    timeline,
    upkeep,
    workspaces,
)
from sulcus_panel.core.ledger import pending as waiting
from sulcus_panel.core.ledger.blobs import BlobStore
from sulcus_panel.core.ledger.database import BUSY_MS, Database
from sulcus_panel.core.ledger.encoding import encode_text, to_micros, utc_now
from sulcus_panel.core.ledger.governance import PANEL
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.ledger.journal import UndoJournal
from sulcus_panel.core.ledger.pending import Pending
from sulcus_panel.core.ledger.remembered import Recent
from sulcus_panel.core.ledger.tables import Tables
from sulcus_panel.core.model import (
    Actor,
    DriftKind,
    Entry,
    EntryState,
    FileState,
    GovernanceRecord,
    LedgerPath,
    NewEntry,
    SeqId,
    Settings,
    Sha256,
    Step,
    Workspace,
)

if TYPE_CHECKING:
    from sulcus_panel.core.ledger.forgetting import Forgetting
    from sulcus_panel.core.ledger.gaps import Gap
    from sulcus_panel.core.ledger.queries import Facets, LedgerQuery, Run
    from sulcus_panel.core.ledger.retention import Pruned
    from sulcus_panel.core.ledger.sessions import SessionSeen

NO_CONTENTS: Mapping[Sha256, bytes] = MappingProxyType({})


class Ledger(Tables):
    """All that was recorded, for one thread at a time."""

    def __init__(
        self, home: DataHome, database: Database, clock: Callable[[], datetime], notice: str
    ) -> None:
        super().__init__(database)
        self.home = home
        self.blobs = BlobStore(database, clock)
        self.notice = notice
        """What the person must be told about the opening, "" where nothing."""
        self._clock = clock
        self._recent = Recent(database)

    @classmethod
    def open(
        cls,
        home: DataHome,
        *,
        clock: Callable[[], datetime] = utc_now,
        read_only: bool = False,
        busy_ms: int = BUSY_MS,
    ) -> Self:
        """Open the ledger of this home: made when missing, migrated when older, set aside when damaged.

        Raises LedgerTooNew (of a newer version; `read_only` opens it), NotFound (`read_only`, and none is there),
        LedgerBusy, LedgerFull, UnsafePath, LedgerCorrupt (`read_only` alone).
        """
        if read_only:
            database, notice = opening.open_for_reading(home, busy_ms)
        else:
            database, notice = opening.open_for_writing(home, clock, busy_ms)
            notice = notice or journal.complaint(database)
        return cls(home, database, clock, notice)

    def close(self) -> None:
        """Checkpoint where there is something to and nobody else does, and let go of the file."""
        if not self._db.read_only and opening.log_bytes(self.home):
            self.checkpoint()
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def read_only(self) -> bool:
        """True where every write is refused."""
        return self._db.read_only

    @contextmanager
    def write(self, *, durable: bool = False, whole: bool = False) -> Iterator[None]:
        """One transaction for all writes inside; nested ones join it, an error takes back what was inside."""
        with self._db.write(durable=durable, whole=whole):
            yield
        if not self._db.writing and checkpoints.is_due(self._db, self.home):
            self.checkpoint()

    def checkpoint(self) -> bool:
        """Move the write-ahead log into the file; False where another process is at it or readers hold it."""
        return checkpoints.checkpoint(self._db, self.home)

    def check_format(self) -> None:
        """Raise LedgerTooNew where a newer version has taken the file over since it was opened."""
        opening.refuse_newer(self._db.number("PRAGMA user_version"))

    def wait_for_writers(self, milliseconds: int) -> None:
        """Wait no longer than this for another writer from now on; then LedgerBusy is raised."""
        self._db.wait_for_writers(milliseconds)

    def add_workspace(
        self, root: str | None, namespace: str | None = None, *, actor: Actor = PANEL, anew: bool = False
    ) -> Workspace:
        """The workspace of this root (or of this namespace); news is told on governance. See workspaces.py."""
        with self.write():
            workspace, told = workspaces.add_workspace(self._db, root, namespace, self._now(), anew=anew)
            if told is not None:
                self.record_governance(workspace.id, actor, *told)
        return workspace

    def workspaces(self, *, below: str | None = None) -> tuple[Workspace, ...]:
        """Every workspace, oldest first; or those whose root lies inside the folder `below`."""
        return workspaces.all_workspaces(self._db) if below is None else self._recent.below(below)

    def workspace(self, workspace_id: int) -> Workspace:
        """The workspace with this id.

        Raises:
            NotFound: there is none.
        """
        return self._recent.workspace(workspace_id)

    def workspace_named(self, namespace: str) -> Workspace | None:
        """The workspace of this name, however it is spelled."""
        return workspaces.by_namespace(self._db, namespace)

    def workspace_above(self, path: str) -> Workspace | None:
        """The nearest workspace whose root is this path or above it."""
        return workspaces.above(self._db, path)

    def settings(self, workspace_id: int) -> Settings:
        """The settings in force."""
        return self._recent.settings(workspace_id)

    def set_setting(self, workspace_id: int, key: str, value: str | int | bool) -> Settings:
        """Set one value; the settings then in force.

        Raises:
            BadRequest: names the field and its range; nothing changed.
        """
        with self.write():
            workspaces.by_id(self._db, workspace_id)
            settings.store_setting(self._db, workspace_id, key, value)
        return self.settings(workspace_id)

    def gaps(self, workspace_id: int) -> "tuple[Gap, ...]":
        """What was not recorded and why, oldest first."""
        from sulcus_panel.core.ledger import gaps

        return gaps.read_gaps(self._db, workspace_id)

    def append(
        self, workspace_id: int, entry: NewEntry, *, contents: Mapping[Sha256, bytes] = NO_CONTENTS
    ) -> Entry | None:
        """Record one entry and keep what bytes the settings allow; a known uid only gives its row.

        None where recording is off: nothing is recorded but a gap. An undo is always recorded.

        Raises:
            BadRequest: a path twice, a malformed hash, contents that do not have their hash.
            NotFound: no such workspace.
        """
        with self.write():
            seq_id = self.record(workspace_id, entry, contents)
            return None if seq_id is None else self.entry(seq_id)

    def record(self, workspace_id: int, entry: NewEntry, contents: Mapping[Sha256, bytes]) -> SeqId | None:
        """Do as `append` does, and give the id alone. Only inside `write()`."""
        hands = recording.Recorder(self._db, self.blobs, self._clock())
        return recording.append(hands, workspace_id, entry, contents)

    def entry(self, seq_id: SeqId) -> Entry:
        """One entry.

        Raises:
            NotFound: it was never there, or retention let it go.
        """
        found = self.entries((seq_id,))
        if not found:
            raise NotFound("There is no such entry", f"#{seq_id}")
        return found[0]

    def entries(self, seq_ids: Sequence[SeqId]) -> tuple[Entry, ...]:
        """The entries in the order asked; missing ones are left out."""
        return self._recent.entries(tuple(seq_ids))

    def entry_by_uid(self, uid: str) -> Entry | None:
        """The entry recorded under this uid."""
        found = self._db.row("SELECT seq_id FROM entry WHERE uid = ?", (encode_text(uid),))
        return None if found is None else self.entry(SeqId(found[0]))

    def find(self, query: "LedgerQuery") -> tuple[Entry, ...]:
        """The first `query.limit` entries in the query's order (newest first unless it says otherwise)."""
        return self.entries([SeqId(found) for found in self.find_ids(query, limit=query.limit)])

    def find_ids(self, query: "LedgerQuery", *, limit: int | None = None) -> "array[int]":
        """The seq_ids of all that match, or the first `limit` (the query's own does not count), in its order."""
        from sulcus_panel.core.ledger import search  # here as below: an undo by its number searches nothing

        return search.find_ids(self._db, query, limit=limit)

    def count(self, query: "LedgerQuery") -> int:
        """How many match."""
        from sulcus_panel.core.ledger import search

        return search.count(self._db, query)

    def facets(self, query: "LedgerQuery") -> "Facets":
        """How many match, by harness, action, state and drift."""
        from sulcus_panel.core.ledger import search

        return search.facets(self._db, query)

    def newest_seq(self) -> SeqId:
        """The highest id ever given, 0 for none."""
        return SeqId(self._db.number("SELECT seq FROM sqlite_sequence WHERE name = 'entry'"))

    def after(self, seq_id: SeqId, workspace_id: int | None = None, limit: int = 256) -> tuple[Entry, ...]:
        """The next entries after this id, oldest first: the tail."""
        from sulcus_panel.core.ledger.queries import LedgerQuery

        query = LedgerQuery(workspace_id=workspace_id, after=seq_id, limit=limit, descending=False)
        return self.find(query)

    def set_state(self, seq_id: SeqId, state: EntryState) -> None:
        """Mark an entry as deferred, held, failed or asking for attention; RECORDED takes such a mark away.

        Raises:
            BadRequest: a state that only an undo makes.
            NotFound: no such entry.
        """
        with self.write():
            marks.set_state(self._db, seq_id, state, self._now())

    def timeline(self, workspace_id: int, path: LedgerPath) -> tuple[Step, ...]:
        """Every known step of this path in order of happening: time, repaired by the chain of hashes."""
        return self._recent.timeline(workspace_id, path)

    def last_known(
        self, workspace_id: int, paths: Collection[LedgerPath] | None = None
    ) -> Mapping[LedgerPath, FileState]:
        """What was last seen at each path, or these, inside the workspace; the last recorded comes last."""
        return timeline.read_last_known(self._db, workspace_id, paths)

    def changed_since(self, workspace_id: int, seq_id: SeqId) -> frozenset[LedgerPath]:
        """The paths of all later entries."""
        return timeline.read_changed_since(self._db, workspace_id, seq_id)

    def readers(self, workspace_id: int, path: LedgerPath, after: datetime) -> tuple[SeqId, ...]:
        """Entries that happened later and were derived from this path, oldest first."""
        return self._recent.readers(workspace_id, path, after)

    def set_drift(self, workspace_id: int, marks_by_path: Mapping[LedgerPath, DriftKind | None]) -> None:
        """Set the drift mark of each path, or clear it with None."""
        with self.write():
            drift_marks.store_drift(self._db, workspace_id, marks_by_path, self._now())

    def drift(self, workspace_id: int) -> Mapping[LedgerPath, DriftKind]:
        """Every path with known drift."""
        return drift_marks.read_drift(self._db, workspace_id)

    def touch_session(self, workspace_id: int, seen: "SessionSeen") -> None:
        """Note that a session was heard of; events may come in any order."""
        from sulcus_panel.core.ledger import sessions

        with self._db.write():
            sessions.store_session(self._db, workspace_id, seen)

    def runs(self, workspace_id: int, limit: int = 200) -> "tuple[Run, ...]":
        """The newest sessions with their turns, newest first."""
        from sulcus_panel.core.ledger import sessions

        return sessions.read_runs(self._db, workspace_id, limit)

    def record_governance(
        self,
        workspace_id: int | None,
        actor: Actor,
        kind: str,
        summary: str,
        seq_ids: Sequence[SeqId] = (),
        detail: Mapping[str, str] | None = None,
    ) -> GovernanceRecord:
        """Record one high-impact event."""
        now = self._clock()
        draft = governance.draft(now, actor, kind, summary, seq_ids, detail)
        with self.write():
            return governance.store_record(self._db, workspace_id, draft)

    def governance(
        self, workspace_id: int | None, limit: int = 50, kind_prefix: str = "", before: int | None = None
    ) -> tuple[GovernanceRecord, ...]:
        """The second timeline, newest first, of all workspaces for None; `before` is an id, for paging."""
        return governance.read_records(self._db, workspace_id, limit, kind_prefix, before)

    def begin_undo(self, op: UndoJournal, contents: Mapping[Sha256, bytes] = NO_CONTENTS) -> None:
        """Open the journal and keep the displaced and the resulting bytes, all in one durable transaction."""
        with self.write(durable=True, whole=True):
            journal.begin(self._db, op, contents, self._now(), self.blobs)

    def complete_undo(self, op: UndoJournal) -> None:
        """Say that it is done, inside the `write()` that appends its entries. What is left to tidy comes after."""
        with self.write(durable=True):
            journal.tell_done(self._db, op, self._now())

    def finish_undo(self, op_id: str) -> None:
        """Close the journal; twice is no error. One that was not completed has failed, and that is told."""
        with self.write(durable=True):
            journal.close(self._db, op_id, self._now())

    def open_undos(self) -> tuple[UndoJournal, ...]:
        """The journals of applies that did not end, oldest first; without those that cannot be read."""
        return journal.read_open(self._db).journals

    def put_pending(self, key: str, kind: str, at: datetime, payload: bytes) -> None:
        """Keep a piece that waits for another, in place of an older one with its key."""
        with self.write():
            waiting.store_pending(self._db, Pending(key, kind, at, payload))

    def pending(self, kind: str | None = None) -> tuple[Pending, ...]:
        """What waits, oldest first."""
        return waiting.read_pending(self._db, kind)

    def drop_pending(self, key: str) -> None:
        """Let go of a piece; unknown keys are no error."""
        with self.write():
            self._db.run("DELETE FROM pending WHERE key = ?", (encode_text(key),))

    def prune(self) -> "Pruned":
        """Let go of what retention asks for, then checkpoint."""
        from sulcus_panel.core.ledger import retention  # here as below: due once a day, asked for rarely

        with self.write():
            pruned = retention.prune(self._db, self._clock())
        if not self._db.writing:
            self.checkpoint()
        return pruned

    def what_goes(self, workspace_id: int, path: LedgerPath) -> "Forgetting":
        """See forgetting.py: what `forget` would let go of."""
        from sulcus_panel.core.ledger import forgetting

        return forgetting.what_goes(self._db, workspace_id, path)

    def forget(self, workspace_id: int, path: LedgerPath) -> "Forgetting":
        """Let go of every kept byte of a path, for good. Raises LedgerBusy: an undo may still need some."""
        from sulcus_panel.core.ledger import forgetting

        with self.write():
            return forgetting.forget(self._db, workspace_id, path)

    def prune_if_due(self) -> None:
        """Prune once a day, whichever process comes first; where the ledger is busy or full, later."""
        with suppress(LedgerBusy, LedgerFull), self._db.waiting(checkpoints.BUSY_MS):
            if upkeep.is_due(self._db, self._clock()):
                self.prune()

    def _now(self) -> int:
        return to_micros(self._clock())
