"""`ledger show SEQ`: one entry in full."""

import argparse

from sulcus_panel.cli.context import Context
from sulcus_panel.cli.numbers import seq_id
from sulcus_panel.cli.row_text import details
from sulcus_panel.service.wire import entry_json


def add(
    verbs: "argparse._SubParsersAction[argparse.ArgumentParser]", common: argparse.ArgumentParser
) -> None:
    """Add the verb."""
    verb = verbs.add_parser("show", parents=[common], help="one change in full")
    verb.add_argument("seq", type=seq_id, metavar="SEQ", help="its number, with or without #")
    verb.set_defaults(run=run)


def run(args: argparse.Namespace, context: Context) -> int:
    """Print the entry."""
    with context.open(to_read=True) as operations:
        entry = operations.entry(args.seq)
        if not operations.read_only:
            operations.refresh_drift(entry.workspace_id, entry.paths)
            entry = operations.entry(args.seq)
    if context.json:
        context.print_json(entry_json(entry))
    else:
        print(details(entry))
    return 0
