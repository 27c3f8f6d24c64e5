"""`demo`: the main job on a throw-away workspace, printed with hashes; then the window, or a picture of it."""

import argparse
import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from sulcus_panel.cli.context import Context
from sulcus_panel.cli.row_text import row
from sulcus_panel.core.ledger.home import DataHome

if TYPE_CHECKING:
    from sulcus_panel.service.demo import DemoOutcome, DemoRun

PICTURE = "demo.png"


def add(
    verbs: "argparse._SubParsersAction[argparse.ArgumentParser]", common: argparse.ArgumentParser
) -> None:
    """Add the verb."""
    verb = verbs.add_parser("demo", parents=[common], help="see the main job on a throw-away workspace")
    verb.add_argument("--offscreen", action="store_true", help="render a picture even where a screen is")
    verb.add_argument("--screenshot", metavar="FILE", help=f"where the picture goes ({PICTURE})")
    verb.set_defaults(run=run)


def run(args: argparse.Namespace, context: Context) -> int:
    """Play, undo, verify, show. Returns 0 only if the disk holds exactly what it must."""
    from sulcus_panel.service.demo import play, undo_out_of_order  # here as below: the help needs no undo
    from sulcus_panel.ui.resources import resource_path

    with tempfile.TemporaryDirectory(prefix="sulcus-demo-") as scratch:
        home = DataHome(Path(scratch).resolve() / "data")
        folder = Path(scratch).resolve() / "payments-rails"
        folder.mkdir()
        demo = play(home, folder, resource_path("demo/run.json"))
        if not context.json:
            _print_ledger(home, demo)
        outcome = undo_out_of_order(home, demo)
        if context.json:
            context.print_json(_outcome_json(outcome))
        else:
            _print_outcome(outcome)
        if not outcome.verified:
            return 1
        return _show(args, context, home, demo)


def _print_ledger(home: DataHome, demo: "DemoRun") -> None:
    from sulcus_panel.service.operations import LedgerQuery, Operations

    print(f"A throw-away workspace: {demo.workspace.root}\n")
    with Operations.open(home) as operations:
        for entry in reversed(operations.find(LedgerQuery(workspace_id=demo.workspace.id, limit=100))):
            print(row(entry))


def _print_outcome(outcome: "DemoOutcome") -> None:
    from sulcus_panel.cli.plan_text import plan_text, result_text
    from sulcus_panel.service.demo import digest

    print(f"\nNow #{outcome.run.seq_id}, an old change, is taken back; everything later stays.\n")
    print(plan_text(outcome.plan))
    print(f"\n{result_text(outcome.result, outcome.plan)}\n")
    print(f"{outcome.run.path}")
    print(f"  before the undo      {digest(outcome.before)}")
    print(f"  on disk now          {digest(outcome.after)}")
    print(f"  what it must be      {digest(outcome.run.expected)}")
    print("  verified: exactly the file without that change" if outcome.verified else "  NOT what it must be")


def _outcome_json(outcome: "DemoOutcome") -> dict[str, object]:
    from sulcus_panel.service.demo import digest

    return {
        "seq_id": outcome.run.seq_id,
        "path": outcome.run.path,
        "before": digest(outcome.before),
        "after": digest(outcome.after),
        "expected": digest(outcome.run.expected),
        "verified": outcome.verified,
    }


def _show(args: argparse.Namespace, context: Context, home: DataHome, demo: "DemoRun") -> int:
    from sulcus_panel.ui.preflight import choose_platform

    screen = not args.offscreen and not args.screenshot and choose_platform(os.environ) != "offscreen"
    if screen:
        from sulcus_panel.ui.app import run_window

        return run_window(home, demo.workspace)
    from sulcus_panel.ui.app import render_picture

    here = "." if os.access(".", os.W_OK) else tempfile.gettempdir()
    picture = Path(args.screenshot or os.path.join(here, PICTURE)).expanduser().absolute()
    render_picture(home, demo.workspace, picture, select=demo.seq_id)
    print(f"\nThe window as a picture: {picture}", file=sys.stderr if context.json else sys.stdout)
    return 0
