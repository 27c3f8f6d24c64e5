"""Who: a dot in the harness's colour and its name."""

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter

from sulcus_panel.ui.delegates.cell import Cell, CellDelegate, draw_line
from sulcus_panel.ui.models.ledger_row import LedgerRow
from sulcus_panel.ui.theme import Theme

DOT = 8
GAP = 5
LEAST_WORDS = 28
"""Pixels below which the name is left to the tooltip."""

HARNESS_COLOURS = {
    "claude-code": "#d97757",
    "codex": "#10a37f",
    "codex-cli": "#10a37f",
    "gemini": "#4285f4",
    "gemini-cli": "#4285f4",
    "cursor": "#8b5cf6",
    "copilot-cli": "#c0599b",
    "copilot": "#c0599b",
    "opencode": "#b7862d",
    "windsurf": "#0e9aa7",
    "cline": "#7a8b2a",
    "aider": "#5a8f5a",
}
"""The products' own colours, the same in both themes; the name beside a dot says the same."""


def harness_colour(dot: str, theme: Theme) -> str:
    """Return the colour of a dot: a harness's own, the accent for undos, grey for everybody else."""
    return theme.accent if dot == "undo" else HARNESS_COLOURS.get(dot, theme.muted)


class HarnessDelegate(CellDelegate):
    """Paints dot and name."""

    def paint_row(self, cell: Cell, row: LedgerRow) -> None:
        """Paint the cell's contents."""
        inside = cell.inside
        draw_dot(cell.painter, inside.left(), inside.center().y() + 1, harness_colour(row.dot, cell.theme))
        words = inside.adjusted(DOT + GAP, 0, 0, 0)
        if words.width() >= LEAST_WORDS:
            draw_line(cell.painter, words, row.who, cell.theme.text)


def draw_dot(painter: QPainter, left: int, middle: int, colour: str) -> None:
    """Draw a filled dot, smooth at every scale."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colour))
    painter.drawEllipse(QPointF(left + DOT / 2, middle), DOT / 2, DOT / 2)
    painter.restore()
