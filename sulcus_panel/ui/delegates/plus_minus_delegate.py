"""How much: lines added and removed, each with its sign, so that colour is never the only difference."""

from sulcus_panel.ui.delegates.cell import Cell, CellDelegate, draw_line
from sulcus_panel.ui.models.ledger_row import LedgerRow
from sulcus_panel.ui.models.wording import signed_counts

GAP = 5


class PlusMinusDelegate(CellDelegate):
    """Paints `+4 −2`."""

    def paint_row(self, cell: Cell, row: LedgerRow) -> None:
        """Paint the cell's contents."""
        used = draw_line(cell.painter, cell.inside, signed_counts(row.plus, None), cell.theme.plus)
        rest = cell.inside.adjusted(used + GAP if used else 0, 0, 0, 0)
        draw_line(cell.painter, rest, signed_counts(None, row.minus), cell.theme.minus)
