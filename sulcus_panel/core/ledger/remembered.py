"""Answers of the ledger that hold until somebody writes to it: an undo asks twice, to show and to make sure.

Another connection's commit changes SQLite's `data_version`, an own write the count of changed rows, so that an
answer from before either is never given. Inside a transaction nothing is remembered: it may be rolled back.
"""

from collections.abc import Callable, Hashable, Sized
from datetime import datetime
from typing import Generic, TypeVar

from sulcus_panel.core.ledger.database import Database
from sulcus_panel.core.ledger.entries import read_entries
from sulcus_panel.core.ledger.settings import read_settings
from sulcus_panel.core.ledger.timeline import read_readers, read_timeline
from sulcus_panel.core.ledger.workspaces import below, by_id
from sulcus_panel.core.model import Entry, LedgerPath, SeqId, Settings, Step, Workspace

Key = TypeVar("Key", bound=Hashable)
Answer = TypeVar("Answer")


class Remembered(Generic[Key, Answer]):
    """The latest answers by their question, no more than `most` by the sum of their weights."""

    def __init__(self, db: Database, most: int, weigh: Callable[[Answer], int]) -> None:
        self._db = db
        self._most = most
        self._weigh = weigh
        self._version = (-1, -1)
        self._answers: dict[Key, Answer] = {}
        self._weight = 0

    def get(self, key: Key, ask: Callable[[], Answer]) -> Answer:
        """Give the answer to `key`: the remembered one, else what `ask` finds."""
        if self._db.writing:
            return ask()
        version = self._db.version()
        if version != self._version:
            self._answers.clear()
            self._weight = 0
            self._version = version
        found = self._answers.get(key)
        if found is None:
            found = ask()
            weight = self._weigh(found)
            if self._weight + weight <= self._most:
                self._answers[key] = found
                self._weight += weight
        return found


_Reading = tuple[int, LedgerPath, datetime]


def _one(_answer: object) -> int:
    return 1


def _at_least_one(answer: Sized) -> int:
    return 1 + len(answer)


class Recent:
    """The rows that an undo reads twice."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._entries: Remembered[tuple[SeqId, ...], tuple[Entry, ...]] = Remembered(db, 256, len)
        self._timelines: Remembered[tuple[int, LedgerPath], tuple[Step, ...]] = Remembered(db, 4096, len)
        self._workspaces: Remembered[int, Workspace] = Remembered(db, 64, _one)
        self._below: Remembered[str, tuple[Workspace, ...]] = Remembered(db, 1024, _at_least_one)
        self._settings: Remembered[int, Settings] = Remembered(db, 64, _one)
        self._readers: Remembered[_Reading, tuple[SeqId, ...]] = Remembered(db, 1024, _at_least_one)

    def entries(self, seq_ids: tuple[SeqId, ...]) -> tuple[Entry, ...]:
        """See read_entries()."""
        return self._entries.get(seq_ids, lambda: read_entries(self._db, seq_ids))

    def timeline(self, workspace_id: int, path: LedgerPath) -> tuple[Step, ...]:
        """See read_timeline()."""
        return self._timelines.get((workspace_id, path), lambda: read_timeline(self._db, workspace_id, path))

    def workspace(self, workspace_id: int) -> Workspace:
        """See workspaces.by_id()."""
        return self._workspaces.get(workspace_id, lambda: by_id(self._db, workspace_id))

    def below(self, folder: str) -> tuple[Workspace, ...]:
        """See workspaces.below()."""
        return self._below.get(folder, lambda: below(self._db, folder))

    def settings(self, workspace_id: int) -> Settings:
        """See read_settings()."""
        return self._settings.get(workspace_id, lambda: read_settings(self._db, workspace_id))

    def readers(self, workspace_id: int, path: LedgerPath, after: datetime) -> tuple[SeqId, ...]:
        """See read_readers()."""
        key = workspace_id, path, after
        return self._readers.get(key, lambda: read_readers(self._db, workspace_id, path, after))
