"""What the hooks must know of the settings, in one file: where recording is off, and what is excluded.

A hook opens no database, so this file is written whenever settings or workspaces change. The recorder judges by the
settings themselves all the same: where the file cannot be written, bytes wait in the spool and are let go of there.
What older looks kept of such files goes when the file changes.
"""

from contextlib import suppress

from sulcus_panel.core.capture.shell.rules import RULES, encode_rules
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.ledger.store import Ledger


def tell_hooks(ledger: Ledger, home: DataHome) -> None:
    """Write the file where it says something else than it should; without anything to say there is none."""
    known = ((one.root, ledger.settings(one.id)) for one in ledger.workspaces())
    data = encode_rules((root, set_.enabled, set_.exclude) for root, set_ in known if root is not None)
    path = home.root / RULES
    with suppress(OSError):
        if not data:
            path.unlink(missing_ok=True)
        elif not path.exists() or path.read_bytes() != data:
            # here, for an undo from the terminal opens the ledger too, and needs none of it
            from sulcus_panel.core.capture.shell.keeping import write_whole
            from sulcus_panel.core.capture.shell.tidying import withdraw

            write_whole(str(home.root), RULES, data)
            withdraw(home.root)
