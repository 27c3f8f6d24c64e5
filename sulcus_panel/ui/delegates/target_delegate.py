"""Where it happened: the file's name first and bold, its folder after it, muted and cut in the middle.

A command or a call is cut at its end: it is known by how it begins.
"""

from PySide6.QtCore import Qt

from sulcus_panel.core.model import ActionType
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
        used = draw_line(painter, cell.inside, row.name, cell.theme.text, elide_of(row))
        folder = cell.inside.adjusted(used + GAP, 0, 0, 0)
        painter.setFont(cell.font)
        if row.folder and folder.width() >= NARROWEST_FOLDER:
            draw_line(painter, folder, row.folder, cell.theme.muted, middle)


def elide_of(row: LedgerRow) -> Qt.TextElideMode:
    """Return where the name is cut: a file's in the middle, for its end tells what it is."""
    acts = row.entry.record.action_type in {ActionType.RUN_COMMAND, ActionType.MCP_MUTATION}
    return Qt.TextElideMode.ElideRight if acts else Qt.TextElideMode.ElideMiddle
