"""Every action and its keys, made from the table of verbs."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QGridLayout, QScrollArea, QVBoxLayout, QWidget

from sulcus_panel.ui.actions import MENUS, TABLE, keys_of
from sulcus_panel.ui.dialogs.plain_label import PlainLabel

ALWAYS = (
    ("Next or previous change", "Down, Up, J, K"),
    ("First or last change", "Home, End"),
    ("Leave the search field", "Esc"),
    ("Show or hide unchanged lines", "Enter"),
)


class KeySheet(QDialog):
    """A list to look at; Esc closes it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("key_sheet")
        self.setWindowTitle("Keys")
        self.setModal(False)
        self.resize(520, 740)
        page = QWidget()
        grid = QGridLayout(page)
        grid.setContentsMargins(20, 16, 20, 16)
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(7)
        grid.setColumnStretch(0, 1)
        for title in MENUS:
            rows = [row for row in TABLE if row.menu == title]
            lines = [(row.text.replace("&", "").rstrip("…"), keys_of(row)) for row in rows]
            _add_group(grid, title.replace("&", ""), lines)
        _add_group(grid, "In the list and the difference", list(ALWAYS))
        grid.setRowStretch(grid.rowCount(), 1)
        area = QScrollArea()
        area.setWidget(page)
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setAccessibleName("Keys")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 12)
        column.addWidget(area)
        column.addWidget(buttons)
        buttons.setContentsMargins(0, 0, 12, 0)


def _add_group(grid: QGridLayout, title: str, rows: list[tuple[str, str]]) -> None:
    head = PlainLabel(title, tone="quiet")
    font = head.font()
    font.setBold(True)
    head.setFont(font)
    head.setContentsMargins(0, 10 if grid.count() else 0, 0, 0)
    grid.addWidget(head, grid.rowCount(), 0, 1, 2)
    for text, keys in rows:
        if keys:
            line = grid.rowCount()
            grid.addWidget(PlainLabel(text), line, 0)
            grid.addWidget(PlainLabel(keys), line, 1, Qt.AlignmentFlag.AlignRight)
