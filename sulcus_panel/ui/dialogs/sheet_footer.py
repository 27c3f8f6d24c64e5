"""The foot of the undo sheet: what must be ticked, why a yes is not possible, and the buttons.

"Keep it" is the default. The button that writes stands alone on the right and never takes Enter: it is
pressed by mouse or Space, on purpose.
"""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from sulcus_panel.ui.dialogs.demands import Demand, still_to_tick
from sulcus_panel.ui.dialogs.plain_label import PlainLabel
from sulcus_panel.ui.dialogs.tick_list import TickList
from sulcus_panel.ui.dialogs.undo_words import Wording
from sulcus_panel.ui.models.wording import tooltip


class SheetFooter(QFrame):
    """Asks for the decision, or offers what is left to do after it."""

    accepted = Signal()
    kept = Signal()
    deferred = Signal()
    redo_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("footer")
        self._possible = False
        self._why_not = ""
        self._ticks = TickList()
        self._ticks.changed.connect(self._weigh)
        self._to_tick = PlainLabel(name="to_tick", tone="quiet")
        self._to_tick.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._to_tick.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._reason = PlainLabel(name="reason", wrap=True)
        self._keep = _button("Keep it", "keep_button")
        self._keep.setDefault(True)
        self._later = _button("Decide later", "later_button")
        self._redo = _button("Redo", "redo_button")
        self._undo = _button("Undo this change", "undo_button")
        self._keep.clicked.connect(self.kept)
        self._later.clicked.connect(self.deferred)
        self._redo.clicked.connect(self.redo_wanted)
        self._undo.clicked.connect(self.accepted)
        self._lay_out()

    @property
    def consents(self) -> tuple[str, ...]:
        """The keys of the consents that are ticked."""
        return self._ticks.keys

    def ask(
        self, said: Wording, demands: tuple[Demand, ...], why_not: str, *, keep_ticks: bool = True
    ) -> None:
        """Ask for a decision. Each demand must be ticked first; with `why_not` a yes is not possible.

        With `keep_ticks` a tick that was set before and still means the same stays.
        """
        self._why_not = why_not
        self._possible = not why_not
        self._keep.setText(said.keep)
        self._later.setText(said.later)
        self._undo.setText(said.accept)
        self._say(why_not, "bad")
        self._ticks.show_demands(demands if self._possible else (), keep=keep_ticks)
        for button, shown in ((self._later, True), (self._undo, True), (self._redo, False)):
            button.setVisible(shown)
            button.setEnabled(True)
        self._weigh()

    def forbid(self, why_not: str) -> None:
        """Say why a yes is not possible as it stands; nothing else changes."""
        self._possible = False
        self._why_not = why_not
        self._say(why_not, "caution")
        self._later.setEnabled(True)
        self._weigh()

    def wait(self, text: str, *, decided: bool = False) -> None:
        """Say what is going on; only closing is possible, which means no unless `decided`."""
        if decided:
            self._ticks.show_demands(())
            self._keep.setText("Close")
        self._possible = False
        self._why_not = text
        self._weigh()
        self._say(text, "quiet")
        self._later.setEnabled(False)
        self._redo.hide()

    def close_only(self, redo: str) -> None:
        """Offer to close, and with `redo` the way back under that name."""
        self._ticks.show_demands(())
        self._say("", "quiet")
        self._later.hide()
        self._undo.hide()
        self._keep.setText("Close")
        self._redo.setText(redo)
        self._redo.setVisible(bool(redo))
        self._keep.setFocus()

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(10)
        buttons.addWidget(self._keep)
        buttons.addWidget(self._later)
        buttons.addWidget(self._redo)
        buttons.addWidget(self._to_tick, 1)
        buttons.addWidget(self._undo)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 12, 22, 12)
        layout.setSpacing(9)
        layout.addWidget(self._ticks)
        layout.addWidget(self._reason)
        layout.addLayout(buttons)

    def _say(self, text: str, tone: str) -> None:
        self._reason.setText(text)
        self._reason.set_tone(tone)
        self._reason.setVisible(bool(text))

    @Slot()
    def _weigh(self) -> None:
        """Allow a yes, or say on the button itself what it waits for."""
        done, count = self._ticks.ticked, self._ticks.count
        missing = still_to_tick(done, count) if self._possible else ""
        self._undo.setEnabled(self._possible and not missing)
        self._undo.setToolTip(tooltip(self._why_not or missing))
        self._undo.setAccessibleDescription(self._why_not or missing)
        self._to_tick.setText(f"{done} of {count} ticked" if missing and count > 1 else "")


def _button(text: str, name: str) -> QPushButton:
    button = QPushButton(text)
    button.setObjectName(name)
    button.setAutoDefault(False)
    return button
