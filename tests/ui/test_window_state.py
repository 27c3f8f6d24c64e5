"""What the window remembers, and that a memory from elsewhere does no harm."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QMainWindow, QSplitter, QWidget
from pytestqt.qtbot import QtBot

from sulcus_panel.ui.theme import ThemeChoice
from sulcus_panel.ui.window_state import FILE, WindowState


def window_with_panes(qtbot: QtBot) -> tuple[QMainWindow, QSplitter]:
    window, splitter = QMainWindow(), QSplitter(Qt.Orientation.Horizontal)
    for _ in range(2):
        splitter.addWidget(QWidget())
    window.setCentralWidget(splitter)
    window.resize(600, 300)
    qtbot.addWidget(window)
    window.show()
    return window, splitter


def test_panes_come_back_as_they_were_left(tmp_path: Path, qtbot: QtBot) -> None:
    window, splitter = window_with_panes(qtbot)
    splitter.setSizes([150, 450])
    WindowState(tmp_path).save(window, {"columns": splitter}, {})
    other, panes = window_with_panes(qtbot)
    WindowState(tmp_path).restore(other, {"columns": panes}, {})
    assert panes.sizes() == splitter.sizes()


def test_choices_come_back(tmp_path: Path) -> None:
    state = WindowState(tmp_path)
    assert (state.theme, state.side_by_side) == (ThemeChoice.SYSTEM, True)
    state.theme, state.side_by_side = ThemeChoice.DARK, False
    again = WindowState(tmp_path)
    assert (again.theme, again.side_by_side) == (ThemeChoice.DARK, False)


def test_a_broken_or_older_memory_is_dropped(tmp_path: Path, qtbot: QtBot) -> None:
    (tmp_path / FILE).write_text("[General]\nversion=0\ntheme=plaid\ngeometry=nonsense\n")
    window, splitter = window_with_panes(qtbot)
    sizes = splitter.sizes()
    headers: dict[str, QHeaderView] = {}
    state = WindowState(tmp_path)
    state.restore(window, {"columns": splitter}, headers)
    assert state.theme is ThemeChoice.SYSTEM
    assert splitter.sizes() == sizes
