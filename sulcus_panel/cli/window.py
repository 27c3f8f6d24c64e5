"""No verb: the window, on the workspace of the current folder. Qt is imported only here and in `demo`."""

import argparse
import os

from sulcus_panel.cli.context import Context
from sulcus_panel.core.errors import SulcusError
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.service.opening import open_or_read


def run(args: argparse.Namespace, context: Context) -> int:
    """Open the window and return its exit code. Raises SulcusError where there is no screen."""
    from sulcus_panel.ui.preflight import choose_platform

    if choose_platform(os.environ) == "offscreen" and not os.environ.get("QT_QPA_PLATFORM"):
        raise SulcusError(
            "There is no screen to open a window on",
            "Neither DISPLAY nor WAYLAND_DISPLAY names one that answers.",
            "`sulcus-panel ledger list` works here; `sulcus-panel demo` makes a picture of the window.",
        )
    if args.attach:
        from sulcus_panel.cli import attach

        return attach.run(args.attach, context.workspace)
    home = DataHome.default()
    operations, unwritable = open_or_read(home)
    with operations:
        notes = [] if unwritable else [*operations.notices, *operations.drain().messages]
        workspace = context.the_workspace(operations, register=True)
    from sulcus_panel.ui.app import run_window

    return run_window(home, workspace, notes, unwritable)
