"""Every capability once: the window, the terminal, HTTP and MCP are doors to this class and hold no logic.

Each Operations owns one ledger connection and belongs to one thread; the bus may be shared by several.
A write returns after it is on disk and has been published.
"""

from array import array
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from sulcus_panel.core.capture.draining import STARTED, DrainReport, is_quiet
from sulcus_panel.core.errors import LedgerCorrupt, NotFound, SulcusError
from sulcus_panel.core.ledger.encoding import utc_now
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import (
    PERSON,
    Actor,
    Decision,
    DriftKind,
    Entry,
    GovernanceRecord,
    LedgerPath,
    SeqId,
    Settings,
    Workspace,
)
from sulcus_panel.service.beginning import place_of, put_in_order
from sulcus_panel.service.bus import ChangeBus
from sulcus_panel.service.changes import Changes
from sulcus_panel.service.drift_watch import DriftWatch
from sulcus_panel.service.hook_rules import tell_hooks
from sulcus_panel.service.verb_groups import VerbGroups

if TYPE_CHECKING:
    from sulcus_panel.core.ledger.forgetting import Forgetting
    from sulcus_panel.core.ledger.gaps import Gap
    from sulcus_panel.core.ledger.queries import Facets, LedgerQuery, Run, SortKey
    from sulcus_panel.core.ledger.retention import Pruned
    from sulcus_panel.core.undo.model import UndoPlan, UndoRequest, UndoResult
    from sulcus_panel.service.asking import Asking
    from sulcus_panel.service.file_diffs import DiffView, FileDiff
    from sulcus_panel.service.forgetting import Forgotten
    from sulcus_panel.service.hook_health import HookHealth
    from sulcus_panel.service.selection import Selection

__all__ = [
    "DiffView",
    "Facets",
    "FileDiff",
    "LedgerQuery",
    "Operations",
    "Run",
    "Selection",
    "SortKey",
    "utc_now",
]


_QUERIES = "sulcus_panel.core.ledger.queries"
_ROOMS = {
    **dict.fromkeys(("DiffView", "FileDiff"), "sulcus_panel.service.file_diffs"),
    **dict.fromkeys(("Facets", "LedgerQuery", "Run", "SortKey"), _QUERIES),
    "Selection": "sulcus_panel.service.selection",
}


def __getattr__(name: str) -> object:
    """Import what compares, searches or chooses for who asks for it alone, as the undo and the recorder below."""
    if name in _ROOMS:
        return getattr(import_module(_ROOMS[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class Operations(VerbGroups):
    """The verbs. Open one per thread; `actor` is who acts through this door."""

    def __init__(
        self, ledger: Ledger, home: DataHome, *, bus: ChangeBus, clock: Callable[[], datetime], actor: Actor
    ) -> None:
        super().__init__(ledger, home, bus, clock, actor)
        self._recovered: tuple[str, ...] = ()
        self._place = place_of(home.database)
        self.drift_watch = DriftWatch(ledger, self._in_flight)
        """For the watcher; doors use `refresh_drift`."""

    @classmethod
    def open(
        cls,
        home: DataHome,
        *,
        bus: ChangeBus | None = None,
        clock: Callable[[], datetime] = utc_now,
        actor: Actor = PERSON,
        read_only: bool = False,
    ) -> Self:
        """Open the ledger of `home`, finish what a killed process left half done, prune what is due.

        With `read_only` nothing is made, drained, recovered or pruned. A damaged ledger is set aside; `notices`
        says so. Raises LedgerTooNew (`read_only` opens it), LedgerBusy, LedgerFull, NotFound (`read_only`).
        """
        if not read_only:
            home.ensure()
        ledger = Ledger.open(home, clock=clock, read_only=read_only)
        self = cls(ledger, home, bus=bus or ChangeBus(), clock=clock, actor=actor)
        if not read_only:
            try:
                self._recovered = put_in_order(ledger, clock())
            except SulcusError:
                self.close()
                raise
            for message in self._recovered:
                self.bus.publish(Changes(touched=None, governance=True, notice=message))
            ledger.prune_if_due()
            tell_hooks(ledger, home)
        return self

    def close(self) -> None:
        """Close the ledger; the operations are of no use afterwards."""
        self._ledger.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def notices(self) -> tuple[str, ...]:
        """What the person must be told of this opening: a damaged ledger, an undo cut off, a late write."""
        return tuple(text for text in (self._ledger.notice, *self._recovered) if text)

    @property
    def read_only(self) -> bool:
        """True where nothing can be recorded, marked or undone."""
        return self._ledger.read_only

    @property
    def home(self) -> DataHome:
        """Where this ledger lives."""
        return self._home

    @property
    def ledger(self) -> Ledger:
        """The ledger, for the service's own parts (importers, tail); doors use the verbs."""
        return self._ledger

    def workspace_for(self, folder: Path, *, register: bool) -> Workspace:
        """Return the workspace that `folder` belongs to: the nearest registered one, else its git top level.

        With `register`, a folder that has none becomes one. Raises NotFound otherwise.
        """
        if not folder.is_dir():
            raise NotFound(f"There is no folder {folder}", hint="Give the path of an existing folder.")
        found = self._ledger.workspace_above(str(folder.resolve()))
        if found is not None:
            return found
        if not register:
            raise NotFound(
                "Nothing is recorded for this folder yet",
                str(folder),
                "Install the hooks, or import past runs: sulcus-panel import claude-code",
            )
        from sulcus_panel.core.capture.place import git_top

        real = str(folder.resolve())
        return self.register(Path(git_top(real) or real))

    def register(self, root: Path, *, anew: bool = False) -> Workspace:
        """Make exactly this folder a workspace (idempotent); `anew` takes another one in its place for the same."""
        workspace = self._ledger.add_workspace(str(root), actor=self._actor, anew=anew)
        tell_hooks(self._ledger, self._home)
        self.bus.publish(Changes(workspace_id=workspace.id, settings=True, governance=True))
        return workspace

    def workspaces(self) -> tuple[Workspace, ...]:
        """Every registered workspace."""
        return self._ledger.workspaces()

    def drain(self, *, wait: float = 0.0, rest: Callable[[], bool] | None = None) -> DrainReport:
        """Record what the hooks have spooled; every door does so before it reads.

        Another process that drains is waited for up to `wait` seconds, then `busy` says so. `rest` is called after
        every few events and says whether to go on (`Recorder.drain`).
        """
        if self._ledger.read_only:
            return DrainReport()
        self._check_place()
        if is_quiet(self._ledger, self._home, self._clock()):
            self._ledger.prune_if_due()
            return DrainReport()
        from sulcus_panel.core.ledger.queries import LedgerQuery

        before = self._ledger.newest_seq()
        report = self._recorder.drain(wait=wait, rest=rest)
        self._ledger.prune_if_due()
        found = self._ledger.find_ids(LedgerQuery(after=before, descending=False))
        if found or report.messages:
            tell_hooks(self._ledger, self._home)  # an event may have brought a workspace
            fresh, notice = tuple(SeqId(seq_id) for seq_id in found), " ".join(report.messages)
            self.bus.publish(Changes(new_entries=fresh, touched=None, governance=True, notice=notice))
        return report

    def _check_place(self) -> None:
        """See that the ledger is still the file that was opened: into another, nothing may be written."""
        self._ledger.check_format()
        if place_of(self._home.database) != self._place:
            raise LedgerCorrupt(
                "The ledger was removed or replaced while it was open",
                str(self._home.database),
                "What the hooks leave waits in the spool.",
            )

    def find(self, query: "LedgerQuery") -> tuple[Entry, ...]:
        """Entries that match, in the query's order, at most its limit."""
        return self._ledger.find(query)

    def find_ids(self, query: "LedgerQuery") -> "array[int]":
        """Every matching seq_id in the query's order: what a paged table holds."""
        return self._ledger.find_ids(query)

    def entries(self, seq_ids: Sequence[SeqId]) -> tuple[Entry, ...]:
        """These entries in this order; ids no longer kept are skipped."""
        return self._ledger.entries(seq_ids)

    def entry(self, seq_id: SeqId) -> Entry:
        """One entry. Raises NotFound naming it."""
        return self._ledger.entry(seq_id)

    def count(self, query: "LedgerQuery") -> int:
        """How many entries match."""
        return self._ledger.count(query)

    def facets(self, query: "LedgerQuery") -> "Facets":
        """Counts by harness, action, state and drift over what matches."""
        return self._ledger.facets(query)

    def runs(self, workspace_id: int, *, limit: int = 20) -> "tuple[Run, ...]":
        """The newest sessions with their turns, newest first."""
        return self._ledger.runs(workspace_id, limit)

    def governance(
        self, workspace_id: int | None, *, limit: int = 50, kind_prefix: str = "", before: int | None = None
    ) -> tuple[GovernanceRecord, ...]:
        """The second timeline, newest first; `kind_prefix` "undo." is the undo history, `before` an id."""
        return self._ledger.governance(workspace_id, limit, kind_prefix, before)

    def later(self, seq_id: SeqId) -> tuple[Entry, ...]:
        """Entries that came after this one on any of its paths, in order of happening."""
        from sulcus_panel.service import later_work

        return self._ledger.entries(later_work.after(self._ledger, self._ledger.entry(seq_id)))

    def readers(self, seq_id: SeqId) -> tuple[SeqId, ...]:
        """Later entries whose session had read one of this entry's paths."""
        from sulcus_panel.service import later_work

        return later_work.readers(self._ledger, self._ledger.entry(seq_id))

    def diff(self, seq_id: SeqId, view: "DiffView") -> "tuple[FileDiff, ...]":
        """Both sides of every path of the entry, as `view` asks for them."""
        from sulcus_panel.core.undo.model import UndoRequest
        from sulcus_panel.service.file_diffs import DiffView, after_undo, since_then, this_change

        entry = self._ledger.entry(seq_id)
        if view is DiffView.CHANGE:
            return this_change(self._ledger, entry)
        if view is DiffView.NOW:
            return since_then(self._ledger, entry, self._ledger.workspace(entry.workspace_id).root)
        return after_undo(self.plan(UndoRequest((seq_id,))))

    def settings(self, workspace_id: int) -> Settings:
        """The settings now in force."""
        return self._ledger.settings(workspace_id)

    def would_drop(self, workspace_id: int, key: str, value: str | int | bool) -> "Pruned":
        """What this value of a setting would let go of; nothing is changed. Raises BadRequest, LedgerBusy."""
        from sulcus_panel.service.settings_preview import would_drop

        return would_drop(self._ledger, workspace_id, key, value)

    def set_setting(self, workspace_id: int, key: str, value: str | int | bool) -> Settings:
        """Change one setting and say so on governance. Raises BadRequest naming field and range."""
        from sulcus_panel.service.configuring import configure

        return configure(self._ledger, self.bus, self._actor, workspace_id, {key: value})

    def what_goes(self, workspace_id: int, path: LedgerPath) -> "Forgetting":
        """What `forget` would let go of."""
        return self._ledger.what_goes(workspace_id, path)

    def forget(self, workspace_id: int, path: LedgerPath) -> "Forgotten":
        """Let go of everything kept of one file, for good, and say so on governance. Raises LedgerBusy."""
        from sulcus_panel.service.forgetting import WAIT_SECONDS, forget

        self.drain(wait=WAIT_SECONDS)
        done = forget(self._ledger, self._recorder, self._ledger.workspace(workspace_id), path)
        summary = f"{path}: {done.going.versions} versions let go of, in {done.going.entries} entries"
        self.record_governance(workspace_id, "forget", summary)
        self.bus.publish(Changes(workspace_id=workspace_id, touched=None))
        return done

    def store_size(self) -> int:
        """Bytes of kept snapshots over all workspaces."""
        return self._ledger.blobs.total_bytes()

    def hook_health(self, now: datetime, workspace_id: int) -> "tuple[HookHealth, ...]":
        """How the hooks of each harness are on this machine; silences of this workspace alone."""
        from sulcus_panel.service.hook_health import hook_health, hooks_heard

        return hook_health(self._home, hooks_heard(self, now, workspace_id))

    def gaps(self, workspace_id: int) -> "tuple[Gap, ...]":
        """What is known to be missing: events while recording was off, or that found no room."""
        return self._ledger.gaps(workspace_id)

    def record_governance(self, workspace_id: int | None, kind: str, summary: str) -> None:
        """Put a rare event on the second timeline."""
        self._ledger.record_governance(workspace_id, self._actor, kind, summary)
        self.bus.publish(Changes(workspace_id=workspace_id, governance=True))

    def plan(self, request: "UndoRequest") -> "UndoPlan":
        """Say what an undo would do; nothing is written. Raises NotFound, BadRequest."""
        return self._undoing.plan(request)

    def plan_selection(self, workspace_id: int, selection: "Selection") -> "UndoPlan":
        """Like `plan`, for a number, a search or a turn; says which entries of the turn stay as they are."""
        return self._undoing.plan_selection(workspace_id, selection)

    def plan_redo(self, seq_ids: Sequence[SeqId]) -> "UndoPlan":
        """Plan the undo of undos: `seq_ids` are undone entries, or the undo entries themselves."""
        return self._undoing.plan_redo(seq_ids)

    def apply(self, plan: "UndoPlan", consents: Collection[str] = ()) -> "UndoResult":
        """Carry out an accepted plan: check, write, read back, record. Raises StalePlan, LedgerBusy, LedgerCorrupt.

        `consents` are the keys of the plan's own that the person said yes to; without one of them it is held.
        The decision and what came of it are on governance, and published, however it ends. Once the files are
        written nothing is raised: marks that cannot be refreshed now are left to the watcher.
        """
        self._check_place()
        return self._undoing.apply(plan, consents, self.refresh_drift)

    def decline(self, plan: "UndoPlan", decision: Decision) -> None:
        """Record that the person said no, or later. No file is touched; put-off entries keep a mark till then."""
        self._undoing.decline(plan, decision)

    @cached_property
    def asking(self) -> "Asking":
        """Undo for those who come through a door without a dialog."""
        from sulcus_panel.service.asking import Asking

        return Asking(self._ledger, self.bus, self._clock, self.refresh_drift)

    def _in_flight(self, workspace: Workspace) -> frozenset[LedgerPath]:
        return self._recorder.in_flight(workspace) if self._ledger.pending(STARTED) else frozenset()

    def refresh_drift(
        self, workspace_id: int, paths: Collection[LedgerPath] | None = None
    ) -> Mapping[LedgerPath, DriftKind]:
        """Compare the disk with what the ledger last saw (of all paths, or these), mark and return the drift.

        A ledger that is open for reading only keeps the marks that it has.
        """
        if self._ledger.read_only:
            return self._ledger.drift(workspace_id)
        looked = self.drift_watch.refresh(self._ledger.workspace(workspace_id), paths)
        if looked.is_news:
            self.bus.publish(Changes(workspace_id=workspace_id, touched=None, drift=True))
        return looked.marks
