"""What a window may ask of a ledger, written down once: Operations answers here, RemoteOperations from afar.

The parameters and results of these verbs are also the words of the wire (panel_verbs.py), so that every type named
here is frozen data.
"""

from array import array
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from sulcus_panel.core.access import Scope, Token
from sulcus_panel.core.capture.draining import DrainReport
from sulcus_panel.core.events import Event
from sulcus_panel.core.holds import Hold
from sulcus_panel.core.ledger.queries import Facets, LedgerQuery, Run
from sulcus_panel.core.ledger.rules import Delivery
from sulcus_panel.core.model import (
    ActorKind,
    Decision,
    DriftKind,
    Entry,
    GovernanceRecord,
    LedgerPath,
    SeqId,
    Settings,
    Workspace,
)
from sulcus_panel.core.triggers import Firing, Rule, Trigger
from sulcus_panel.core.undo.model import UndoPlan, UndoRequest, UndoResult
from sulcus_panel.service.file_diffs import DiffView, FileDiff
from sulcus_panel.service.hook_health import HookHealth
from sulcus_panel.service.selection import Selection


class HoldVerbs(Protocol):
    """What waits for the person. See service/holds.py."""

    def find(self, workspace_id: int | None, *, waiting_only: bool = True) -> tuple[Hold, ...]:
        """Return the newest first."""
        ...

    def get(self, hold_id: int) -> Hold:
        """Return one."""
        ...

    def request(self, hold_id: int) -> UndoRequest:
        """Return what an acceptance would plan."""
        ...

    def reject(self, hold_id: int) -> Hold:
        """Say no."""
        ...


class TriggerVerbs(Protocol):
    """The person's rules on events. See service/triggers.py."""

    def all(self) -> tuple[Trigger, ...]:
        """Return every rule."""
        ...

    def firings(
        self, trigger_id: int | None = None, *, limit: int = 50, before: int | None = None
    ) -> tuple[Firing, ...]:
        """Return when it fired."""
        ...

    def dead(self, *, limit: int = 50) -> tuple[Delivery, ...]:
        """Return the calls that were given up."""
        ...

    def add(self, workspace_id: int | None, rule: Rule) -> Trigger:
        """Make a rule."""
        ...

    def change(
        self, trigger_id: int, rule: Rule, *, moves: bool = False, workspace_id: int | None = None
    ) -> Trigger:
        """Put another rule in its place, with `moves` in another workspace or in all."""
        ...

    def switch(self, trigger_id: int, *, enabled: bool) -> Trigger:
        """Turn it on or off."""
        ...

    def drop(self, trigger_id: int) -> None:
        """Let go of it."""
        ...

    def dry_run(self, workspace_id: int | None, rule: Rule, *, limit: int = 50) -> tuple[Event, ...]:
        """Return at which events it would have fired."""
        ...


class TokenVerbs(Protocol):
    """The keys given out. See service/tokens.py."""

    def make(self, name: str, kind: ActorKind, scopes: Collection[Scope]) -> tuple[str, Token]:
        """Give out a new key, shown this once."""
        ...

    def all(self) -> tuple[Token, ...]:
        """Every token ever given out."""
        ...

    def revoke(self, token_id: int) -> Token:
        """End a token for good."""
        ...


class MarkVerbs(Protocol):
    """What a person puts on entries. See service/marks.py."""

    def pin(self, seq_ids: Sequence[SeqId], *, pinned: bool) -> None:
        """Keep them however full the ledger is, or no longer."""
        ...

    def label(
        self, seq_ids: Sequence[SeqId], add: Collection[str] = (), remove: Collection[str] = ()
    ) -> None:
        """Give them words, and take others away."""
        ...

    def looked(self, seq_ids: Sequence[SeqId]) -> None:
        """Say that the person has looked."""
        ...


class Verbs(Protocol):
    """The verbs of Operations that a window uses; what each means stands there."""

    @property
    def holds(self) -> HoldVerbs:
        """What waits for the person."""
        ...

    @property
    def triggers(self) -> TriggerVerbs:
        """The person's rules on events."""
        ...

    @property
    def tokens(self) -> TokenVerbs:
        """The keys given out."""
        ...

    @property
    def marks(self) -> MarkVerbs:
        """What a person puts on entries."""
        ...

    @property
    def notices(self) -> tuple[str, ...]:
        """What the person must be told of this opening."""
        ...

    @property
    def read_only(self) -> bool:
        """True where nothing can be undone."""
        ...

    def close(self) -> None:
        """Be of no more use."""
        ...

    def workspaces(self) -> tuple[Workspace, ...]:
        """Every registered workspace."""
        ...

    def drain(self) -> DrainReport:
        """Record what the hooks have spooled."""
        ...

    def find(self, query: LedgerQuery) -> tuple[Entry, ...]:
        """Entries that match, at most the query's limit."""
        ...

    def find_ids(self, query: LedgerQuery) -> "array[int]":
        """Every matching seq_id."""
        ...

    def entries(self, seq_ids: Sequence[SeqId]) -> tuple[Entry, ...]:
        """These entries, as far as they are kept."""
        ...

    def entry(self, seq_id: SeqId) -> Entry:
        """One entry."""
        ...

    def count(self, query: LedgerQuery) -> int:
        """How many match."""
        ...

    def facets(self, query: LedgerQuery) -> Facets:
        """Counts by kind."""
        ...

    def runs(self, workspace_id: int) -> tuple[Run, ...]:
        """The newest sessions."""
        ...

    def governance(
        self, workspace_id: int | None, *, limit: int = 50, kind_prefix: str = ""
    ) -> tuple[GovernanceRecord, ...]:
        """The second timeline."""
        ...

    def later(self, seq_id: SeqId) -> tuple[Entry, ...]:
        """What came after it on its paths."""
        ...

    def readers(self, seq_id: SeqId) -> tuple[SeqId, ...]:
        """Whose session had read one of its paths."""
        ...

    def diff(self, seq_id: SeqId, view: DiffView) -> tuple[FileDiff, ...]:
        """Both sides of every path."""
        ...

    def settings(self, workspace_id: int) -> Settings:
        """The settings in force."""
        ...

    def set_setting(self, workspace_id: int, key: str, value: str | int | bool) -> Settings:
        """Change one setting."""
        ...

    def store_size(self) -> int:
        """Bytes of kept snapshots."""
        ...

    def hook_health(self, now: datetime, workspace_id: int) -> tuple[HookHealth, ...]:
        """Do the hooks of each harness fire?"""
        ...

    def plan(self, request: UndoRequest) -> UndoPlan:
        """Say what an undo would do."""
        ...

    def plan_selection(self, workspace_id: int, selection: Selection) -> UndoPlan:
        """Plan a number, a search or a turn."""
        ...

    def plan_redo(self, seq_ids: Sequence[SeqId]) -> UndoPlan:
        """Plan the undo of undos."""
        ...

    def apply(self, plan: UndoPlan, consents: Collection[str] = ()) -> UndoResult:
        """Carry out an accepted plan."""
        ...

    def decline(self, plan: UndoPlan, decision: Decision) -> None:
        """Record a no, or a later."""
        ...

    def refresh_drift(self, workspace_id: int) -> Mapping[LedgerPath, DriftKind]:
        """Compare the disk with the ledger."""
        ...
