"""When: the time of today, the day and the time of other days, and only the day where there is little room."""

from sulcus_panel.ui.delegates.cell import Cell, CellDelegate, draw_line
from sulcus_panel.ui.models.ledger_row import LedgerRow


class TimeDelegate(CellDelegate):
    """Paints the time; the tooltip has all of it."""

    def paint_row(self, cell: Cell, row: LedgerRow) -> None:
        """Paint the cell's contents."""
        text = row.time
        if cell.painter.fontMetrics().horizontalAdvance(text) > cell.inside.width():
            text = text.rpartition(" ")[0] or text
        draw_line(cell.painter, cell.inside, text, cell.theme.muted)
