"""A rule to be made or changed, and tried on what has happened before it is saved."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QComboBox, QDialog, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from sulcus_panel.core.errors import BadRequest, SulcusError
from sulcus_panel.core.events import Event
from sulcus_panel.core.model import Workspace
from sulcus_panel.core.safety import plain
from sulcus_panel.core.triggers import Rule, Trigger
from sulcus_panel.ui.dialogs.trigger_fields import TriggerFields
from sulcus_panel.ui.models.trigger_words import event_row, would_have_fired
from sulcus_panel.ui.models.wording import local_now
from sulcus_panel.ui.views.form_field import FormField
from sulcus_panel.ui.views.rows_table import RowsTable
from sulcus_panel.ui.views.themed_label import Ink, ThemedLabel

MOST_TRIED = 50
LOOKING = "Looking at what has happened…"


class TriggerForm(QDialog):
    """Says `saved` with a Rule when the person is done; it stays open until it is told that all went well."""

    saved = Signal(object)
    tried = Signal(object)
    """A Rule to be tried on history: nothing is done."""

    def __init__(self, workspace: Workspace, trigger: Trigger | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("trigger_form")
        self.setWindowTitle("New trigger" if trigger is None else "Change a trigger")
        self.setModal(False)
        self.resize(520, 680)
        self.trigger = trigger
        self.fields = TriggerFields()
        self._where = QComboBox()
        self._where.addItem(f"only in {plain(workspace.namespace, 60)}", workspace.id)
        self._where.addItem("in all workspaces", None)
        self._trouble = ThemedLabel(ink=Ink.DANGER, max_lines=4)
        self._found = ThemedLabel(ink=Ink.MUTED, max_lines=2)
        self._events = RowsTable("What it would have fired at", ("When", "What happened"), (18,))
        self._events.setMinimumHeight(130)
        self._page, self._area = QWidget(), QScrollArea()
        self._save = QPushButton("&Save")
        self._try = QPushButton("&Try on history")
        self._cancel = QPushButton("&Cancel")
        for button, name in ((self._save, "save"), (self._try, "try"), (self._cancel, "cancel")):
            button.setObjectName(f"{name}_button")
        self._save.setDefault(True)
        self._save.clicked.connect(self._on_save)
        self._try.clicked.connect(self.try_it)
        self._cancel.clicked.connect(self.reject)
        self.fields.changed.connect(self._forget_trial)
        self._lay_out()
        self._forget_trial()
        if trigger is not None:
            self.fields.show_rule(trigger.rule)
            self._show_where(trigger, workspace)

    def _show_where(self, trigger: Trigger, workspace: Workspace) -> None:
        """Choose where a rule holds; another workspace than this one can be left, and stays on offer."""
        if trigger.workspace_id is None:
            self._where.setCurrentIndex(1)
        elif trigger.workspace_id != workspace.id:
            self._where.addItem(f"only in {plain(trigger.namespace or '', 60)}", trigger.workspace_id)
            self._where.setCurrentIndex(2)

    @property
    def workspace_id(self) -> int | None:
        """Where the rule holds; None for everywhere."""
        chosen = self._where.currentData()
        return chosen if isinstance(chosen, int) else None

    def show_error(self, error: SulcusError) -> None:
        """Say what is wrong beside its field; where it has none, below all fields."""
        words = " ".join(text for text in (f"{error.title}.", plain(error.detail, 300), error.hint) if text)
        field = error.field if isinstance(error, BadRequest) else ""
        said = self.fields.complain(field, words)
        self._trouble.setText("" if said else words)
        self._found.setText("")

    def show_events(self, rule: Rule, events: Sequence[Event]) -> None:
        """Show what a trial found, unless the fields say something else by now."""
        if rule != self.fields.rule():
            return
        self.fields.complain("", "")
        self._trouble.setText("")
        now = local_now()
        self._found.setText(would_have_fired(len(events), MOST_TRIED))
        self._events.show_rows([event_row(event, now) for event in events])
        self._events.setVisible(bool(events))
        self._page.adjustSize()
        self._area.ensureWidgetVisible(self._events if events else self._found)

    @Slot()
    def try_it(self) -> None:
        """Ask what the rule would have fired at."""
        self._found.setText(LOOKING)
        self.tried.emit(self.fields.rule())

    def _lay_out(self) -> None:
        area = self._area
        column = QVBoxLayout(self._page)
        column.setContentsMargins(18, 16, 18, 8)
        column.setSpacing(10)
        column.addWidget(self.fields)
        column.addWidget(FormField("Whe&re", self._where))
        column.addWidget(self._found)
        column.addWidget(self._events)
        column.addStretch(1)
        area.setWidget(self._page)
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setAccessibleName("Trigger")
        buttons = QHBoxLayout()
        buttons.setContentsMargins(18, 0, 18, 0)
        buttons.addWidget(self._try)
        buttons.addStretch(1)
        buttons.addWidget(self._cancel)
        buttons.addWidget(self._save)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 14)
        whole.addWidget(area, 1)
        self._trouble.setContentsMargins(18, 0, 18, 0)
        whole.addWidget(self._trouble)
        whole.addLayout(buttons)

    @Slot()
    def _on_save(self) -> None:
        self._trouble.setText("")
        self.saved.emit(self.fields.rule())

    @Slot()
    def _forget_trial(self) -> None:
        self._found.setText("")
        self._events.hide()
