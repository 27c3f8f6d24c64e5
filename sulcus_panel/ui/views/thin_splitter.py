"""A splitter whose handle is one line in the theme's colour, and easy to catch all the same."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSplitter, QSplitterHandle, QWidget

from sulcus_panel.ui.theme import theme_of

GRIP = 5
"""Pixels that catch the mouse; the line stands in their middle."""


class ThinSplitter(QSplitter):
    """Panes with a line between them."""

    def __init__(self, orientation: Qt.Orientation, parent: QWidget | None = None) -> None:
        super().__init__(orientation, parent)
        self.setHandleWidth(GRIP)
        self.setChildrenCollapsible(False)

    def createHandle(self) -> QSplitterHandle:
        return _Handle(self.orientation(), self)


class _Handle(QSplitterHandle):
    """Paints the line."""

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = theme_of(self.palette())
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(theme.window))
        line = self.rect()
        if self.orientation() is Qt.Orientation.Horizontal:
            line.setLeft(line.center().x())
            line.setWidth(1)
        else:
            line.setTop(line.center().y())
            line.setHeight(1)
        painter.fillRect(line, QColor(theme.border))
        painter.end()
