"""What is in the ledger, counted by kind: chips that narrow the search, each a word of it."""

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QSize, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from sulcus_panel.core.ledger.queries import Facets
from sulcus_panel.core.model import ActionType, EntryState
from sulcus_panel.ui.models.search_text import has_word
from sulcus_panel.ui.models.wording import harness_name, tooltip
from sulcus_panel.ui.views.painted_button import PaintedButton, Shape

ACTION_CHIPS = (
    (ActionType.FILE_EDIT, "Edits", "action:edit"),
    (ActionType.FILE_WRITE, "Written", "action:write"),
    (ActionType.FILE_CREATE, "Created", "action:create"),
    (ActionType.FILE_DELETE, "Deleted", "action:delete"),
    (ActionType.RUN_COMMAND, "Commands", "action:command"),
    (ActionType.MCP_MUTATION, "MCP", "action:mcp"),
)
STATE_CHIPS = (
    (EntryState.UNDONE, "Undone", "is:undone"),
    (EntryState.PARTLY_UNDONE, "Partly undone", "is:partly"),
    (EntryState.DEFERRED, "Decide later", "is:deferred"),
    (EntryState.HELD, "Held", "is:held"),
)
SPACING = 7


@dataclass(frozen=True, slots=True)
class Facet:
    """One chip: what it says, how many, and the word of the search it stands for."""

    label: str
    count: int
    word: str


class FacetChips(QWidget):
    """A row of chips; those that do not fit are left out, the search knows their words too."""

    word_toggled = Signal(str)
    """A word of the search to be taken in or out."""
    scope_cleared = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Filters")
        self._search = ""
        self._scope = PaintedButton("", Shape.CHIP, self)
        self._scope.setCheckable(True)
        self._scope.clicked.connect(self._on_scope_clicked)
        self._chips: list[PaintedButton] = []
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(SPACING)
        self._row.addWidget(self._scope)
        self._row.addStretch(1)
        self.set_scope("")

    def set_scope(self, label: str) -> None:
        """Name the part of the ledger that is looked at; empty for all of it."""
        self._scope.setText(f"{label} ✕" if label else "")
        self._scope.setAccessibleName(f"{label}: show all changes instead")
        self._scope.setChecked(True)
        self._scope.setVisible(bool(label))
        self._drop_what_does_not_fit()

    def set_search(self, text: str) -> None:
        """Show as chosen the chips whose word the search has."""
        self._search = text
        for chip in self._chips:
            chip.setChecked(has_word(text, str(chip.property("word"))))

    def set_facets(self, facets: Facets) -> None:
        """Show these counts."""
        wanted = list(_facets(facets))
        while len(self._chips) > len(wanted):
            chip = self._chips.pop()
            self._row.removeWidget(chip)
            chip.deleteLater()
        while len(self._chips) < len(wanted):
            self._add_chip()
        for chip, facet in zip(self._chips, wanted, strict=True):
            chip.setProperty("word", facet.word)
            chip.setText(f"{facet.label} {facet.count:,}")
            chip.setAccessibleName(f"Only {facet.label}: {facet.count:,}")
            chip.setToolTip(tooltip(facet.word))
            chip.updateGeometry()
        self.set_search(self._search)
        self._drop_what_does_not_fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._drop_what_does_not_fit()

    def minimumSizeHint(self) -> QSize:
        return QSize(60, super().minimumSizeHint().height())

    def _add_chip(self) -> None:
        chip = PaintedButton("", Shape.CHIP, self)
        chip.setCheckable(True)
        chip.clicked.connect(self._on_chip_clicked)
        self._row.insertWidget(self._row.count() - 1, chip)
        self._chips.append(chip)

    def _drop_what_does_not_fit(self) -> None:
        used = 0 if self._scope.isHidden() else self._scope.sizeHint().width() + SPACING
        for chip in self._chips:
            used += chip.sizeHint().width() + SPACING
            chip.setVisible(used - SPACING <= self.width())

    @Slot()
    def _on_chip_clicked(self) -> None:
        chip = self.sender()
        if isinstance(chip, PaintedButton):
            self.word_toggled.emit(str(chip.property("word")))

    @Slot()
    def _on_scope_clicked(self) -> None:
        self.scope_cleared.emit()


def _facets(facets: Facets) -> Iterator[Facet]:
    for action, label, word in ACTION_CHIPS:
        if count := facets.action_type.get(action, 0):
            yield Facet(label, count, word)
    if facets.drifted:
        yield Facet("Drifted", facets.drifted, "is:drifted")
    for state, label, word in STATE_CHIPS:
        if count := facets.state.get(state, 0):
            yield Facet(label, count, word)
    if len(facets.harness) > 1:
        for harness, count in sorted(facets.harness.items(), key=_most_first):
            yield Facet(harness_name(harness), count, f"harness:{_quoted(harness)}")


def _most_first(item: tuple[str, int]) -> tuple[int, str]:
    return -item[1], item[0]


def _quoted(value: str) -> str:
    return f'"{value}"' if any(letter.isspace() for letter in value) else value
