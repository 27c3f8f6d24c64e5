"""Puts a widget on the screen inside a bare window: the offscreen platform warns at a window with size hints."""

from weakref import WeakKeyDictionary

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

_windows: WeakKeyDictionary[QtBot, list[QWidget]] = WeakKeyDictionary()
"""qtbot itself keeps weak references only; a window lives as long as its test's qtbot."""


def on_stage(qtbot: QtBot, widget: QWidget, width: int, height: int) -> None:
    """Show `widget` with this size until the test ends."""
    window = QWidget()
    qtbot.addWidget(window)
    _windows.setdefault(qtbot, []).append(window)
    window.resize(max(width, 1400), max(height, 900))
    widget.setParent(window)
    widget.resize(width, height)
    window.show()
    widget.show()
