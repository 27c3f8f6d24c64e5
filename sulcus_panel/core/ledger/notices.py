"""Whom an undo concerns: the sessions that go on, and those that changed a path."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sulcus_panel.core.ledger.activity import LIVE
from sulcus_panel.core.ledger.database import Database
from sulcus_panel.core.ledger.encoding import encode_path, to_micros
from sulcus_panel.core.model import LedgerPath


@dataclass(frozen=True, slots=True)
class LiveSession:
    """A session that has not ended; `parent` is the one of which this is a subagent."""

    harness: str
    session_id: str
    parent: str | None = None


@dataclass(slots=True, eq=False, repr=False)
class NoticeTable:
    """The sessions of one ledger, as notices need them."""

    db: Database

    def live(self, workspace_id: int, since: datetime) -> tuple[LiveSession, ...]:
        """The sessions heard of since then that have not ended; one that rests goes on with the next prompt."""
        rows = self.db.rows(LIVE, (workspace_id, to_micros(since)))
        return tuple(LiveSession(*row) for row in rows)

    def changers(self, workspace_id: int, paths: Collection[LedgerPath]) -> frozenset[tuple[str, str, str]]:
        """By harness, session and actor, the agents that changed one of these paths."""
        found: set[tuple[str, str, str]] = set()
        for path in paths:
            found.update(self.db.rows(_CHANGERS, (workspace_id, encode_path(path))))
        return frozenset(found)


_CHANGERS = """
SELECT DISTINCT e.harness, e.session_id, e.actor FROM change c JOIN entry e ON e.seq_id = c.seq_id
WHERE c.workspace_id = ? AND c.path = ? AND e.origin = 'agent' AND e.session_id != ''
"""
