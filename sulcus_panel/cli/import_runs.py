"""`import HARNESS [PATH…]`: past runs, so that the panel is full on the first day."""

import argparse
from pathlib import Path

from sulcus_panel.cli.context import Context, tell
from sulcus_panel.service.past_runs import IMPORTERS, import_runs


def add(
    verbs: "argparse._SubParsersAction[argparse.ArgumentParser]", common: argparse.ArgumentParser
) -> None:
    """Add the verb."""
    verb = verbs.add_parser("import", parents=[common], help="record past runs from a harness's own files")
    verb.add_argument("harness", metavar="HARNESS", help=", ".join(IMPORTERS))
    verb.add_argument("paths", nargs="*", default=[], metavar="PATH", help="transcript files or folders")
    verb.set_defaults(run=run)


def run(args: argparse.Namespace, context: Context) -> int:
    """Import, and say what was recorded, what was known and what could not be read."""
    with context.open() as operations:
        workspace = context.the_workspace(operations, register=True)
        paths = [Path(path).expanduser().absolute() for path in args.paths]
        report = import_runs(
            operations,
            workspace,
            args.harness,
            paths,
            stands_for_recorded_root=context.workspace is not None,
        )
    if context.json:
        context.print_json(
            {"recorded": report.recorded, "already": report.already, "problems": list(report.problems)}
        )
        return 0
    print(f"{report.recorded} recorded, {report.already} known already, into {workspace.namespace}")
    for problem in report.problems:
        tell(problem)
    return 0
