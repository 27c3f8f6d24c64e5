"""The tables of a ledger that few verbs use, each imported once somebody asks for it."""

from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

from sulcus_panel.core.ledger.activity import is_a_word_owed, read_active
from sulcus_panel.core.ledger.database import Database

if TYPE_CHECKING:
    from sulcus_panel.core.ledger.events import EventTable
    from sulcus_panel.core.ledger.holds import HoldTable
    from sulcus_panel.core.ledger.notices import NoticeTable
    from sulcus_panel.core.ledger.rules import RuleTable
    from sulcus_panel.core.ledger.tokens import TokenTable


class Tables:
    """One connection, seen from each table."""

    def __init__(self, database: Database) -> None:
        self._db = database

    @property
    def database(self) -> Database:
        """The connection, for the rooms of this folder that look at all of it: checking.py, mending.py."""
        return self._db

    def data_version(self) -> int:
        """A number that changes when another connection has written anything, marks and settings too."""
        return self._db.number("PRAGMA data_version")

    @cached_property
    def events(self) -> "EventTable":
        """What was told to followers."""
        from sulcus_panel.core.ledger.events import EventTable

        return EventTable(self._db)

    @cached_property
    def tokens(self) -> "TokenTable":
        """The keys given out."""
        from sulcus_panel.core.ledger.tokens import TokenTable

        return TokenTable(self._db)

    @cached_property
    def holds(self) -> "HoldTable":
        """The undos that wait for the person."""
        from sulcus_panel.core.ledger.holds import HoldTable

        return HoldTable(self._db)

    @cached_property
    def rules(self) -> "RuleTable":
        """The triggers."""
        from sulcus_panel.core.ledger.rules import RuleTable

        return RuleTable(self._db)

    @cached_property
    def notices(self) -> "NoticeTable":
        """Whom an undo concerns."""
        from sulcus_panel.core.ledger.notices import NoticeTable

        return NoticeTable(self._db)

    def active_sessions(self, workspace_id: int, since: datetime) -> frozenset[str]:
        """The ids of the sessions heard of since then that have neither ended nor stopped to wait."""
        return read_active(self._db, workspace_id, since)

    def is_a_word_owed(self) -> bool:
        """Whether somebody is still to be told of an undo."""
        return is_a_word_owed(self._db)

    def is_asked(self, workspace_id: int) -> bool:
        """Whether any undo waits for the person, which is nearly always all that is asked of `holds`."""
        waits = "SELECT 1 FROM hold WHERE workspace_id = ? AND state = 'waiting' LIMIT 1"
        return self._db.has_table("hold") and self._db.row(waits, (workspace_id,)) is not None
