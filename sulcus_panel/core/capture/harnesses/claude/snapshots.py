"""The file-history records of a transcript: which backup held which file at which prompt.

A snapshot belongs to a prompt (`messageId`); files first edited later in that turn are added to it, by a
repeated snapshot or, from 2.1.220, by a `file-history-delta`. Adding never overwrites: a later record for
the same file and prompt would name the state after the edit.
"""

import re
from dataclasses import replace
from datetime import datetime

from sulcus_panel.core.capture.past.records import Backup
from sulcus_panel.core.capture.payload import JsonObject, object_of, text_of, time_of

BLOB_NAME = re.compile(r"[0-9a-f]{8,64}@v\d{1,9}")


class Snapshots:
    """Collects snapshot and delta records in the order of the file."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], Backup] = {}
        self._times: dict[str, datetime] = {}

    def add(self, record: JsonObject, session: str) -> None:
        """Take in one record of type `file-history-snapshot` or `file-history-delta`."""
        if record.get("type") == "file-history-delta":
            message = text_of(record, "snapshotMessageId", "messageId")
            path = text_of(record, "trackingPath")
            at = time_of(record, "timestamp") or self._times.get(message)
            self._note(message, path, object_of(record, "backup"), (session, at), first=False)
            return
        snapshot = object_of(record, "snapshot")
        message = text_of(snapshot, "messageId") or text_of(record, "messageId")
        at = time_of(snapshot, "timestamp")
        if at is not None:
            self._times.setdefault(message, at)
        first = record.get("isSnapshotUpdate") is not True
        backups = object_of(snapshot, "trackedFileBackups")
        for path in backups:
            self._note(message, path, object_of(backups, path), (session, at), first=first)

    def backups(self) -> tuple[Backup, ...]:
        """All backups, by time."""
        return tuple(sorted(self._found.values(), key=lambda backup: backup.at))

    def _note(
        self, message: str, path: str, backup: JsonObject, where: tuple[str, datetime | None], *, first: bool
    ) -> None:
        """A file of a prompt's first snapshot was in that state at the prompt; an added one at its backup."""
        session, snapshot_time = where
        at = snapshot_time if first else time_of(backup, "backupTime") or snapshot_time
        if not path or at is None or "backupFileName" not in backup:
            return
        name = backup["backupFileName"]
        if name is not None and not (isinstance(name, str) and BLOB_NAME.fullmatch(name)):
            return
        known = self._found.get((message, path))
        if known is None:
            self._found[message, path] = Backup(at, (session,), path, name)
        elif session not in known.sessions:
            self._found[message, path] = replace(known, sessions=(*known.sessions, session))
