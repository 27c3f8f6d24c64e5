"""Whom an undo concerns: the sessions that go on, and those that changed a path; and what they are still owed."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from sulcus_panel.core.ledger.activity import LIVE, OWED
from sulcus_panel.core.ledger.database import Database
from sulcus_panel.core.ledger.encoding import encode_path, to_micros
from sulcus_panel.core.model import LedgerPath, SeqId


@dataclass(frozen=True, slots=True)
class LiveSession:
    """A session that has not ended; `parent` is the one of which this is a subagent."""

    harness: str
    session_id: str
    parent: str | None = None


@dataclass(frozen=True, slots=True)
class Debt:
    """One undo of which nobody was told yet, by its entries."""

    key: str
    undos: tuple[SeqId, ...]


@dataclass(slots=True, eq=False, repr=False)
class NoticeTable:
    """The sessions of one ledger, as notices need them."""

    db: Database

    def live(self, workspace_id: int, since: datetime) -> tuple[LiveSession, ...]:
        """The sessions heard of since then that have not ended; one that rests goes on with the next prompt."""
        rows = self.db.rows(LIVE, (workspace_id, to_micros(since)))
        return tuple(LiveSession(*row) for row in rows)

    def owed(self) -> tuple[Debt, ...]:
        """The undos of which the sessions that go on are still to be told, oldest first."""
        rows = self.db.rows("SELECT key, payload FROM pending WHERE kind = ? ORDER BY at, rowid", (OWED,))
        return tuple(Debt(key, self._seq_ids(_uids(payload))) for key, payload in rows)

    def settle(self, key: str) -> bool:
        """Take a debt upon oneself; False where another process has just done so. Only inside `write()`."""
        return self.db.run("DELETE FROM pending WHERE key = ? AND kind = ?", (key, OWED)) > 0

    def _seq_ids(self, uids: Sequence[str]) -> tuple[SeqId, ...]:
        rows = (self.db.row("SELECT seq_id FROM entry WHERE uid = ?", (uid,)) for uid in uids)
        return tuple(SeqId(row[0]) for row in rows if row is not None)

    def changers(self, workspace_id: int, paths: Collection[LedgerPath]) -> frozenset[tuple[str, str, str]]:
        """By harness, session and actor, the agents that changed one of these paths."""
        found: set[tuple[str, str, str]] = set()
        for path in paths:
            found.update(self.db.rows(_CHANGERS, (workspace_id, encode_path(path))))
        return frozenset(found)


def _uids(payload: bytes) -> Sequence[str]:
    """What owe() wrote; none where it is damaged, for no start may fail over a word to an agent."""
    try:
        return [str(uid) for uid in json.loads(payload)]
    except (ValueError, TypeError):
        return ()


_CHANGERS = """
SELECT DISTINCT e.harness, e.session_id, e.actor FROM change c JOIN entry e ON e.seq_id = c.seq_id
WHERE c.workspace_id = ? AND c.path = ? AND e.origin = 'agent' AND e.session_id != ''
"""
