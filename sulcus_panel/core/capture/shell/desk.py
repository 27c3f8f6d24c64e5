"""Where the report of a tree is put beside the ledger: its files as they were last seen, and what else ran."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sulcus_panel.core.capture.adapter import Scene, ToolStarted
from sulcus_panel.core.capture.chains import Chains, Named
from sulcus_panel.core.capture.changes import build_change
from sulcus_panel.core.capture.drafts import outside_entry
from sulcus_panel.core.capture.place import Place, name_in
from sulcus_panel.core.capture.sides import Sides
from sulcus_panel.core.model import DiskFile, LedgerPath, NewEntry, Settings, Workspace


@dataclass(frozen=True, slots=True)
class Desk:
    """One event's tree, at `root`, in one workspace.

    `home` is the data folder, `recent` are the workspace's newest commands, `running` those not ended.
    `saved` reads the newest entries of nobody's, for few commands change anything.
    """

    chains: Chains
    scene: Scene
    workspace: Workspace
    settings: Settings
    root: str
    home: Path
    recent: Sequence[NewEntry] = ()
    running: Sequence[ToolStarted] = ()
    saved: Callable[[], Sequence[NewEntry]] = tuple

    def named(self, path: str) -> LedgerPath:
        """A path of the tree in the workspace's words."""
        return name_in(self.workspace, os.path.join(self.root, path))

    def known(self, path: str) -> tuple[DiskFile, datetime] | None:
        """What the ledger last saw at a path of the tree, and when."""
        last = self.chains.last_seen(Place(self.workspace, self.named(path)), self.scene.at)
        return None if last is None else (DiskFile(last.after, self.chains.content(last.after)), last.at)

    def join(self, place: Place, sides: Sides, since: datetime) -> Sides | None:
        """The sides so that they go on from what the ledger last saw; None where another entry has them."""
        return self.chains.join(self.scene, Named(place, ()), sides, since)

    def record_outside(self, place: Place, sides: Sides, at: datetime) -> None:
        """Record what somebody else did to a path, at a time."""
        joined = self.join(place, sides, at)
        if joined is not None:
            change, contents = build_change(place.path, joined.before, joined.after, self.settings)
            entry = outside_entry(f"{self.scene.spool_name}+", at, change)
            self.chains.append_outside(self.workspace, entry, contents)
