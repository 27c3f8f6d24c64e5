"""`mcp`: the tools for agents, on stdin and stdout."""

import argparse
from importlib.util import find_spec
from pathlib import Path

from sulcus_panel.cli.context import Context
from sulcus_panel.core.errors import BadRequest, NotFound, SulcusError
from sulcus_panel.core.model import PERSON

NAME_LIMIT = 200


class NotInstalled(SulcusError):
    """The SDK is an extra, and it is not there."""

    code = "not_installed"


def add(
    verbs: "argparse._SubParsersAction[argparse.ArgumentParser]", common: argparse.ArgumentParser
) -> None:
    """Add the verb."""
    verb = verbs.add_parser("mcp", parents=[common], help="tools for agents, over MCP on stdin and stdout")
    verb.add_argument("--actor", metavar="NAME", help="who the agent is: the name that its entries bear")
    verb.set_defaults(run=run)


def run(args: argparse.Namespace, context: Context) -> int:
    """Serve one client until it closes stdin; stdout is the protocol's."""
    actor = _actor(args.actor)
    if find_spec("mcp") is None or find_spec("mcp_types") is None:
        raise NotInstalled("MCP needs one more package", 'pip install "sulcus-panel[mcp]"')
    folder = _folder(context)
    from sulcus_panel.core.ledger.home import DataHome  # here, for these are heavy
    from sulcus_panel.service.mcp.stdio import serve

    serve(DataHome.default(), folder, actor)
    return 0


def _actor(name: str | None) -> str | None:
    if name is None:
        return None
    name = name.strip()
    if not name or len(name) > NAME_LIMIT or not name.isprintable() or name == PERSON.name:
        hint = f"1 to {NAME_LIMIT} characters, and not the person's."
        raise BadRequest("An agent needs a name of its own", hint, field="actor")
    return name


def _folder(context: Context) -> Path:
    """Return the folder whose workspace is meant where a call names none; one that is given is registered."""
    if context.workspace is not None:
        with context.open() as operations:
            workspace = context.the_workspace(operations, register=True)
        return Path(workspace.root or context.workspace)
    try:
        return Path.cwd()
    except FileNotFoundError:
        raise NotFound("The current folder is no longer there", hint="Go to another folder.") from None
