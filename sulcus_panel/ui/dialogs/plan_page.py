"""The page of the undo sheet that explains and previews a plan: sentences, outside changes, cards."""

from collections.abc import Iterator
from functools import partial

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QFrame, QGridLayout, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from sulcus_panel.core.model import DriftKind, LedgerPath
from sulcus_panel.core.safety import plain
from sulcus_panel.core.undo.model import (
    EntryPlan,
    HunkOutcome,
    HunkPlan,
    Outcome,
    PathPlan,
    UndoPlan,
    Warning,
    Write,
)
from sulcus_panel.service.file_diffs import FileDiff
from sulcus_panel.ui.dialogs import undo_words as words
from sulcus_panel.ui.dialogs.card_list import AT_ONCE, CardList, Part
from sulcus_panel.ui.dialogs.drift_note import DriftNote
from sulcus_panel.ui.dialogs.hunk_card import ConflictCard, HunkCard, WriteCard, share_room
from sulcus_panel.ui.dialogs.plain_label import PlainLabel

SAID_BY_BANNER = "drift"
"""Warnings with this code say what the drift banners say."""
MOST_WARNINGS = 20
MOST_BYTES_A_PAGE = 400_000
"""Of all files of a plan together; what comes after these is not compared while the window waits."""
GOING = (HunkOutcome.UNDONE, HunkOutcome.MOVED)


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
        self._lists: dict[str, CardList] = {}

    def show_plan(self, plan: UndoPlan) -> None:
        """Show `plan` in place of what was shown before."""
        focused = self.focusWidget()
        focus_name = focused.objectName() if isinstance(focused, QCheckBox) else ""
        scrolled = self.verticalScrollBar().value()
        if self._plan is None or self._plan.request.seq_ids != plan.request.seq_ids:
            self._lists = {}
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
        drifts = [
            Part(partial(self._drift_note, *drift, plan), "outside change") for drift in plan.drift.items()
        ]
        writes = list(_write_parts(plan.writes))
        self._add_cards(layout, "drifts", drifts)
        self._add_cards(layout, "parts", list(self._parts(plan)))
        if writes:
            layout.addWidget(PlainLabel("On disk, now → after", name="section_title"))
        self._add_cards(layout, "writes", writes)
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

    def _add_cards(self, layout: QVBoxLayout, name: str, parts: list[Part]) -> None:
        if parts:
            before = self._lists.get(name)
            self._lists[name] = CardList(parts, AT_ONCE if before is None else before.shown)
            layout.addWidget(self._lists[name])

    def _parts(self, plan: UndoPlan) -> Iterator[Part]:
        batch, redo = len(plan.entries) > 1, words.is_redo(plan)
        for item in plan.entries:
            if batch:
                yield Part(partial(_entry_line, item), "change", item.outcome is Outcome.UNDONE)
            for path in item.paths:
                yield from self._path_parts(path, batch=batch, redo=redo)

    def _path_parts(self, path: PathPlan, *, batch: bool, redo: bool) -> Iterator[Part]:
        if not batch:
            yield Part(partial(_path_line, path), "" if path.hunks else "file")
            for hunk in path.hunks:
                goes = hunk.chosen and hunk.conflict is None and hunk.outcome in GOING
                yield Part(partial(self._hunk_card, hunk, redo=redo), "part", goes)
        told = () if batch else {hunk.conflict for hunk in path.hunks if hunk.conflict is not None}
        for conflict in path.conflicts:
            if conflict not in told:
                yield Part(partial(ConflictCard, conflict), "conflict")

    def _hunk_card(self, hunk: HunkPlan, *, redo: bool) -> HunkCard:
        card = HunkCard(hunk, redo=redo, tickable=True)
        card.box.setChecked(hunk.index in self._ticked)
        card.ticked.connect(self._on_ticked)
        card.others_wanted.connect(self.others_wanted)
        return card

    @Slot(int, bool)
    def _on_ticked(self, index: int, on: bool) -> None:
        (self._ticked.add if on else self._ticked.discard)(index)
        self.hunks_changed.emit(tuple(sorted(self._ticked)))


def _paths(plan: UndoPlan) -> Iterator[PathPlan]:
    for item in plan.entries:
        yield from item.paths


def _write_parts(writes: tuple[Write, ...]) -> Iterator[Part]:
    room = MOST_BYTES_A_PAGE
    for write in writes:
        room -= len(write.disk_content or b"") + len(write.result_content or b"")
        yield Part(partial(WriteCard, write, compared=room >= 0), "file")


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
    if len(warnings) > MOST_WARNINGS:
        told = f"{len(warnings) - MOST_WARNINGS:,} more warnings"
        warnings = [*warnings[:MOST_WARNINGS], Warning("more", told)]
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
