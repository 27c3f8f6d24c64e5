"""What the looks at a whole tree around a call tell of it, put beside what the ledger knows of its files."""

from dataclasses import dataclass
from pathlib import Path

from sulcus_panel.core.capture.adapter import ToolFailed, ToolFinished
from sulcus_panel.core.capture.chains import Chains
from sulcus_panel.core.capture.drafts import Context
from sulcus_panel.core.capture.pairing import Pairs
from sulcus_panel.core.capture.place import resolve
from sulcus_panel.core.capture.shell.desk import Desk
from sulcus_panel.core.capture.shell.effects import Effects, effects_of
from sulcus_panel.core.capture.shell.report import read_report
from sulcus_panel.core.capture.spool import Looked
from sulcus_panel.core.ledger.queries import LedgerQuery
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import ActionType, NewEntry, Origin, Workspace

SAVED = 20
"""So many of the newest saves are asked whether one came shortly before."""
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

        def saved() -> list[NewEntry]:
            query = LedgerQuery(workspace_id=workspace.id, origin=Origin.OUTSIDE, limit=SAVED)
            return [entry.record for entry in self.ledger.find(query)]

        query = LedgerQuery(workspace_id=workspace.id, action_type=ActionType.RUN_COMMAND, limit=RECENT)
        recent = [entry.record for entry in self.ledger.find(query)]
        running = self.pairs.commands_below(workspace.root or scene.cwd)
        settings = self.ledger.settings(workspace.id)
        desk = Desk(self.chains, scene, workspace, settings, root, self.home, recent, running, saved)
        return effects_of(report, event, desk)
