"""New rows have come above what can be seen: says how many, and asks to be shown them."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from sulcus_panel.ui.models.wording import count_of
from sulcus_panel.ui.views.painted_button import PaintedButton, Shape


class NewRowsPill(PaintedButton):
    """`2 new changes ↑`, hidden while there are none."""

    show_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", Shape.CHIP, parent)
        self.clicked.connect(self.show_requested)
        self.set_count(0)

    @Slot(int)
    def set_count(self, count: int) -> None:
        """Say how many new rows there are."""
        words = count_of(count, "new change")
        self.setText(f"{words} ↑")
        self.setAccessibleName(f"Show {words}")
        self.setVisible(count > 0)
        self.updateGeometry()
