"""Undos that wait for the person: what becomes of them when somebody decides, here or by other ways."""

from collections.abc import Callable
from datetime import datetime

from sulcus_panel.core.errors import BadRequest
from sulcus_panel.core.holds import Hold, HoldRequest, HoldState
from sulcus_panel.core.ledger.encoding import to_micros
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import Actor, EntryState
from sulcus_panel.core.safety import plain
from sulcus_panel.core.undo.model import Outcome, UndoPlan, UndoRequest
from sulcus_panel.service.bus import ChangeBus
from sulcus_panel.service.changes import Changes

ENDS = frozenset({Outcome.UNDONE, Outcome.COPY_SAVED, Outcome.ALREADY_UNDONE, Outcome.APPLIED_UNCONFIRMED})
"""What an undo comes to that leaves nothing to ask for."""


class Holds:
    """The holds of one ledger; `actor` is who decides."""

    def __init__(self, ledger: Ledger, bus: ChangeBus, clock: Callable[[], datetime], actor: Actor) -> None:
        self._ledger = ledger
        self._bus = bus
        self._clock = clock
        self._actor = actor

    def find(self, workspace_id: int | None, *, waiting_only: bool = True) -> tuple[Hold, ...]:
        """Return the newest first; of all workspaces where none is named."""
        return self._ledger.holds.find(workspace_id, waiting_only=waiting_only)

    def get(self, hold_id: int) -> Hold:
        """Return one. Raises NotFound."""
        return self._ledger.holds.by_id(hold_id)

    def request(self, hold_id: int) -> UndoRequest:
        """Return what an acceptance would plan. Raises NotFound, BadRequest (it was decided before)."""
        hold = self.get(hold_id)
        if hold.state is not HoldState.WAITING:
            raise BadRequest(f"Hold {hold_id} was decided before", f"It is {hold.state}.", field="hold_id")
        return UndoRequest(hold.request.seq_ids, hold.request.hunks)

    def add(self, workspace_id: int, actor: Actor, plan: UndoPlan, reason: str) -> Hold:
        """Let a plan that `actor` asked for wait for the person; the same one that waits already is given back."""
        request = HoldRequest(plan.request.seq_ids, plan.request.hunks, redo=plan.is_redo)
        with self._ledger.write():
            seen = self._ledger.events.newest
            hold = self._ledger.holds.add(workspace_id, actor, request, reason, to_micros(self._clock()))
            if self._ledger.events.newest != seen:
                for item in plan.entries:
                    if item.entry.state is EntryState.RECORDED:
                        self._ledger.set_state(item.entry.seq_id, EntryState.HELD)
                self._tell(hold, actor, "undo.held", f"{plain(actor.name)} asks for {_what(hold)}: {reason}")
        self._bus.publish(
            Changes(workspace_id=workspace_id, touched=hold.request.seq_ids, governance=True, holds=True)
        )
        return hold

    def reject(self, hold_id: int) -> Hold:
        """Say no: nothing is undone, and whoever asked learns it. Raises NotFound, BadRequest."""
        self.request(hold_id)
        hold = self.get(hold_id)
        with self._ledger.write():
            self._ledger.holds.decide(hold_id, HoldState.REJECTED, "", to_micros(self._clock()))
            self._let_go(hold)
            self._tell(hold, self._actor, "undo.rejected", f"Kept: {_what(hold)}")
        self._bus.publish(
            Changes(workspace_id=hold.workspace_id, touched=hold.request.seq_ids, governance=True, holds=True)
        )
        return self.get(hold_id)

    def settle(self, plan: UndoPlan, outcome: Outcome) -> bool:
        """End the holds that an undo has answered, whoever carried it out; True where there were any."""
        if outcome not in ENDS or not self.find(plan.workspace_id):
            return False
        done, ended = frozenset(plan.request.seq_ids), False
        with self._ledger.write():
            for hold in self.find(plan.workspace_id):
                asked = frozenset(hold.request.seq_ids)
                if not asked <= done or (plan.request.hunks or None) not in {None, hold.request.hunks}:
                    continue
                state = HoldState.ACCEPTED if asked == done else HoldState.SETTLED
                self._ledger.holds.decide(hold.id, state, outcome, to_micros(self._clock()))
                ended = True
        return ended

    def settle_done(self, plan: UndoPlan) -> bool:
        """End the holds that ask for what was undone by other ways meanwhile; True where there were any."""
        from sulcus_panel.core.undo.gone import to_close  # here, for a list needs nothing of an undo

        is_done = plan.outcome is Outcome.ALREADY_UNDONE and not to_close(plan)
        return is_done and self.settle(plan, plan.outcome)

    def _let_go(self, hold: Hold) -> None:
        """Take the mark from entries for which nobody else waits."""
        others = {seq_id for other in self.find(hold.workspace_id) for seq_id in other.request.seq_ids}
        for entry in self._ledger.entries(hold.request.seq_ids):
            if entry.state is EntryState.HELD and entry.seq_id not in others:
                self._ledger.set_state(entry.seq_id, EntryState.RECORDED)

    def _tell(self, hold: Hold, actor: Actor, kind: str, summary: str) -> None:
        self._ledger.record_governance(
            hold.workspace_id, actor, kind, summary, hold.request.seq_ids, {"hold_id": str(hold.id)}
        )


def _what(hold: Hold) -> str:
    verb = "redo" if hold.request.redo else "undo"
    return f"{verb} of {', '.join(f'#{seq_id}' for seq_id in hold.request.seq_ids)}"
