"""What a plan warns of: the grave in a frame of its own, the rest as quiet lines; one heading a kind."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QVBoxLayout

from sulcus_panel.ui.dialogs.plain_label import PlainLabel
from sulcus_panel.ui.dialogs.warning_words import Told

NAME_WIDTH = 144


class WarningNote(QFrame):
    """The grave kinds, to be read before deciding."""

    def __init__(self, kinds: Sequence[Told]) -> None:
        super().__init__()
        self.setObjectName("warning_note")
        self.setAccessibleName("To be read first")
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 9, 12, 10)
        column.addLayout(named_lines([(kind.heading, kind.sentences) for kind in kinds], strong=True))


def quiet_lines(kinds: Sequence[Told]) -> QGridLayout:
    """Return the kinds that are good to know, as lines of the page itself."""
    return named_lines([(kind.heading, kind.sentences) for kind in kinds])


def named_lines(rows: Sequence[tuple[str, Sequence[str]]], *, strong: bool = False) -> QGridLayout:
    """Return a grid: a name, and beside it its sentences below each other."""
    grid = QGridLayout()
    grid.setHorizontalSpacing(20)
    grid.setVerticalSpacing(7 if strong else 11)
    grid.setColumnMinimumWidth(0, NAME_WIDTH - (12 if strong else 0))
    grid.setColumnStretch(1, 1)
    line = 0
    for name, sentences in rows:
        for number, sentence in enumerate(sentences):
            label = PlainLabel("" if number else name, name="card_title" if strong else "")
            label.set_tone("" if strong else "quiet")
            grid.addWidget(label, line, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(PlainLabel(sentence, wrap=True, selectable=True), line, 1)
            line += 1
    return grid
