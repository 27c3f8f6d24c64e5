"""Above the parts of a change: how many are chosen, and all, none or only the clean ones at a click."""

from collections.abc import Collection, Sequence

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from sulcus_panel.ui.dialogs.choices import Choice
from sulcus_panel.ui.dialogs.plain_label import PlainLabel


class PartsBar(QWidget):
    """Counts the ticks and asks for others."""

    wanted = Signal(object)
    """The hunk numbers that are to be ticked now, a tuple."""

    def __init__(self, choices: Sequence[Choice], ticked: Collection[int]) -> None:
        super().__init__()
        self.setObjectName("parts_bar")
        self._choices = tuple(choices)
        self._clean = tuple(choice for choice in choices if choice.is_clean)
        self._count = PlainLabel(name="parts_count")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 4, 0, 0)
        row.setSpacing(4)
        row.addWidget(self._count)
        row.addStretch(1)
        if self._clean and any(choice.is_clean is False for choice in choices):
            row.addWidget(self._button("Only what goes back cleanly", "tick_clean", self._on_clean))
        row.addWidget(self._button("Select all", "tick_all", self._on_all))
        row.addWidget(self._button("Select none", "tick_none", self._on_none))
        self.show_ticked(ticked)

    def show_ticked(self, ticked: Collection[int]) -> None:
        """Say how many parts are chosen."""
        chosen = sum(set(choice.parts) <= set(ticked) for choice in self._choices)
        said = f"{chosen:,} of {len(self._choices):,} parts"
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
        self.wanted.emit(_numbers(self._clean))

    @Slot()
    def _on_all(self) -> None:
        self.wanted.emit(_numbers(self._choices))

    @Slot()
    def _on_none(self) -> None:
        self.wanted.emit(())


def _numbers(choices: Sequence[Choice]) -> tuple[int, ...]:
    return tuple(number for choice in choices for number in choice.parts)
