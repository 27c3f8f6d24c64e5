"""Every question the window asks of the ledger, each answered by a signal; a newer one voids an older."""

import asyncio
from array import array
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from sulcus_panel.core.diff import DiffSide
from sulcus_panel.core.errors import NotFound, SulcusError
from sulcus_panel.core.ledger.queries import LedgerQuery
from sulcus_panel.core.model import Entry, GovernanceRecord, SeqId, Workspace
from sulcus_panel.service.interface import Verbs
from sulcus_panel.ui.jobs import Jobs
from sulcus_panel.ui.models.entry_details import EntryDetails, load_details
from sulcus_panel.ui.models.row_moves import KnownMoves, ShownIds
from sulcus_panel.ui.models.scope import WAITING
from sulcus_panel.ui.shown_change import Asked, ShownChange, colour, read_change
from sulcus_panel.ui.syntax import SyntaxLines
from sulcus_panel.ui.views.diff_document import DiffDocument

LAST_RECORDS = 500


@dataclass(frozen=True, slots=True)
class Totals:
    """Numbers for the status bar."""

    entries: int
    most_entries: int
    kept_bytes: int
    waiting: int
    last_undo: GovernanceRecord | None


class LedgerReads(QObject):
    """Asks on the reading lane, answers on the GUI thread. What goes wrong goes to `Jobs.failed`."""

    ids_found = Signal(object, object, object)
    """A query, the ids that match it, and the moves that lead to them from what was shown, if that was asked."""
    facets_found = Signal(object)
    runs_found = Signal(object)
    totals_found = Signal(object)
    change_found = Signal(object)
    coloured = Signal(object, object)
    details_found = Signal(object)
    records_found = Signal(object)
    rows_found = Signal(object, object, object)
    """Which were asked for, their entries (None: no answer), when undos of them happened."""
    entry_lost = Signal(int)
    """An entry that is no longer kept."""

    def __init__(self, jobs: Jobs, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._workspace = workspace
        self._awaited: asyncio.Future[object] | None = None
        self.shown_ids: Callable[[LedgerQuery], ShownIds | None] | None = None
        """Tells what is shown of a query, so that the answer is compared with it on the reading lane."""

    @Slot(object)
    def ask_ids(self, query: LedgerQuery) -> None:
        """Find which rows match, in order."""
        self._jobs.spawn(self._ids(query))

    @Slot(object)
    def ask_rows(self, seq_ids: tuple[SeqId, ...]) -> None:
        """Read entries that came into sight over a link."""
        self._jobs.spawn(self._rows(seq_ids))

    def ask_around(self, facet_query: LedgerQuery) -> None:
        """Count and group what is around the rows: facets, runs, totals."""
        self._jobs.spawn(self._around(facet_query))

    def ask_change(self, asked: Asked) -> None:
        """Compare one file of one entry."""
        self._jobs.spawn(self._change(asked))

    def ask_colours(self, document: DiffDocument) -> None:
        """Colour both sides of a comparison, unless another one is asked for meanwhile."""
        colours = self._jobs.read(lambda _operations: colour(document), key="change")
        self._jobs.spawn(self._colour(document, colours))

    def ask_details(self, seq_id: SeqId) -> None:
        """Look up what the details panel says of one entry."""
        self._jobs.spawn(self._details(seq_id))

    def ask_records(self, kind_prefix: str) -> None:
        """Read the second timeline."""
        self._jobs.spawn(self._records(kind_prefix))

    async def _ids(self, query: LedgerQuery) -> None:
        await self._change_first()
        shown = None if self.shown_ids is None else self.shown_ids(query)
        ids, moves = await self._jobs.read(partial(_ids_and_moves, query=query, shown=shown), key="ids")
        self.ids_found.emit(query, ids, moves)

    async def _rows(self, seq_ids: tuple[SeqId, ...]) -> None:
        try:
            entries, undone_at = await self._jobs.read(partial(_entries, seq_ids=seq_ids))
        except SulcusError:
            self.rows_found.emit(seq_ids, None, {})
            raise
        self.rows_found.emit(seq_ids, entries, undone_at)

    async def _around(self, facet_query: LedgerQuery) -> None:
        workspace_id = self._workspace.id
        await self._change_first()
        facets = await self._jobs.read(lambda operations: operations.facets(facet_query), key="facets")
        self.facets_found.emit(facets)
        await self._change_first()
        runs = await self._jobs.read(lambda operations: operations.runs(workspace_id), key="runs")
        self.runs_found.emit(runs)
        await self._change_first()
        totals = await self._jobs.read(lambda operations: _totals(operations, workspace_id), key="totals")
        self.totals_found.emit(totals)

    async def _change(self, asked: Asked) -> None:
        work = partial(read_change, asked=asked)
        shown = await self._of_entry(asked.seq_id, work, "change")
        if isinstance(shown, ShownChange):
            self.change_found.emit(shown)

    async def _colour(
        self, document: DiffDocument, colours: "asyncio.Future[dict[DiffSide, SyntaxLines]]"
    ) -> None:
        self.coloured.emit(document, await colours)

    async def _details(self, seq_id: SeqId) -> None:
        details = await self._of_entry(seq_id, partial(load_details, seq_id=seq_id), "details")
        if isinstance(details, EntryDetails):
            self.details_found.emit(details)

    async def _of_entry(self, seq_id: SeqId, work: Callable[[Verbs], object], key: str) -> object:
        try:
            future = self._jobs.read(work, key=key)
            if key == "change":
                self._awaited = future
            return await future
        except NotFound:
            self.entry_lost.emit(seq_id)
            return None

    async def _change_first(self) -> None:
        """Let the difference that a person waits for go first: there is one reading lane."""
        while self._awaited is not None and not self._awaited.done():
            over: asyncio.Future[None] = self._awaited.get_loop().create_future()
            self._awaited.add_done_callback(partial(_tell, over))
            await over

    async def _records(self, kind_prefix: str) -> None:
        look = partial(_last_records, workspace_id=self._workspace.id, kind_prefix=kind_prefix)
        self.records_found.emit(await self._jobs.read(look, key="records"))


def _tell(over: "asyncio.Future[None]", _awaited: "asyncio.Future[object]") -> None:
    if not over.done():
        over.set_result(None)


def _last_records(operations: Verbs, workspace_id: int, kind_prefix: str) -> tuple[GovernanceRecord, ...]:
    """Read what happened in this workspace, and what belongs to none: keys, rules for all of them."""
    of_here = operations.governance(workspace_id, limit=LAST_RECORDS, kind_prefix=kind_prefix)
    of_all = operations.governance(None, limit=LAST_RECORDS, kind_prefix=kind_prefix)
    of_none = (record for record in of_all if record.namespace is None)
    found = {record.id: record for record in (*of_here, *of_none)}
    return tuple(found[id_] for id_ in sorted(found, reverse=True)[:LAST_RECORDS])


def _ids_and_moves(
    operations: Verbs, query: LedgerQuery, shown: ShownIds | None
) -> "tuple[array[int], KnownMoves | None]":
    ids = operations.find_ids(query)
    return ids, None if shown is None else shown.moves_to(ids)


def _entries(
    operations: Verbs, seq_ids: tuple[SeqId, ...]
) -> tuple[tuple[Entry, ...], dict[SeqId, datetime]]:
    """Return these entries, and when those of them that were undone were."""
    entries = operations.entries(seq_ids)
    undos = tuple(entry.undone_by for entry in entries if entry.undone_by is not None)
    return entries, {undo.seq_id: undo.record.at for undo in (operations.entries(undos) if undos else ())}


def _totals(operations: Verbs, workspace_id: int) -> Totals:
    everything = LedgerQuery(workspace_id=workspace_id)
    undos = operations.governance(workspace_id, limit=1, kind_prefix="undo.applied")
    return Totals(
        entries=operations.count(everything),
        most_entries=operations.settings(workspace_id).max_entries,
        kept_bytes=operations.store_size(),
        waiting=operations.count(WAITING.within(everything)),
        last_undo=undos[0] if undos else None,
    )
