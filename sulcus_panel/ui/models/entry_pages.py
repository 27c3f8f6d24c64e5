"""Rows read as they come into sight, a page at a time, so that 50,000 rows are as cheap as 50.

They are read on the GUI thread, and again after every write of another process: a page is about as much as can
be seen at once.
"""

from array import array
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Protocol

from sulcus_panel.core.model import Entry, SeqId
from sulcus_panel.ui.models.ledger_row import LedgerRow

PAGE = 32
PAGES_KEPT = 64


class Rows(Protocol):
    """Where entries come from; Operations is one."""

    def entries(self, seq_ids: Sequence[SeqId]) -> tuple[Entry, ...]:
        """These entries in this order; ids no longer kept are skipped."""
        ...


class EntryPages:
    """Kept by id, so that rows moving up or down cost nothing. An id that is no longer kept reads as None."""

    def __init__(self, source: Rows, make_row: Callable[[Entry, datetime | None], LedgerRow]) -> None:
        self._source = source
        self._make_row = make_row
        self._kept: OrderedDict[int, LedgerRow | None] = OrderedDict()

    def row(self, ids: "array[int]", index: int) -> LedgerRow | None:
        """Return the row for `ids[index]`, reading its page if need be. Raises what the source raises."""
        seq_id = ids[index]
        if seq_id in self._kept:
            self._kept.move_to_end(seq_id)
            return self._kept[seq_id]
        start = index - index % PAGE
        self._read([each for each in ids[start : start + PAGE] if each not in self._kept])
        return self._kept[seq_id]

    def rows(self, seq_ids: Sequence[int]) -> tuple[LedgerRow, ...]:
        """Return these rows, those that are still kept, with one question for all that are not at hand."""
        if missing := [seq_id for seq_id in seq_ids if seq_id not in self._kept]:
            self._read(missing)
        return tuple(row for seq_id in seq_ids if (row := self._kept.get(seq_id)) is not None)

    def forget(self, seq_ids: Iterable[int] | None = None) -> tuple[int, ...]:
        """Drop these rows (None: all), to be read anew. Returns the ids that were at hand."""
        if seq_ids is None:
            dropped = tuple(self._kept)
            self._kept.clear()
            return dropped
        return tuple(seq_id for seq_id in seq_ids if self._kept.pop(seq_id, self) is not self)

    def _read(self, seq_ids: list[int]) -> None:
        found = {entry.seq_id: entry for entry in self._source.entries([SeqId(each) for each in seq_ids])}
        undone_at = self._times(entry.undone_by for entry in found.values() if entry.undone_by is not None)
        for seq_id in seq_ids:
            entry = found.get(SeqId(seq_id))
            at = None if entry is None or entry.undone_by is None else undone_at.get(entry.undone_by)
            self._kept[seq_id] = None if entry is None else self._make_row(entry, at)
        while len(self._kept) > PAGE * PAGES_KEPT:
            self._kept.popitem(last=False)

    def _times(self, undos: Iterable[SeqId]) -> dict[SeqId, datetime]:
        """Return when these undos happened: one more question, only for a page that has any."""
        wanted = tuple(undos)
        entries = self._source.entries(wanted) if wanted else ()
        return {entry.seq_id: entry.record.at for entry in entries}
