"""What a smaller limit would let go of, found by doing it and taking it back: the figure cannot be another."""

from contextlib import suppress

from sulcus_panel.core.ledger.retention import Pruned
from sulcus_panel.core.ledger.store import Ledger


class _TakenBack(Exception):
    """Raised to roll back."""


def would_drop(ledger: Ledger, workspace_id: int, key: str, value: str | int | bool) -> Pruned:
    """How much one setting's new value lets go of, beyond what is due anyway; nothing is changed.

    Raises:
        BadRequest: names the field and its range.
        LedgerBusy: another process is writing.
    """
    found = Pruned()
    with suppress(_TakenBack), ledger.write():
        ledger.prune()
        ledger.set_setting(workspace_id, key, value)
        found = ledger.prune()
        raise _TakenBack
    return found
