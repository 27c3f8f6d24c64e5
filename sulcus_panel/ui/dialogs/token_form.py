"""A key to be made: for whom, and what it is good for."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QVBoxLayout, QWidget

from sulcus_panel.core.access import Scope
from sulcus_panel.core.errors import BadRequest, SulcusError
from sulcus_panel.core.model import ActorKind
from sulcus_panel.ui.models.token_words import AS_YOU, KINDS, SCOPES
from sulcus_panel.ui.views.form_field import FormField
from sulcus_panel.ui.views.themed_label import Ink, ThemedLabel

WRONG = {
    "actor": "A key needs a name of 1 to 200 characters.",
    "scope": "Choose at least one thing that the key may do.",
}


class TokenForm(QWidget):
    """Name, kind and scopes; what is wrong is said beside its field."""

    entered = Signal()
    """Enter was pressed in the name."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name, self.kind = QLineEdit(), QComboBox()
        self.scopes = {scope: QCheckBox(words) for scope, words in SCOPES.items()}
        for kind, words in KINDS.items():
            self.kind.addItem(words, kind)
        boxes = QWidget()
        inside = QVBoxLayout(boxes)
        inside.setContentsMargins(0, 0, 0, 0)
        for box in self.scopes.values():
            inside.addWidget(box)
        self._fields = {
            "actor": FormField(
                "&Name of who gets it", self.name, "It stands beside all that is done with the key."
            ),
            "kind": FormField("&What it is", self.kind),
            "scope": FormField("It may", boxes),
        }
        self._trouble = ThemedLabel(ink=Ink.DANGER, max_lines=4)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        for field in self._fields.values():
            column.addWidget(field)
        column.addWidget(self._trouble)
        column.addStretch(1)
        self.name.setMaxLength(201)  # what is longer is refused in words, not cut
        self.kind.currentIndexChanged.connect(self._on_kind_changed)
        self.name.returnPressed.connect(self.entered)
        self.clear()

    @property
    def asked(self) -> tuple[str, ActorKind, frozenset[Scope]]:
        """What the fields say."""
        chosen = frozenset(scope for scope, box in self.scopes.items() if box.isChecked())
        return self.name.text(), ActorKind(self.kind.currentData()), chosen

    def clear(self) -> None:
        """Begin anew, with what most keys are for."""
        self.name.clear()
        self.kind.setCurrentIndex(0)
        for scope, box in self.scopes.items():
            box.setChecked(scope in {Scope.READ, Scope.RECORD})
        self._trouble.setText("")
        for field in self._fields.values():
            field.complain("")

    def show_error(self, error: SulcusError) -> None:
        """Say what is wrong beside its field, else below all of them."""
        name = error.field if isinstance(error, BadRequest) else ""
        words = WRONG.get(name) or " ".join(text for text in (f"{error.title}.", error.detail) if text)
        for each, field in self._fields.items():
            field.complain(words if each == name else "")
        self._on_kind_changed()
        self._trouble.setText("" if name in self._fields else words)
        if name == "actor":
            self.name.setFocus()
        if name == "scope":
            self.scopes[Scope.READ].setFocus()

    def complaint(self, name: str) -> str:
        """Return what is said to be wrong with a field."""
        return self._fields[name].complaint

    @Slot()
    def _on_kind_changed(self) -> None:
        is_person = self.kind.currentData() == ActorKind.PERSON
        self._fields["kind"].complain(AS_YOU if is_person else "")
