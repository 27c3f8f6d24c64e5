"""How wide the ledger's columns are: what is short gets what it needs, target and intent share the rest.

The button is never pushed out of sight: with less room, columns give way in the order of `GIVE_WAY`.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtGui import QFontMetrics

from sulcus_panel.ui.delegates.cell import PADDING
from sulcus_panel.ui.models.columns import LedgerColumn

WIDEST_TEXTS = {
    LedgerColumn.SEQ: "00000",
    LedgerColumn.TIME: "00:00:00",
    LedgerColumn.HARNESS: "●  outside",
    LedgerColumn.ACTION: "created",
    LedgerColumn.PLUS_MINUS: "+1.2k −388",
    LedgerColumn.STATE: "changed outside00",
    LedgerColumn.DRIFT: "changed outside00",
    LedgerColumn.UNDO: "Surgical Undo000",
}
TARGET_FROM, INTENT_FROM = 155, 100
DRIFT_FROM = 420
"""With more room than this left for target and intent, drift has a column of its own."""
GIVE_WAY = {
    LedgerColumn.INTENT: TARGET_FROM + INTENT_FROM,
    LedgerColumn.ACTION: TARGET_FROM,
    LedgerColumn.TIME: TARGET_FROM,
    LedgerColumn.PLUS_MINUS: 140,
    LedgerColumn.HARNESS: 110,
    LedgerColumn.STATE: 110,
}
"""In this order, each where less than so much would be left for the target."""
TARGET_SHARE = 0.6


@dataclass(frozen=True, slots=True)
class ColumnFit:
    """Widths of target and intent, and which columns do not fit."""

    target: int
    intent: int
    hidden: frozenset[LedgerColumn]


def natural_widths(metrics: QFontMetrics) -> dict[LedgerColumn, int]:
    """Return the width of every column whose contents have a usual length."""
    return {column: metrics.horizontalAdvance(text) + 2 * PADDING for column, text in WIDEST_TEXTS.items()}


def fit(room: int, widths: Mapping[LedgerColumn, int]) -> ColumnFit:
    """Share `room` pixels; `widths` are those of the columns other than target and intent."""
    left = room - sum(width for column, width in widths.items() if column is not LedgerColumn.DRIFT)
    if left - widths[LedgerColumn.DRIFT] >= DRIFT_FROM:
        left -= widths[LedgerColumn.DRIFT]
        hidden = set()
    else:
        hidden = {LedgerColumn.DRIFT}
    for column, least in GIVE_WAY.items():
        if left < least:
            hidden.add(column)
            left += widths.get(column, 0)
    if LedgerColumn.INTENT in hidden:
        return ColumnFit(max(left, 80), 0, frozenset(hidden))
    target = max(TARGET_FROM, int(left * TARGET_SHARE))
    return ColumnFit(target, left - target, frozenset(hidden))
