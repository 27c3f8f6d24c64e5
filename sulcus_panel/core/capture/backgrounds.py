"""Commands that were left to go on in the background: what changes after their end may still be their work."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sulcus_panel.core.credentials import redacted
from sulcus_panel.core.ledger.queries import LedgerQuery
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import ActionType, Entry
from sulcus_panel.core.safety import plain

STILL_RUNNING_FOR = timedelta(hours=8)
"""Nobody tells when such a command ends; after so long it is not thought of any more."""
LOOKED_THROUGH = 200
MOST_NAMED = 3
SHOWN = 100


def left_running(ledger: Ledger, workspace_id: int) -> tuple[Entry, ...]:
    """The workspace's newest commands that went on in the background, newest first."""
    query = LedgerQuery(workspace_id=workspace_id, action_type=ActionType.RUN_COMMAND, limit=LOOKED_THROUGH)
    return tuple(entry for entry in ledger.find(query) if goes_on(entry))


def goes_on(entry: Entry) -> bool:
    """Whether the entry is of a command that went on after it was recorded."""
    return entry.record.ran is not None and entry.record.ran.in_background


def may_be_by(commands: Sequence[Entry], at: datetime) -> tuple[str, str]:
    """Whose work a change at that time may be, in a summary's few words and as a sentence; "" for nobody's."""
    found = [entry for entry in commands if timedelta() <= at - entry.record.at < STILL_RUNNING_FOR]
    if not found:
        return "", ""
    numbers = " or ".join(f"#{entry.seq_id}" for entry in found[:MOST_NAMED])
    told = "; ".join(
        f"#{entry.seq_id} ({plain(redacted(entry.record.command or ''), SHOWN)})"
        for entry in found[:MOST_NAMED]
    )
    return (
        f", perhaps by {numbers}",
        f"It may be the work of what was left running in the background: {told}.",
    )
