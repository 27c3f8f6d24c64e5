"""Above the parts of a change: how many are chosen, and all, none or only the clean ones at a click."""

from collections.abc import Collection, Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from sulcus_panel.core.undo.model import HunkOutcome, HunkPlan
from sulcus_panel.ui.dialogs.plain_label import PlainLabel

GOING = (HunkOutcome.UNDONE, HunkOutcome.MOVED, HunkOutcome.ALREADY_UNDONE)


class PartsBar(QWidget):
    """Counts the ticks and asks for others."""

    wanted = Signal(object)
    """The hunk numbers that are to be ticked now, a tuple."""

    def __init__(self, hunks: Sequence[HunkPlan], ticked: Collection[int]) -> None:
        super().__init__()
        self.setObjectName("parts_bar")
        self._all = tuple(hunk.index for hunk in hunks)
        self._clean = tuple(hunk.index for hunk in hunks if hunk.outcome in GOING)
        self._count = PlainLabel(name="parts_count")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 4, 0, 0)
        row.setSpacing(4)
        row.addWidget(self._count)
        row.addStretch(1)
        some_stand = 0 < len(self._clean) < len(self._all)
        if some_stand:
            row.addWidget(self._button("Only what goes back cleanly", "tick_clean", self._on_clean))
        row.addWidget(self._button("Select all", "tick_all", self._on_all))
        row.addWidget(self._button("Select none", "tick_none", self._on_none))
        self.show_ticked(ticked)

    def show_ticked(self, ticked: Collection[int]) -> None:
        """Say how many parts are chosen."""
        said = f"{len(ticked):,} of {len(self._all):,} parts"
        self._count.setText(said)
        self.setAccessibleName(f"{said} chosen")

    def _button(self, text: str, name: str, slot: object) -> QPushButton:
        button = QPushButton(text)
        button.setObjectName(name)
        button.setFlat(True)
        button.setAutoDefault(False)
        button.clicked.connect(slot)
        return button

    @Slot()
    def _on_clean(self) -> None:
        self.wanted.emit(self._clean)

    @Slot()
    def _on_all(self) -> None:
        self.wanted.emit(self._all)

    @Slot()
    def _on_none(self) -> None:
        self.wanted.emit(())
