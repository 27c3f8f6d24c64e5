"""An undo that somebody asks for through a door without a dialog: done at once, or held, or refused; never guessed.

The window and the terminal show a plan and ask the person; HTTP and MCP come here.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from datetime import datetime

from sulcus_panel.core.access import Caller
from sulcus_panel.core.errors import BadRequest, StalePlan
from sulcus_panel.core.holds import Hold
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import LedgerPath
from sulcus_panel.core.undo.gone import to_close
from sulcus_panel.core.undo.model import Outcome, UndoPlan, UndoRequest, UndoResult
from sulcus_panel.service.authority import why_held
from sulcus_panel.service.bus import ChangeBus
from sulcus_panel.service.holds import Holds
from sulcus_panel.service.selection import Selection, choose
from sulcus_panel.service.undoing import Undoing

TRIES = 3
"""How often a plan is made anew where somebody else was faster."""


@dataclass(frozen=True, slots=True)
class Ask:
    """What is asked for. `hunks` count from 0 and go with a single entry; `redo` takes back undos."""

    selection: Selection
    hunks: tuple[int, ...] | None = None
    plan_digest: str | None = None
    dry_run: bool = False
    redo: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of it: a plan alone (a dry run, or nothing to do), a result, or a hold."""

    plan: UndoPlan
    result: UndoResult | None = None
    hold: Hold | None = None

    @property
    def outcome(self) -> Outcome:
        """In one word."""
        if self.hold is not None:
            return Outcome.HELD
        return self.plan.outcome if self.result is None else self.result.outcome


class Asking:
    """Answers callers over one ledger."""

    def __init__(
        self,
        ledger: Ledger,
        bus: ChangeBus,
        clock: Callable[[], datetime],
        refresh_drift: Callable[[int, Collection[LedgerPath]], object],
    ) -> None:
        self._ledger = ledger
        self._bus = bus
        self._clock = clock
        self._refresh_drift = refresh_drift

    def ask(self, caller: Caller, workspace_id: int, ask: Ask) -> Answer:
        """Do it, hold it, or say why not. Raises NotFound, BadRequest, StalePlan, LedgerBusy."""
        undoing = Undoing(self._ledger, self._bus, self._clock, caller.actor)
        stale = StalePlan("Somebody else was faster each time", "Nothing was done.", "Try again in a moment.")
        for _ in range(TRIES):
            plan = self._plan(undoing, caller, workspace_id, ask)
            if ask.plan_digest not in {None, plan.digest} and plan.outcome is not Outcome.ALREADY_UNDONE:
                raise StalePlan("The plan is another one now", f"It is {plan.digest}.", "Look at it again.")
            if ask.dry_run:
                return Answer(plan)
            if reason := why_held(caller, plan):
                holds = Holds(self._ledger, self._bus, self._clock, caller.actor)
                return Answer(plan, hold=holds.add(workspace_id, caller.actor, plan, reason))
            if not (plan.can_apply or (caller.is_person and to_close(plan))):
                return Answer(plan)
            try:
                return Answer(plan, undoing.apply(plan, (), self._refresh_drift))
            except StalePlan as error:
                stale = error
        raise stale

    def _plan(self, undoing: Undoing, caller: Caller, workspace_id: int, ask: Ask) -> UndoPlan:
        own = "" if caller.is_person else caller.actor.name
        selection = replace(ask.selection, actor=own)
        if not ask.redo and ask.hunks is None:
            return undoing.plan_selection(workspace_id, selection)
        seq_ids = choose(self._ledger, workspace_id, selection).seq_ids
        if ask.redo:
            return undoing.plan_redo(seq_ids)
        if len(seq_ids) != 1:
            raise BadRequest("Hunks can be chosen of one entry only", field="hunks")
        return undoing.plan(UndoRequest(seq_ids, ask.hunks))
