"""`forget PATH`: every kept version of one file let go of for good, after a yes."""

import argparse
import os
from pathlib import Path

from sulcus_panel.cli.context import Context, says_yes, tell
from sulcus_panel.core.capture.place import locate, name_in
from sulcus_panel.core.errors import NotFound
from sulcus_panel.core.ledger.forgetting import Forgetting
from sulcus_panel.core.model import LedgerPath, Workspace
from sulcus_panel.core.safety import plain


def add(
    verbs: "argparse._SubParsersAction[argparse.ArgumentParser]", common: argparse.ArgumentParser
) -> None:
    """Add the verb."""
    verb = verbs.add_parser("forget", parents=[common], help="let go of all that is kept of one file")
    verb.add_argument("path", metavar="PATH", help="the file, whether it still exists or not")
    verb.set_defaults(run=run)


def run(args: argparse.Namespace, context: Context) -> int:
    """Say what goes, ask, let go, say what went."""
    with context.open() as operations:
        workspace = context.the_workspace(operations)
        path = _path_in(workspace, args.path)
        going = operations.what_goes(workspace.id, path)
        if not going.entries:
            raise NotFound(f"No entry names {path}", f"Workspace {workspace.namespace}.", "Check the path.")
        if not _is_wanted(path, going):
            if context.json:
                context.print_json({"path": path, "outcome": "rejected"})
            return 0
        done = operations.forget(workspace.id, path)
    if not done.is_log_empty:
        tell("Another program is reading the ledger: the old pages leave its log when that ends.")
    if context.json:
        body = {"path": path, "outcome": "forgotten", "versions": done.going.versions}
        context.print_json({**body, "entries": done.going.entries, "shared": list(done.going.shared)})
    else:
        print(f"Forgotten: {_versions(done.going)} of {plain(path)}. Hashes and sizes stay.")
    return 0


def _path_in(workspace: Workspace, given: str) -> LedgerPath:
    return name_in(workspace, locate(os.path.expanduser(given), str(Path.cwd())))


def _is_wanted(path: LedgerPath, going: Forgetting) -> bool:
    tell(f"{_versions(going)} of {path} will be let go of, {going.size_bytes:,} bytes as they are stored.")
    tell("What rests on them cannot be undone or shown any more. The file on the disk stays as it is.")
    if going.shared:
        tell(f"The same contents stand under {', '.join(going.shared[:5])}: they are forgotten there too.")
    tell("To keep nothing of it in future either: sulcus-panel config set exclude PATTERN")
    return says_yes("Forget it?")


def _versions(going: Forgetting) -> str:
    entries = "1 entry" if going.entries == 1 else f"{going.entries} entries"
    return f"{going.versions} kept version{'' if going.versions == 1 else 's'} in {entries}"
