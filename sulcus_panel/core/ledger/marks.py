"""What has become of an entry since it was recorded: undone, held, deferred. The entry is never rewritten.

A reversal is derived from the undo entries that are in force: those which `reverse` it and are not undone
themselves. So the undo of an undo (redo) brings the older entry back, to any depth.
"""

from collections.abc import Iterable, Sequence
from json import loads

from sulcus_panel.core.errors import BadRequest, NotFound
from sulcus_panel.core.ledger.database import Database
from sulcus_panel.core.ledger.encoding import decode_hunks, decode_path
from sulcus_panel.core.ledger.undoability import Taken
from sulcus_panel.core.model import EntryState, LedgerPath, SeqId
from sulcus_panel.core.states import part_numbers

_SETTABLE = {
    EntryState.RECORDED,
    EntryState.DEFERRED,
    EntryState.HELD,
    EntryState.FAILED,
    EntryState.ATTENTION,
}
_UPSERT = """
INSERT INTO mark (seq_id, state, reversal, undone_by, at) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (seq_id) DO UPDATE SET
    state = excluded.state, reversal = excluded.reversal, undone_by = excluded.undone_by, at = excluded.at
"""


def settle_reversals(db: Database, reversed_seq: SeqId | None, now: int) -> None:
    """Bring the marks up to date after an undo of `reversed_seq` was recorded; a hold or deferral on it ends.

    When the reversed entry is itself an undo, what it had reversed is settled too, and so on downwards.
    """
    while reversed_seq is not None:
        found = db.row("SELECT reverses FROM entry WHERE seq_id = ?", (reversed_seq,))
        if found is None:
            return  # pruned meanwhile
        state, undone_by = _derive(db, reversed_seq)
        db.run(_UPSERT, (reversed_seq, state.value, state.value, undone_by, now))
        older = found[0]
        reversed_seq = older if older is not None and older < reversed_seq else None


def set_state(db: Database, seq_id: SeqId, state: EntryState, now: int) -> None:
    """Mark an entry as held, deferred, failed or asking for attention; RECORDED takes such a mark away.

    An entry that is undone stays so.

    Raises:
        BadRequest: `undone` and `partly_undone` come only from a recorded undo.
        NotFound: no such entry.
    """
    if state not in _SETTABLE:
        raise BadRequest("This state comes only from an undo", state.value, field="state")
    if db.row("SELECT 1 FROM entry WHERE seq_id = ?", (seq_id,)) is None:
        raise NotFound("There is no such entry", f"#{seq_id}")
    found = db.row("SELECT reversal, undone_by FROM mark WHERE seq_id = ?", (seq_id,))
    reversal, undone_by = found or (EntryState.RECORDED.value, None)
    shown = state.value
    if reversal == EntryState.UNDONE.value or state is EntryState.RECORDED:
        shown = reversal
    db.run(_UPSERT, (seq_id, shown, reversal, undone_by, now))


def misjudged(db: Database) -> tuple[SeqId, ...]:
    """Entries whose mark says other than the undos in force, newest first; for `settle_reversals`.

    Not those that are pinned, nor those whose undo was let go of: there the mark knows more.
    """
    marked = db.rows(
        "SELECT s.seq_id, m.reversal, m.undone_by FROM"
        " (SELECT reverses AS seq_id FROM entry WHERE reverses IS NOT NULL UNION SELECT seq_id FROM mark) s"
        " JOIN entry e ON e.seq_id = s.seq_id LEFT JOIN mark m ON m.seq_id = s.seq_id"
        " WHERE NOT EXISTS (SELECT 1 FROM label l WHERE l.seq_id = s.seq_id AND l.mark = 'pin')"
        " AND (m.undone_by IS NULL OR m.undone_by IN (SELECT seq_id FROM entry)) ORDER BY s.seq_id DESC"
    )
    found = []
    for seq_id, reversal, undone_by in marked:
        state, by = _derive(db, seq_id)
        if (reversal or EntryState.RECORDED.value, undone_by) != (state.value, by):
            found.append(SeqId(seq_id))
    return tuple(found)


def taken_back(db: Database, seq_ids: Sequence[SeqId]) -> dict[SeqId, Taken]:
    """What undos of parts, wholly in force, have taken back of each of these entries."""
    holes = ",".join("?" * len(seq_ids))
    undos = db.rows(
        "SELECT e.seq_id, e.reverses, e.more FROM entry e LEFT JOIN mark m ON m.seq_id = e.seq_id"
        f" WHERE e.reverses IN ({holes}) AND coalesce(m.reversal, ?) = ?",
        (*seq_ids, EntryState.RECORDED.value, EntryState.RECORDED.value),
    )
    hunks: dict[SeqId, set[int]] = {}
    paths: dict[SeqId, set[LedgerPath]] = {}
    for seq_id, reversed_seq, more in undos:
        written = db.rows("SELECT path FROM change WHERE seq_id = ?", (seq_id,))
        paths.setdefault(reversed_seq, set()).update(decode_path(path) for (path,) in written)
        hunks.setdefault(reversed_seq, set()).update(
            (loads(more).get("reversed_hunks") if more else None) or ()
        )
    return {seq_id: Taken(frozenset(hunks[seq_id]), frozenset(paths[seq_id])) for seq_id in hunks}


def _derive(db: Database, seq_id: SeqId) -> tuple[EntryState, SeqId | None]:
    """The reversal of an entry from the undo entries in force, and the newest of these."""
    undos = db.rows(
        "SELECT e.seq_id, e.more, m.reversal FROM entry e LEFT JOIN mark m ON m.seq_id = e.seq_id"
        " WHERE e.reverses = ? AND coalesce(m.reversal, '') != ? ORDER BY e.seq_id",
        (seq_id, EntryState.UNDONE.value),
    )
    if not undos:
        return EntryState.RECORDED, None
    taken: set[int] = set()
    whole = False
    for _, more, reversal in undos:
        hunks = loads(more).get("reversed_hunks") if more else None
        if reversal == EntryState.PARTLY_UNDONE.value:
            continue  # a part of this undo was taken back: whichever part, the entry is not wholly undone
        if hunks is None:
            whole = True
        else:
            taken.update(hunks)
    complete = whole or taken.issuperset(_all_parts(db, seq_id))
    return (EntryState.UNDONE if complete else EntryState.PARTLY_UNDONE), SeqId(undos[-1][0])


def _all_parts(db: Database, seq_id: SeqId) -> Iterable[int]:
    """The numbers of all parts; -1, which nothing can take back, where there are none."""
    rows = db.rows("SELECT hunks FROM change WHERE seq_id = ? ORDER BY idx", (seq_id,))
    numbers = part_numbers([len(decode_hunks(hunks)) for (hunks,) in rows])
    return [number for each in numbers for number in each] or [-1]
