"""The top of the window: which workspace, the search field, and the three verbs one reaches for."""

import os
from pathlib import Path

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QToolButton, QVBoxLayout, QWidget

from sulcus_panel.core.model import Workspace
from sulcus_panel.core.safety import plain
from sulcus_panel.ui.actions import Actions, Verb
from sulcus_panel.ui.models.wording import tooltip
from sulcus_panel.ui.theme import Theme, theme_of
from sulcus_panel.ui.views.themed_label import Ink, ThemedLabel

BUTTONS = (Verb.UNDO_TURN, Verb.REDO, Verb.EXPORT)


class TopBar(QWidget):
    """One line above everything else."""

    def __init__(
        self, workspace: Workspace, search: QLineEdit, actions: Actions, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("top_bar")
        self._styled: Theme | None = None
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 7, 12, 7)
        row.setSpacing(10)
        row.addWidget(_WorkspaceName(workspace))
        search.setMinimumWidth(200)
        search.setMaximumWidth(520)
        row.addWidget(search, 3)
        row.addStretch(2)
        for verb in BUTTONS:
            row.addWidget(_button(actions, verb))
        self._restyle()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._restyle()

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = theme_of(self.palette())
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(theme.window))
        painter.fillRect(0, self.height() - 1, self.width(), 1, QColor(theme.border))
        painter.end()

    def _restyle(self) -> None:
        theme = theme_of(self.palette())
        if theme is not self._styled:
            self._styled = theme
            self.setStyleSheet(_style(theme))


class _WorkspaceName(QFrame):
    """The workspace's name, and below it where it lies."""

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        name = plain(workspace.namespace, 60)
        root = plain(workspace.root or "no folder", 300)
        self.setToolTip(tooltip(root))
        self.setAccessibleName(f"Workspace {name}")
        title = ThemedLabel(name, strong=True, max_lines=1)
        middle = Qt.TextElideMode.ElideMiddle
        place = ThemedLabel(_short(root), ink=Ink.MUTED, scale=0.85, max_lines=1, elide=middle)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(title)
        column.addWidget(place)

    def minimumSizeHint(self) -> QSize:
        return QSize(90, super().minimumSizeHint().height())

    def sizeHint(self) -> QSize:
        return QSize(218, super().sizeHint().height())


def _short(root: str) -> str:
    """Return a folder as people say it: `~` for their own."""
    home = plain(str(Path.home()), 300)
    return f"~{root.removeprefix(home)}" if root.startswith(home + os.sep) else root


def _button(actions: Actions, verb: Verb) -> QToolButton:
    button = QToolButton()
    button.setDefaultAction(actions[verb])
    button.setAccessibleName(actions[verb].iconText())
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button


def _style(theme: Theme) -> str:
    return f"""
    #top_bar QToolButton {{ background: {theme.base}; color: {theme.text}; border: 1px solid {theme.border};
        border-radius: 6px; padding: 6px 12px; }}
    #top_bar QToolButton:hover {{ background: {theme.raised}; }}
    #top_bar QToolButton:focus {{ border-color: {theme.accent}; }}
    #top_bar QToolButton:disabled {{ color: {theme.muted}; background: {theme.window}; }}
    #top_bar QLineEdit {{ background: {theme.raised}; color: {theme.text}; border: 1px solid {theme.border};
        border-radius: 6px; padding: 4px 8px; selection-background-color: {theme.accent}; }}
    #top_bar QLineEdit:focus {{ border-color: {theme.accent}; background: {theme.base}; }}
    """
