"""Open the ledger for whoever looks at it first: one that cannot be written is still there to be read."""

from sulcus_panel.core.errors import LedgerFull, LedgerTooNew, SulcusError
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.service.operations import Operations


def open_or_read(home: DataHome) -> tuple[Operations, SulcusError | None]:
    """Open the ledger, to be read only where it cannot be written, with the reason why.

    It cannot be where a newer version made it, or on a full or read-only disk. Raises what `Operations.open` does.
    """
    try:
        return Operations.open(home), None
    except (LedgerTooNew, LedgerFull) as error:
        if not home.database.exists():
            raise
        return Operations.open(home, read_only=True), error
