"""`config show | set KEY VALUE`: one workspace's settings."""

import argparse

from sulcus_panel.cli.context import Context, says_yes, tell
from sulcus_panel.core.errors import NotFound
from sulcus_panel.core.ledger.retention import Pruned
from sulcus_panel.core.model import Settings, Workspace
from sulcus_panel.service.wire import settings_json


def add(
    verbs: "argparse._SubParsersAction[argparse.ArgumentParser]", common: argparse.ArgumentParser
) -> None:
    """Add the verb."""
    verb = verbs.add_parser("config", parents=[common], help="show or change a workspace's settings")
    what = verb.add_subparsers(metavar="show | set", required=True)
    show = what.add_parser("show", parents=[common], help="the settings now in force")
    show.set_defaults(run=run_show)
    change = what.add_parser("set", parents=[common], help="change one setting")
    change.add_argument("key", type=_key, metavar="KEY", help="max_entries or max-entries, say")
    change.add_argument("value", metavar="VALUE", help="what it is from now on; see the README's table")
    change.set_defaults(run=run_set)


def _key(text: str) -> str:
    return text.strip().lower().replace("-", "_")


def run_show(args: argparse.Namespace, context: Context) -> int:  # noqa: ARG001 - every verb takes both
    """Print the settings."""
    with context.open(to_read=True) as operations:
        try:
            workspace: Workspace | None = context.the_workspace(operations)
        except NotFound:
            workspace = None  # nothing is recorded here yet: the defaults will hold
        body = settings_json(operations.settings(workspace.id) if workspace is not None else Settings())
    if context.json:
        context.print_json({"namespace": workspace.namespace if workspace else None, "config": body})
        return 0
    if workspace is None:
        print("Nothing is recorded for this folder yet; these will hold:")
    else:
        print(f"{workspace.namespace}  {workspace.root or '(no folder)'}")
    for name, value in body.items():
        print(f"  {name:<22} {_shown(value)}")
    return 0


def run_set(args: argparse.Namespace, context: Context) -> int:
    """Change one setting of the workspace meant; the current folder becomes one if need be.

    What the new value would let go of is told first, and needs a yes.
    """
    with context.open() as operations:
        workspace = context.the_workspace(operations, register=True)
        going = operations.would_drop(workspace.id, args.key, args.value)
        if not _is_wanted(going):
            if context.json:
                context.print_json({"namespace": workspace.namespace, "outcome": "rejected"})
            return 0
        settings = operations.set_setting(workspace.id, args.key, args.value)
    body = settings_json(settings)
    if context.json:
        context.print_json({"namespace": workspace.namespace, "config": body})
    else:
        print(f"{args.key} is now {_shown(body[args.key])}")
    return 0


def _is_wanted(going: Pruned) -> bool:
    if not going.entries and not going.snapshots:
        return True
    tell(f"This lets go of {going.entries} entries and {going.snapshots} kept versions, for good.")
    return says_yes("Do it?")


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ", ".join(value) or "(none)"
    return str(value) if value != "" else "(none)"
