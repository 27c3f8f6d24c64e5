"""The verbs of Operations that belong together, each group imported once it is used."""

from collections.abc import Callable
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import Actor
from sulcus_panel.service.bus import ChangeBus

if TYPE_CHECKING:
    from sulcus_panel.core.capture.recorder import Recorder
    from sulcus_panel.service.claims import Claims
    from sulcus_panel.service.holds import Holds
    from sulcus_panel.service.marks import Marks
    from sulcus_panel.service.tokens import Tokens
    from sulcus_panel.service.triggers import Triggers
    from sulcus_panel.service.undoing import Undoing
    from sulcus_panel.service.verifying import Verified


class VerbGroups:
    """One ledger and who acts on it, seen from each group of verbs."""

    def __init__(
        self, ledger: Ledger, home: DataHome, bus: ChangeBus, clock: Callable[[], datetime], actor: Actor
    ) -> None:
        self._ledger = ledger
        self._home = home
        self._clock = clock
        self._actor = actor
        self.bus = bus

    @property
    def clock(self) -> Callable[[], datetime]:
        """The time, as all verbs have it."""
        return self._clock

    @cached_property
    def _undoing(self) -> "Undoing":
        from sulcus_panel.service.undoing import Undoing

        return Undoing(self._ledger, self.bus, self._clock, self._actor)

    @cached_property
    def claims(self) -> "Claims":
        """Recording what callers say they did."""
        from sulcus_panel.service.claims import Claims

        return Claims(self._ledger, self.bus, self._clock)

    @cached_property
    def holds(self) -> "Holds":
        """What waits for the person."""
        from sulcus_panel.service.holds import Holds

        return Holds(self._ledger, self.bus, self._clock, self._actor)

    @cached_property
    def marks(self) -> "Marks":
        """What the person puts on entries by hand."""
        from sulcus_panel.service.marks import Marks

        return Marks(self._ledger, self.bus, self._actor)

    @cached_property
    def tokens(self) -> "Tokens":
        """The keys given out."""
        from sulcus_panel.service.tokens import Tokens

        return Tokens(self._ledger, self.bus, self._clock, self._actor)

    @cached_property
    def triggers(self) -> "Triggers":
        """The person's rules on events."""
        from sulcus_panel.service.triggers import Triggers

        return Triggers(self._ledger, self.bus, self._clock, self._actor)

    def verify(self, *, repair: bool) -> "Verified":
        """Look at every row and snapshot; with `repair`, put right what can be. Raises LedgerFull, LedgerBusy."""
        from sulcus_panel.service.verifying import Verifying

        return Verifying(self._ledger, self._clock, repair=repair).run()

    @cached_property
    def _recorder(self) -> "Recorder":
        from sulcus_panel.core.capture.recorder import Recorder

        return Recorder(self._ledger, self._home, clock=self._clock)
