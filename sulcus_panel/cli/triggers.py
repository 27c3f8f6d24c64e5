"""`triggers list | add | change | on | off | drop | dry-run | history | dead`: the person's rules on events."""

import argparse
from collections.abc import Callable, Iterable
from dataclasses import replace

from sulcus_panel.cli.context import Context
from sulcus_panel.cli.rule_options import add_rule_options, rule_from
from sulcus_panel.core.local_time import local_time
from sulcus_panel.core.safety import plain
from sulcus_panel.core.triggers import Rule, Trigger, TriggerAction, sentence
from sulcus_panel.service.trigger_wire import delivery_json, firing_json, trigger_json
from sulcus_panel.service.wire import event_json

NEWEST = 50
NUMBER = "its number in the list"
UNSAID = Rule("A trigger", "entry.recorded", TriggerAction.NOTIFY)
"""What holds where an option is not given."""
Run = Callable[[argparse.Namespace, Context], int]


def add(
    verbs: "argparse._SubParsersAction[argparse.ArgumentParser]", common: argparse.ArgumentParser
) -> None:
    """Add the verb."""
    verb = verbs.add_parser("triggers", parents=[common], help="when this happens, do that")
    what = verb.add_subparsers(
        metavar="list | add | change | on | off | drop | dry-run | history | dead", required=True
    )

    def one(name: str, run: Run, text: str) -> argparse.ArgumentParser:
        made = what.add_parser(name, parents=[common], help=text)
        made.set_defaults(run=run)
        return made

    listing = one("list", run_list, "the triggers of this workspace and those for all")
    new = one("add", run_add, "make a trigger; it sees what happens from then on")
    changed = one("change", run_change, "change what is given, leave the rest")
    for name, run, text in (
        ("on", run_on, "let a trigger fire"),
        ("off", run_off, "let it rest; it stays listed"),
        ("drop", run_drop, "let go of a trigger and its history"),
    ):
        one(name, run, text).add_argument("id", type=_trigger_id, metavar="ID", help=NUMBER)
    dry = one("dry-run", run_dry, "the newest events at which a trigger would have fired")
    history = one("history", run_history, "when triggers fired, newest first")
    dead = one("dead", run_dead, "calls of webhooks that were given up, newest first")

    changed.add_argument("id", type=_trigger_id, metavar="ID", help=NUMBER)
    dry.add_argument(
        "id", type=_trigger_id, metavar="ID", nargs="?", help="with changes, or a trigger of options alone"
    )
    history.add_argument("id", type=_trigger_id, metavar="ID", nargs="?", help=f"{NUMBER}; all without it")
    for each in (new, changed, dry):
        add_rule_options(each, needed=each is new)
    moved = changed.add_mutually_exclusive_group()
    moved.add_argument(
        "--only-here", action="store_true", help="it holds in this folder's workspace from now on"
    )
    moved.add_argument("--all-workspaces", action="store_true", help="it holds in every folder from now on")
    for each in (listing, new, dry):
        each.add_argument(
            "--all-workspaces", action="store_true", help="of every folder, not of this one alone"
        )
    for each in (dry, history, dead):
        each.add_argument("--limit", type=_limit, default=NEWEST, metavar="N", help=f"how many ({NEWEST})")


def _trigger_id(text: str) -> int:
    return _number(text, 2**63 - 1)


def _limit(text: str) -> int:
    return _number(text, 10_000)


def _number(text: str, most: int) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= most:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to {most}")
    return int(text)


def run_list(args: argparse.Namespace, context: Context) -> int:
    """Print the rules, oldest first."""
    with context.open(to_read=True) as operations:
        workspace, _ = context.scope(operations, everywhere=args.all_workspaces)
        own = {None, workspace.namespace} if workspace is not None else {None}
        rules = [each for each in operations.triggers.all() if args.all_workspaces or each.namespace in own]
    if context.json:
        context.print_json({"triggers": [trigger_json(trigger) for trigger in rules]})
    else:
        _print_lines((_row(trigger) for trigger in rules), "There is no trigger here.")
    return 0


def _row(trigger: Trigger) -> str:
    rule, wanted = trigger.rule, trigger.rule.filter
    where = trigger.namespace or "all workspaces"
    facts = [
        f"{rule.action} {rule.label or rule.url}".rstrip(),
        *(kind.value for kind in wanted.action_types),
        wanted.path,
        f"by {wanted.harness}" if wanted.harness else "",
        f"in {wanted.session_id}" if wanted.session_id else "",
        f"from {wanted.min_bytes} bytes" if wanted.min_bytes else "",
        "signed" if rule.secret else "",
        f"rests {rule.cooldown_seconds} s" if rule.cooldown_seconds else "",
        f"at most {rule.max_fires} times" if rule.max_fires is not None else "",
    ]
    fired = f"fired {trigger.fires} times" if trigger.fires != 1 else "fired once"
    last = f", last {local_time(trigger.last_fired_at):%Y-%m-%d %H:%M}" if trigger.last_fired_at else ""
    off = "" if rule.enabled else "  [off]"
    head = f"{trigger.id:>4}  {plain(rule.name, 60)}  ({where}){off}"
    told = ", ".join(plain(fact, 200) for fact in facts if fact)
    return f"{head}\n      {rule.event}: {told}; {fired}{last}"


def run_add(args: argparse.Namespace, context: Context) -> int:
    """Make a rule for the workspace meant (the current folder becomes one if need be), or for all."""
    rule = rule_from(args, UNSAID)
    with context.open() as operations:
        workspace_id = None if args.all_workspaces else context.the_workspace(operations, register=True).id
        made = operations.triggers.add(workspace_id, rule)
    return _answer(made, context, "made")


def run_change(args: argparse.Namespace, context: Context) -> int:
    """Put what is said in the place of what stood."""
    with context.open() as operations:
        standing = operations.triggers.get(args.id).rule
        rule, moves = rule_from(args, standing), args.only_here or args.all_workspaces
        here = context.the_workspace(operations, register=True).id if args.only_here else None
        changed = operations.triggers.change(args.id, rule, moves=moves, workspace_id=here)
    return _answer(changed, context, "changed")


def run_on(args: argparse.Namespace, context: Context) -> int:
    """Let a rule fire."""
    return _switch(args, context, enabled=True)


def run_off(args: argparse.Namespace, context: Context) -> int:
    """Let a rule rest."""
    return _switch(args, context, enabled=False)


def _switch(args: argparse.Namespace, context: Context, *, enabled: bool) -> int:
    with context.open() as operations:
        changed = operations.triggers.switch(args.id, enabled=enabled)
    return _answer(changed, context, "on" if enabled else "off")


def run_drop(args: argparse.Namespace, context: Context) -> int:
    """Let go of a rule; what it was is printed, so that it can be made again."""
    with context.open() as operations:
        gone = operations.triggers.get(args.id)
        operations.triggers.drop(args.id)
    return _answer(gone, context, "dropped")


def _answer(trigger: Trigger, context: Context, became: str) -> int:
    if context.json:
        context.print_json(trigger_json(trigger))
    else:
        print(f"Trigger {trigger.id} is {became}.\n{_row(trigger)}")
    return 0


def run_dry(args: argparse.Namespace, context: Context) -> int:
    """Print what a rule would have fired at, newest first; nothing is done."""
    with context.open(to_read=True) as operations:
        workspace, known = context.scope(operations, everywhere=args.all_workspaces)
        workspace_id, standing = (workspace.id if workspace is not None else None), UNSAID
        if args.id is not None:
            trigger = operations.triggers.get(args.id)
            workspace_id, standing, known = trigger.workspace_id, replace(trigger.rule, enabled=True), True
        rule = rule_from(args, standing)
        events = operations.triggers.dry_run(workspace_id, rule, limit=args.limit) if known else ()
    if context.json:
        context.print_json({"events": [event_json(event) for event in events]})
    else:
        lines = (f"{local_time(event.at):%Y-%m-%d %H:%M:%S}  {plain(sentence(event))}" for event in events)
        _print_lines(lines, "It would not have fired.")
    return 0


def run_history(args: argparse.Namespace, context: Context) -> int:
    """Print when rules fired."""
    with context.open(to_read=True) as operations:
        if args.id is not None:
            operations.triggers.get(args.id)
        firings = operations.triggers.firings(args.id, limit=args.limit)
    if context.json:
        context.print_json({"firings": [firing_json(firing) for firing in firings]})
    else:
        lines = (
            f"{each.trigger_id:>4}  {local_time(each.at):%Y-%m-%d %H:%M:%S}  {plain(each.told)}"
            for each in firings
        )
        _print_lines(lines, "No trigger has fired.")
    return 0


def run_dead(args: argparse.Namespace, context: Context) -> int:
    """Print the calls that were given up."""
    with context.open(to_read=True) as operations:
        calls = operations.triggers.dead(limit=args.limit)
    if context.json:
        context.print_json({"dead": [delivery_json(call) for call in calls]})
    else:
        lines = (
            f"{call.trigger_id:>4}  event {call.event_id}, tried {call.attempts} times: {plain(call.error)}"
            for call in calls
        )
        _print_lines(lines, "No call was given up.")
    return 0


def _print_lines(lines: Iterable[str], otherwise: str) -> None:
    for line in [*lines] or [otherwise]:
        print(line)
