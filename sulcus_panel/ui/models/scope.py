"""Which part of the ledger is looked at: everything, one run, one turn, or what waits for the person."""

from dataclasses import dataclass, replace

from sulcus_panel.core.ledger.queries import LedgerQuery
from sulcus_panel.core.model import EntryState


@dataclass(frozen=True, slots=True)
class Scope:
    """A named part of the ledger; None does not narrow."""

    label: str
    harness: str | None = None
    session_id: str | None = None
    turn_id: str | None = None
    states: tuple[EntryState, ...] = ()

    def within(self, query: LedgerQuery) -> LedgerQuery:
        """Return the query narrowed to this part."""
        return replace(
            query,
            harness=self.harness,
            session_id=self.session_id,
            turn_id=self.turn_id,
            states=self.states,
        )


WAITING_STATES = (EntryState.DEFERRED, EntryState.HELD)
EVERYTHING = Scope("All changes")
WAITING = Scope("Waiting for you", states=WAITING_STATES)
