"""Which drifted files have been quiet long enough to be an entry of origin outside, and whether it is the time.

A file drifts the moment it is saved; it is recorded once nobody has written to it for a while, no agent's call or
command is open (its own hook would claim the file), every event of the spool is in, and no undo is at work.
"""

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from sulcus_panel.core.capture.draining import STARTED
from sulcus_panel.core.capture.pairing import WHOLE_TREE
from sulcus_panel.core.capture.place import locate, name_in, resolve
from sulcus_panel.core.capture.registry import GROWING
from sulcus_panel.core.capture.saves import record_saves
from sulcus_panel.core.capture.shell.warm import keep_warm
from sulcus_panel.core.capture.started_calls import decode_started
from sulcus_panel.core.disk import Fingerprint, fingerprint
from sulcus_panel.core.model import DriftKind, LedgerPath, SeqId, Workspace
from sulcus_panel.core.undo.lock import undo_lock
from sulcus_panel.service.changes import Changes
from sulcus_panel.service.operations import Operations, utc_now

QUIET_SECONDS = 3.0
LATE_TOLD_SECONDS = 30.0
"""Instead of it where a harness is at work whose deeds are told only afterwards, by its own files."""
AT_WORK = timedelta(minutes=1)
FEW_RUNS = 5
NEVER = float("inf")


class OutsideSaves:
    """One workspace's drifted files, and since when each has not changed. Belongs to one thread."""

    def __init__(
        self,
        workspace: Workspace,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = utc_now,
    ) -> None:
        self._workspace = workspace
        self._clock = clock
        self._now = now
        self._quiet: dict[LedgerPath, tuple[Fingerprint | None, float]] = {}

    def record(self, operations: Operations, drift: Mapping[LedgerPath, DriftKind]) -> tuple[SeqId, ...]:
        """Record what is due of these, tell it on the bus, and return the entries."""
        if operations.read_only:
            return ()
        ripe = self._ripe(drift, QUIET_SECONDS)
        if ripe and self._is_told_late(operations):
            ripe = self._ripe(drift, LATE_TOLD_SECONDS)
        enabled = ripe and operations.settings(self._workspace.id).enabled
        if not enabled or not _is_drained(operations):
            return ()
        with undo_lock(operations.ledger, 0) as held:
            if not held or operations.ledger.open_undos():
                return ()
            claimed = self._claimed(operations)
            if claimed is None:
                return ()
            free = {path: seen for path, seen in ripe.items() if path not in claimed}
            recorded = record_saves(operations.ledger, self._workspace, free, self._now())
        for path, seen in free.items():
            self._quiet[path] = seen, NEVER  # it is recorded, or cannot be as it is now
        if recorded:
            keep_warm(operations.home.root, self._kept(operations, recorded))
            found = Changes(
                workspace_id=self._workspace.id, new_entries=recorded, touched=None, governance=True
            )
            operations.bus.publish(found)
        return recorded

    def _kept(self, operations: Operations, recorded: Sequence[SeqId]) -> Iterator[str]:
        """The files of these entries whose bytes may be kept."""
        root = resolve(self._workspace.root or "")
        for entry in operations.entries(recorded):
            yield from (f"{root}/{change.path}" for change in entry.record.changes if change.after.kept)

    def _ripe(self, drift: Collection[LedgerPath], patience: float) -> dict[LedgerPath, Fingerprint | None]:
        """The drifted files that have looked alike for so long."""
        root, now = self._workspace.root or "", self._clock()
        for gone in self._quiet.keys() - set(drift):
            del self._quiet[gone]
        ripe: dict[LedgerPath, Fingerprint | None] = {}
        for path in drift:
            seen = fingerprint(root, path)
            known, since = self._quiet.get(path, (None, now))
            if path not in self._quiet or known != seen:
                since = now
                self._quiet[path] = seen, since
            if now - since >= patience:
                ripe[path] = seen
        return ripe

    def _is_told_late(self, operations: Operations) -> bool:
        """Whether a harness is at work of whose deeds its own files tell, some time afterwards."""
        runs = operations.runs(self._workspace.id, limit=FEW_RUNS)
        since = self._now() - AT_WORK
        return any(run.harness in GROWING and not run.ended and run.last >= since for run in runs)

    def _claimed(self, operations: Operations) -> frozenset[LedgerPath] | None:
        """The paths of open calls; None where a command is open, which may write to any."""
        paths: set[LedgerPath] = set()
        for kept in operations.ledger.pending(STARTED):
            started = decode_started(kept.payload)
            if started is None:
                continue
            call, cwd = started.call, resolve(started.scene.cwd)
            if call.kind in WHOLE_TREE and self._touches(cwd):
                return None
            located = locate(call.path, started.scene.cwd)
            paths |= {name_in(self._workspace, located), name_in(self._workspace, resolve(located))}
        return frozenset(paths)

    def _touches(self, folder: str) -> bool:
        """Whether a folder lies in the workspace, or the workspace in it."""
        one, other = (path.rstrip("/") + "/" for path in (folder, self._workspace.root or ""))
        return one.startswith(other) or other.startswith(one)


def _is_drained(operations: Operations) -> bool:
    """Record what hooks have left; whether all of it is in."""
    report = operations.drain()
    try:
        return not report.busy and not any(operations.home.spool_new.iterdir())
    except OSError:
        return False
