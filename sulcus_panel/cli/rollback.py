"""`ledger rollback` and `ledger redo`: what is chosen, and then the four steps."""

import argparse
from typing import TYPE_CHECKING

from sulcus_panel.cli.ceremony import Ceremony, add_options
from sulcus_panel.cli.context import Context
from sulcus_panel.cli.numbers import seq_id
from sulcus_panel.core.errors import BadRequest
from sulcus_panel.core.undo.model import Resolution, UndoPlan, UndoRequest

if TYPE_CHECKING:
    from sulcus_panel.service.operations import Operations


def add(
    verbs: "argparse._SubParsersAction[argparse.ArgumentParser]", common: argparse.ArgumentParser
) -> None:
    """Add both verbs."""
    undo = verbs.add_parser("rollback", parents=[common], help="take changes back, keeping all later work")
    undo.add_argument("seq", type=seq_id, nargs="*", metavar="SEQ", help="the numbers of changes")
    undo.add_argument("--last", type=int, metavar="N", help="the newest N changes by agents (1 to 100)")
    undo.add_argument("--turn", metavar="ID", help="every file change of one turn")
    undo.add_argument("--query", metavar="TEXT", help="every change by an agent that holds this text")
    undo.add_argument("--hunk", type=int, nargs="+", metavar="N", help="only these parts, counted from 1")
    undo.add_argument(
        "--later-work",
        choices=tuple(each.value for each in Resolution),
        default=Resolution.KEEP.value,
        help="where it stands in the way: keep it (nothing happens), take_all (it goes too), rest (it stays, and"
        " what is left of an addition goes), beside (the file stays, its old copy is saved beside it), others (of"
        " several files, what cannot go back stays)",
    )
    undo.set_defaults(run=run_rollback)
    redo = verbs.add_parser("redo", parents=[common], help="bring back what an undo took")
    redo.add_argument("seq", type=seq_id, nargs=1, metavar="SEQ", help="the undo, or what it took back")
    redo.set_defaults(run=run_redo)
    for verb in (undo, redo):
        add_options(verb)


def run_rollback(args: argparse.Namespace, context: Context) -> int:
    """Undo what was chosen."""
    with context.open() as operations:
        return Ceremony(operations, context, args).go_through(_plan(args, context, operations))


def run_redo(args: argparse.Namespace, context: Context) -> int:
    """Undo an undo."""
    with context.open() as operations:
        return Ceremony(operations, context, args).go_through(operations.plan_redo(args.seq))


def _plan(args: argparse.Namespace, context: Context, operations: "Operations") -> UndoPlan:
    if args.seq and args.last is None and args.query is None and args.turn is None:
        hunks = tuple(number - 1 for number in args.hunk) if args.hunk else None
        seq_ids = tuple(dict.fromkeys(args.seq))
        return operations.plan(UndoRequest(seq_ids, hunks, Resolution(args.later_work)))
    if args.hunk or args.later_work != Resolution.KEEP:
        raise BadRequest("This can be chosen for one change only", hint="ledger rollback SEQ --hunk N")
    from sulcus_panel.service.selection import Selection  # here, for most undos name their changes

    selection = Selection(tuple(args.seq), args.last, args.query, args.turn)
    return operations.plan_selection(context.the_workspace(operations).id, selection)
