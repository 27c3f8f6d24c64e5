"""The columns and roles of the ledger table, and which of them the ledger can sort by."""

from enum import IntEnum

from PySide6.QtCore import Qt

from sulcus_panel.core.ledger.queries import SortKey


class LedgerColumn(IntEnum):
    """The columns, left to right."""

    SEQ = 0
    TIME = 1
    HARNESS = 2
    ACTION = 3
    TARGET = 4
    PLUS_MINUS = 5
    INTENT = 6
    STATE = 7
    DRIFT = 8
    UNDO = 9


class LedgerRole(IntEnum):
    """What a delegate may ask of a cell, beside Qt's own roles."""

    ROW = Qt.ItemDataRole.UserRole.value + 1
    """The whole LedgerRow, None where the entry is no longer kept."""
    SEQ_ID = Qt.ItemDataRole.UserRole.value + 2


HEADINGS = {
    LedgerColumn.SEQ: "#",
    LedgerColumn.TIME: "Time",
    LedgerColumn.HARNESS: "By",
    LedgerColumn.ACTION: "Action",
    LedgerColumn.TARGET: "Target",
    LedgerColumn.PLUS_MINUS: "±",
    LedgerColumn.INTENT: "Intent",
    LedgerColumn.STATE: "State",
    LedgerColumn.DRIFT: "Drift",
    LedgerColumn.UNDO: "",
}

SPOKEN_HEADINGS = {
    LedgerColumn.SEQ: "Change number",
    LedgerColumn.PLUS_MINUS: "Lines added and removed",
    LedgerColumn.UNDO: "Undo",
}

SORT_KEYS = {
    LedgerColumn.SEQ: SortKey.SEQ,
    LedgerColumn.TIME: SortKey.TIME,
    LedgerColumn.HARNESS: SortKey.HARNESS,
    LedgerColumn.ACTION: SortKey.ACTION,
    LedgerColumn.TARGET: SortKey.TARGET,
    LedgerColumn.PLUS_MINUS: SortKey.PLUS,
    LedgerColumn.INTENT: SortKey.INTENT,
    LedgerColumn.STATE: SortKey.STATE,
    LedgerColumn.DRIFT: SortKey.DRIFT,
}
