"""Writing an entry: its row, its changes and its sources, with raw sqlite3 because every call pays for it."""

from collections.abc import Sequence

from sulcus_panel.core.ledger.database import Database, Value
from sulcus_panel.core.ledger.encoding import (
    encode_hunks,
    encode_path,
    encode_raw_text,
    encode_sha,
    encode_text,
    folded,
    to_micros,
)
from sulcus_panel.core.ledger.rare_fields import encode_rare
from sulcus_panel.core.model import Change, FileState, NewEntry, SeqId

SUMMARY_LIMIT = 2_000
INTENT_LIMIT = 8_000
LABEL_LIMIT = 500
SEARCHED_COMMAND = 20_000

_COLUMNS = (
    "uid, workspace_id, ordinal, at, recorded_at, harness, actor, actor_kind, origin, action_type, tool_name,"
    " target_path, summary, provenance, session_id, turn_id, intent_id, exit_code, reverses, plus, minus,"
    " command, cwd, more, search"
)
_INSERT = f"INSERT INTO entry ({_COLUMNS}) VALUES ({', '.join('?' * 25)})"
_INSERT_CHANGE = f"INSERT INTO change VALUES ({', '.join('?' * 18)})"
_INSERT_SOURCE = "INSERT INTO source (seq_id, idx, workspace_id, path, at) VALUES (?, ?, ?, ?, ?)"


def insert_entry(
    db: Database, workspace_id: int, ordinal: int, now: int, entry: NewEntry, changes: Sequence[Change]
) -> SeqId:
    """Write one entry, its changes as they are stored, and its sources; its new id. Only inside `write()`."""
    at = to_micros(entry.at)
    seq_id = db.insert(_INSERT, _entry_row(db, workspace_id, ordinal, now, entry))
    if changes:
        db.run_many(
            _INSERT_CHANGE,
            [(seq_id, idx, workspace_id, at, *change_row(change)) for idx, change in enumerate(changes)],
        )
    if entry.derived_from:
        db.run_many(
            _INSERT_SOURCE,
            [(seq_id, idx, workspace_id, encode_path(p), at) for idx, p in enumerate(entry.derived_from)],
        )
    return SeqId(seq_id)


def change_row(change: Change) -> tuple[Value, ...]:
    """The columns of one change from `path` on."""
    return (
        encode_path(change.path),
        *state_row(change.before),
        *state_row(change.after),
        change.plus,
        change.minus,
        encode_hunks(change.hunks),
    )


def state_row(state: FileState) -> tuple[Value, ...]:
    """The columns of one side: kind, sha256, size, mode, reason."""
    return (
        state.kind.value,
        encode_sha(state.sha256),
        state.size_bytes,
        state.mode,
        encode_text(state.reason, LABEL_LIMIT),
    )


def _entry_row(db: Database, workspace_id: int, ordinal: int, now: int, entry: NewEntry) -> list[Value]:
    summary = encode_text(entry.summary, SUMMARY_LIMIT)
    tool = encode_text(entry.tool_name, LABEL_LIMIT)
    paths = dict.fromkeys([entry.target_path, *(change.path for change in entry.changes)])
    return [
        encode_text(entry.uid),
        workspace_id,
        ordinal,
        to_micros(entry.at),
        now,
        encode_text(entry.harness, LABEL_LIMIT),
        encode_text(entry.actor.name, LABEL_LIMIT),
        entry.actor.kind.value,
        entry.origin.value,
        entry.action_type.value,
        tool,
        encode_path(entry.target_path),
        summary,
        entry.provenance.value,
        encode_text(entry.session_id, LABEL_LIMIT),
        encode_text(entry.turn_id, LABEL_LIMIT),
        _intent_id(db, entry.intent),
        entry.exit_code,
        entry.reverses,
        _total([change.plus for change in entry.changes]),
        _total([change.minus for change in entry.changes]),
        None if entry.command is None else encode_raw_text(entry.command),
        None if entry.cwd is None else encode_raw_text(entry.cwd),
        encode_rare(entry),
        folded(*paths, (entry.command or "")[:SEARCHED_COMMAND], summary, tool),
    ]


def _total(counts: Sequence[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None


def _intent_id(db: Database, intent: str) -> int | None:
    """The row of this text; a turn's prompt is kept once for all its entries."""
    if not intent:
        return None
    text = encode_text(intent, INTENT_LIMIT)
    found = db.row("SELECT id FROM intent WHERE text = ?", (text,))
    if found is not None:
        return int(found[0])
    return db.insert("INSERT INTO intent (text, folded) VALUES (?, ?)", (text, folded(text)))
