"""`acp -- COMMAND…`: start an ACP agent for an editor, and record what it does on the way."""

import argparse

from sulcus_panel.cli.context import Context
from sulcus_panel.core.errors import BadRequest


def add(
    verbs: "argparse._SubParsersAction[argparse.ArgumentParser]", common: argparse.ArgumentParser
) -> None:
    """Add the verb."""
    verb = verbs.add_parser(
        "acp",
        parents=[common],
        help="stand between an editor and its ACP agent",
        usage="sulcus-panel acp -- COMMAND…",
        epilog="Behind -- stands what the editor would start: its words are not read here.",
    )
    verb.set_defaults(run=run)


def run(args: argparse.Namespace, context: Context) -> int:  # noqa: ARG001 - stdout is the agent's: nothing is answered
    """Run the agent; its exit code is ours. `args.command` is what stood behind `--`."""
    from sulcus_panel.core.ledger.home import DataHome  # here, for no other verb needs these
    from sulcus_panel.service.acp import end_like, run_between

    if not args.command:
        hint = "sulcus-panel acp -- COMMAND…, as it stands in the editor's settings."
        raise BadRequest("No agent is named", hint, field="command")
    return end_like(run_between(args.command, DataHome.default().spool))
