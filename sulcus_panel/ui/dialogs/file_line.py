"""A file in one line of the preview: its name, what becomes of it, and a tick where it can be left out."""

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from sulcus_panel.ui.dialogs.hunk_card import share_room
from sulcus_panel.ui.dialogs.plain_label import PlainLabel
from sulcus_panel.ui.dialogs.status import Status
from sulcus_panel.ui.dialogs.tick_box import TickBox
from sulcus_panel.ui.models.wording import tooltip


@dataclass(frozen=True, slots=True)
class Line:
    """A name, what becomes of it, what its tooltip tells, and the parts that its tick chooses."""

    name: str
    status: Status
    whole: str = ""
    parts: tuple[int, ...] = ()


class FileLine(QFrame):
    """Shows a Line."""

    ticked = Signal(object, bool)
    """The numbers of the parts, and whether they are chosen."""

    def __init__(self, line: Line, *, can_tick: bool = False) -> None:
        super().__init__()
        self.setObjectName("path_line")
        self.parts = line.parts
        self.box = TickBox(line.name) if can_tick and line.parts else None
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 6, 0, 0)
        row.setSpacing(16)
        self._name: QWidget = self.box or PlainLabel(line.name, name="card_title", wrap=True)
        self._name.setToolTip(tooltip(line.whole))
        if self.box is not None:
            self.box.setObjectName(f"file_{line.parts[0]}")
            self.box.toggled.connect(self._on_toggled)
        self._status = PlainLabel(name="line_status", wrap=True)
        self._status.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self._name)
        row.addWidget(self._status, 1 if self.box is not None else 0)
        self._row = row
        self.show_line(line)

    def show_line(self, line: Line) -> None:
        """Say what becomes of the same file now."""
        self._status.setText(line.status.text)
        self._status.set_tone(line.status.mood)
        if self.box is None:
            share_room(self._row, self._name, self._status)
        else:
            self.box.setAccessibleName(f"{line.name}, {line.status.text}")

    def show_ticked(self, *, on: bool) -> None:
        """Show the tick as it was chosen elsewhere, without asking for anything."""
        if self.box is not None:
            self.box.blockSignals(True)
            self.box.setChecked(on)
            self.box.blockSignals(False)

    @Slot(bool)
    def _on_toggled(self, on: bool) -> None:
        self.ticked.emit(self.parts, on)
