"""Where it happened: the file's name first and bold, its folder after it, muted and cut in the middle."""

from PySide6.QtCore import Qt

from sulcus_panel.ui.delegates.cell import Cell, CellDelegate, bold, draw_line
from sulcus_panel.ui.models.ledger_row import LedgerRow

GAP = 6
NARROWEST_FOLDER = 48


class TargetDelegate(CellDelegate):
    """Paints name and folder; the name is never shortened for the folder's sake."""

    def paint_row(self, cell: Cell, row: LedgerRow) -> None:
        """Paint the cell's contents."""
        painter, middle = cell.painter, Qt.TextElideMode.ElideMiddle
        painter.setFont(bold(cell.font))
        used = draw_line(painter, cell.inside, row.name, cell.theme.text, middle)
        folder = cell.inside.adjusted(used + GAP, 0, 0, 0)
        painter.setFont(cell.font)
        if row.folder and folder.width() >= NARROWEST_FOLDER:
            draw_line(painter, folder, row.folder, cell.theme.muted, middle)
