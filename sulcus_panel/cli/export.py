"""`ledger export`: the digest on stdout, or in a file that only its owner can read."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from sulcus_panel.cli.context import Context, tell
from sulcus_panel.cli.listing import KINDS, MOST, add_filters, query_from, refuse_filters_of_decisions
from sulcus_panel.core.errors import BadRequest
from sulcus_panel.core.model import Entry
from sulcus_panel.service.export import (
    ExportFormat,
    export_changes,
    export_governance,
    export_patch,
    shown_patch,
    write_private,
)
from sulcus_panel.service.operations import DiffView, FileDiff, Operations


def add(
    verbs: "argparse._SubParsersAction[argparse.ArgumentParser]", common: argparse.ArgumentParser
) -> None:
    """Add the verb."""
    verb = verbs.add_parser("export", parents=[common], help="a digest as Markdown, JSON or a patch")
    add_filters(verb)
    verb.add_argument(
        "--format", choices=[str(form) for form in ExportFormat], default="md", help="as what (md)"
    )
    verb.add_argument("--out", metavar="FILE", help="write there instead of stdout")
    verb.add_argument("--kind", choices=["changes", "governance"], default="changes", help=KINDS)
    verb.add_argument(
        "--contents", action="store_true", help="with the differences (a patch always has them)"
    )
    verb.set_defaults(run=run)


def run(args: argparse.Namespace, context: Context) -> int:
    """Write the digest."""
    refuse_filters_of_decisions(args)
    form = ExportFormat.JSON if context.json else ExportFormat(args.format)
    with context.open(to_read=True) as operations:
        data = _digest(args, form, context, operations)
    if args.out is None:
        _print(data, form)
        return 0
    out = Path(args.out).expanduser().absolute()
    write_private(out, data)
    tell(f"Written: {out}")
    if context.json:
        context.print_json({"written": str(out)})
    return 0


def _digest(args: argparse.Namespace, form: ExportFormat, context: Context, operations: Operations) -> bytes:
    workspace = context.the_workspace(operations)
    if args.kind == "governance" and form is ExportFormat.PATCH:
        raise BadRequest("Decisions cannot be written as a patch", hint="--format md or json", field="format")
    if args.kind == "governance":
        records = operations.governance(workspace.id, limit=5000)
        return export_governance(tuple(reversed(records)), form).encode()
    entries = tuple(reversed(operations.find(query_from(args, workspace.id, MOST))))

    def diffs(entry: Entry) -> Sequence[FileDiff]:
        return operations.diff(entry.seq_id, DiffView.CHANGE)

    if form is ExportFormat.PATCH:
        return export_patch(entries, diffs)
    return export_changes(entries, form, diffs if args.contents else None).encode()


def _print(data: bytes, form: ExportFormat) -> None:
    """A patch goes through a pipe byte by byte; a screen gets it escaped."""
    if form is ExportFormat.PATCH and sys.stdout.isatty():
        print(shown_patch(data), end="")
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
