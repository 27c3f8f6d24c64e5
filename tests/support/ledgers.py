"""Records for a real ledger: file states from bytes, and entries with as little said as a test needs."""

import hashlib
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sulcus_panel.core.ledger.queries import LedgerQuery
from sulcus_panel.core.ledger.store import NO_CONTENTS, Ledger
from sulcus_panel.core.model import (
    ABSENT,
    ActionType,
    Actor,
    ActorKind,
    Change,
    Entry,
    FileKind,
    FileState,
    Hunk,
    LedgerPath,
    NewEntry,
    Origin,
    Provenance,
    Sha256,
)
from tests.support.clock import NOON

AGENT = Actor("claude", ActorKind.AGENT)


def sha(data: bytes) -> Sha256:
    """The hash under which these bytes are kept."""
    return Sha256(hashlib.sha256(data).hexdigest())


def contents_of(*texts: bytes | None) -> dict[Sha256, bytes]:
    """What `append` takes as contents."""
    return {sha(data): data for data in texts if data is not None}


def state(data: bytes | None, *, mode: int = 0o644) -> FileState:
    """A file with these bytes, or none."""
    return ABSENT if data is None else FileState(FileKind.FILE, sha(data), len(data), mode)


def change(path: str, before: bytes | None, after: bytes | None, *hunks: Hunk) -> Change:
    """One path from these bytes to those."""
    return Change(LedgerPath(path), state(before), state(after), hunks, plus=1, minus=1)


def record(uid: str, *changes: Change, at: datetime = NOON, **fields: Any) -> NewEntry:
    """An agent's edit; `fields` replace any field of NewEntry."""
    path = changes[0].path if changes else LedgerPath("src/app.py")
    said: dict[str, Any] = {
        "harness": "claude-code",
        "actor": AGENT,
        "origin": Origin.AGENT,
        "action_type": ActionType.FILE_EDIT,
        "tool_name": "Edit",
        "target_path": path,
        "summary": f"Edit {path}",
        "provenance": Provenance.OBSERVED,
        "session_id": "session-1",
        "turn_id": "turn-1",
    }
    return NewEntry(uid=uid, at=at, changes=changes, **(said | fields))


def appended(
    ledger: Ledger, workspace_id: int, entry: NewEntry, *, contents: Mapping[Sha256, bytes] = NO_CONTENTS
) -> Entry:
    """Record an entry where recording is on, and have it."""
    found = ledger.append(workspace_id, entry, contents=contents)
    assert found is not None
    return found


def entries(ledger: Ledger) -> tuple[Entry, ...]:
    """All entries of a small ledger, oldest first."""
    return ledger.find(LedgerQuery(limit=1000, descending=False))
