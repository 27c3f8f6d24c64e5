"""One card of the preview: a hunk with its tick box, a whole file, or a conflict and who stands there."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from sulcus_panel.core.diff import DiffRows, compare
from sulcus_panel.core.diff.shown import is_shown_as_text
from sulcus_panel.core.undo.model import Conflict, HunkPlan, Write
from sulcus_panel.ui.dialogs import undo_words as words
from sulcus_panel.ui.dialogs.diff_lines import DiffLines
from sulcus_panel.ui.dialogs.plain_label import PlainLabel
from sulcus_panel.ui.dialogs.tick_box import TickBox

MOST_BYTES = 200_000
"""More is not compared while the window waits."""
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
    others_wanted = Signal(object)
    """The SeqIds that stand in the way, to be taken back too."""

    def __init__(self, hunk: HunkPlan, *, redo: bool, tickable: bool) -> None:
        super().__init__("hunk_card")
        self._index = hunk.index
        title, status = words.hunk_title(hunk), words.hunk_status(hunk, redo=redo)
        self.box = TickBox(title)
        self.box.setObjectName(f"hunk_{hunk.index}")
        self.box.setAccessibleName(f"{title}, {status.text}")
        self.box.setChecked(hunk.chosen)
        self.box.setEnabled(tickable)
        self.box.toggled.connect(self._on_toggled)
        self.head.addWidget(self.box)
        self.head.addWidget(_status_label(status), 1)
        self._others = hunk.conflict.with_seq_ids if hunk.conflict is not None else ()
        if self._others and not redo:
            self.head.addWidget(self._others_button())
        self.show_lines(hunk.removes, hunk.restores, context=3)

    def _others_button(self) -> QPushButton:
        few = len(self._others) <= 2
        button = QPushButton(f"Undo {words.names(self._others) if few else 'all of these'} too")
        button.setAccessibleName(f"Undo {words.names(self._others)} too")
        button.setObjectName("undo_others")
        button.setFlat(True)
        button.setAutoDefault(False)
        button.clicked.connect(self._on_others_clicked)
        return button

    @Slot()
    def _on_others_clicked(self) -> None:
        self.others_wanted.emit(self._others)

    @Slot(bool)
    def _on_toggled(self, on: bool) -> None:
        self.ticked.emit(self._index, on)


class ConflictCard(Card):
    """Who stands on the lines that were to be taken back."""

    def __init__(self, conflict: Conflict) -> None:
        super().__init__("conflict_card")
        where = words.path_text(conflict.path)
        if conflict.lines is not None:
            start, end = conflict.lines
            where += f", line {start + 1}" if end <= start + 1 else f", lines {start + 1}–{end}"
        status = words.Status(words.conflict_words(conflict), words.Mood.BAD)
        self.set_head(PlainLabel(where, wrap=True), _status_label(status))
        if conflict.reason:
            self.body.addWidget(PlainLabel(words.reason_words(conflict.reason), name="card_note", wrap=True))


class WriteCard(Card):
    """One path of the disk: as it is now, and as it would be."""

    def __init__(self, write: Write, *, compared: bool = True) -> None:
        super().__init__("write_card")
        title = PlainLabel(words.path_text(write.path), name="card_title", wrap=True)
        change = f"{words.state_words(write.disk)} → {words.state_words(write.result)}"
        self.set_head(title, _status_label(words.Status(change, words.Mood.QUIET)))
        if compared:
            self.show_lines(write.disk_content, write.result_content, context=2)
        else:
            self.body.addWidget(PlainLabel(TOO_LONG, name="card_note", wrap=True))


def share_room(row: QBoxLayout, *labels: QWidget) -> None:
    """Stretch labels in one row by the length of what they say, so that none wraps while another has room."""
    for label in labels:
        words = label.text() if isinstance(label, PlainLabel) else ""
        font = QFont(label.font())
        font.setBold(label.objectName() == "card_title")
        row.setStretchFactor(label, QFontMetrics(font).horizontalAdvance(words) + 1)


def _status_label(status: words.Status) -> PlainLabel:
    label = PlainLabel(status.text, name="card_status", tone=status.mood, wrap=True)
    label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    return label
