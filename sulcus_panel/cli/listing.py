"""`ledger list`: the newest N, oldest first, and how many more there are."""

import argparse
from typing import TYPE_CHECKING

from sulcus_panel.cli.context import Context, tell
from sulcus_panel.cli.row_text import row
from sulcus_panel.core.errors import BadRequest
from sulcus_panel.core.local_time import local_time
from sulcus_panel.core.model import ActionType, EntryState, SeqId
from sulcus_panel.core.safety import plain
from sulcus_panel.service.operations import LedgerQuery, Operations
from sulcus_panel.service.wire import entry_json, governance_json

if TYPE_CHECKING:
    from sulcus_panel.core.model import GovernanceRecord

NEWEST = 20
MOST = 50_000
KINDS = "what was done to files (changes), or what was decided (governance)"


def add(
    verbs: "argparse._SubParsersAction[argparse.ArgumentParser]", common: argparse.ArgumentParser
) -> None:
    """Add the verb."""
    verb = verbs.add_parser("list", parents=[common], help="the newest changes, oldest first")
    add_filters(verb)
    verb.add_argument("--limit", type=_limit, default=NEWEST, metavar="N", help="how many (20)")
    verb.add_argument("--kind", choices=["changes", "governance"], default="changes", help=KINDS)
    verb.add_argument("--all-workspaces", action="store_true", help="of every folder, not of this one alone")
    verb.set_defaults(run=run)


def add_filters(verb: argparse.ArgumentParser) -> None:
    """Add the filters that list and export share."""
    verb.add_argument("--query", default="", metavar="TEXT", help="in path, command, summary, intent or tool")
    verb.add_argument("--path", metavar="PATH", help="a file, or a folder and all below it")
    verb.add_argument("--harness", default="", metavar="NAME", help="what this harness did")
    verb.add_argument("--session", default="", metavar="ID", help="what happened in this run")
    verb.add_argument("--turn", default="", metavar="ID", help="what one request led to")
    verb.add_argument("--action", choices=[str(kind) for kind in ActionType], help="only this kind of action")
    verb.add_argument(
        "--state", choices=[str(state) for state in EntryState], help="only what stands so today"
    )
    verb.add_argument("--drifted", action="store_true", help="changed outside the agents since")
    verb.add_argument("--before", type=int, metavar="SEQ", help="recorded before this one")
    verb.add_argument("--after", type=int, metavar="SEQ", help="recorded after this one")


NO_FILTER = argparse.Namespace(
    query="",
    path=None,
    harness="",
    session="",
    turn="",
    action=None,
    state=None,
    drifted=False,
    before=None,
    after=None,
)


def _limit(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= MOST:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to {MOST}")
    return int(text)


def query_from(args: argparse.Namespace, workspace_id: int | None, limit: int) -> LedgerQuery:
    """Turn the filters into a query."""
    return LedgerQuery(
        workspace_id=workspace_id,
        text=args.query,
        path=args.path,
        harness=args.harness or None,
        session_id=args.session or None,
        turn_id=args.turn or None,
        action_type=ActionType(args.action) if args.action else None,
        state=EntryState(args.state) if args.state else None,
        drifted=True if args.drifted else None,
        before=SeqId(args.before) if args.before is not None else None,
        after=SeqId(args.after) if args.after is not None else None,
        limit=limit,
    )


def run(args: argparse.Namespace, context: Context) -> int:
    """Print the newest entries or governance rows."""
    refuse_filters_of_decisions(args)
    with context.open(to_read=True) as operations:
        workspace, known = context.scope(operations, everywhere=args.all_workspaces)
        workspace_id = workspace.id if workspace is not None else None
        _look_at_disk(operations, workspace_id)
        if args.kind == "governance":
            rows = operations.governance(workspace_id, limit=MOST) if known else ()
            return _print_governance(rows[: args.limit], len(rows[args.limit :]), context)
        query = query_from(args, workspace_id, args.limit)
        entries = tuple(reversed(operations.find(query))) if known else ()
        hidden = operations.count(query) - len(entries) if known else 0
        gaps = operations.gaps(workspace_id) if workspace_id is not None else ()
        if known:
            _tell_of_holds(operations, workspace_id)
    if context.json:
        context.print_json({"entries": [entry_json(entry) for entry in entries], "hidden": hidden})
        return 0
    if hidden:
        print(f"({hidden} older {'change is' if hidden == 1 else 'changes are'} not shown; --limit N)")
    for entry in entries:
        print(row(entry, in_which=args.all_workspaces))
        if entry.record.intent:
            print(f"       “{plain(entry.record.intent, 100)}”")
    for gap in gaps:
        began, ended = local_time(gap.first), local_time(gap.last)
        print(f"({gap.events} not recorded, {began:%Y-%m-%d %H:%M} to {ended:%H:%M}: {plain(gap.reason)})")
    if not entries:
        filtered = known and query != query_from(NO_FILTER, workspace_id, args.limit)
        print("No change matches." if filtered else "No change is recorded here yet.")
    return 0


def _look_at_disk(operations: Operations, workspace_id: int | None) -> None:
    """Have the drift marks true before they are shown; no watcher runs for a terminal."""
    if operations.read_only:
        return
    for workspace in operations.workspaces():
        if workspace_id in {None, workspace.id}:
            operations.refresh_drift(workspace.id)


def _tell_of_holds(operations: Operations, workspace_id: int | None) -> None:
    """Say, beside the answer, that somebody waits for the person."""
    if waiting := len(operations.holds.find(workspace_id)):
        who = "1 undo waits" if waiting == 1 else f"{waiting} undos wait"
        tell(f"{who} for your decision: sulcus-panel holds list")


def refuse_filters_of_decisions(args: argparse.Namespace) -> None:
    """See that nobody takes all decisions for those that a filter asks for. Raises BadRequest."""
    if args.kind != "governance":
        return
    for name, unsaid in vars(NO_FILTER).items():
        if getattr(args, name) != unsaid:
            raise BadRequest("Decisions cannot be filtered", f"--{name} is for changes.", field=name)


def _print_governance(rows: "tuple[GovernanceRecord, ...]", hidden: int, context: Context) -> int:
    if context.json:
        listed = [governance_json(record) for record in reversed(rows)]
        context.print_json({"governance": listed, "hidden": hidden})
        return 0
    if hidden:
        print(f"({hidden} older {'decision is' if hidden == 1 else 'decisions are'} not shown; --limit N)")
    for record in reversed(rows):
        at = local_time(record.at)
        print(
            f"{at:%Y-%m-%d %H:%M:%S}  {record.kind:<16} {plain(record.summary)}  ({plain(record.actor.name)})"
        )
    if not rows:
        print("Nothing has been decided here yet.")
    return 0
