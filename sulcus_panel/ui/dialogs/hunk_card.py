"""One card of the preview: a hunk with its tick box, a whole file, a move, or who stands on the lines."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QVBoxLayout, QWidget

from sulcus_panel.core.diff import DiffRows, compare
from sulcus_panel.core.diff.shown import is_shown_as_text
from sulcus_panel.core.undo.model import Conflict, HunkOutcome, HunkPlan, Write
from sulcus_panel.core.undo.words import reason_words
from sulcus_panel.ui.dialogs import undo_words as words
from sulcus_panel.ui.dialogs.diff_lines import DiffLines
from sulcus_panel.ui.dialogs.moves import Move
from sulcus_panel.ui.dialogs.outcome_words import change_words
from sulcus_panel.ui.dialogs.plain_label import PlainLabel
from sulcus_panel.ui.dialogs.status import Mood, Status
from sulcus_panel.ui.dialogs.tick_box import TickBox

MOST_BYTES = 200_000
"""More is not compared while the window waits."""
WIDEST = 900
"""Pixels; words that are longer wrap in any case, and leave room to what stands beside them."""
TOO_LONG = "Too long to be compared here; the view “After undo” shows it."


class Card(QFrame):
    """A frame with a head line (title left, status right) and a body below."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._head = QFrame()
        self._head.setObjectName("card_head")
        self.head = QHBoxLayout(self._head)
        self.head.setContentsMargins(12, 9, 12, 9)
        self.head.setSpacing(10)
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(1, 1, 1, 1)
        self.body.setSpacing(0)
        self.body.addWidget(self._head)

    def set_head(self, title: QWidget, status: PlainLabel) -> None:
        """Put a title left and a status right; both get room by the length of their words."""
        self.head.addWidget(title)
        self.head.addWidget(status)
        share_room(self.head, title, status)

    def show_lines(self, old: bytes | None, new: bytes | None, *, context: int) -> None:
        """Put the changed lines of two texts below the head, or say that they are not text."""
        sides = [side for side in (old, new) if side is not None]
        if sum(map(len, sides)) > MOST_BYTES:
            self.body.addWidget(PlainLabel(TOO_LONG, name="card_note", wrap=True))
        elif not all(is_shown_as_text(side) for side in sides):
            self.body.addWidget(PlainLabel("Not text; its bytes are not shown.", name="card_note"))
        elif old != new:
            rows = DiffRows(compare(old, new), side_by_side=False, context=context)
            self.body.addWidget(DiffLines(rows))


class HunkCard(Card):
    """A hunk: what stands there now, what would, and a tick box to leave it out."""

    ticked = Signal(int, bool)

    def __init__(self, hunk: HunkPlan, *, redo: bool) -> None:
        super().__init__(_name_of(hunk))
        self._index = hunk.index
        self._redo = redo
        self.box = TickBox(words.hunk_title(hunk))
        self.box.setObjectName(f"hunk_{hunk.index}")
        self.box.toggled.connect(self._on_toggled)
        self._status = _status_label(words.hunk_status(hunk, redo=redo))
        self.head.addWidget(self.box)
        self.head.addWidget(self._status, 1)
        self.show_lines(hunk.removes, hunk.restores, context=3)
        self.show_hunk(hunk)

    def show_hunk(self, hunk: HunkPlan) -> None:
        """Show what has become of the same lines."""
        status = words.hunk_status(hunk, redo=self._redo)
        self._status.setText(status.text)
        self._status.set_tone(status.mood)
        self.box.setAccessibleName(f"{words.hunk_title(hunk)}, {status.text}")
        self.show_ticked(on=hunk.chosen)
        if self.objectName() != _name_of(hunk):
            self.setObjectName(_name_of(hunk))
            self.style().unpolish(self)
            self.style().polish(self)

    def show_ticked(self, *, on: bool) -> None:
        """Show the tick as it was chosen elsewhere, without asking for anything."""
        self.box.blockSignals(True)
        self.box.setChecked(on)
        self.box.blockSignals(False)

    @Slot(bool)
    def _on_toggled(self, on: bool) -> None:
        self.ticked.emit(self._index, on)


class SeenCard(Card):
    """A hunk of a batch that is not certain: nothing to tick, only to be looked at."""

    def __init__(self, hunk: HunkPlan) -> None:
        super().__init__(_name_of(hunk))
        title = f"{words.path_text(hunk.path)}, {words.hunk_title(hunk).lower()}"
        self.set_head(PlainLabel(title, wrap=True), _status_label(words.hunk_status(hunk)))
        self.show_lines(hunk.removes, hunk.restores, context=3)


class ConflictCard(Card):
    """Who stands on the lines that were to be taken back; why, unless that was `said` above it."""

    def __init__(self, conflict: Conflict, said: str = "") -> None:
        super().__init__("conflict_card")
        where = words.path_text(conflict.path)
        if conflict.lines is not None:
            start, end = conflict.lines
            where += f", line {start + 1}" if end <= start + 1 else f", lines {start + 1}–{end}"
        status = Status(words.conflict_words(conflict), Mood.BAD)
        self.set_head(PlainLabel(where, wrap=True), _status_label(status))
        why = reason_words(conflict.reason)
        if why not in ("", said):
            self.body.addWidget(PlainLabel(why, name="card_note", wrap=True))


class WriteCard(Card):
    """One path of the disk: as it is now, and as it would be."""

    def __init__(self, write: Write, *, compared: bool = True) -> None:
        super().__init__("write_card")
        title = PlainLabel(words.path_text(write.path), name="card_title", wrap=True)
        change = change_words(write.disk, write.result)
        self.set_head(title, _status_label(Status(change, Mood.QUIET)))
        if compared:
            self.show_lines(write.disk_content, write.result_content, context=2)
        else:
            self.body.addWidget(PlainLabel(TOO_LONG, name="card_note", wrap=True))


class MoveCard(Card):
    """One file that goes back to its old name."""

    def __init__(self, move: Move) -> None:
        super().__init__("write_card")
        title = PlainLabel(move_text(move), name="card_title", wrap=True)
        self.set_head(title, _status_label(Status("moves as it is", Mood.QUIET)))


def move_text(move: Move) -> str:
    """Return `old.py ← new.py`."""
    return f"{words.path_text(move.old)} ← {words.path_text(move.new)}"


def _name_of(hunk: HunkPlan) -> str:
    return "review_card" if hunk.chosen and hunk.outcome is HunkOutcome.REVIEW else "hunk_card"


def share_room(row: QBoxLayout, *labels: QWidget) -> None:
    """Stretch labels in one row by the length of what they say, so that none wraps while another has room."""
    for label in labels:
        words = label.text() if isinstance(label, PlainLabel) else ""
        font = QFont(label.font())
        font.setBold(label.objectName() == "card_title")
        row.setStretchFactor(label, min(QFontMetrics(font).horizontalAdvance(words), WIDEST) + 1)


def _status_label(status: Status) -> PlainLabel:
    label = PlainLabel(status.text, name="card_status", tone=status.mood, wrap=True)
    label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    return label
