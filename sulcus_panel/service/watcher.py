"""A thread on the folders of the ledger's paths: an outside save shows as drift within a second, then as an entry.

Events only say where to look; the truth is a stat and a hash. The folders of the newest entries are watched;
paths in others get a glance every RESCAN_SECONDS, all of them a look now and then, and `status` says which.
"""

import os
import threading
import time
from collections.abc import Callable

from sulcus_panel.core.drift import Glances, glance
from sulcus_panel.core.model import LedgerPath, Workspace
from sulcus_panel.service.bus import ChangeBus
from sulcus_panel.service.changes import Changes
from sulcus_panel.service.follower import Follower
from sulcus_panel.service.operations import Operations
from sulcus_panel.service.outside_saves import OutsideSaves
from sulcus_panel.service.spool_worker import SpoolWorker
from sulcus_panel.service.watched_folders import WatchedFolders

DEBOUNCE_SECONDS = 0.1
RESCAN_SECONDS = 2.0
FULL_RESCAN_SECONDS = 60.0
WORKER_SECONDS = 0.3
"""How long a look waits for the other process to record what agents have just done."""
UNDO_SECONDS = 0.5
"""How long a running undo is waited for in one round."""


class WorkspaceWatcher(Follower):
    """Keeps one workspace's drift marks true. `start()` once; `stop()` joins every thread."""

    def __init__(
        self,
        open_operations: Callable[[], Operations],
        workspace: Workspace,
        bus: ChangeBus,
        worker: SpoolWorker | None = None,
    ) -> None:
        super().__init__("drift-watcher", open_operations, bus)
        self._workspace = workspace
        self._bus = bus
        self._worker = worker
        self._wake = threading.Event()
        self._lock = threading.Lock()
        self._touched: set[LedgerPath] = set()
        self._glances: Glances = {}
        self._glanced_at = float("-inf")
        self._full_at: float | None = None
        self._folders = WatchedFolders(workspace.root or "", self.touch)
        self._saves = OutsideSaves(workspace)
        self._watching = threading.Event()
        self.status = "starting"
        """One plain phrase for the status bar."""

    def stop(self) -> None:
        """End and wait for the threads."""
        self.stopping.set()
        self._wake.set()
        super().stop()

    def wait_until_watching(self, seconds: float) -> bool:
        """Say whether the first look at all paths is done and their folders are watched."""
        return self._watching.wait(seconds)

    def touch(self, path: LedgerPath) -> None:
        """Have this path looked at soon (called from watchdog's thread)."""
        with self._lock:
            self._touched.add(path)
        self._wake.set()

    def _run(self) -> None:
        unsubscribe = self._bus.subscribe(self._on_changes)
        try:
            super()._run()
        finally:
            self._folders.close()
            unsubscribe()

    def _on_changes(self, changes: Changes) -> None:
        if changes.new_entries:  # perhaps of folders not watched yet
            self._wake.set()

    def begin(self, _operations: Operations) -> None:
        """Another connection may know other things: look at everything."""
        self._full_at = None

    def run_round(self, operations: Operations) -> None:
        """Look where something may have changed, then wait until something has."""
        if self._worker is not None:
            self._worker.leave_it(self.stopping, WORKER_SECONDS)
        while self.drain_a_slice(operations) and not self.stopping.is_set():
            pass  # what is still in the spool would pass for changes from outside
        root = self._workspace.root
        if root is None:
            self.status = "No folder to watch"
        elif os.path.isdir(root):
            self._look(operations, root)
            self._saves.record(operations, operations.ledger.drift(self._workspace.id))
        else:  # removed, renamed, not mounted: that is no drift of its files
            self._folders.follow(())
            self._full_at = None
            self.status = "The folder is not there; waiting for it"
        self._watching.set()
        if self._wake.wait(RESCAN_SECONDS) and not self.stopping.wait(DEBOUNCE_SECONDS):
            self._wake.clear()

    def _look(self, operations: Operations, root: str) -> None:
        """Look at all paths where that is due, else at those that may have changed; again soon if that fails."""
        known = operations.drift_watch.known(self._workspace)
        suspects = self._take()
        is_full = self._full_at is None or time.monotonic() - self._full_at >= FULL_RESCAN_SECONDS
        done = False
        try:
            suspects |= self._folders.follow(known)  # before the look, so that nothing falls in between
            suspects |= self._glance(root) | operations.drift_watch.fresh(self._workspace)
            suspects &= known.keys()
            self._say(len(known))
            done = self._measure(operations, None if is_full else suspects)
        finally:
            if not done:
                with self._lock:
                    self._touched |= suspects
        if done and is_full:
            self._full_at = time.monotonic()

    def _measure(self, operations: Operations, paths: set[LedgerPath] | None) -> bool:
        """Mark what has drifted; False where an undo is at work and nothing could be looked at."""
        if paths is not None and not paths:
            return True
        looked = operations.drift_watch.refresh(self._workspace, paths, wait=UNDO_SECONDS)
        if looked.is_news:
            self._bus.publish(Changes(workspace_id=self._workspace.id, touched=None, drift=True))
        return looked.is_done

    def _take(self) -> set[LedgerPath]:
        with self._lock:
            touched, self._touched = self._touched, set()
        return touched

    def _glance(self, root: str) -> set[LedgerPath]:
        """The paths in folders without a watch that may have changed since the last glance."""
        now = time.monotonic()
        if now - self._glanced_at < RESCAN_SECONDS:
            return set()
        self._glanced_at = now
        return glance(root, self._folders.rest, self._glances)

    def _say(self, count: int) -> None:
        files = f"{count} file" + ("" if count == 1 else "s")
        rest = len(self._folders.rest)
        if self._folders.problem:
            self.status = f"Checking {files} every {RESCAN_SECONDS:.0f} s ({self._folders.problem})"
        elif rest:
            self.status = (
                f"Watching {count - rest} of {files}, checking the others every {RESCAN_SECONDS:.0f} s"
            )
        else:
            self.status = f"Watching {files}"
