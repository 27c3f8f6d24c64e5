"""Past runs into the ledger, from what a harness itself keeps: one entry point for every importer."""

import os
from collections.abc import Sequence
from pathlib import Path

from sulcus_panel.core.capture.claude_places import find_transcripts
from sulcus_panel.core.capture.hooks_config import settings_path
from sulcus_panel.core.capture.import_claude_code import read_run
from sulcus_panel.core.capture.import_ledger import ImportReport, import_into
from sulcus_panel.core.errors import BadRequest, NotFound
from sulcus_panel.core.model import Workspace
from sulcus_panel.service.changes import Changes
from sulcus_panel.service.operations import Operations

IMPORTERS = ("claude-code",)


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
    if harness not in IMPORTERS:
        raise BadRequest(
            f"There is no importer for {harness!r}", f"Known: {', '.join(IMPORTERS)}.", field="harness"
        )
    if workspace.root is None:
        raise BadRequest("This workspace has no folder", "Past runs need one.", field="workspace")
    config_dir = settings_path(os.environ).parent
    for path in paths:
        if not path.exists():
            raise NotFound(f"There is no {path}", hint="Give transcript files (.jsonl) or their folder.")
    found = tuple(paths) or find_transcripts(config_dir, workspace.root)
    if not found:
        raise NotFound(
            f"{harness} keeps no past run of {workspace.root}",
            f"Looked in {config_dir / 'projects'}.",
            "Give the transcript files: sulcus-panel import claude-code PATH…",
        )
    run = read_run(
        found,
        config_dir=None if paths else config_dir,
        root=workspace.root,
        recorded_root=None if stands_for_recorded_root else workspace.root,
        settings=operations.settings(workspace.id),
    )
    before = operations.ledger.newest_seq()
    report = import_into(operations.ledger, workspace, run)
    operations.record_governance(
        workspace.id, "import", f"{harness}: {report.recorded} recorded, {report.already} known already"
    )
    fresh = tuple(entry.seq_id for entry in operations.ledger.after(before, workspace.id, 100_000))
    operations.bus.publish(Changes(workspace_id=workspace.id, new_entries=fresh, touched=None))
    return report
