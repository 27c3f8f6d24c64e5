"""The page of the undo sheet that explains and previews a plan: sentences, who stands in the way, cards."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QFrame, QPushButton, QScrollArea, QVBoxLayout, QWidget

from sulcus_panel.core.model import DriftKind, Entry, LedgerPath
from sulcus_panel.core.safety import plain
from sulcus_panel.core.undo.model import HunkPlan, UndoPlan
from sulcus_panel.service.file_diffs import FileDiff
from sulcus_panel.ui.dialogs import undo_words as words
from sulcus_panel.ui.dialogs.card_list import AT_ONCE, CardList, Part
from sulcus_panel.ui.dialogs.choices import Choice, choices_in, numbers_in
from sulcus_panel.ui.dialogs.drift_note import DriftNote
from sulcus_panel.ui.dialogs.file_line import FileLine, Line
from sulcus_panel.ui.dialogs.hunk_card import HunkCard
from sulcus_panel.ui.dialogs.parts_bar import PartsBar
from sulcus_panel.ui.dialogs.plain_label import PlainLabel
from sulcus_panel.ui.dialogs.plan_parts import Makers, parts_of, writes_of
from sulcus_panel.ui.dialogs.tab_stops import tab_stops
from sulcus_panel.ui.dialogs.warning_list import WarningNote, named_lines, quiet_lines
from sulcus_panel.ui.dialogs.warning_words import told
from sulcus_panel.ui.dialogs.way_card import ways


class PlanPage(QScrollArea):
    """Shows one plan at a time; ticks, focus and scroll position survive a new plan of the same request."""

    hunks_changed = Signal(object)
    """A tuple of the hunk numbers that are ticked now."""
    request_wanted = Signal(object)
    """The UndoRequest that would go through instead."""
    outside_requested = Signal(object)
    """A LedgerPath whose outside change the person wants to see."""
    grown = Signal()
    """More cards are shown."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("plan_page")
        self.setAccessibleName("What will happen")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._plan: UndoPlan | None = None
        self._ticked: set[int] = set()
        self._along: frozenset[int] = frozenset()
        """Parts that go together with whatever is ticked, for nothing asks about them."""
        self._choices: tuple[Choice, ...] = ()
        self._cards: dict[int, HunkCard] = {}
        self._lines: dict[int, FileLine] = {}
        self._bar: PartsBar | None = None
        self._notes: dict[LedgerPath, DriftNote] = {}
        self._lists: dict[str, CardList] = {}
        self._anchor: tuple[QWidget, int] | None = None
        page = QWidget()
        page.setObjectName("plan_content")
        self._column = _column_of(page)
        self._column.setContentsMargins(28, 26, 28, 24)
        self._column.addStretch(1)
        self._sections: list[QWidget] = []
        self.setWidget(page)

    def show_plan(self, plan: UndoPlan, standing: Sequence[Entry] = ()) -> None:
        """Show `plan` in place of what was shown before; `standing` are the entries that are in its way."""
        focused = self.focusWidget()
        focus_name = focused.objectName() if isinstance(focused, QCheckBox | QPushButton) else ""
        if self._plan is None or self._plan.request.seq_ids != plan.request.seq_ids:
            self._lists = {}
            self.verticalScrollBar().setValue(0)
        self._plan = plan
        self._choices = choices_in(plan)
        self._along = frozenset(numbers_in(plan)) - {part for one in self._choices for part in one.parts}
        self._ticked = {part for choice in self._choices if choice.chosen for part in choice.parts}
        parts = list(parts_of(plan, Makers(partial(self._hunk_card, plan), self._file_line)))
        kept = self._lists.get("parts")
        if kept is None or not kept.renew(parts):
            self._cards, self._lines = {}, {}
            kept = self._cards_of("parts", parts)
            self._anchor = None
        else:
            self._hold(focused)
            self._show_ticks()
        self._show([self._above(plan, standing), kept, self._below(plan)])
        if focus_name and isinstance(box := self.findChild(QWidget, focus_name), QCheckBox | QPushButton):
            box.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        done = super().eventFilter(watched, event)
        if watched is self.widget() and event.type() == QEvent.Type.LayoutRequest:
            self._stay()
        return done

    def _hold(self, focused: QWidget | None) -> None:
        """Remember where the part stands that was ticked, for it not to jump from under the mouse."""
        self._anchor = None
        if isinstance(focused, QCheckBox):
            self._anchor = (focused, focused.mapTo(self.viewport(), QPoint()).y())

    def _stay(self) -> None:
        if self._anchor is not None:
            box, before = self._anchor
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() + box.mapTo(self.viewport(), QPoint()).y() - before)
        self._anchor = None

    def _show(self, sections: list[QWidget]) -> None:
        for section in self._sections:
            if section not in sections:
                self._column.removeWidget(section)
                section.setParent(None)
                section.deleteLater()
        for place, section in enumerate(sections):
            if section not in self._sections:
                self._column.insertWidget(place, section)
                section.show()
        self._sections = sections

    @property
    def stops(self) -> list[QWidget]:
        """What Tab can reach here, from the top to the end."""
        return list(tab_stops(self._sections))

    def show_outside(self, path: LedgerPath, diff: FileDiff) -> None:
        """Open the outside change of a path below its banner."""
        if (note := self._notes.get(path)) is not None:
            note.show_change(diff)

    def _above(self, plan: UndoPlan, standing: Sequence[Entry]) -> QWidget:
        """Return what is read before the parts."""
        section = QWidget()
        layout = _column_of(section)
        layout.addWidget(PlainLabel("What will happen", name="page_title"))
        layout.addLayout(named_lines(_explanation(plan)))
        for card in ways(plan, standing):
            card.request_wanted.connect(self.request_wanted)
            layout.addWidget(card)
        if grave := [kind for kind in told(plan) if kind.grave]:
            layout.addWidget(WarningNote(grave))
        self._notes = {}
        drifts = [
            Part(partial(self._drift_note, *drift, plan), "outside change") for drift in plan.drift.items()
        ]
        if drifts:
            layout.addWidget(self._cards_of("drifts", drifts))
        self._add_bar(layout)
        return section

    def _below(self, plan: UndoPlan) -> QWidget:
        """Return what the disk becomes, and what is good to know."""
        section = QWidget()
        layout = _column_of(section)
        if writes := list(writes_of(plan)):
            layout.addWidget(PlainLabel("On disk, now → after", name="section_title"))
            layout.addWidget(self._cards_of("writes", writes))
        if quiet := [kind for kind in told(plan) if not kind.grave]:
            layout.addLayout(quiet_lines(quiet))
        return section

    def _drift_note(self, path: LedgerPath, kind: DriftKind, plan: UndoPlan) -> DriftNote:
        note = DriftNote(path, words.drift_words(path, kind, plan))
        note.show_requested.connect(self.outside_requested)
        self._notes[path] = note
        return note

    def _add_bar(self, layout: QVBoxLayout) -> None:
        self._bar = None
        if len(self._choices) > 1:
            self._bar = PartsBar(self._choices, self._ticked)
            self._bar.wanted.connect(self._on_parts_wanted)
            layout.addWidget(self._bar)

    def _cards_of(self, name: str, parts: list[Part]) -> CardList:
        before = self._lists.get(name)
        kept = self._lists[name] = CardList(parts, AT_ONCE if before is None else max(AT_ONCE, before.shown))
        kept.grown.connect(self.grown)
        return kept

    def _hunk_card(self, plan: UndoPlan, hunk: HunkPlan) -> HunkCard:
        card = HunkCard(hunk, redo=plan.is_redo)
        card.show_ticked(on=hunk.index in self._ticked)
        card.ticked.connect(self._on_ticked)
        self._cards[hunk.index] = card
        return card

    def _file_line(self, line: Line) -> FileLine:
        """Make the line of a file; with a tick where it is one of several that can be chosen."""
        widget = FileLine(line, can_tick=len(self._choices) > 1)
        if widget.box is not None:
            widget.show_ticked(on=set(line.parts) <= self._ticked)
            widget.ticked.connect(self._on_file_ticked)
            self._lines[line.parts[0]] = widget
        return widget

    def _show_ticks(self) -> None:
        for index, card in self._cards.items():
            card.show_ticked(on=index in self._ticked)
        for line in self._lines.values():
            line.show_ticked(on=set(line.parts) <= self._ticked)

    def _tell(self) -> None:
        if self._bar is not None:
            self._bar.show_ticked(self._ticked)
        self.hunks_changed.emit(tuple(sorted(self._ticked | self._along)))

    @Slot(int, bool)
    def _on_ticked(self, index: int, on: bool) -> None:
        (self._ticked.add if on else self._ticked.discard)(index)
        self._tell()

    @Slot(object, bool)
    def _on_file_ticked(self, parts: tuple[int, ...], on: bool) -> None:
        (self._ticked.update if on else self._ticked.difference_update)(parts)
        self._tell()

    @Slot(object)
    def _on_parts_wanted(self, wanted: tuple[int, ...]) -> None:
        self._ticked = set(wanted)
        self._show_ticks()
        self._tell()


def _column_of(widget: QWidget) -> QVBoxLayout:
    column = QVBoxLayout(widget)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(14)
    return column


def _explanation(plan: UndoPlan) -> tuple[tuple[str, tuple[str]], ...]:
    said = plan.explanation
    rows = (
        ("Where it came from", said.where_from),
        ("How it was compared", said.how_compared),
        ("What will change", said.what_happens),
        ("How to get back", said.how_back),
    )
    return tuple((name, (plain(text, 600),)) for name, text in rows)
