"""`holds list | accept | reject`: the undos that others asked for and that wait for the person."""

import argparse

from sulcus_panel.cli.ceremony import Ceremony, add_options
from sulcus_panel.cli.context import Context, tell
from sulcus_panel.core.holds import Hold, HoldState
from sulcus_panel.core.local_time import local_time
from sulcus_panel.core.safety import plain
from sulcus_panel.service.operations import Operations
from sulcus_panel.service.wire import hold_json


def add(
    verbs: "argparse._SubParsersAction[argparse.ArgumentParser]", common: argparse.ArgumentParser
) -> None:
    """Add the verb."""
    verb = verbs.add_parser("holds", parents=[common], help="undos that wait for your decision")
    what = verb.add_subparsers(metavar="list | accept | reject", required=True)
    listing = what.add_parser("list", parents=[common], help="who asks for what, and why it waits")
    listing.add_argument("--all", action="store_true", help="those that were decided too")
    listing.add_argument(
        "--all-workspaces", action="store_true", help="of every folder, not of this one alone"
    )
    listing.set_defaults(run=run_list)
    accept = what.add_parser("accept", parents=[common], help="the plan, the question, and then the undo")
    accept.set_defaults(run=run_accept)
    reject = what.add_parser("reject", parents=[common], help="say no: nothing is undone")
    reject.set_defaults(run=run_reject)
    for one in (accept, reject):
        one.add_argument("id", type=_hold_id, metavar="ID", help="its number in the list")
    add_options(accept)


def _hold_id(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) < 2**63:
        raise argparse.ArgumentTypeError(f"{text!r} is not the number of a hold")
    return int(text)


def run_list(args: argparse.Namespace, context: Context) -> int:
    """Print what waits, oldest first."""
    with context.open(to_read=True) as operations:
        workspace, known = context.scope(operations, everywhere=args.all_workspaces)
        workspace_id = workspace.id if workspace is not None else None
        found = operations.holds.find(workspace_id, waiting_only=not args.all) if known else ()
    if context.json:
        context.print_json({"holds": [hold_json(hold) for hold in reversed(found)]})
        return 0
    for hold in reversed(found):
        print(_row(hold))
    if not found:
        print("Nothing waits for you.")
    return 0


def _row(hold: Hold) -> str:
    verb = "redo" if hold.request.redo else "undo"
    numbers = ", ".join(f"#{seq_id}" for seq_id in hold.request.seq_ids)
    parts = hold.request.hunks
    of = (
        ""
        if parts is None
        else f" part{'s' if len(parts) > 1 else ''} {', '.join(str(p + 1) for p in parts)}"
    )
    who = plain(hold.actor.name, 60) or "somebody without a name"
    state = "" if hold.state is HoldState.WAITING else f"  [{hold.state}]"
    lines = [
        f"{hold.id:>4}  {local_time(hold.at):%Y-%m-%d %H:%M}  {who} asks for {verb} of {numbers}{of}{state}"
    ]
    lines.append(f"      {hold.namespace}: {plain(hold.reason)}")
    return "\n".join(lines)


def run_accept(args: argparse.Namespace, context: Context) -> int:
    """Go through the four steps; once it is undone, whoever asked learns it."""
    with context.open() as operations:
        plan = operations.plan(operations.holds.request(args.id))
        code = Ceremony(operations, context, args, {"hold_id": args.id}).go_through(plan)
        if not args.dry_run:
            operations.holds.settle_done(plan)
            _tell_if_it_waits(operations, args.id)
    return code


def _tell_if_it_waits(operations: Operations, hold_id: int) -> None:
    if operations.holds.get(hold_id).state is HoldState.WAITING:
        tell(f"Hold {hold_id} still waits; `holds reject {hold_id}` ends it.")


def run_reject(args: argparse.Namespace, context: Context) -> int:
    """Say no, and who asked learns it."""
    with context.open() as operations:
        hold = operations.holds.reject(args.id)
    if context.json:
        context.print_json(hold_json(hold))
    else:
        print(f"Hold {hold.id} is rejected; nothing was changed.")
    return 0
