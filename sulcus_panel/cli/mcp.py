"""`mcp`: the tools for agents, on stdin and stdout; `mcp install HOST`: their entry in a host's own config."""

import argparse
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from sulcus_panel.cli.context import Context, says_yes, tell
from sulcus_panel.core.errors import BadRequest, NotFound, SulcusError
from sulcus_panel.core.model import PERSON

if TYPE_CHECKING:
    from sulcus_panel.service.mcp_install import ConfigEdit, ServerEntry

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
    what = verb.add_subparsers(metavar="install", required=False)
    install = what.add_parser("install", parents=[common], help="show the config diff, ask, back up, merge")
    install.add_argument("host", metavar="HOST", help="claude-code, codex, cursor, vscode, gemini or zed")
    install.add_argument("--project", metavar="DIR", help="that folder's own settings, not the user's")
    install.add_argument("--remove", action="store_true", help="take our entry out again, and nothing else")
    install.set_defaults(run=run_install)


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


def run_install(args: argparse.Namespace, context: Context) -> int:
    """Put our server into a host's config after a yes, or take it out."""
    from sulcus_panel.core.ledger.home import DataHome  # here, for the server itself needs none of these
    from sulcus_panel.service.mcp_install import ServerEntry

    project = Path(args.project).expanduser().resolve() if args.project else None
    entry = ServerEntry(DataHome.default(), args.host, project)
    edit = entry.remove_plan() if args.remove else entry.install_plan()
    done = _edit(entry, edit, installing=not args.remove)
    if context.json:
        context.print_json({"host": args.host, "path": str(edit.path), "outcome": done})
    return 0


def _edit(entry: "ServerEntry", edit: "ConfigEdit", *, installing: bool) -> str:
    from sulcus_panel.service.operations import Operations

    if not edit.changes:
        tell(f"{entry.host}: nothing to do in {edit.path}")
        return "unchanged"
    for line in edit.diff.split("\n"):
        tell(line)
    for note in entry.notes if installing else ():
        tell(note)
    if edit.backup_path is not None:
        tell(f"A copy of the file as it is goes to {edit.backup_path}")
    if not says_yes("Install this server?" if installing else "Take this server out?"):
        return "rejected"
    with Operations.open(entry.home) as operations:
        entry.apply(edit, operations, installing=installing)
    tell(f"{entry.host}: done, {edit.path}")
    return "installed" if installing else "removed"


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
