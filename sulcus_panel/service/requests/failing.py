"""Every error in its one form, and what must not happen in the log: nothing of ours leaves over a wire."""

import traceback
from datetime import UTC, datetime
from pathlib import Path

from sulcus_panel.core.errors import BadRequest, LedgerBusy, NotFound, SulcusError
from sulcus_panel.core.ledger.home import make_private
from sulcus_panel.service.error_wire import OUR_BUG, error_json
from sulcus_panel.service.guards import Refused
from sulcus_panel.service.requests.asked import Answered

BUSY_SECONDS = 1


def failed(error: SulcusError) -> Answered:
    """Return what an expected error is answered with."""
    status, retry_after = _status_of(error)
    return Answered(status, error_json(error), retry_after, error.allow if isinstance(error, Refused) else "")


def _status_of(error: SulcusError) -> tuple[int, int]:
    if isinstance(error, Refused):
        return error.status, 60 if error.status == 429 else 0
    if isinstance(error, BadRequest):
        return 400, 0
    if isinstance(error, NotFound):
        return 404, 0
    return (429, BUSY_SECONDS) if isinstance(error, LedgerBusy) else (409, 0)


def our_bug(log: Path, error: BaseException, door: str) -> Answered:
    """Write down what must not happen, and return what it is answered with: nothing of ours leaves."""
    report = "".join(traceback.format_exception(error))
    try:
        make_private(log)
        with log.open("a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(f"--- {datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} {door}\n{report}")
    except OSError:
        pass  # a full disk is told where the ledger is written
    return Answered(500, OUR_BUG | {"hint": "The log in the data folder says more."})
