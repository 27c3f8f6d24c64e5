"""Search, scope and facets in one: whatever narrows the ledger ends in one query.

The search field holds the whole truth of what the chips say, so there is one thing to clear. It is a child
like any other; a window may put it elsewhere (`filter_bar.search`).
"""

from dataclasses import replace

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from sulcus_panel.core.ledger.queries import Facets, LedgerQuery
from sulcus_panel.ui.models.scope import EVERYTHING, Scope
from sulcus_panel.ui.models.search_text import parse_search, toggled
from sulcus_panel.ui.models.wording import count_of
from sulcus_panel.ui.views.facet_chips import FacetChips
from sulcus_panel.ui.views.search_box import SearchBox
from sulcus_panel.ui.views.themed_label import Ink, ThemedLabel


class FilterBar(QWidget):
    """Tells `query_changed` whenever another part of the ledger is wanted."""

    query_changed = Signal(object)
    """A LedgerQuery, without regard to order."""
    scope_changed = Signal(object)
    """The Scope now in force, when it was cleared here."""
    left = Signal()
    """The person is done with the search field: give the focus to the table."""

    def __init__(self, base: LedgerQuery, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._base = base
        self._scope = EVERYTHING
        self._told = base
        self.search = SearchBox(self)
        self._chips = FacetChips(self)
        self._hits = ThemedLabel(ink=Ink.MUTED, max_lines=1)
        self._line = QHBoxLayout()
        self._line.setSpacing(10)
        self._line.addWidget(self._chips, 1)
        self._line.addWidget(self._hits)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 6, 10, 6)
        column.addWidget(self.search)
        column.addLayout(self._line)
        self.search.searched.connect(self._on_searched)
        self.search.left.connect(self.left)
        self._chips.word_toggled.connect(self._on_word_toggled)
        self._chips.scope_cleared.connect(self._on_scope_cleared)

    @property
    def query(self) -> LedgerQuery:
        """What scope, search and chips come to."""
        return parse_search(self.search.text().strip(), self._scope.within(self._base))

    @property
    def facet_query(self) -> LedgerQuery:
        """What to count the facets over: the scope alone, so that the chips not chosen keep their counts."""
        return self._scope.within(self._base)

    @property
    def scope(self) -> Scope:
        """The part of the ledger that is looked at."""
        return self._scope

    @property
    def is_narrowed(self) -> bool:
        """True when not everything of the workspace is wanted."""
        return self.query != self._base

    def set_scope(self, scope: Scope) -> None:
        """Look at another part of the ledger."""
        self._scope = scope
        self._chips.set_scope("" if scope == EVERYTHING else scope.label)
        self._tell()

    def set_facets(self, facets: Facets) -> None:
        """Show how many there are of each kind (of `facet_query`)."""
        self._chips.set_facets(facets)

    @Slot(int)
    def set_hits(self, hits: int) -> None:
        """Say how many rows the query has found."""
        self._hits.setText(count_of(hits, "change") if self.is_narrowed else "")

    def add_at_end(self, widget: QWidget) -> None:
        """Give a small widget the right end of the line of chips."""
        self._line.addWidget(widget)

    @Slot()
    def clear(self) -> None:
        """Look at everything again."""
        self._scope = EVERYTHING
        self._chips.set_scope("")
        self.scope_changed.emit(EVERYTHING)
        self.search.search_now("")
        self._tell()

    @Slot()
    def focus_search(self) -> None:
        """Put the cursor into the search field, its text selected."""
        self.search.setFocus()
        self.search.selectAll()

    @Slot(str)
    def _on_searched(self, text: str) -> None:
        self._chips.set_search(text)
        self._tell()

    @Slot(str)
    def _on_word_toggled(self, word: str) -> None:
        self.search.search_now(toggled(self.search.text(), word))

    @Slot()
    def _on_scope_cleared(self) -> None:
        self.set_scope(EVERYTHING)
        self.scope_changed.emit(EVERYTHING)

    def _tell(self) -> None:
        query = self.query
        if query != self._told:
            self._told = query
            self.query_changed.emit(replace(query))
