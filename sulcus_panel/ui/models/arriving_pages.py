"""Rows that come over a link: what is not here yet is asked for and left blank, what is outdated stays in sight.

Only what was looked at last is asked for: who scrolls through 50,000 rows does not wait for those passed by.
"""

from array import array
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from sulcus_panel.core.model import Entry
from sulcus_panel.ui.models.entry_pages import PAGE, PAGES_KEPT
from sulcus_panel.ui.models.ledger_row import LedgerRow, undo_cell

MOST_ASKED = 4 * PAGE


class ArrivingPages:
    """As EntryPages, but what is missing arrives by `take`."""

    def __init__(
        self, want: Callable[[], None], make_row: Callable[[Entry, datetime | None], LedgerRow]
    ) -> None:
        self._want = want
        self._make_row = make_row
        self._kept: OrderedDict[int, LedgerRow | None] = OrderedDict()
        self._stale: set[int] = set()
        self._wanted: dict[int, None] = {}
        self._asked: frozenset[int] = frozenset()

    def row(self, ids: "array[int]", index: int) -> LedgerRow | None:
        """Return the row for `ids[index]` as far as it is known; its page is asked for if need be."""
        seq_id = ids[index]
        if not self._is_fresh(seq_id) and seq_id not in self._asked:
            start = index - index % PAGE
            self._look_for(ids[start : start + PAGE])
        if seq_id in self._kept:
            self._kept.move_to_end(seq_id)
        return self._kept.get(seq_id)

    def rows(self, seq_ids: Sequence[int]) -> tuple[LedgerRow, ...]:
        """Return those of these rows that are here; the others are asked for."""
        self._look_for(seq_ids)
        return tuple(row for seq_id in seq_ids if (row := self._kept.get(seq_id)) is not None)

    def forget(self, seq_ids: Iterable[int] | None = None) -> tuple[int, ...]:
        """Have these rows (None: all) read anew when they are next looked at. Returns those that are here."""
        dropped = tuple(self._kept if seq_ids is None else (one for one in seq_ids if one in self._kept))
        self._stale.update(dropped)
        return dropped

    def next_wanted(self) -> tuple[int, ...]:
        """Return what to ask for now, the last looked at; what was passed by is not asked for. One at a time."""
        if self._asked or not self._wanted:
            return ()
        chosen = tuple(self._wanted)[-MOST_ASKED:]
        self._wanted.clear()
        self._asked = frozenset(chosen)
        self._stale -= self._asked
        return chosen

    def take(
        self, asked: Collection[int], entries: Sequence[Entry], undone_at: Mapping[int, datetime]
    ) -> None:
        """Take the answer; an id without an entry is no longer kept."""
        found = {int(entry.seq_id): entry for entry in entries}
        for seq_id in asked:
            entry = found.get(seq_id)
            at = None if entry is None or entry.undone_by is None else undone_at.get(entry.undone_by)
            self._kept[seq_id] = None if entry is None else self._make_row(entry, at)
        self._asked = frozenset()
        while len(self._kept) > PAGE * PAGES_KEPT:
            self._stale.discard(self._kept.popitem(last=False)[0])

    def lose(self, asked: Iterable[int]) -> None:
        """There was no answer: they are asked for when they are next looked at."""
        self._stale.update(one for one in asked if one in self._kept)
        self._asked = frozenset()

    def bar(self, barred: str) -> tuple[int, ...]:
        """Say of every row whether it can be undone now. Returns those that are here."""
        for seq_id, row in self._kept.items():
            if row is not None:
                self._kept[seq_id] = replace(row, undo=undo_cell(row.entry, barred))
        return tuple(self._kept)

    def _is_fresh(self, seq_id: int) -> bool:
        return seq_id in self._kept and seq_id not in self._stale

    def _look_for(self, seq_ids: Iterable[int]) -> None:
        missing = [one for one in seq_ids if not self._is_fresh(one) and one not in self._asked]
        for seq_id in missing:
            self._wanted.pop(seq_id, None)
            self._wanted[seq_id] = None
        if missing:
            self._want()
