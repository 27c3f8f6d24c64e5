"""`ledger rollback` and `ledger redo`: explain, preview, confirm on stdin, apply, read back.

The terminal acts as the person. One question is asked, after one more for each thing that needs its own yes;
anything but `y` or `d` is no.
"""

import argparse
import sys

from sulcus_panel.cli.context import Context
from sulcus_panel.cli.plan_text import plan_text, result_text
from sulcus_panel.cli.show import seq_id
from sulcus_panel.core.errors import BadRequest, StalePlan
from sulcus_panel.core.model import Decision
from sulcus_panel.core.safety import plain
from sulcus_panel.core.undo.closing import to_close
from sulcus_panel.core.undo.model import Consent, Outcome, Resolution, UndoPlan, UndoRequest
from sulcus_panel.service.operations import Operations, Selection
from sulcus_panel.service.wire import plan_json, result_json

DONE = (Outcome.UNDONE, Outcome.COPY_SAVED, Outcome.ALREADY_UNDONE, Outcome.NOTHING_TO_UNDO)
ANSWERS = {"y": Decision.ACCEPT, "yes": Decision.ACCEPT, "d": Decision.DEFER, "defer": Decision.DEFER}


def add(
    verbs: "argparse._SubParsersAction[argparse.ArgumentParser]", common: argparse.ArgumentParser
) -> None:
    """Add both verbs."""
    undo = verbs.add_parser("rollback", parents=[common], help="take changes back, keeping all later work")
    undo.add_argument("seq", type=seq_id, nargs="*", metavar="SEQ")
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
    redo.add_argument("seq", type=seq_id, nargs=1, metavar="SEQ")
    redo.set_defaults(run=run_redo)
    for verb in (undo, redo):
        verb.add_argument("--dry-run", action="store_true", help="only show the plan")
        verb.add_argument("--plan", metavar="DIGEST", help="go on only if the plan still has this digest")


def run_rollback(args: argparse.Namespace, context: Context) -> int:
    """Undo what was chosen."""
    with context.open() as operations:
        return _ceremony(_plan(args, context, operations), args, context, operations)


def run_redo(args: argparse.Namespace, context: Context) -> int:
    """Undo an undo."""
    with context.open() as operations:
        return _ceremony(operations.plan_redo(args.seq), args, context, operations)


def _plan(args: argparse.Namespace, context: Context, operations: Operations) -> UndoPlan:
    selection = Selection(tuple(args.seq), args.last, args.query, args.turn)
    if selection.seq_ids and selection == Selection(selection.seq_ids):
        hunks = tuple(number - 1 for number in args.hunk) if args.hunk else None
        seq_ids = tuple(dict.fromkeys(selection.seq_ids))
        return operations.plan(UndoRequest(seq_ids, hunks, Resolution(args.later_work)))
    if args.hunk or args.later_work != Resolution.KEEP:
        raise BadRequest("This can be chosen for one change only", hint="ledger rollback SEQ --hunk N")
    return operations.plan_selection(context.the_workspace(operations).id, selection)


def _ceremony(plan: UndoPlan, args: argparse.Namespace, context: Context, operations: Operations) -> int:
    if args.plan is not None and args.plan != plan.digest:
        raise StalePlan("The plan is another one now", f"It is {plan.digest}.", "Look at it again.")
    print(plan_text(plan), file=sys.stderr if context.json else sys.stdout)
    if args.dry_run or not (plan.can_apply or to_close(plan)):
        return _answer_plan(plan, args, context)
    decision = _ask(plan) if all(map(_says_yes, plan.consents)) else Decision.REJECT
    if decision is not Decision.ACCEPT:
        operations.decline(plan, decision)
        word = "put off; it waits for you" if decision is Decision.DEFER else "kept; nothing was changed"
        if context.json:
            context.print_json(plan_json(plan) | {"outcome": Outcome.NOT_TRIED, "decision": decision})
        else:
            print(f"\n{word.capitalize()}.")
        return 0
    result = operations.apply(plan, [consent.key for consent in plan.consents])
    if context.json:
        context.print_json(result_json(result, plan))
    else:
        print(f"\n{result_text(result, plan)}")
    return 0 if result.outcome in DONE else 1


def _answer_plan(plan: UndoPlan, args: argparse.Namespace, context: Context) -> int:
    if context.json:
        context.print_json(plan_json(plan) | ({"dry_run": True} if args.dry_run else {}))
    elif not plan.can_apply:
        print(f"\nNothing was changed: {plan.outcome.replace('_', ' ')}.")
    else:
        print(f"\nplan {plan.digest}")
    return 0 if plan.can_apply or plan.outcome in DONE else 1


def _says_yes(consent: Consent) -> bool:
    question = f"\n{plain(consent.text)}\nIs this what you want? [y = yes, anything else = keep it] "
    return _answer(question) is Decision.ACCEPT


def _ask(plan: UndoPlan) -> Decision:
    verb = "redo" if plan.is_redo else "undo"
    if to_close(plan):  # no file is written
        mark = "Mark as not undone" if plan.is_redo else "Mark as undone"
        return _answer(f"\n{mark}? [y = mark, d = decide later, anything else = leave it] ")
    if plan.outcome is Outcome.COPY_SAVED:
        return _answer("\nSave the old copy? [y = save, d = decide later, anything else = leave it] ")
    return _answer(f"\n{verb.capitalize()} this? [y = {verb}, d = decide later, anything else = keep it] ")


def _answer(question: str) -> Decision:
    sys.stdout.flush()  # the plan comes before the question, also through a pipe
    print(question, end="", file=sys.stderr, flush=True)
    return ANSWERS.get(sys.stdin.readline().strip().lower(), Decision.REJECT)
