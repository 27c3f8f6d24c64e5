"""Names and values in two columns; a value may be a link. Rows without values are left out."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from sulcus_panel.ui.models.facts import Fact, FactLine
from sulcus_panel.ui.views.painted_button import PaintedButton, Shape
from sulcus_panel.ui.views.themed_label import Ink, ThemedLabel

NAME_WIDTH = 84


class FactList(QWidget):
    """Built anew for each entry: a handful of rows."""

    entry_requested = Signal(int)
    """A link to this entry was followed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._outer = QVBoxLayout(self)
        self._outer.setContentsMargins(0, 0, 0, 0)
        self._body = QWidget(self)
        self._outer.addWidget(self._body)

    def show_facts(self, facts: Sequence[Fact]) -> None:
        """Show these, in order."""
        self._outer.removeWidget(self._body)
        self._body.hide()
        self._body.deleteLater()
        self._body = QWidget(self)
        self._outer.addWidget(self._body)
        grid = QGridLayout(self._body)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(8)
        grid.setColumnMinimumWidth(0, NAME_WIDTH)
        grid.setColumnStretch(1, 1)
        for row, fact in enumerate(fact for fact in facts if fact.lines):
            name = ThemedLabel(fact.name, ink=Ink.MUTED, max_lines=1)
            grid.addWidget(name, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addLayout(self._value(fact), row, 1)

    def _value(self, fact: Fact) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(2)
        for line in fact.lines:
            column.addLayout(self._line(line))
        return column

    def _line(self, line: FactLine) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(5)
        if line.link:
            button = PaintedButton(line.link, Shape.LINK)
            button.setAccessibleName(line.spoken or line.link)
            button.setProperty("seq_id", line.seq_id)
            button.setEnabled(line.seq_id > 0)
            button.clicked.connect(self._on_link_clicked)
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        words = ThemedLabel(line.words, max_lines=line.most_lines)
        words.setToolTip(line.tip)
        row.addWidget(words, 1)
        return row

    @Slot()
    def _on_link_clicked(self) -> None:
        button = self.sender()
        if isinstance(button, PaintedButton):
            self.entry_requested.emit(int(button.property("seq_id")))
