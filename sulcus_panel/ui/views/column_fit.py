"""How wide the ledger's columns are: what is short gets what it needs, target and intent share the rest.

The button is never pushed out of sight. With less room, columns give way in the order of `STEPS`: some are
told in brief (a dot for a name, "Undo" for the button), some go.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from PySide6.QtGui import QFontMetrics

from sulcus_panel.ui.delegates.cell import PADDING
from sulcus_panel.ui.models.columns import LedgerColumn

Widths = Mapping[LedgerColumn, int]

WIDEST_TEXTS = {
    LedgerColumn.SEQ: "00000",
    LedgerColumn.TIME: "00 Nov 00:00",
    LedgerColumn.HARNESS: "●  outside",
    LedgerColumn.ACTION: "created",
    LedgerColumn.PLUS_MINUS: "+1.2k −388",
    LedgerColumn.STATE: "changed outside00",
    LedgerColumn.DRIFT: "changed outside00",
    LedgerColumn.UNDO: "Surgical Undo000",
}
BRIEF_TEXTS = {
    LedgerColumn.TIME: "00:00:00",
    LedgerColumn.HARNESS: "●",
    LedgerColumn.STATE: "changed00",
    LedgerColumn.UNDO: "No undo00",
}
TARGET_FROM, INTENT_FROM = 155, 160
DRIFT_FROM = 420
"""With more room than this left for target and intent, drift has a column of its own."""
INTENT_NEEDS = 230 + INTENT_FROM


@dataclass(frozen=True, slots=True)
class Step:
    """Where less than `least` would be left for the target, `column` goes, or is told in brief."""

    column: LedgerColumn
    least: int
    brief: bool = False


STEPS = (
    Step(LedgerColumn.INTENT, INTENT_NEEDS),
    Step(LedgerColumn.TIME, 190, brief=True),
    Step(LedgerColumn.UNDO, TARGET_FROM, brief=True),
    Step(LedgerColumn.STATE, TARGET_FROM, brief=True),
    Step(LedgerColumn.ACTION, TARGET_FROM),
    Step(LedgerColumn.HARNESS, TARGET_FROM, brief=True),
    Step(LedgerColumn.TIME, 140),
    Step(LedgerColumn.PLUS_MINUS, 140),
    Step(LedgerColumn.STATE, 110),
)
GIVE_WAY = frozenset(step.column for step in STEPS if not step.brief)
TARGET_SHARE = 0.6


@dataclass(frozen=True, slots=True)
class ColumnFit:
    """Widths of target and intent, which columns do not fit, and how narrow those told in brief are."""

    target: int
    intent: int
    hidden: frozenset[LedgerColumn]
    brief: Widths = field(default_factory=dict)


def natural_widths(metrics: QFontMetrics) -> dict[LedgerColumn, int]:
    """Return the width of every column whose contents have a usual length."""
    return _measured(metrics, WIDEST_TEXTS)


def brief_widths(metrics: QFontMetrics) -> dict[LedgerColumn, int]:
    """Return the width of the columns that can be told in brief."""
    return _measured(metrics, BRIEF_TEXTS)


def fit(room: int, widths: Widths, brief: Widths) -> ColumnFit:
    """Share `room` pixels; `widths` are those of the columns other than target and intent."""
    left = room - sum(width for column, width in widths.items() if column is not LedgerColumn.DRIFT)
    hidden = {LedgerColumn.DRIFT}
    if left - widths[LedgerColumn.DRIFT] >= DRIFT_FROM:
        left -= widths[LedgerColumn.DRIFT]
        hidden.clear()
    narrow = dict(widths)
    for step in STEPS:
        if left >= step.least:
            break
        width = min(brief[step.column], narrow[step.column]) if step.brief else 0
        left += narrow.get(step.column, 0) - width
        narrow[step.column] = width
        if not step.brief:
            hidden.add(step.column)
    shorter = {
        column: narrow[column] for column in brief if narrow[column] < widths[column] and narrow[column]
    }
    if LedgerColumn.INTENT in hidden:
        return ColumnFit(max(left, 80), 0, frozenset(hidden), shorter)
    target = max(TARGET_FROM, int(left * TARGET_SHARE))
    return ColumnFit(target, left - target, frozenset(hidden), shorter)


def _measured(metrics: QFontMetrics, texts: Mapping[LedgerColumn, str]) -> dict[LedgerColumn, int]:
    return {column: metrics.horizontalAdvance(text) + 2 * PADDING for column, text in texts.items()}
