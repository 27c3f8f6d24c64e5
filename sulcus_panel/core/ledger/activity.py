"""What a session is about, apart from the questions (queries.py): an undo asks who is at work; what they are owed.

That somebody is to be told is written in the transaction that says that the undo is done, so that a process killed
right after it leaves a debt, which the next one pays (notices.py).
"""

import json
from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import IntEnum

from sulcus_panel.core.ledger.database import Database
from sulcus_panel.core.ledger.encoding import MICROSECOND, encode_text, to_micros

OWED = "owed"
KEPT = timedelta(days=1)
"""How long a session counts as one that goes on, and how long a notice waits for it."""


class Activity(IntEnum):
    """What a session is about after an event; as stored."""

    WORKING = 0
    ENDED = 1
    RESTING = 2
    """Its agent has stopped and waits for the person."""


def read_active(db: Database, workspace_id: int, since: datetime) -> frozenset[str]:
    """The ids of the sessions heard of since then that have neither ended nor stopped to wait.

    That a session has ended or stopped is said in one workspace and holds in all, an end for its subagents, too.
    """
    rows = db.rows(_ACTIVE, (workspace_id, to_micros(since)))
    return frozenset(row[0] for row in rows)


def owe(db: Database, workspace_id: int, op_id: str, uids: Sequence[str], now: int) -> None:
    """Note that the sessions that go on are to be told of an undo by its entries. Only inside `write()`."""
    if db.row(LIVE, (workspace_id, now - KEPT // MICROSECOND)):
        db.run(
            "INSERT OR REPLACE INTO pending (key, kind, at, payload) VALUES (?, ?, ?, ?)",
            (f"{OWED}:{encode_text(op_id)}", OWED, now, json.dumps(list(map(encode_text, uids))).encode()),
        )


def is_a_word_owed(db: Database) -> bool:
    """Whether somebody is still to be told of an undo: all that most undos ask of `notices`."""
    return db.row("SELECT 1 FROM pending WHERE kind = ?", (OWED,)) is not None


_ACTIVE = f"""
SELECT s.session_id FROM session s WHERE s.workspace_id = ? AND s.last_at >= ? AND NOT s.ended
AND NOT EXISTS (
    SELECT 1 FROM session e WHERE e.harness = s.harness AND e.ended AND e.last_at >= s.last_at
    AND (e.session_id = s.session_id OR e.session_id = s.parent AND e.ended = {int(Activity.ENDED)})
)
"""
LIVE = f"""
SELECT s.harness, s.session_id, s.parent FROM session s
WHERE s.workspace_id = ? AND s.last_at >= ? AND s.ended != {int(Activity.ENDED)} AND NOT EXISTS (
    SELECT 1 FROM session e WHERE e.harness = s.harness AND e.ended = {int(Activity.ENDED)}
    AND e.last_at >= s.last_at AND (e.session_id = s.session_id OR e.session_id = s.parent)
)
"""
