"""What must be ticked before a yes, below each other; where there is much of it, it scrolls."""

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from sulcus_panel.ui.dialogs.demands import Demand
from sulcus_panel.ui.dialogs.plain_label import PlainLabel
from sulcus_panel.ui.dialogs.tick_box import TickBox

HIGHEST = 172
"""Pixels; the plan above must stay in sight."""
GAP = 4
HEADING = "Please look at this first"


class TickList(QScrollArea):
    """One tick box a demand, under a heading where the plan wants consent; a tick that stays true is kept."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("tick_list")
        self.setAccessibleName(HEADING)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._boxes: dict[Demand, TickBox] = {}
        self._lines: list[QWidget] = []
        self.hide()

    @property
    def ticked(self) -> int:
        """How many are ticked."""
        return sum(box.isChecked() for box in self._boxes.values())

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self._boxes)

    @property
    def keys(self) -> tuple[str, ...]:
        """The consents that are given by what is ticked now."""
        return tuple(each.key for each, box in self._boxes.items() if each.key and box.isChecked())

    def show_demands(self, demands: tuple[Demand, ...], *, keep: bool = True) -> None:
        """Show these; with `keep`, what was ticked before and means the same stays so."""
        before = {each: box.isChecked() and keep for each, box in self._boxes.items()}
        page = QWidget()
        page.setObjectName("tick_page")
        headed = any(each.key for each in demands)
        self._lines = [PlainLabel(HEADING, name="section_title", parent=page)] if headed else []
        self._boxes = {}
        numbers = {True: 0, False: 0}
        for each in demands:
            kind = bool(each.key)
            box = TickBox(each.text, page)
            box.setObjectName(f"{'consent' if kind else 'consequence'}_{numbers[kind]}")
            numbers[kind] += 1
            box.setChecked(before.get(each, False))
            box.toggled.connect(self._on_toggled)
            self._boxes[each] = box
            self._lines.append(box)
        self.setWidget(page)
        self.setVisible(bool(demands))
        self._suit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._suit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._suit()  # what is shown has its style by now

    def minimumSizeHint(self) -> QSize:
        return QSize(160, 0)

    def _suit(self) -> None:
        """Put the lines below each other, and be as high as they are, up to a limit."""
        if (page := self.widget()) is None:
            return
        width, top = self.viewport().width(), 0
        for line in self._lines:
            line.ensurePolished()
            height = line.heightForWidth(width) if line.hasHeightForWidth() else line.sizeHint().height()
            line.setGeometry(0, top, width, height)
            top += height + GAP
        page.resize(width, max(0, top - GAP))
        self.setFixedHeight(min(page.height(), HIGHEST))

    @Slot()
    def _on_toggled(self) -> None:
        self.changed.emit()
