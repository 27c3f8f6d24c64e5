"""What a session is about, apart from the questions (queries.py): an undo asks who is at work and no more."""

from datetime import datetime, timedelta
from enum import IntEnum

from sulcus_panel.core.ledger.database import Database
from sulcus_panel.core.ledger.encoding import to_micros

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


def is_anybody_live(db: Database, workspace_id: int, since: datetime) -> bool:
    """Whether a session was heard of since then that has not ended: all that most undos ask of `notices`."""
    return db.row(LIVE, (workspace_id, to_micros(since))) is not None


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
