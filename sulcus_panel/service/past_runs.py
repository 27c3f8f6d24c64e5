"""Past runs into the ledger, from what a harness itself keeps: one entry point for every importer."""

import os
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from sulcus_panel.core.capture.changes import is_outside
from sulcus_panel.core.capture.past.entries import Importing
from sulcus_panel.core.capture.past.into_ledger import ImportedRun, ImportReport, import_into
from sulcus_panel.core.capture.registry import ADAPTERS, IMPORTERS
from sulcus_panel.core.errors import BadRequest, NotFound
from sulcus_panel.core.model import Workspace
from sulcus_panel.service.changes import Changes
from sulcus_panel.service.operations import Operations

ELSEWHERE = (
    "none of these files lies in this folder, so only their hashes are kept; --workspace FOLDER takes FOLDER "
    "for where the runs took place (a run is recorded once, in one workspace)"
)

__all__ = ["IMPORTERS", "import_runs", "record_run"]


def import_runs(
    operations: Operations,
    workspace: Workspace,
    harness: str,
    paths: Sequence[Path],
    *,
    stands_for_recorded_root: bool = False,
) -> ImportReport:
    """Record the past runs in `paths`, or, without any, those that the harness keeps of this workspace.

    `stands_for_recorded_root`: the workspace is where the run took place, wherever that was: its paths are
    looked for in here. Otherwise files elsewhere stay elsewhere: their hashes are kept and nothing else.
    Raises BadRequest for a harness without an importer, NotFound for a path or folder that is not there.
    """
    importer = IMPORTERS.get(harness)
    if importer is None:
        known = f"Known: {', '.join(IMPORTERS)}."
        raise BadRequest(f"There is no importer for {harness!r}", known, field="harness")
    if workspace.root is None:
        raise BadRequest("This workspace has no folder", "Past runs need one.", field="workspace")
    home = importer.home(os.environ)
    for path in paths:
        if not path.exists():
            raise NotFound(f"There is no {path}", hint=f"Give {importer.files}.")
    found = tuple(paths) or importer.find(home, workspace.root)
    if not found:
        raise NotFound(
            f"{harness} keeps no past run of {workspace.root}",
            f"Looked below {home}.",
            f"Give {importer.files}: sulcus-panel import {harness} PATH…",
        )
    recorded_root = None if stands_for_recorded_root else workspace.root
    settings = operations.settings(workspace.id)
    importing = Importing(ADAPTERS[harness], workspace.root, recorded_root, settings)
    run = importer.read(found, importing, None if paths else home)
    report = record_run(operations, workspace, run)
    if report.recorded and _is_elsewhere(run):
        report = replace(report, problems=(*report.problems, ELSEWHERE))
    operations.record_governance(
        workspace.id, "import", f"{harness}: {report.recorded} recorded, {report.already} known already"
    )
    return report


def _is_elsewhere(run: ImportedRun) -> bool:
    """Whether the run names files, and none of them is below the workspace."""
    paths = [change.path for each in run.entries for change in each.entry.changes]
    return bool(paths) and all(is_outside(path) for path in paths)


def record_run(
    operations: Operations, workspace: Workspace, run: ImportedRun, *, live_since: datetime | None = None
) -> ImportReport:
    """Record what the ledger does not have of a run, and tell of it; `live_since`: see import_into."""
    before = operations.ledger.newest_seq()
    report = import_into(operations.ledger, workspace, run, live_since=live_since)
    fresh = tuple(entry.seq_id for entry in operations.ledger.after(before, workspace.id, 100_000))
    operations.bus.publish(Changes(workspace_id=workspace.id, new_entries=fresh, touched=None))
    return report
