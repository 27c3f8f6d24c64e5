"""The fields of a rule in plain words: from a rule to widgets, and back."""

from collections.abc import Mapping

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QSpinBox, QVBoxLayout, QWidget

from sulcus_panel.core.model import ActionType
from sulcus_panel.core.names import HARNESS_NAMES
from sulcus_panel.core.safety import plain
from sulcus_panel.core.triggers import Rule, TriggerAction, TriggerFilter
from sulcus_panel.ui.models.trigger_words import BY_ALL, BY_PATH, KINDS, THEN, WHEN, kinds
from sulcus_panel.ui.views.form_field import FormField

MOST_BYTES = 2_000_000_000
MOST_REST = 30 * 86_400
MOST_FIRES = 1_000_000


class TriggerFields(QWidget):
    """What can be said about a rule; what does not go with the chosen event or deed is hidden and left out."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._was: Rule | None = None
        self.name, self.path, self.session = QLineEdit(), QLineEdit(), QLineEdit()
        self.label, self.url, self.secret = QLineEdit(), QLineEdit(), QLineEdit()
        self.when, self.then, self.kind, self.harness = (QComboBox() for _ in range(4))
        self.least, self.rest, self.most = QSpinBox(), QSpinBox(), QSpinBox()
        self.is_on = QCheckBox("&On")
        self._fields = self._make_fields()
        self._fill()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        for field in self._fields.values():
            column.addWidget(field)
        column.addWidget(self.is_on)
        self.when.currentIndexChanged.connect(self._on_choice_changed)
        self.then.currentIndexChanged.connect(self._on_choice_changed)
        self._on_choice_changed()

    def show_rule(self, rule: Rule) -> None:
        """Show a rule to be changed; its secret is not shown, and stays unless another is typed."""
        self._was = rule
        wanted = rule.filter
        self.name.setText(rule.name)
        _choose(self.when, rule.event, plain(rule.event, 60))
        _choose(self.then, rule.action, THEN[rule.action])
        _choose(self.kind, wanted.action_types, kinds(wanted.action_types))
        _choose(self.harness, wanted.harness, plain(wanted.harness, 60))
        self.path.setText(wanted.path)
        self.session.setText(wanted.session_id)
        self.least.setValue(min(wanted.min_bytes, MOST_BYTES))
        self.label.setText(rule.label)
        self.url.setText(rule.url)
        for field in (self.name, self.path, self.url):
            field.setCursorPosition(0)
        self.secret.setPlaceholderText("stays as it is" if rule.secret else "")
        self.rest.setValue(rule.cooldown_seconds)
        self.most.setValue(rule.max_fires or 0)
        self.is_on.setChecked(rule.enabled)

    def rule(self) -> Rule:
        """Return what the fields say."""
        event, action = str(self.when.currentData()), TriggerAction(self.then.currentData())
        is_all, is_web = event in BY_ALL, action is TriggerAction.WEBHOOK
        kept = self._was.secret if self._was is not None else ""
        return Rule(
            name=self.name.text().strip(),
            event=event,
            action=action,
            filter=TriggerFilter(
                action_types=_actions(self.kind) if is_all else (),
                path=self.path.text().strip() if event in BY_PATH else "",
                harness=str(self.harness.currentData()) if is_all else "",
                session_id=self.session.text().strip() if is_all else "",
                min_bytes=self.least.value() if is_all else 0,
            ),
            label=self.label.text().strip() if action is TriggerAction.LABEL else "",
            url=self.url.text().strip() if is_web else "",
            secret=(self.secret.text() or kept) if is_web else "",
            cooldown_seconds=self.rest.value(),
            max_fires=self.most.value() or None,
            enabled=self.is_on.isChecked(),
        )

    def complain(self, name: str, words: str) -> bool:
        """Say beside the field of this name what is wrong, and go there; False where there is none."""
        for each, field in self._fields.items():
            field.complain(words if each == name else "")
        found = self._fields.get(name)
        if found is not None:
            found.widget.setFocus()
        return found is not None

    def complaint(self, name: str) -> str:
        """Return what is said to be wrong with a field."""
        return self._fields[name].complaint

    def _make_fields(self) -> Mapping[str, FormField]:
        """Return the fields under the names by which a refusal names them."""
        return {
            "name": FormField("&Name", self.name),
            "event": FormField("&When", self.when),
            "filter": FormField(
                "Only for these &files",
                self.path,
                "A path; * stands for anything, folders too: src/*.py, *.env. Empty: any file.",
            ),
            "action_types": FormField("Only where the agent", self.kind),
            "harness": FormField("Only by this &agent", self.harness),
            "session": FormField("Only in this session", self.session, "As its agent names it. Empty: any."),
            "size": FormField("Only for files of at &least", self.least),
            "action": FormField("T&hen", self.then),
            "label": FormField("La&bel", self.label, "A word or two that the change bears from then on."),
            "url": FormField(
                "Web a&ddress",
                self.url,
                "It is told which files were changed, never what is in them.",
            ),
            "secret": FormField(
                "Secret", self.secret, "Signs the call, so that the receiver knows who calls."
            ),
            "cooldown_seconds": FormField("Rest after &each time", self.rest),
            "max_fires": FormField("At &most", self.most),
        }

    def _fill(self) -> None:
        for event, words in WHEN.items():
            self.when.addItem(words, event)
        for action, words in THEN.items():
            self.then.addItem(words, action)
        self.kind.addItem(kinds(()), ())
        for kind, words in KINDS.items():
            self.kind.addItem(words, (kind,))
        self.harness.addItem("any", "")
        for harness, words in HARNESS_NAMES.items():
            self.harness.addItem(words, harness)
        for box in (self.when, self.then, self.kind, self.harness):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(12)
        for field, longest in ((self.name, 200), (self.path, 500), (self.label, 60), (self.session, 200)):
            field.setMaxLength(longest + 1)  # what is longer is refused in words, not cut
        self.secret.setEchoMode(QLineEdit.EchoMode.Password)
        for box_, most, unit in (
            (self.least, MOST_BYTES, " bytes"),
            (self.rest, MOST_REST, " seconds"),
            (self.most, MOST_FIRES, " times"),
        ):
            box_.setRange(0, most)
            box_.setMinimumHeight(self.name.sizeHint().height())
            box_.setSuffix(unit)
            box_.setGroupSeparatorShown(True)
        self.least.setSpecialValueText("any size")
        self.rest.setSpecialValueText("no rest")
        self.most.setSpecialValueText("as often as it happens")
        self.is_on.setChecked(True)

    @Slot()
    def _on_choice_changed(self) -> None:
        event, action = str(self.when.currentData()), self.then.currentData()
        self._fields["filter"].setVisible(event in BY_PATH)
        for name in ("action_types", "harness", "session", "size"):
            self._fields[name].setVisible(event in BY_ALL)
        self._fields["label"].setVisible(action == TriggerAction.LABEL)
        for name in ("url", "secret"):
            self._fields[name].setVisible(action == TriggerAction.WEBHOOK)
        self.changed.emit()


def _choose(box: QComboBox, value: object, words: str) -> None:
    """Choose a value, added where it is none of those that are offered."""
    at = next((each for each in range(box.count()) if _data(box, each) == value), -1)
    if at < 0:
        box.addItem(words, value)
        at = box.count() - 1
    box.setCurrentIndex(at)


def _data(box: QComboBox, at: int) -> object:
    data = box.itemData(at)
    return tuple(data) if isinstance(data, list | tuple) else data


def _actions(box: QComboBox) -> tuple[ActionType, ...]:
    return tuple(ActionType(action) for action in box.currentData() or ())
