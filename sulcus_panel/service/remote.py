"""The verbs of Operations on the ledger of another machine. Nothing is taken as done that was not answered."""

import inspect
import os
from array import array
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

import msgspec

from sulcus_panel import __version__
from sulcus_panel.core.capture.draining import DrainReport
from sulcus_panel.core.errors import SulcusError
from sulcus_panel.core.ledger.queries import Facets, LedgerQuery, Run
from sulcus_panel.core.model import (
    Decision,
    DriftKind,
    Entry,
    GovernanceRecord,
    LedgerPath,
    SeqId,
    Settings,
    Workspace,
)
from sulcus_panel.core.safety import plain
from sulcus_panel.core.undo.model import (
    EntryResult,
    Outcome,
    UndoPlan,
    UndoRequest,
    UndoResult,
    Warning,
)
from sulcus_panel.service.bus import ChangeBus
from sulcus_panel.service.changes import Changes
from sulcus_panel.service.file_diffs import DiffView, FileDiff
from sulcus_panel.service.hook_health import HookHealth
from sulcus_panel.service.interface import Verbs
from sulcus_panel.service.link import AnswerLost, Line, Link, Owed
from sulcus_panel.service.panel_codec import packed, unpacked
from sulcus_panel.service.panel_verbs import (
    CHANGES,
    PREFIXES,
    Greeting,
    OnTheWire,
    ShownPlan,
    VersionsDiffer,
    forms,
    signatures,
)
from sulcus_panel.service.remote_groups import RemoteHolds, RemoteMarks, RemoteTokens, RemoteTriggers
from sulcus_panel.service.selection import Selection

AT_ONCE = 500
"""Entries of one question."""
LOST = "link_broken"
UNREADABLE = (msgspec.ValidationError, ValueError, OverflowError, RecursionError)
"""What a value raises that is not of its type, or nested without end."""
_PREFIXES = {group.__name__: prefix for group, prefix in PREFIXES.items()}
P = ParamSpec("P")
T = TypeVar("T")


class RemoteOperations:
    """Open one per thread, as with Operations; the link is shared."""

    def __init__(self, link: Link, bus: ChangeBus) -> None:
        self._link = link
        self._bus = bus
        self._line = Line(link)
        self.notices: tuple[str, ...] = ()
        self.read_only = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the connection."""
        self._line.close()

    def greet(self) -> Greeting:
        """Ask who is there, also over a broken link. Raises VersionsDiffer, NotLetIn, LinkBroken."""
        value = self._line.ask("greet", {}, writes=False, probe=True)
        told = value if isinstance(value, dict) else {}
        if told.get("forms") != forms():
            theirs = str(told.get("version", "another one"))[:40]
            raise VersionsDiffer(
                f"This window and {self._link.machine} do not understand each other",
                f"Sulcus Panel is {__version__} here and {theirs} there.",
                "Install the same version on both.",
            )
        try:
            greeting: Greeting = unpacked(Greeting, value)
        except UNREADABLE as error:
            raise self._unreadable(error) from error
        self.notices, self.read_only = greeting.notices, greeting.read_only
        return greeting

    @cached_property
    def holds(self) -> RemoteHolds:
        """What waits for the person."""
        return RemoteHolds(self.far, self.tell)

    @cached_property
    def triggers(self) -> RemoteTriggers:
        """The person's rules on events."""
        return RemoteTriggers(self.far, self.tell)

    @cached_property
    def marks(self) -> RemoteMarks:
        """What a person puts on entries."""
        return RemoteMarks(self.far, self.tell)

    @cached_property
    def tokens(self) -> RemoteTokens:
        """The keys given out."""
        return RemoteTokens(self.far, self.tell)

    def workspaces(self) -> tuple[Workspace, ...]:
        """See Operations."""
        return self.far(Verbs.workspaces)

    def drain(self) -> DrainReport:
        """See Operations."""
        return self.far(Verbs.drain)

    def find(self, query: LedgerQuery) -> tuple[Entry, ...]:
        """See Operations."""
        return self.far(Verbs.find, query)

    def find_ids(self, query: LedgerQuery) -> "array[int]":
        """See Operations."""
        return self.far(Verbs.find_ids, query)

    def entries(self, seq_ids: Sequence[SeqId]) -> tuple[Entry, ...]:
        """See Operations; many are asked for in parts."""
        parts = (tuple(seq_ids[start : start + AT_ONCE]) for start in range(0, len(seq_ids), AT_ONCE))
        return tuple(entry for part in parts for entry in self.far(Verbs.entries, part))

    def entry(self, seq_id: SeqId) -> Entry:
        """See Operations."""
        return self.far(Verbs.entry, seq_id)

    def count(self, query: LedgerQuery) -> int:
        """See Operations."""
        return self.far(Verbs.count, query)

    def facets(self, query: LedgerQuery) -> Facets:
        """See Operations."""
        return self.far(Verbs.facets, query)

    def runs(self, workspace_id: int) -> tuple[Run, ...]:
        """See Operations."""
        return self.far(Verbs.runs, workspace_id)

    def governance(
        self, workspace_id: int | None, *, limit: int = 50, kind_prefix: str = ""
    ) -> tuple[GovernanceRecord, ...]:
        """See Operations."""
        return self.far(Verbs.governance, workspace_id, limit=limit, kind_prefix=kind_prefix)

    def later(self, seq_id: SeqId) -> tuple[Entry, ...]:
        """See Operations."""
        return self.far(Verbs.later, seq_id)

    def readers(self, seq_id: SeqId) -> tuple[SeqId, ...]:
        """See Operations."""
        return self.far(Verbs.readers, seq_id)

    def diff(self, seq_id: SeqId, view: DiffView) -> tuple[FileDiff, ...]:
        """See Operations."""
        return self.far(Verbs.diff, seq_id, view)

    def settings(self, workspace_id: int) -> Settings:
        """See Operations."""
        return self.far(Verbs.settings, workspace_id)

    def set_setting(self, workspace_id: int, key: str, value: str | int | bool) -> Settings:
        """See Operations."""
        settings = self.far(Verbs.set_setting, workspace_id, key, value)
        self.tell(workspace_id)
        return settings

    def store_size(self) -> int:
        """See Operations."""
        return self.far(Verbs.store_size)

    def hook_health(self, now: datetime, workspace_id: int) -> tuple[HookHealth, ...]:
        """See Operations: of the hooks there."""
        return self.far(Verbs.hook_health, now, workspace_id)

    def plan(self, request: UndoRequest) -> UndoPlan:
        """See Operations."""
        return self.far(Verbs.plan, request)

    def plan_selection(self, workspace_id: int, selection: Selection) -> UndoPlan:
        """See Operations."""
        return self.far(Verbs.plan_selection, workspace_id, selection)

    def plan_redo(self, seq_ids: Sequence[SeqId]) -> UndoPlan:
        """See Operations."""
        return self.far(Verbs.plan_redo, tuple(seq_ids))

    def apply(self, plan: UndoPlan, consents: Collection[str] = ()) -> UndoResult:
        """See Operations. Where the answer is lost it is `applied_unconfirmed`, and the link owes it.

        Raises LinkBroken where nothing was sent.
        """
        ticket = os.urandom(16).hex()
        shown = ShownPlan(plan.request, plan.digest)
        try:
            result = self.far(OnTheWire.apply, shown, tuple(consents), ticket)
        except AnswerLost as lost:
            self._link.owed.append(Owed(ticket, plan))
            return _unconfirmed(plan, self._link.machine, lost.detail)
        finally:
            self.tell(plan.workspace_id)
        return result

    def settle(self, ticket: str) -> UndoResult | None:
        """Ask what came of a yes that was not answered; None: nothing by the server that runs now."""
        return self.far(OnTheWire.settle, ticket)

    def decline(self, plan: UndoPlan, decision: Decision) -> None:
        """See Operations."""
        self.far(OnTheWire.decline, ShownPlan(plan.request, plan.digest), decision)
        self.tell(plan.workspace_id)

    def refresh_drift(self, workspace_id: int) -> Mapping[LedgerPath, DriftKind]:
        """See Operations."""
        return self.far(Verbs.refresh_drift, workspace_id)

    def far(self, verb: Callable[Concatenate[Any, P], T], *args: P.args, **named: P.kwargs) -> T:
        """Ask one verb of the interface. Raises what it raises there, LinkBroken, AnswerLost."""
        group, _, name = verb.__qualname__.rpartition(".")
        name = _PREFIXES[group] + name
        given = inspect.signature(verb).bind(None, *args, **named).arguments
        del given["self"]
        packing = {key: packed(value) for key, value in given.items()}
        value = self._line.ask(name, packing, writes=name in CHANGES)
        try:
            found: T = unpacked(signatures()[name].result, value)
        except UNREADABLE as error:
            if name in CHANGES:
                raise self._line.lost("What came back is no answer") from error
            raise self._unreadable(error) from error
        return found

    def _unreadable(self, error: Exception) -> SulcusError:
        return SulcusError(f"{self._link.machine} gave an answer that cannot be read", plain(str(error), 400))

    def tell(self, workspace_id: int | None) -> None:
        """Have everything shown of a workspace (None: of all) read again."""
        self._bus.publish(
            Changes(
                workspace_id, touched=None, drift=True, governance=True, settings=True, holds=True, rules=True
            )
        )


def _unconfirmed(plan: UndoPlan, machine: str, why: str) -> UndoResult:
    told = f"{machine} was asked to carry this out and did not answer: {why[:1].lower()}{why[1:]}."
    return UndoResult(
        Outcome.APPLIED_UNCONFIRMED,
        plan.digest,
        tuple(
            EntryResult(item.entry.seq_id, Outcome.APPLIED_UNCONFIRMED, None, (), reason=LOST)
            for item in plan.entries
        ),
        (Warning(LOST, f"{told} What came of it is asked as soon as the link is back."),),
    )
