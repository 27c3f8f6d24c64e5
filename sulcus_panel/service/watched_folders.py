"""Which folders are watched for events: those of the paths recorded last, one by one and not recursively.

So node_modules costs nothing. A folder that was removed and made again is another one, and the old watch deaf:
each is known by its inode, and by whether its watch still lives.
"""

import os
import stat
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from watchdog.events import (
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
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

from sulcus_panel.core.model import LedgerPath

MOST_FOLDERS = 64
"""Each costs a thread of watchdog's."""
EVENTS = [
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
]

_Identity = tuple[int, int]
"""(st_dev, st_ino) of a folder."""


@dataclass(frozen=True, slots=True)
class _Watched:
    watch: ObservedWatch
    identity: _Identity


class WatchedFolders:
    """Watches below one root and calls `touch` with every path that something happened to.

    `touch` is called in watchdog's thread; everything else belongs to one thread.
    """

    def __init__(self, root: str, touch: Callable[[LedgerPath], None]) -> None:
        self._root = root
        self._handler = _Touch(root, touch)
        self._observer: BaseObserver | None = None
        self._watched: dict[str, _Watched] = {}
        self._paths: Collection[LedgerPath] = ()
        self._by_folder: dict[str, list[LedgerPath]] = {}
        self.rest: Sequence[LedgerPath] = ()
        """The paths whose folder is not watched."""
        self.problem = ""
        """Why not all that should be is watched, "" where nothing stands in the way."""

    def close(self) -> None:
        """End every watch and its thread."""
        if self._observer is not None:
            self._observer.stop()
            self._observer.join()
        self._observer = None
        self._watched.clear()

    def follow(self, paths: Collection[LedgerPath]) -> set[LedgerPath]:
        """Watch the folders of these paths, the newest of which come last, as far as there is room.

        Returns the paths in folders that were not watched before: what happened there was not seen. Calling it
        again with the same collection costs an lstat a folder.
        """
        if paths is not self._paths:
            self._paths, self._by_folder = paths, _by_folder(self._root, paths)
        wanted, alive = self._wanted(), self._alive()
        dead = [
            folder
            for folder, watched in self._watched.items()
            if wanted.get(folder) != watched.identity or watched.watch not in alive
        ]
        for folder in dead:
            self._unschedule(folder)
        self.problem = ""
        fresh: set[LedgerPath] = set()
        for folder, identity in wanted.items():
            if folder not in self._watched and self._schedule(folder, identity):
                fresh.update(self._by_folder[folder])
        self.rest = [
            path for folder, mine in self._by_folder.items() if folder not in self._watched for path in mine
        ]
        return fresh

    def _wanted(self) -> dict[str, _Identity]:
        wanted: dict[str, _Identity] = {}
        for folder in self._by_folder:
            if len(wanted) == MOST_FOLDERS:
                break
            identity = _identity(folder)
            if identity is not None:
                wanted[folder] = identity
        return wanted

    def _alive(self) -> set[ObservedWatch]:
        """The watches that watchdog has not ended by itself, as it does when their folder is removed."""
        emitters = self._observer.emitters if self._observer is not None else ()
        return {emitter.watch for emitter in emitters if emitter.should_keep_running()}

    def _schedule(self, folder: str, identity: _Identity) -> bool:
        if self.problem:
            return False
        try:
            if self._observer is None:
                observer = Observer()
                observer.start()
                self._observer = observer
            watch = self._observer.schedule(self._handler, folder, event_filter=EVENTS)
        except FileNotFoundError:
            return False  # gone since: the next round sees
        except OSError as error:
            self.problem = f"no watch left: {error.strerror}"
            return False
        self._watched[folder] = _Watched(watch, identity)
        return True

    def _unschedule(self, folder: str) -> None:
        watched = self._watched.pop(folder)
        if self._observer is not None:
            self._observer.unschedule(watched.watch)


def _by_folder(root: str, paths: Collection[LedgerPath]) -> dict[str, list[LedgerPath]]:
    """The paths of each folder, the folder of the newest first."""
    found: dict[str, list[LedgerPath]] = {}
    for path in reversed(tuple(paths)):
        found.setdefault(path.rpartition("/")[0], []).append(path)
    return {os.path.join(root, folder) if folder else root: mine for folder, mine in found.items()}


def _identity(folder: str) -> _Identity | None:
    """Which folder this is now; None where there is none, or a link to one."""
    try:
        found = os.lstat(folder)
    except (OSError, ValueError):
        return None
    return (found.st_dev, found.st_ino) if stat.S_ISDIR(found.st_mode) else None


class _Touch(FileSystemEventHandler):
    """Turns an event into "look at this path"."""

    def __init__(self, root: str, touch: Callable[[LedgerPath], None]) -> None:
        self._root = root
        self._touch = touch

    def on_any_event(self, event: FileSystemEvent) -> None:
        for raw in (event.src_path, event.dest_path):
            if raw:
                relative = os.path.relpath(os.fsdecode(raw), self._root)
                self._touch(LedgerPath(relative.replace(os.sep, "/")))
