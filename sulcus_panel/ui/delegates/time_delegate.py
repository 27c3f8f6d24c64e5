"""When: the time of today, the day and the time of other days.

Where there is little room only the day, and of another year, whose day is long too, the month.
"""

from sulcus_panel.core.local_time import local_time
from sulcus_panel.ui.delegates.cell import Cell, CellDelegate, draw_line
from sulcus_panel.ui.models.ledger_row import LedgerRow


class TimeDelegate(CellDelegate):
    """Paints the time; the tooltip has all of it."""

    def paint_row(self, cell: Cell, row: LedgerRow) -> None:
        """Paint the cell's contents."""
        text = row.time
        if cell.painter.fontMetrics().horizontalAdvance(text) > cell.inside.width():
            text = brief_of(row)
        draw_line(cell.painter, cell.inside, text, cell.theme.muted)


def brief_of(row: LedgerRow) -> str:
    """Return the shortest that a row's time can be said: `29 Nov`, `2025-07`; a time of today has no shorter."""
    if " " in row.time:
        return row.time.rpartition(" ")[0]
    return row.time if ":" in row.time else f"{local_time(row.entry.record.at):%Y-%m}"
