"""What the looks at a whole tree around a call tell of it, put beside what the ledger knows of its files."""

import os
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sulcus_panel.core.capture.adapter import ToolFailed, ToolFinished
from sulcus_panel.core.capture.chains import Chains, Named
from sulcus_panel.core.capture.changes import build_change
from sulcus_panel.core.capture.drafts import Context, outside_entry
from sulcus_panel.core.capture.pairing import Pairs
from sulcus_panel.core.capture.place import Place, name_in, resolve
from sulcus_panel.core.capture.shell.effects import Desk, Effects, effects_of
from sulcus_panel.core.capture.shell.report import read_report
from sulcus_panel.core.capture.sides import Sides
from sulcus_panel.core.capture.spool import Looked
from sulcus_panel.core.ledger.queries import LedgerQuery
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import ActionType, DiskFile, Workspace

RECENT = 8
"""So many commands before one are asked whether they ran at the same time."""


@dataclass(frozen=True, slots=True)
class Trees:
    """The part of a transaction that knows what commands did to files. `home` is the data folder."""

    ledger: Ledger
    chains: Chains
    pairs: Pairs
    home: Path

    def effects(
        self,
        context: Context,
        event: ToolFinished | ToolFailed,
        workspace: Workspace,
        looked: Looked | None,
    ) -> Effects:
        """What the looks at the tree around a call tell of it."""
        scene = context.scene
        report = read_report(scene.spool_name, looked)
        root = resolve(report.root) if report is not None else ""

        def known(path: str) -> tuple[DiskFile, datetime] | None:
            last = self.chains.last_seen(
                Place(workspace, name_in(workspace, os.path.join(root, path))), scene.at
            )
            return None if last is None else (DiskFile(last.after, self.chains.content(last.after)), last.at)

        def join(place: Place, sides: Sides, since: datetime) -> Sides | None:
            return self.chains.join(scene, Named(place, ()), sides, since)

        def outside(place: Place, sides: Sides, at: datetime) -> None:
            joined = self.chains.join(scene, Named(place, ()), sides, at)
            if joined is not None:
                settings = self.ledger.settings(workspace.id)
                change, contents = build_change(place.path, joined.before, joined.after, settings)
                self.chains.append(workspace, outside_entry(f"{scene.spool_name}+", at, change), contents)

        query = LedgerQuery(workspace_id=workspace.id, action_type=ActionType.RUN_COMMAND, limit=RECENT)
        recent = [entry.record for entry in self.ledger.find(query)]
        running = self.pairs.commands_below(workspace.root or scene.cwd)
        settings = self.ledger.settings(workspace.id)
        desk = Desk(workspace, settings, self.home, join, known, outside, recent, running)
        return effects_of(report, event, desk)
