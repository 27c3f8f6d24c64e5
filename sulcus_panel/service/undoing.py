"""The undo verbs: plan, decide, apply. Operations is their door, and imports them once one of them is used."""

import os
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from sulcus_panel.core.errors import BadRequest, NotFound, SulcusError
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import Actor, Decision, EntryState, LedgerPath, Origin, SeqId
from sulcus_panel.core.undo.model import Outcome, UndoPlan, UndoRequest, UndoResult, Warning
from sulcus_panel.core.undo.planner import Planner
from sulcus_panel.service.bus import ChangeBus
from sulcus_panel.service.changes import Changes
from sulcus_panel.service.decisions import record_decision, record_failure
from sulcus_panel.service.planning import plan_request

if TYPE_CHECKING:
    from sulcus_panel.service.selection import Selection


def new_uid() -> str:
    """A fresh id for an entry or an operation: the time in milliseconds, then 80 random bits, in hexadecimal.

    Ids that come one after the other stand side by side in an index, which many records at once pay less for.
    """
    return f"{time.time_ns() // 1_000_000:012x}{os.urandom(10).hex()}"


class Undoing:
    """Undo over one ledger, by one actor; says on the bus what it wrote."""

    def __init__(self, ledger: Ledger, bus: ChangeBus, clock: Callable[[], datetime], actor: Actor) -> None:
        self._ledger = ledger
        self._bus = bus
        self._clock = clock
        self._actor = actor
        self._planner = Planner()

    def plan(self, request: UndoRequest) -> UndoPlan:
        """See Operations.plan()."""
        return plan_request(self._ledger, request, self._clock, self._planner)

    def plan_selection(self, workspace_id: int, selection: "Selection") -> UndoPlan:
        """See Operations.plan_selection()."""
        from sulcus_panel.service.selection import choose

        chosen = choose(self._ledger, workspace_id, selection)
        plan = self.plan(UndoRequest(chosen.seq_ids))
        stays = tuple(
            Warning(
                "command_stays",
                f"#{entry.seq_id} stays as it is: what this command did is not taken back.",
                seq_ids=(entry.seq_id,),
            )
            for entry in chosen.left_out
        )
        return replace(plan, warnings=plan.warnings + stays)

    def plan_redo(self, seq_ids: Sequence[SeqId]) -> UndoPlan:
        """See Operations.plan_redo()."""
        return self.plan(UndoRequest(tuple(self._undo_in_force(seq_id) for seq_id in seq_ids)))

    def apply(
        self,
        plan: UndoPlan,
        consents: Collection[str],
        refresh_drift: Callable[[int, Collection[LedgerPath]], object],
    ) -> UndoResult:
        """See Operations.apply(); `refresh_drift` is what marks the drift of a workspace's paths anew."""
        # here, for a plan that is only shown writes nothing
        from sulcus_panel.core.undo.apply import Hands, apply_undo

        workspace = self._ledger.workspace(plan.workspace_id)
        record_decision(self._ledger, self._actor, plan, Decision.ACCEPT)
        fresh: tuple[SeqId, ...] = ()
        settled = False
        try:
            result = apply_undo(
                self._ledger,
                workspace,
                plan,
                Hands(self._actor, new_uid, self._clock),
                consents,
                planning=self._planner,
            )
            fresh = tuple(r.undo_seq_id for r in result.results if r.undo_seq_id is not None)
            settled = self._settled(plan, result.outcome)
            if not fresh and (not plan.can_apply or workspace.root is None or result.outcome is Outcome.HELD):
                self._failed(plan, result.outcome)
        except SulcusError as error:
            self._failed(plan, error)
            raise
        finally:
            self._bus.publish(
                Changes(workspace.id, new_entries=fresh, touched=None, governance=True, holds=settled)
            )
        self._tell_agents()
        with suppress(SulcusError, OSError):
            refresh_drift(workspace.id, {write.path for write in plan.writes})
        return result

    def _settled(self, plan: UndoPlan, outcome: Outcome) -> bool:
        """End what waited for this very undo; the files are written, so that trouble here undoes nothing."""
        with suppress(SulcusError):
            if not self._ledger.is_asked(plan.workspace_id):
                return False
            from sulcus_panel.service.holds import Holds  # here, for an undo rarely waited for the person

            return Holds(self._ledger, self._bus, self._clock, self._actor).settle(plan, outcome)
        return False

    def _tell_agents(self) -> None:
        """Have the agents that are at work told, and import what that takes only where there is one."""
        with suppress(SulcusError):
            if self._ledger.is_a_word_owed():
                from sulcus_panel.service.telling import tell_agents

                tell_agents(self._ledger, self._clock())

    def _failed(self, plan: UndoPlan, why: SulcusError | Outcome) -> None:
        with suppress(SulcusError):  # what there is to tell the person is the first error
            record_failure(self._ledger, self._actor, plan, why)

    def decline(self, plan: UndoPlan, decision: Decision) -> None:
        """See Operations.decline()."""
        if decision is Decision.ACCEPT:
            raise BadRequest("An accepted plan is applied, not declined")
        old, new = EntryState.RECORDED, EntryState.DEFERRED
        if decision is Decision.REJECT:  # what was put off before is decided now
            old, new = new, old
        states = [item.entry.state for item in plan.entries]
        if decision is Decision.DEFER and all(state is EntryState.DEFERRED for state in states):
            return  # it was put off before, and nothing is new about it
        with self._ledger.write():
            for item in plan.entries:
                if item.entry.state is old:
                    self._ledger.set_state(item.entry.seq_id, new)
            record_decision(self._ledger, self._actor, plan, decision)
        self._bus.publish(
            Changes(
                workspace_id=plan.workspace_id,
                touched=tuple(item.entry.seq_id for item in plan.entries),
                governance=True,
            )
        )

    def _undo_in_force(self, seq_id: SeqId) -> SeqId:
        entry = self._ledger.entry(seq_id)
        if entry.undone_by is not None:
            return entry.undone_by
        if entry.record.origin is Origin.UNDO:
            return seq_id
        raise NotFound(
            f"#{seq_id} has not been undone",
            "There is nothing to redo.",
            "`ledger list --state undone` shows what was undone.",
        )
