"""Many cards, of which the first are built and the rest counted: 5,000 parts show as fast as 50."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from sulcus_panel.ui.dialogs.plain_label import PlainLabel
from sulcus_panel.ui.models.wording import listed

AT_ONCE = 40


@dataclass(frozen=True, slots=True)
class Part:
    """A card that may be built: `noun` and `goes` are what is said of it as long as it is not.

    `goes` is None where there is nothing to say of it, an empty noun is not counted. A card of the same `key`
    is not built again: `renew` shows on it what has become of it.
    """

    make: Callable[[], QWidget]
    noun: str = ""
    goes: bool | None = None
    key: object = None
    renew: Callable[[QWidget], None] | None = None


class CardList(QWidget):
    """The first cards, a line about those that are not shown, and a button that shows more of them."""

    grown = Signal()
    """More cards are shown."""

    def __init__(self, parts: Sequence[Part], shown: int = AT_ONCE, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts = parts
        self._built: list[QWidget] = []
        self._cards = QVBoxLayout()
        self._cards.setSpacing(14)
        self._rest = PlainLabel(name="rest_line", tone="quiet", wrap=True)
        self._more = QPushButton()
        self._more.setObjectName("more_button")
        self._more.setFlat(True)
        self._more.setAutoDefault(False)
        self._more.clicked.connect(self._on_more_clicked)
        self._foot = QWidget()
        row = QHBoxLayout(self._foot)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._rest, 1)
        row.addWidget(self._more)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(14)
        layout.addLayout(self._cards)
        layout.addWidget(self._foot)
        self._show(shown)

    @property
    def shown(self) -> int:
        """How many cards are built."""
        return len(self._built)

    def renew(self, parts: Sequence[Part]) -> bool:
        """Show other parts on the cards that are there; False where they are not the same cards."""
        if [part.key for part in parts] != [part.key for part in self._parts]:
            return False
        if any(part.renew is None for part in parts):
            return False
        self._parts = parts
        for part, card in zip(parts, self._built, strict=False):
            if part.renew is not None:
                part.renew(card)
        self._show(self.shown)
        return True

    def _show(self, count: int) -> None:
        for part in self._parts[self.shown : count]:
            card = part.make()
            self._cards.addWidget(card)
            self._built.append(card)
        rest = self._parts[self.shown :]
        self._foot.setVisible(bool(rest))
        self._rest.setText(rest_words(rest))
        self._more.setText(f"Show the next {min(AT_ONCE, len(rest))}")

    @Slot()
    def _on_more_clicked(self) -> None:
        self._show(self.shown + AT_ONCE)
        self.grown.emit()


def rest_words(rest: Sequence[Part]) -> str:
    """Return `4,950 more parts: all of them go back`."""
    counts = Counter(part.noun for part in rest if part.noun)
    said = listed([f"{n:,} more {noun if n == 1 else noun + 's'}" for noun, n in counts.items()])
    judged = [part.goes for part in rest if part.goes is not None]
    if not judged:
        return said
    staying = judged.count(False)
    if staying:
        return f"{said}: {staying:,} of them {'does' if staying == 1 else 'do'} not go back"
    return f"{said}: {'it goes' if len(judged) == 1 else 'all of them go'} back"
