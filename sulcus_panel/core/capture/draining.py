"""What a drain comes to, and whether there is anything to drain: a look costs less than importing the recorder."""

import os
from dataclasses import dataclass
from datetime import datetime, timedelta

from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import SeqId

STARTED = "started"
"""The kind of a pending piece that is a call which has not ended yet."""
SILENT_FOR = timedelta(hours=6)
"""A command that began so long ago, in a session of which nothing was heard since, does not run any more."""
TOLD = "dropped-told"
"""The kind of the one that counts the lost events which the person knows of."""


@dataclass(frozen=True, slots=True)
class DrainReport:
    """What a drain came to.

    `set_aside` counts the events that this drain put into spool/bad, `dropped` those that ever found no room,
    `gaps` the drops not told before. `busy`: another process is draining, nothing was done here. `more`: the
    drain was ended between two pieces, events are left in the spool.
    """

    recorded: tuple[SeqId, ...] = ()
    set_aside: int = 0
    dropped: int = 0
    gaps: int = 0
    messages: tuple[str, ...] = ()
    busy: bool = False
    more: bool = False


def is_quiet(ledger: Ledger, home: DataHome, now: datetime | None = None) -> bool:
    """Say whether a drain would find nothing: no event anywhere, none set aside, none lost, no call given up.

    False where that cannot be seen, so that the drain says why. An event leaves the spool after its record is
    committed, so that a spool which another process is draining is not quiet.
    """
    try:
        if os.path.lexists(home.spool / "dropped") or ledger.pending(TOLD):
            return False
        if now is not None and any(now - kept.at > SILENT_FOR for kept in ledger.pending(STARTED)):
            return False
        return not any(os.listdir(folder) for folder in (home.spool_new, home.spool_tmp, home.spool_bad))
    except OSError:
        return False
