"""F6 and Shift+F6: the focus goes around the parts of the window, past those that are hidden or empty."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import QApplication, QWidget


class PaneRing(QObject):
    """The panes of one window in the order they are visited."""

    def __init__(self, panes: Sequence[QWidget], parent: QObject) -> None:
        super().__init__(parent)
        self._panes = tuple(panes)

    @Slot()
    def next(self) -> None:
        """Give the focus to the pane after the one that has it."""
        self._go(1)

    @Slot()
    def previous(self) -> None:
        """Give the focus to the pane before the one that has it."""
        self._go(-1)

    def _go(self, step: int) -> None:
        focused = QApplication.focusWidget()
        at = next((i for i, pane in enumerate(self._panes) if _holds(pane, focused)), None)
        first = (0 if step > 0 else -1) if at is None else at + step
        for turn in range(len(self._panes)):
            target = _way_in(self._panes[(first + turn * step) % len(self._panes)])
            if target is not None:
                target.setFocus(Qt.FocusReason.ShortcutFocusReason)
                return


def _holds(pane: QWidget, focused: QWidget | None) -> bool:
    return focused is not None and (pane is focused or pane.isAncestorOf(focused))


def _way_in(pane: QWidget) -> QWidget | None:
    """Return what takes the focus in a pane: itself, or the first part that can."""
    for widget in (pane, *pane.findChildren(QWidget)):
        if _can_focus(widget):
            return widget
    return None


def _can_focus(widget: QWidget) -> bool:
    takes = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
    return takes and widget.isVisible() and widget.isEnabled() and widget.focusProxy() is None
