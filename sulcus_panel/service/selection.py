"""Which entries a request means: by id, the last few, a search, or a whole turn. Reads only, decides once."""

from dataclasses import dataclass, replace

from sulcus_panel.core.errors import BadRequest, NotFound
from sulcus_panel.core.ledger.queries import LedgerQuery
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import Entry, EntryState, Origin, SeqId
from sulcus_panel.core.safety import plain

MOST_AT_ONCE = 100

OPEN_STATES = (EntryState.RECORDED, EntryState.PARTLY_UNDONE, EntryState.DEFERRED, EntryState.HELD)


@dataclass(frozen=True, slots=True)
class Selection:
    """Exactly one way of naming entries: ids, the newest N of the agents', a substring, or a turn."""

    seq_ids: tuple[SeqId, ...] = ()
    last_n: int | None = None
    query: str | None = None
    turn_id: str | None = None
    actor: str = ""
    """Of a number or a search only what this actor did; "" for all agents."""


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
        return _last(ledger, _open_ones(workspace_id, selection.actor), selection.last_n)
    if selection.query is not None:
        return _matching(ledger, _open_ones(workspace_id, selection.actor), selection.query)
    return _turn(ledger, workspace_id, selection.turn_id or "")


def _by_ids(ledger: Ledger, workspace_id: int, seq_ids: tuple[SeqId, ...]) -> Chosen:
    unique = tuple(dict.fromkeys(seq_ids))
    found = {entry.seq_id: entry for entry in ledger.entries(unique)}
    for seq_id in unique:
        entry = found.get(seq_id)
        if entry is None or entry.workspace_id != workspace_id:
            raise NotFound(f"There is no change #{seq_id} in this workspace", "Nothing was done.")
    return Chosen(unique)


def _last(ledger: Ledger, open_ones: LedgerQuery, last_n: int) -> Chosen:
    if not 1 <= last_n <= MOST_AT_ONCE:
        raise BadRequest(f"last_n is {last_n}", f"It must be between 1 and {MOST_AT_ONCE}.", field="last_n")
    found = ledger.find_ids(open_ones, limit=last_n)
    if not found:
        raise NotFound("There is no change by an agent left to undo", "Nothing was done.")
    return Chosen(tuple(SeqId(seq_id) for seq_id in found))


def _open_ones(workspace_id: int, actor: str = "") -> LedgerQuery:
    return LedgerQuery(workspace_id=workspace_id, origin=Origin.AGENT, states=OPEN_STATES, actor=actor)


def _matching(ledger: Ledger, open_ones: LedgerQuery, text: str) -> Chosen:
    if not text.strip():
        raise BadRequest("The search is empty", "It would mean every change.", field="query")
    query = replace(open_ones, text=text)
    found = ledger.find_ids(query, limit=MOST_AT_ONCE + 1)
    if len(found) > MOST_AT_ONCE:
        raise BadRequest(
            f"{ledger.count(query)} changes match",
            f"At most {MOST_AT_ONCE} can be undone at once.",
            field="query",
        )
    if not found:
        raise NotFound(
            "No change by an agent matches", f"Nothing that can be undone holds “{plain(text, 80)}”."
        )
    return Chosen(tuple(SeqId(seq_id) for seq_id in found))


def _turn(ledger: Ledger, workspace_id: int, turn_id: str) -> Chosen:
    if not turn_id:
        raise BadRequest("No turn is named", "It would mean every change.", field="turn_id")
    turn = replace(_open_ones(workspace_id), turn_id=turn_id, limit=50_000)
    mine = ledger.find(turn)
    if not mine and not ledger.count(LedgerQuery(workspace_id=workspace_id, turn_id=turn_id)):
        raise NotFound(f"There is no turn {plain(turn_id, 80)}", "Nothing was done.")
    with_files = tuple(entry.seq_id for entry in mine if entry.record.changes)
    if not with_files:
        raise NotFound("This turn has no file change left to undo", "Nothing was done.")
    if len(with_files) > MOST_AT_ONCE:
        raise BadRequest(f"This turn has {len(with_files)} changes", f"At most {MOST_AT_ONCE} at once.")
    return Chosen(with_files, tuple(entry for entry in mine if not entry.record.changes))
