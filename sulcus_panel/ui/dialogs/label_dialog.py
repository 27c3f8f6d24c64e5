"""Words for changes: those they bear, to be kept or taken away, and a new one."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from sulcus_panel.core.errors import SulcusError
from sulcus_panel.core.model import Entry, SeqId
from sulcus_panel.core.safety import plain
from sulcus_panel.ui.models.wording import numbers, tooltip
from sulcus_panel.ui.views.form_field import FormField
from sulcus_panel.ui.views.themed_label import ThemedLabel


class LabelDialog(QDialog):
    """Says `saved` with the words to add and to take away; it stays open until it is told that all went well."""

    saved = Signal(object, object)

    def __init__(self, entries: Sequence[Entry], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("label_dialog")
        self.setWindowTitle("Labels")
        self.setModal(False)
        self.resize(420, 300)
        self.seq_ids: tuple[SeqId, ...] = tuple(entry.seq_id for entry in entries)
        self.word = QLineEdit()
        self.word.setMaxLength(61)  # what is longer is refused in words, not cut
        self._field = FormField("&New label", self.word, "A word or two, up to 60 characters.")
        self._boxes: dict[str, QCheckBox] = {}
        for label in sorted({label for entry in entries for label in entry.labels}):
            box = QCheckBox(plain(label, 60).replace("&", "&&"))
            box.setChecked(True)
            box.setAccessibleName(plain(label, 60))
            box.setToolTip(tooltip(plain(label, 60)))
            box.setMinimumWidth(80)
            self._boxes[label] = box
        self._lay_out()

    @property
    def complaint(self) -> str:
        """What is said to be wrong with the new word."""
        return self._field.complaint

    def show_error(self, error: SulcusError) -> None:
        """Say why it was not saved."""
        self._field.complain(f"{error.title}.")
        self.word.setFocus()

    def _lay_out(self) -> None:
        title = ThemedLabel(f"Labels of {numbers(self.seq_ids)}", strong=True, max_lines=1)
        body = QWidget()
        inside = QVBoxLayout(body)
        inside.setContentsMargins(0, 0, 0, 0)
        for box in self._boxes.values():
            inside.addWidget(box)
        inside.addStretch(1)
        area = QScrollArea()
        area.setWidget(body)
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setAccessibleName("Labels")
        save, cancel = QPushButton("&Save"), QPushButton("&Cancel")
        save.setObjectName("save_button")
        save.setDefault(True)
        save.clicked.connect(self._on_save)
        cancel.clicked.connect(self.reject)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(cancel)
        buttons.addWidget(save)
        column = QVBoxLayout(self)
        column.setContentsMargins(18, 16, 18, 14)
        column.setSpacing(10)
        column.addWidget(title)
        column.addWidget(self._field)
        column.addWidget(area, 1)
        column.addLayout(buttons)
        self.word.setFocus()

    @Slot()
    def _on_save(self) -> None:
        word = self.word.text()
        removed = tuple(label for label, box in self._boxes.items() if not box.isChecked())
        self.saved.emit((word,) if word.strip() else (), removed)
