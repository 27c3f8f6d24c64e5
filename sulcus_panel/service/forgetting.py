"""One file forgotten everywhere in the data folder: ledger, log, open calls, displaced files, copies of looks.

Of what hooks have left, only what is in the ledger can be judged: the spool is drained before.
"""

import os
from contextlib import suppress
from dataclasses import dataclass

from sulcus_panel.core.capture.recorder import Recorder
from sulcus_panel.core.capture.shell.tidying import forget_copies
from sulcus_panel.core.errors import LedgerBusy
from sulcus_panel.core.ledger.forgetting import Forgetting
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import LedgerPath, Workspace
from sulcus_panel.core.undo.lock import undo_lock

WAIT_SECONDS = 10.0
"""For another process's drain, since what it records must not come after, and for an undo."""


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What was let go of. `is_log_empty` False: a reader still holds pages of before, until it ends."""

    going: Forgetting
    is_log_empty: bool


def forget(ledger: Ledger, recorder: Recorder, workspace: Workspace, path: LedgerPath) -> Forgotten:
    """Let go of every byte of this file that is kept, hashes and sizes stay.

    Raises:
        LedgerBusy: an undo is at work or was broken off; nothing was let go of.
    """
    with undo_lock(ledger, WAIT_SECONDS) as held:
        if not held:
            raise LedgerBusy("An undo is at work", "Nothing was forgotten.", "Try again when it has ended.")
        with ledger.write():
            going = ledger.forget(workspace.id, path)
            recorder.forget(workspace, path)
        _drop_displaced(ledger, going)
        forget_copies(ledger.home.root, going.hashes)
    return Forgotten(going, ledger.checkpoint())


def _drop_displaced(ledger: Ledger, going: Forgetting) -> None:
    """Remove from the trash what an undo had displaced of this file; the names there tell the hash."""
    folder = ledger.home.trash
    for name in os.listdir(folder) if folder.exists() else ():
        if any(sha in name for sha in going.hashes):
            with suppress(FileNotFoundError):
                os.unlink(folder / name)
