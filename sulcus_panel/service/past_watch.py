"""A thread that records what agents do where no hook tells it: from the files that harnesses write as they work.

Codex's Code Mode fires no hooks. Hooks see more than such a file tells, so they come first: the spool is drained,
and what happened within the last moment waits for its hook.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from sulcus_panel.core.capture.past.entries import Importing
from sulcus_panel.core.capture.past.importer import GrowingRuns
from sulcus_panel.core.capture.registry import ADAPTERS, GROWING
from sulcus_panel.core.model import Workspace
from sulcus_panel.service.bus import ChangeBus
from sulcus_panel.service.follower import Follower
from sulcus_panel.service.operations import Operations
from sulcus_panel.service.past_runs import record_run

POLL_SECONDS = 1.0
HOOKS_FIRST = timedelta(seconds=2)
"""So long an action waits for the hook that may tell more of it."""
LOOK_BACK = timedelta(hours=1)
"""A run whose file was written to so lately may still go on when the watch begins."""


@dataclass(slots=True)
class _Followed:
    """One harness's runs, and which of their entries the ledger has taken."""

    harness: str
    runs: GrowingRuns
    known: set[str] = field(default_factory=set)
    is_behind: bool = False
    """Something was read that is not recorded yet."""


class PastWatch(Follower):
    """Keeps one workspace's ledger up with growing files. `start()` once; `stop()` joins."""

    def __init__(
        self,
        open_operations: Callable[[], Operations],
        workspace: Workspace,
        bus: ChangeBus,
        environment: Mapping[str, str] = os.environ,
    ) -> None:
        super().__init__("past-watch", open_operations, bus)
        self._workspace = workspace
        self._began = datetime.now(UTC)
        since = (self._began - LOOK_BACK).timestamp()
        self._followed = [
            _Followed(harness, importer.follow(importer.home(environment), workspace.root, since))
            for harness, importer in GROWING.items()
            if workspace.root is not None
        ]

    def begin(self, _operations: Operations) -> None:
        """Another ledger may not have what the one before had."""
        for one in self._followed:
            one.known.clear()
            one.is_behind = True

    def run_round(self, operations: Operations) -> None:
        """Read on, and record what no hook has told by now."""
        if self.stopping.wait(POLL_SECONDS) or not operations.settings(self._workspace.id).enabled:
            return
        for one in self._followed:
            one.is_behind = one.runs.read_on() or one.is_behind
            if one.is_behind:
                operations.drain()
                one.is_behind = self._record(operations, one)

    def _record(self, operations: Operations, one: _Followed) -> bool:
        """Record what is old enough; whether something is left for later."""
        settings = operations.settings(self._workspace.id)
        root = self._workspace.root or ""
        importing = Importing(ADAPTERS[one.harness], root, root, settings, one.known)
        run = one.runs.run(importing)
        fresh = [entry for entry in run.entries if entry.entry.uid not in one.known]
        ripe = tuple(entry for entry in fresh if entry.entry.at <= datetime.now(UTC) - HOOKS_FIRST)
        if ripe:
            ripe_run = replace(run, entries=ripe)
            record_run(operations, self._workspace, ripe_run, live_since=self._began)
            one.known |= {entry.entry.uid for entry in ripe}
        return len(ripe) < len(fresh)
