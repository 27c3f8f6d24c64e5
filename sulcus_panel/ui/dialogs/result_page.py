"""The last page of the undo sheet: what really stands on disk now, with the hashes read back from it."""

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from sulcus_panel.core.errors import SulcusError
from sulcus_panel.core.model import Sha256
from sulcus_panel.core.safety import plain
from sulcus_panel.core.undo.model import EntryResult, Outcome, PathResult, UndoResult
from sulcus_panel.ui.dialogs import undo_words as words
from sulcus_panel.ui.dialogs.card_list import CardList, Part
from sulcus_panel.ui.dialogs.hunk_card import Card, ConflictCard
from sulcus_panel.ui.dialogs.plain_label import PlainLabel

SUCCESSES = (Outcome.UNDONE, Outcome.PARTLY_UNDONE)
"""After these, what the plan warned of has been said and decided."""

MOST_PATHS = 50


class ResultPage(QScrollArea):
    """Shows a result, or the error that stopped it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("result_page")
        self.setAccessibleName("Result")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def show_result(self, result: UndoResult, *, redo: bool) -> None:
        """Show what became of every entry and every path."""
        status = words.result_title(result, redo=redo)
        layout = self._start(status.text, status.mood)
        parts = []
        for entry in result.results:
            parts.append(Part(partial(_entry_card, entry, redo=redo), "change"))
            parts += [Part(partial(ConflictCard, conflict), "conflict") for conflict in entry.conflicts]
        layout.addWidget(CardList(parts))
        for warning in result.warnings if result.outcome not in SUCCESSES else ():
            layout.addWidget(PlainLabel(plain(warning.text, 600), wrap=True))
        if any(entry.undo_seq_id is not None for entry in result.results):
            back = "What was replaced is kept. It can be brought back at any time, also after a restart."
            layout.addWidget(PlainLabel(back, tone="quiet", wrap=True))
        layout.addStretch(1)

    def show_error(self, error: SulcusError) -> None:
        """Show why nothing was done, and what the person can do."""
        layout = self._start(plain(error.title, 300), words.Mood.BAD)
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


def _entry_card(entry: EntryResult, *, redo: bool) -> Card:
    card = Card("result_card")
    title = f"#{entry.seq_id}"
    if entry.undo_seq_id is not None:
        title += f" {'redone' if redo else 'undone'} by #{entry.undo_seq_id}"
    status = words.outcome_status(entry.outcome, entry.reason)
    label = PlainLabel("" if entry.paths and not entry.reason else status.text, tone=status.mood, wrap=True)
    label.setAlignment(Qt.AlignmentFlag.AlignRight)
    card.set_head(PlainLabel(title, name="card_title", wrap=True), label)
    for path in entry.paths[:MOST_PATHS]:
        card.body.addWidget(PlainLabel(words.path_text(path.path), name="result_path", wrap=True))
        card.body.addWidget(PlainLabel(_hashes(path), name="result_hashes", wrap=True, selectable=True))
    if (rest := len(entry.paths) - MOST_PATHS) > 0:
        card.body.addWidget(PlainLabel(f"{rest:,} more files", name="result_path"))
    return card


def _hashes(path: PathResult) -> str:
    read = "now", " · read back from disk"
    word, how = read if path.read_back else ("then", "")
    return f"was {_sha(path.before_sha256)}\n{word} {_sha(path.after_sha256)}{how}"


def _sha(sha256: Sha256 | None) -> str:
    return f"sha256 {sha256}" if sha256 else "no file"
