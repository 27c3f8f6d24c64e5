"""The page "Ledger & Triggers": what is kept and who has a key, and the rules that watch what happens."""

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from sulcus_panel.core.ledger.rules import Delivery
from sulcus_panel.core.triggers import Firing, Trigger
from sulcus_panel.ui.models.trigger_words import call_row, firing_row, trigger_row
from sulcus_panel.ui.models.wording import local_now, size_words
from sulcus_panel.ui.views.painted_button import PaintedButton, Shape
from sulcus_panel.ui.views.rows_table import RowsTable
from sulcus_panel.ui.views.themed_label import Ink, ThemedLabel

ABOUT = "Triggers watch what happens and do something about it. They never stop an agent."
NONE_YET = "There is no trigger yet. Add… makes one, such as: tell me when an agent changes *.env."
EDGE = 12
LEAST_ROWS = 5
"""With less room the page scrolls as a whole."""


@dataclass(frozen=True, slots=True)
class TriggersSeen:
    """Everything that the page shows of the rules: all of them, when the chosen one fired, calls given up."""

    triggers: tuple[Trigger, ...]
    firings: tuple[Firing, ...]
    dead: tuple[Delivery, ...]


class TriggersPage(QWidget):
    """Says what is wanted of the chosen rule; whoever wires it does it."""

    add_requested = Signal()
    change_requested = Signal(int)
    """The id of a trigger."""
    switch_requested = Signal(int)
    try_requested = Signal(int)
    drop_requested = Signal(int)
    keys_requested = Signal()
    choice_moved = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._triggers: dict[int, Trigger] = {}
        self._kept = ThemedLabel(ink=Ink.MUTED, max_lines=2)
        self._about = ThemedLabel(ABOUT, ink=Ink.MUTED, max_lines=3)
        self.keys = _button("Access keys…", "keys", "Who may come in from outside, and what he may do")
        self.add = _button("Add…", "add", "Make a new trigger")
        self.change = _button("Change…", "change", "Change the chosen trigger")
        self.switch = _button("Turn off", "switch", "Stop or start the chosen trigger; it stays listed")
        self.trial = _button("Try…", "try", "See at what it would have fired; nothing is done")
        self.drop = _button("Drop…", "drop", "Let go of the chosen trigger and its history")
        self.table = RowsTable(
            "Triggers", ("Now", "Name", "Fired", "Where", "What it does"), (7, 22, 24, 16), strong=1
        )
        self.history = RowsTable("History of the chosen trigger", ("When", "What happened"), (18,))
        self.calls = RowsTable("Calls that did not arrive", ("Given up", "Trigger", "Why"), (18, 18))
        self._history_tab = _tab("History", "history")
        self._calls_tab = _tab("Calls that did not arrive", "calls")
        self._below = QStackedWidget()
        self._none = ThemedLabel(ink=Ink.MUTED, max_lines=2)
        self._lay_out()
        self._connect()
        self._on_tab(self._history_tab)
        self._weigh()

    @property
    def chosen(self) -> Trigger | None:
        """The rule that the buttons act on."""
        return self._triggers.get(self.table.key or 0)

    def show_kept(self, entries: int, most: int, kept_bytes: int) -> None:
        """Say how much the ledger holds."""
        self._kept.setText(
            f"{entries:,} of at most {most:,} changes are kept; their contents take {size_words(kept_bytes)}."
        )

    def show_seen(self, seen: TriggersSeen) -> None:
        """Show the rules, the chosen one's history, and what did not arrive."""
        now = local_now()
        self._triggers = {trigger.id: trigger for trigger in seen.triggers}
        names = {trigger.id: trigger.rule.name for trigger in seen.triggers}
        self.table.show_rows([trigger_row(trigger, now) for trigger in seen.triggers])
        chosen = self.chosen
        mine = [each for each in seen.firings if chosen is not None and each.trigger_id == chosen.id]
        self.history.show_rows([firing_row(firing, now) for firing in mine])
        self.calls.show_rows([call_row(call, names, now) for call in seen.dead])
        self._calls_tab.setText(f"Calls that did not arrive {len(seen.dead):,}")
        self._calls_tab.setVisible(bool(seen.dead))
        if not seen.dead and self._calls_tab.isChecked():
            self._on_tab(self._history_tab)
        self._none.setText(_none_words(chosen, fired=bool(mine)))
        self._none.setVisible(bool(self._none.text()))
        self._weigh()

    def _weigh(self) -> None:
        chosen = self.chosen
        for button in (self.change, self.switch, self.trial, self.drop):
            button.setEnabled(chosen is not None)
        self.switch.setText("Turn on" if chosen is not None and not chosen.rule.enabled else "Turn off")
        self.switch.setAccessibleName(self.switch.text())
        self.switch.updateGeometry()

    def _lay_out(self) -> None:
        heads = [ThemedLabel(words, strong=True, scale=1.15, max_lines=1) for words in ("Ledger", "Triggers")]
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 14, 0, 0)
        column.setSpacing(8)
        column.addLayout(_line(heads[0]))
        column.addLayout(_line(self._kept))
        column.addLayout(_row(self.keys))
        column.addSpacing(10)
        column.addLayout(_line(heads[1]))
        column.addLayout(_line(self._about))
        column.addLayout(_row(self.add, self.change, self.switch, self.trial, self.drop))
        column.addWidget(self.table, 3)
        column.addLayout(_row(self._history_tab, self._calls_tab))
        column.addLayout(_line(self._none))
        for table in (self.history, self.calls):
            self._below.addWidget(table)
        column.addWidget(self._below, 2)
        self.table.setMinimumHeight(LEAST_ROWS * self.table.verticalHeader().defaultSectionSize())
        self._below.setMinimumHeight(LEAST_ROWS * self.table.verticalHeader().defaultSectionSize())
        area = QScrollArea()
        area.setWidget(body)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(area)

    def _connect(self) -> None:
        self.add.clicked.connect(self.add_requested)
        self.keys.clicked.connect(self.keys_requested)
        self.change.clicked.connect(self._on_change)
        self.switch.clicked.connect(self._on_switch)
        self.trial.clicked.connect(self._on_try)
        self.drop.clicked.connect(self._on_drop)
        self.table.opened.connect(self.change_requested)
        self.table.choice_moved.connect(self._on_choice_moved)
        self._history_tab.clicked.connect(self._on_history)
        self._calls_tab.clicked.connect(self._on_calls)

    def _on_tab(self, tab: PaintedButton) -> None:
        self._history_tab.setChecked(tab is self._history_tab)
        self._calls_tab.setChecked(tab is self._calls_tab)
        self._below.setCurrentWidget(self.history if tab is self._history_tab else self.calls)

    @Slot()
    def _on_history(self) -> None:
        self._on_tab(self._history_tab)

    @Slot()
    def _on_calls(self) -> None:
        self._on_tab(self._calls_tab)

    @Slot()
    def _on_choice_moved(self) -> None:
        self._weigh()
        self.choice_moved.emit()

    @Slot()
    def _on_change(self) -> None:
        if self.chosen is not None:
            self.change_requested.emit(self.chosen.id)

    @Slot()
    def _on_switch(self) -> None:
        if self.chosen is not None:
            self.switch_requested.emit(self.chosen.id)

    @Slot()
    def _on_try(self) -> None:
        if self.chosen is not None:
            self.try_requested.emit(self.chosen.id)

    @Slot()
    def _on_drop(self) -> None:
        if self.chosen is not None:
            self.drop_requested.emit(self.chosen.id)


def _none_words(chosen: Trigger | None, *, fired: bool) -> str:
    if chosen is None:
        return NONE_YET
    return "" if fired else "This trigger has not fired yet."


def _button(text: str, name: str, tip: str) -> PaintedButton:
    button = PaintedButton(text, Shape.PLAIN)
    button.setObjectName(f"{name}_trigger")
    button.setAccessibleName(text.rstrip("…"))
    button.setToolTip(tip)
    return button


def _tab(text: str, name: str) -> PaintedButton:
    tab = PaintedButton(text, Shape.CHIP)
    tab.setCheckable(True)
    tab.setObjectName(f"{name}_tab")
    tab.setAccessibleName(text)
    return tab


def _line(words: QWidget) -> QHBoxLayout:
    line = QHBoxLayout()
    line.setContentsMargins(EDGE, 0, EDGE, 0)
    line.addWidget(words)
    return line


def _row(*buttons: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setContentsMargins(EDGE, 0, EDGE, 0)
    row.setSpacing(8)
    for button in buttons:
        row.addWidget(button)
    row.addStretch(1)
    return row
