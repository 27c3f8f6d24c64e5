"""The last page of the undo sheet: what really stands on disk now, with the hashes read back from it."""

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from sulcus_panel.core.errors import SulcusError
from sulcus_panel.core.model import FileKind, FileState, LedgerPath, Sha256
from sulcus_panel.core.safety import plain
from sulcus_panel.core.undo.model import (
    EntryResult,
    Outcome,
    PathPlan,
    PathResult,
    Strategy,
    UndoPlan,
    UndoResult,
)
from sulcus_panel.ui.dialogs import undo_words as words
from sulcus_panel.ui.dialogs.card_list import CardList, Part
from sulcus_panel.ui.dialogs.hunk_card import Card, ConflictCard
from sulcus_panel.ui.dialogs.outcome_words import outcome_status, result_title, wrote
from sulcus_panel.ui.dialogs.plain_label import PlainLabel
from sulcus_panel.ui.dialogs.status import Mood
from sulcus_panel.ui.dialogs.warning_list import WarningNote
from sulcus_panel.ui.dialogs.warning_words import news

MOST_PATHS = 50
SURE = (Outcome.UNDONE, Outcome.COPY_SAVED)

Plans = Mapping[LedgerPath, PathPlan]


class ResultPage(QScrollArea):
    """Shows a result, or the error that stopped it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("result_page")
        self.setAccessibleName("Result")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def show_result(self, result: UndoResult, plan: UndoPlan | None = None, *, redo: bool) -> None:
        """Show what became of every entry and every path; what `plan` had warned of is not said again."""
        status = result_title(result, redo=redo)
        layout = self._start(status.text, status.mood)
        if found := news(result.warnings, plan.warnings if plan is not None else ()):
            layout.addWidget(WarningNote(found))
        saves = plan is not None and plan.outcome is Outcome.COPY_SAVED
        verb = ": old copy saved" if saves else " redone" if redo else " undone"
        planned = {item.entry.seq_id: item.paths for item in plan.entries} if plan is not None else {}
        parts = []
        for entry in result.results:
            sure = entry.outcome in SURE
            paths = {path.path: path for path in planned.get(entry.seq_id, ()) if sure}
            parts.append(Part(partial(_entry_card, entry, paths, verb), "change"))
            if not sure:
                parts += [Part(partial(ConflictCard, conflict), "conflict") for conflict in entry.conflicts]
        layout.addWidget(CardList(parts))
        if wrote(result) and any(entry.undo_seq_id is not None for entry in result.results):
            layout.addWidget(PlainLabel(_way_back(result), tone="quiet", wrap=True))
        layout.addStretch(1)

    def show_error(self, error: SulcusError) -> None:
        """Show why nothing was done, and what the person can do."""
        layout = self._start(plain(error.title, 300), Mood.BAD)
        for text in (error.detail, error.hint):
            if text:
                layout.addWidget(PlainLabel(plain(text, 1000), wrap=True, selectable=True))
        layout.addStretch(1)

    def _start(self, title: str, tone: str) -> QVBoxLayout:
        page = QWidget()
        page.setObjectName("plan_content")
        layout = QVBoxLayout(page)
        layout.setContentsMargins(28, 26, 28, 24)
        layout.setSpacing(12)
        layout.addWidget(PlainLabel(title, name="page_title", tone=tone, wrap=True))
        self.setWidget(page)
        return layout


def _way_back(result: UndoResult) -> str:
    if result.outcome is Outcome.COPY_SAVED:
        return "Nothing was replaced. The copy is a row of its own; undoing that removes it again."
    if any(entry.strategy is Strategy.COMPENSATING_CLI for entry in result.results):
        return "Nothing is lost. It can be brought back at any time, also after a restart."
    return "What was replaced is kept. It can be brought back at any time, also after a restart."


def _entry_card(entry: EntryResult, planned: Plans, verb: str) -> Card:
    card = Card("result_card")
    title = f"#{entry.seq_id}"
    if entry.undo_seq_id is not None:
        title += f"{verb} by #{entry.undo_seq_id}"
    status = outcome_status(entry.outcome, entry.reason)
    text = plain(entry.reason, 400) if entry.paths and entry.outcome in SURE else status.text
    label = PlainLabel(text, tone=status.mood, wrap=True)
    label.setAlignment(Qt.AlignmentFlag.AlignRight)
    card.set_head(PlainLabel(title, name="card_title", wrap=True), label)
    for path in entry.paths[:MOST_PATHS]:
        card.body.addWidget(PlainLabel(words.path_text(path.path), name="result_path", wrap=True))
        told = _states(path, planned.get(path.path))
        card.body.addWidget(PlainLabel(told, name="result_hashes", wrap=True, selectable=True))
    if (rest := len(entry.paths) - MOST_PATHS) > 0:
        card.body.addWidget(PlainLabel(f"{rest:,} more files", name="result_path"))
    return card


def _states(path: PathResult, planned: PathPlan | None) -> str:
    read = "now", " · read back from disk"
    word, how = read if path.read_back else ("then", "")
    before = _state(path.before_sha256, planned.disk if planned is not None else None)
    after = _state(path.after_sha256, planned.result if planned is not None else None)
    return f"was {before}\n{word} {after}{how}"


def _state(sha256: Sha256 | None, planned: FileState | None) -> str:
    """Say what the disk held; a folder has no hash, so that only the plan knows it."""
    if sha256:
        return f"sha256 {sha256}"
    return "a folder" if planned is not None and planned.kind is FileKind.DIRECTORY else "nothing there"
