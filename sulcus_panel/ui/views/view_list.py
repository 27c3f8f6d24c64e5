"""The views below the runs: everything, what waits for the person, the two other timelines, the rules."""

from enum import StrEnum

from PySide6.QtCore import QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QSizePolicy, QVBoxLayout, QWidget

from sulcus_panel.ui.delegates.cell import draw_line
from sulcus_panel.ui.theme import theme_of

SIDE = 14
COUNT_GAP = 8
"""Pixels between a name and its count; without a count the name has the whole line."""


class SidebarView(StrEnum):
    """What the sidebar can ask for beside a run or a turn."""

    ALL = "All changes"
    WAITING = "Waiting for you"
    UNDO_HISTORY = "Undo history"
    GOVERNANCE = "Governance"
    TRIGGERS = "Ledger & Triggers"


class ViewButton(QAbstractButton):
    """One line: a name, and a count at its right where there is something to count."""

    def __init__(self, view: SidebarView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.view = view
        self._count = 0
        self.setText(view.value)
        self.setShortcut(QKeySequence())  # the ampersand of a name is none of a key
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(view.value)

    def set_count(self, count: int) -> None:
        """Show a count; 0 shows none."""
        self._count = count
        self.setAccessibleName(f"{self.view.value}, {count:,}" if count else self.view.value)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(140, self.fontMetrics().height() + 12)

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = theme_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = self.rect().adjusted(6, 0, -6, 0)
        ground = theme.accent_soft if self.isChecked() else theme.raised if self.underMouse() else theme.base
        painter.setPen(QColor(theme.accent if self.hasFocus() else ground))
        painter.setBrush(QColor(ground))
        painter.drawRoundedRect(area, 6, 6)
        words = QRect(SIDE, 0, self.width() - SIDE - 16, self.height())
        count = f"{self._count:,}" if self._count else ""
        painter.setPen(QColor(theme.muted))
        painter.drawText(words, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, count)
        taken = painter.fontMetrics().horizontalAdvance(count) + COUNT_GAP if count else 0
        draw_line(painter, words.adjusted(0, 0, -taken, 0), self.text(), theme.text)
        painter.end()


class ViewList(QWidget):
    """All views, at most one of them chosen."""

    view_requested = Signal(object)
    """A SidebarView."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._group = QButtonGroup(self)
        self._buttons: dict[SidebarView, ViewButton] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(1)
        for view in SidebarView:
            button = ViewButton(view, self)
            self._group.addButton(button)
            self._buttons[view] = button
            column.addWidget(button)
        self._group.buttonClicked.connect(self._on_clicked)
        self.choose(SidebarView.ALL)

    def choose(self, view: SidebarView | None) -> None:
        """Show a view as chosen, or none; asks for nothing."""
        self._group.setExclusive(view is not None)
        for each, button in self._buttons.items():
            button.setChecked(each is view)

    def set_count(self, view: SidebarView, count: int) -> None:
        """Show how much there is behind a view."""
        self._buttons[view].set_count(count)

    @Slot(QAbstractButton)
    def _on_clicked(self, button: QAbstractButton) -> None:
        if isinstance(button, ViewButton):
            self._group.setExclusive(True)
            button.setChecked(True)
            self.view_requested.emit(button.view)
