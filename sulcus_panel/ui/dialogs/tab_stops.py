"""Where Tab goes: in the order in which a sheet is read, whenever its widgets were made."""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def tab_stops(parts: Iterable[QWidget]) -> Iterator[QWidget]:
    """Yield what Tab can reach of each of `parts`, themselves before what is in them."""
    for part in parts:
        for widget in (part, *part.findChildren(QWidget)):
            if widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
                yield widget


def chain_tabs(stops: Iterable[QWidget]) -> None:
    """Let Tab go from each of these to the next."""
    for before, after in pairwise(stops):
        QWidget.setTabOrder(before, after)
