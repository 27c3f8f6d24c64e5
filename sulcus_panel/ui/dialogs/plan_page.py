"""The page of the undo sheet that explains and previews a plan: sentences, outside changes, cards."""

from collections.abc import Iterator

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QFrame, QGridLayout, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from sulcus_panel.core.model import DriftKind, LedgerPath
from sulcus_panel.core.safety import plain
from sulcus_panel.core.undo.model import EntryPlan, PathPlan, UndoPlan, Warning
from sulcus_panel.service.file_diffs import FileDiff
from sulcus_panel.ui.dialogs import undo_words as words
from sulcus_panel.ui.dialogs.drift_note import DriftNote
from sulcus_panel.ui.dialogs.hunk_card import ConflictCard, HunkCard, WriteCard, share_room
from sulcus_panel.ui.dialogs.plain_label import PlainLabel

SAID_BY_BANNER = "drift"
"""Warnings with this code say what the drift banners say."""


class PlanPage(QScrollArea):
    """Shows one plan at a time; ticks, focus and scroll position survive a new plan of the same request."""

    hunks_changed = Signal(object)
    """A tuple of the hunk numbers that are ticked now."""
    others_wanted = Signal(object)
    """SeqIds that stand in the way and are to be taken back too."""
    outside_requested = Signal(object)
    """A LedgerPath whose outside change the person wants to see."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("plan_page")
        self.setAccessibleName("What will happen")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._plan: UndoPlan | None = None
        self._ticked: set[int] = set()
        self._notes: dict[LedgerPath, DriftNote] = {}

    def show_plan(self, plan: UndoPlan) -> None:
        """Show `plan` in place of what was shown before."""
        focused = self.focusWidget()
        focus_name = focused.objectName() if isinstance(focused, QCheckBox) else ""
        scrolled = self.verticalScrollBar().value()
        self._plan = plan
        self._ticked = {hunk.index for path in _paths(plan) for hunk in path.hunks if hunk.chosen}
        self.setWidget(self._build(plan))
        self.verticalScrollBar().setValue(scrolled)
        if focus_name and (box := self.findChild(QCheckBox, focus_name)) is not None:
            box.setFocus()

    def show_outside(self, path: LedgerPath, diff: FileDiff) -> None:
        """Open the outside change of a path below its banner."""
        if (note := self._notes.get(path)) is not None:
            note.show_change(diff)

    def _build(self, plan: UndoPlan) -> QWidget:
        page = QWidget()
        page.setObjectName("plan_content")
        layout = QVBoxLayout(page)
        layout.setContentsMargins(28, 26, 28, 24)
        layout.setSpacing(14)
        title = PlainLabel("What will happen", name="page_title")
        layout.addWidget(title)
        layout.addLayout(self._explanation(plan))
        self._notes = {}
        for path, kind in plan.drift.items():
            layout.addWidget(self._drift_note(path, kind, plan))
        for widget in self._parts(plan):
            layout.addWidget(widget)
        if also := [warning for warning in plan.warnings if not warning.code.startswith(SAID_BY_BANNER)]:
            layout.addLayout(_also(also))
        layout.addStretch(1)
        return page

    def _explanation(self, plan: UndoPlan) -> QGridLayout:
        said = plan.explanation
        rows = (
            ("Where it came from", said.where_from),
            ("How it was compared", said.how_compared),
            ("What will change", said.what_happens),
            ("How to get back", said.how_back),
        )
        return _grid(tuple((name, plain(text, 600)) for name, text in rows))

    def _drift_note(self, path: LedgerPath, kind: DriftKind, plan: UndoPlan) -> DriftNote:
        note = DriftNote(path, words.drift_words(path, kind, plan))
        note.show_requested.connect(self.outside_requested)
        self._notes[path] = note
        return note

    def _parts(self, plan: UndoPlan) -> Iterator[QWidget]:
        batch = len(plan.entries) > 1
        for item in plan.entries:
            if batch:
                yield _entry_line(item)
            for path in item.paths:
                yield from self._path_parts(path, plan, batch=batch)
        if plan.writes:
            yield PlainLabel("On disk, now → after", name="section_title")
            for write in plan.writes:
                yield WriteCard(write)

    def _path_parts(self, path: PathPlan, plan: UndoPlan, *, batch: bool) -> Iterator[QWidget]:
        if not batch:
            yield _path_line(path)
            for hunk in path.hunks:
                card = HunkCard(hunk, redo=words.is_redo(plan), tickable=True)
                card.ticked.connect(self._on_ticked)
                card.others_wanted.connect(self.others_wanted)
                yield card
        told = () if batch else tuple(hunk.conflict for hunk in path.hunks if hunk.conflict is not None)
        for conflict in path.conflicts:
            if conflict not in told:
                yield ConflictCard(conflict)

    @Slot(int, bool)
    def _on_ticked(self, index: int, on: bool) -> None:
        (self._ticked.add if on else self._ticked.discard)(index)
        self.hunks_changed.emit(tuple(sorted(self._ticked)))


def _paths(plan: UndoPlan) -> Iterator[PathPlan]:
    for item in plan.entries:
        yield from item.paths


def _path_line(path: PathPlan) -> QWidget:
    return _grid_widget(words.path_text(path.path), words.strategy_words(path))


def _entry_line(item: EntryPlan) -> QWidget:
    status = words.outcome_status(item.outcome, item.reason)
    line = _grid_widget(words.entry_line(item), status.text, tone=status.mood)
    line.setObjectName("entry_line")
    return line


def _grid_widget(left: str, right: str, *, tone: str = "quiet") -> QWidget:
    widget = QFrame()
    widget.setObjectName("path_line")
    layout = QHBoxLayout(widget)
    layout.setContentsMargins(0, 6, 0, 0)
    layout.setSpacing(16)
    left_label = PlainLabel(left, name="card_title", wrap=True)
    right_label = PlainLabel(right, tone=tone, wrap=True)
    right_label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    layout.addWidget(left_label)
    layout.addWidget(right_label)
    share_room(layout, left_label, right_label)
    return widget


def _also(warnings: list[Warning]) -> QGridLayout:
    rows = tuple(
        ("Also look at" if number == 0 else "", plain(warning.text, 600))
        for number, warning in enumerate(warnings)
    )
    return _grid(rows)


def _grid(rows: tuple[tuple[str, str], ...]) -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(20)
    grid.setVerticalSpacing(11)
    grid.setColumnMinimumWidth(0, 144)
    grid.setColumnStretch(1, 1)
    for number, (name, text) in enumerate(rows):
        grid.addWidget(PlainLabel(name, tone="quiet"), number, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(PlainLabel(text, wrap=True, selectable=True), number, 1)
    return grid
