"""A watchdog thread on the folders of the ledger's paths: an outside save shows as drift within a second.

Events only say where to look; the truth is a stat and a hash. Folders are watched one by one and not
recursively, so that node_modules costs nothing; beyond MOST_FOLDERS, or where the system has no watch left,
a rescan by stat takes over and `status` says so.
"""

import os
import threading
import time
from collections.abc import Callable

from watchdog.events import (
    FileClosedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver, ObservedWatch

from sulcus_panel.core.errors import LedgerBusy
from sulcus_panel.core.model import LedgerPath, Workspace
from sulcus_panel.service.bus import ChangeBus
from sulcus_panel.service.changes import Changes
from sulcus_panel.service.operations import Operations

DEBOUNCE_SECONDS = 0.1
RESCAN_SECONDS = 2.0
FULL_RESCAN_SECONDS = 60.0
MOST_FOLDERS = 64
EVENTS = [FileClosedEvent, FileCreatedEvent, FileDeletedEvent, FileModifiedEvent, FileMovedEvent]


class WorkspaceWatcher:
    """Keeps one workspace's drift marks true. `start()` once; `stop()` joins every thread."""

    def __init__(
        self, open_operations: Callable[[], Operations], workspace: Workspace, bus: ChangeBus
    ) -> None:
        self._open_operations = open_operations
        self._workspace = workspace
        self._bus = bus
        self._watches_all = False
        self._wake = threading.Event()
        self._stop = threading.Event()
        self._touched: set[LedgerPath] = set()
        self._lock = threading.Lock()
        self._watches: dict[str, ObservedWatch] = {}
        self._observer: BaseObserver = Observer()
        self._thread = threading.Thread(target=self._run, name="drift-watcher", daemon=True)
        self._watching = threading.Event()
        self.status = "starting"
        """One plain phrase for the status bar."""

    def start(self) -> None:
        """Begin to watch."""
        self._observer.start()
        self._thread.start()

    def stop(self) -> None:
        """End and wait for the threads."""
        self._stop.set()
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join()
        if self._observer.is_alive():
            self._observer.stop()
            self._observer.join()

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
        with self._open_operations() as operations:
            whole, full_at = True, time.monotonic()
            while not self._stop.is_set():
                self._look(operations, None if whole else self._take())
                self._watching.set()
                if self._wake.wait(RESCAN_SECONDS) and not self._stop.wait(DEBOUNCE_SECONDS):
                    self._wake.clear()
                due = FULL_RESCAN_SECONDS if self._watches_all else RESCAN_SECONDS
                whole = time.monotonic() - full_at >= due
                full_at = time.monotonic() if whole else full_at
        unsubscribe()

    def _on_changes(self, changes: Changes) -> None:
        if changes.new_entries:  # perhaps of folders not watched yet
            self._wake.set()

    def _take(self) -> set[LedgerPath]:
        with self._lock:
            touched, self._touched = self._touched, set()
        return touched

    def _look(self, operations: Operations, paths: set[LedgerPath] | None) -> None:
        try:
            operations.drain()
            fresh = self._watch_folders(operations)  # before the look, so that nothing falls in between
            operations.refresh_drift(self._workspace.id, None if paths is None else paths | fresh)
        except LedgerBusy:
            with self._lock:
                self._touched |= paths or set()

    def _watch_folders(self, operations: Operations) -> set[LedgerPath]:
        """Watch the folders of all known paths; return the paths in those that were not watched before."""
        root = self._workspace.root
        if root is None:
            return set()
        paths = operations.watched_paths(self._workspace.id)
        folder_of = {path: os.path.dirname(os.path.join(root, path)) for path in paths}
        wanted = {folder for folder in set(folder_of.values()) if os.path.isdir(folder)}
        for folder in set(self._watches) - wanted:
            self._observer.unschedule(self._watches.pop(folder))
        room = sorted(wanted - set(self._watches))[: max(0, MOST_FOLDERS - len(self._watches))]
        problem = self._schedule(room, root)
        files = f"{len(paths)} file" + ("" if len(paths) == 1 else "s")
        self._watches_all = not problem and len(wanted) == len(self._watches)
        if self._watches_all:
            self.status = f"Watching {files}"
        else:
            self.status = f"Checking {files} every {RESCAN_SECONDS:.0f} s{problem}"
        return {path for path, folder in folder_of.items() if folder in room}

    def _schedule(self, folders: list[str], root: str) -> str:
        for folder in folders:
            try:
                handler = _Touch(self, root)
                self._watches[folder] = self._observer.schedule(handler, folder, event_filter=EVENTS)
            except OSError as error:
                return f" (no watch left: {error.strerror})"
        return ""


class _Touch(FileSystemEventHandler):
    """Turns an event into "look at this path"."""

    def __init__(self, watcher: WorkspaceWatcher, root: str) -> None:
        self._watcher = watcher
        self._root = root

    def on_any_event(self, event: FileSystemEvent) -> None:
        for raw in (event.src_path, event.dest_path):
            if raw:
                relative = os.path.relpath(os.fsdecode(raw), self._root)
                self._watcher.touch(LedgerPath(relative.replace(os.sep, "/")))
