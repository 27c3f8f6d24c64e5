"""`ledger export`: the digest on stdout, or in a file that only its owner can read."""

import argparse
import os
import tempfile
from pathlib import Path

from sulcus_panel.cli.context import Context, tell
from sulcus_panel.cli.listing import MOST, add_filters, query_from
from sulcus_panel.core.errors import BadRequest, SulcusError
from sulcus_panel.service.export import ExportFormat, export_changes, export_governance
from sulcus_panel.service.operations import DiffView, Operations


def add(
    verbs: "argparse._SubParsersAction[argparse.ArgumentParser]", common: argparse.ArgumentParser
) -> None:
    """Add the verb."""
    verb = verbs.add_parser("export", parents=[common], help="a digest as Markdown, JSON or a patch")
    add_filters(verb)
    verb.add_argument("--format", choices=[str(form) for form in ExportFormat], default="md")
    verb.add_argument("--out", metavar="FILE", help="write there instead of stdout")
    verb.add_argument("--kind", choices=["changes", "governance"], default="changes")
    verb.add_argument(
        "--contents", action="store_true", help="with the differences (a patch always has them)"
    )
    verb.set_defaults(run=run)


def run(args: argparse.Namespace, context: Context) -> int:
    """Write the digest."""
    form = ExportFormat.JSON if context.json else ExportFormat(args.format)
    with context.open(to_read=True) as operations:
        text = _digest(args, form, context, operations)
    if args.out is None:
        print(text, end="")
        return 0
    out = Path(args.out).expanduser().absolute()
    _write(out, text)
    tell(f"Written: {out}")
    if context.json:
        context.print_json({"written": str(out)})
    return 0


def _digest(args: argparse.Namespace, form: ExportFormat, context: Context, operations: Operations) -> str:
    workspace = context.the_workspace(operations)
    if args.kind == "governance" and form is ExportFormat.PATCH:
        raise BadRequest("Decisions cannot be written as a patch", hint="--format md or json", field="format")
    if args.kind == "governance":
        records = operations.governance(workspace.id, limit=5000)
        return export_governance(tuple(reversed(records)), form)
    entries = tuple(reversed(operations.find(query_from(args, workspace.id, MOST))))
    with_contents = args.contents or form is ExportFormat.PATCH
    return export_changes(
        entries,
        form,
        (lambda entry: operations.diff(entry.seq_id, DiffView.CHANGE)) if with_contents else None,
    )


def _write(out: Path, text: str) -> None:
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=out.parent, delete=False) as file:
            try:
                file.write(text)
                file.close()
                os.replace(file.name, out)
            except OSError:
                os.unlink(file.name)
                raise
    except OSError as error:
        raise SulcusError(
            f"Cannot write {out}", error.strerror or "", "Choose another place with --out."
        ) from error
