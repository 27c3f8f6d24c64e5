"""Which entries a request means: by id, the last few, a search, or a whole turn. Reads only, decides once."""

from dataclasses import dataclass

from sulcus_panel.core.errors import BadRequest, NotFound
from sulcus_panel.core.ledger.queries import LedgerQuery
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import Entry, EntryState, Origin, SeqId

MOST_AT_ONCE = 100

OPEN_STATES = (EntryState.RECORDED, EntryState.PARTLY_UNDONE, EntryState.DEFERRED, EntryState.HELD)


@dataclass(frozen=True, slots=True)
class Selection:
    """Exactly one way of naming entries: ids, the newest N of the agents', a substring, or a turn."""

    seq_ids: tuple[SeqId, ...] = ()
    last_n: int | None = None
    query: str | None = None
    turn_id: str | None = None


@dataclass(frozen=True, slots=True)
class Chosen:
    """The entries meant, and those of the turn that have nothing on disk to take back (commands, say)."""

    seq_ids: tuple[SeqId, ...]
    left_out: tuple[Entry, ...] = ()


def choose(ledger: Ledger, workspace_id: int, selection: Selection) -> Chosen:
    """Return the entries that `selection` means, duplicates once.

    `last_n` and `query` choose agents' entries not yet undone; `query` is a case-insensitive substring of
    path, command, summary, intent or tool. Raises BadRequest for a selection that is empty, ambiguous or over
    100 entries, NotFound naming an id or turn that this workspace does not have.
    """
    given = [
        bool(selection.seq_ids),
        selection.last_n is not None,
        selection.query is not None,
        selection.turn_id is not None,
    ]
    if sum(given) != 1:
        raise BadRequest(
            "Say which changes are meant", "Give ids, or a number of newest ones, or a search, or a turn."
        )
    if selection.seq_ids:
        return _by_ids(ledger, workspace_id, selection.seq_ids)
    if selection.last_n is not None:
        return _last(ledger, workspace_id, selection.last_n)
    if selection.query is not None:
        return _matching(ledger, workspace_id, selection.query)
    return _turn(ledger, workspace_id, selection.turn_id or "")


def _by_ids(ledger: Ledger, workspace_id: int, seq_ids: tuple[SeqId, ...]) -> Chosen:
    unique = tuple(dict.fromkeys(seq_ids))
    found = {entry.seq_id: entry for entry in ledger.entries(unique)}
    for seq_id in unique:
        entry = found.get(seq_id)
        if entry is None or entry.workspace_id != workspace_id:
            raise NotFound(f"There is no change #{seq_id} in this workspace", "Nothing was done.")
    return Chosen(unique)


def _is_open(entry: Entry) -> bool:
    return entry.record.origin is Origin.AGENT and entry.state in OPEN_STATES


def _last(ledger: Ledger, workspace_id: int, last_n: int) -> Chosen:
    if not 1 <= last_n <= MOST_AT_ONCE:
        raise BadRequest(f"last_n is {last_n}", f"It must be between 1 and {MOST_AT_ONCE}.", field="last_n")
    found: list[SeqId] = []
    before: SeqId | None = None
    while len(found) < last_n:
        page = ledger.find(
            LedgerQuery(workspace_id=workspace_id, origin=Origin.AGENT, before=before, limit=256)
        )
        found += [entry.seq_id for entry in page if _is_open(entry)]
        if len(page) < 256:
            break
        before = page[-1].seq_id
    if not found:
        raise NotFound("There is no change by an agent left to undo", "Nothing was done.")
    return Chosen(tuple(found[:last_n]))


def _matching(ledger: Ledger, workspace_id: int, query: str) -> Chosen:
    if not query.strip():
        raise BadRequest("The search is empty", "It would mean every change.", field="query")
    page = ledger.find(LedgerQuery(workspace_id=workspace_id, origin=Origin.AGENT, text=query, limit=50_000))
    found = tuple(entry.seq_id for entry in page if _is_open(entry))
    if len(found) > MOST_AT_ONCE:
        raise BadRequest(
            f"{len(found)} changes match", f"At most {MOST_AT_ONCE} can be undone at once.", field="query"
        )
    if not found:
        raise NotFound("No change by an agent matches", f"Nothing that can be undone holds {query!r}.")
    return Chosen(found)


def _turn(ledger: Ledger, workspace_id: int, turn_id: str) -> Chosen:
    if not turn_id:
        raise BadRequest("No turn is named", "It would mean every change.", field="turn_id")
    page = ledger.find(LedgerQuery(workspace_id=workspace_id, turn_id=turn_id, limit=50_000))
    if not page:
        raise NotFound(f"There is no turn {turn_id}", "Nothing was done.")
    mine = [entry for entry in page if _is_open(entry)]
    with_files = tuple(entry.seq_id for entry in mine if entry.record.changes)
    if not with_files:
        raise NotFound("This turn has no file change left to undo", "Nothing was done.")
    if len(with_files) > MOST_AT_ONCE:
        raise BadRequest(f"This turn has {len(with_files)} changes", f"At most {MOST_AT_ONCE} at once.")
    return Chosen(with_files, tuple(entry for entry in mine if not entry.record.changes))
