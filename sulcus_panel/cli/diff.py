"""`ledger diff SEQ [--now | --after]`: this change, what happened since, what would be after its undo."""

import argparse

from sulcus_panel.cli.context import Context
from sulcus_panel.cli.numbers import seq_id
from sulcus_panel.core.safety import plain
from sulcus_panel.service.diff_wire import entry_diff_json
from sulcus_panel.service.file_diffs import diff_text
from sulcus_panel.service.operations import DiffView, FileDiff


def add(
    verbs: "argparse._SubParsersAction[argparse.ArgumentParser]", common: argparse.ArgumentParser
) -> None:
    """Add the verb."""
    verb = verbs.add_parser("diff", parents=[common], help="what one change did to its files")
    verb.add_argument("seq", type=seq_id, metavar="SEQ", help="its number, with or without #")
    which = verb.add_mutually_exclusive_group()
    which.add_argument("--now", dest="view", action="store_const", const=DiffView.NOW, help="since then")
    which.add_argument("--after", dest="view", action="store_const", const=DiffView.AFTER, help="after undo")
    verb.set_defaults(run=run, view=DiffView.CHANGE)


def run(args: argparse.Namespace, context: Context) -> int:
    """Print a unified diff a path."""
    with context.open(to_read=True) as operations:
        diffs, entry = operations.diff(args.seq, args.view), operations.entry(args.seq)
    if context.json:
        context.print_json(entry_diff_json(entry, args.view, diffs))
        return 0
    if not diffs:
        is_command = entry.record.command is not None
        what = "is a command; which files it changed is not recorded" if is_command else "changed no file"
        print(f"#{args.seq} {what}.")
    for one in diffs:
        print(_file_text(one))
    return 0


def _file_text(one: FileDiff) -> str:
    said = f"{plain(one.path)}: {plain(one.message)}" if one.message else ""
    parts = [part for part in (said, diff_text(one).rstrip("\n")) if part]
    return "\n".join(parts) or f"{plain(one.path)}: no difference"
