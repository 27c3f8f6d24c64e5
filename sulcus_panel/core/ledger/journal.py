"""The open undos: what an apply was about to write, so that a killed one ends all-before or all-after.

A journal is opened, durably and with every byte it names, before the first write to disk, and closed in the
transaction that records the undo's entries. Until then retention touches nothing it names.
"""

import json
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sulcus_panel.core.events import EventKind
from sulcus_panel.core.ledger.activity import owe
from sulcus_panel.core.ledger.blobs import BlobStore
from sulcus_panel.core.ledger.database import Database, Row, Value
from sulcus_panel.core.ledger.encoding import (
    decode_hunks,
    decode_path,
    encode_path,
    encode_raw_text,
    from_micros,
    to_micros,
)
from sulcus_panel.core.ledger.entries import read_state
from sulcus_panel.core.ledger.entry_rows import change_row, state_row
from sulcus_panel.core.ledger.events import PATHS_NAMED, named, store_event
from sulcus_panel.core.ledger.rare_fields import decode_rare, encode_rare
from sulcus_panel.core.model import (
    ActionType,
    Actor,
    ActorKind,
    Change,
    FileState,
    LedgerPath,
    NewEntry,
    Origin,
    Provenance,
    SeqId,
    Sha256,
)
from sulcus_panel.core.safety import escaped

UNREADABLE = (ValueError, KeyError, IndexError, TypeError, AttributeError, OverflowError)
"""What a damaged journal raises, whichever part of it is."""


@dataclass(frozen=True, slots=True)
class JournalWrite:
    """One path of an apply: from `before` to `after`, by way of `temp_name` beside it, or `in_place`."""

    path: LedgerPath
    before: FileState
    after: FileState
    temp_name: str
    in_place: bool = False


@dataclass(frozen=True, slots=True)
class UndoJournal:
    """One apply: what it writes below `root`, and the entries that will record it."""

    op_id: str
    workspace_id: int
    root: str
    plan_digest: str
    writes: tuple[JournalWrite, ...]
    entries: tuple[NewEntry, ...]


def begin(
    db: Database, op: UndoJournal, contents: Mapping[Sha256, bytes], now: int, blobs: BlobStore
) -> None:
    """Open the journal and keep every byte given, in one durable transaction.

    What is about to be displaced may be nowhere else, so that its old snapshot is not taken on trust.
    """
    displaced = {write.before.sha256 for write in op.writes}
    body = {
        "root": encoded(encode_path(op.root)),
        "plan_digest": op.plan_digest,
        "writes": [
            [
                encoded(value)
                for value in (
                    encode_path(write.path),
                    *state_row(write.before),
                    *state_row(write.after),
                    encode_path(write.temp_name),
                    int(write.in_place),
                )
            ]
            for write in op.writes
        ],
        "entries": [_entry_body(entry) for entry in op.entries],
    }
    with db.write(durable=True):
        for sha, data in contents.items():
            blobs.put(data)
            if sha in displaced:
                blobs.mend(sha, data)
        db.run(
            "INSERT INTO undo_journal (op_id, workspace_id, at, body) VALUES (?, ?, ?, ?)",
            (op.op_id, op.workspace_id, now, json.dumps(body)),
        )
        store_event(db, op.workspace_id, EventKind.REWIND_STARTED, _told(op), now)


def tell_done(db: Database, op: UndoJournal, now: int) -> None:
    """Tell once that an undo ended all-after; agents are owed a word then. Only inside `write()`."""
    if db.run("UPDATE undo_journal SET told = 1 WHERE op_id = ? AND NOT told", (op.op_id,)):
        owe(db, op.workspace_id, op.op_id, [entry.uid for entry in op.entries], now)
        store_event(db, op.workspace_id, EventKind.REWIND_COMPLETED, _told(op) | _hashes(op), now)


def _tell_failed(db: Database, op_id: str, now: int) -> None:
    """Tell of one whose end was not told that it ended all-before."""
    row = db.row("SELECT op_id, workspace_id, body FROM undo_journal WHERE op_id = ? AND NOT told", (op_id,))
    if row is None:
        return
    db.run("UPDATE undo_journal SET told = 1 WHERE op_id = ?", (op_id,))
    try:
        told = _told(_journal(db, row))
    except UNREADABLE:
        told = {"op_id": op_id}
    store_event(db, row[1], EventKind.REWIND_FAILED, told, now)


def close(db: Database, op_id: str, now: int) -> None:
    """Let go of a journal; of one whose end was not told, it has failed. Only inside `write()`."""
    _tell_failed(db, op_id, now)
    db.run("DELETE FROM undo_journal WHERE op_id = ?", (op_id,))


def drop_unreadable(db: Database, before: int, now: int) -> None:
    """Let go of what nobody can read and that is older than `before`. Only inside `write()`."""
    for op_id in read_open(db).unreadable:
        if db.row("SELECT 1 FROM undo_journal WHERE op_id = ? AND at < ?", (op_id, before)):
            close(db, op_id, now)


def _told(op: UndoJournal) -> dict[str, object]:
    reversed_ids = [entry.reverses for entry in op.entries if entry.reverses is not None]
    return {"op_id": op.op_id, "seq_ids": reversed_ids, **named([write.path for write in op.writes])}


def _hashes(op: UndoJournal) -> dict[str, object]:
    """The new hash of every path, none where there is no file; so that agents drop what they remember of it."""
    written = op.writes[:PATHS_NAMED]
    return {"after": [{"path": escaped(one.path), "sha256": one.after.sha256} for one in written]}


@dataclass(frozen=True, slots=True)
class OpenUndos:
    """Every journal that was not closed, oldest first, and the ids of those that cannot be read."""

    journals: tuple[UndoJournal, ...]
    unreadable: tuple[str, ...]


def read_open(db: Database) -> OpenUndos:
    """The applies that did not end."""
    journals, unreadable = [], []
    for row in db.rows("SELECT op_id, workspace_id, body FROM undo_journal ORDER BY at, rowid"):
        try:
            journals.append(_journal(db, row))
        except UNREADABLE:
            unreadable.append(row[0])
    return OpenUndos(tuple(journals), tuple(unreadable))


def states_named(journal: UndoJournal) -> Iterator[FileState]:
    """Every state whose bytes an open undo needs: to write, to go back, and to be recorded with it."""
    for write in journal.writes:
        yield from (write.before, write.after)
    for entry in journal.entries:
        for change in entry.changes:
            yield from (change.before, change.after)


def complaint(db: Database) -> str:
    """What the person must be told of journals that cannot be read; "" where all can."""
    unreadable = read_open(db).unreadable
    if not unreadable:
        return ""
    return (
        "An undo was interrupted and its journal cannot be read: please look at the files that it named. "
        "Nothing is let go of meanwhile, so that what it displaced stays kept."
    )


def _journal(db: Database, row: Row) -> UndoJournal:
    body = json.loads(row[2])
    return UndoJournal(
        op_id=row[0],
        workspace_id=row[1],
        root=decode_path(decoded(body["root"])),
        plan_digest=body["plan_digest"],
        writes=tuple(_write(db, tuple(map(decoded, write))) for write in body["writes"]),
        entries=tuple(_entry(db, entry) for entry in body["entries"]),
    )


def _write(db: Database, row: Row) -> JournalWrite:
    in_place = len(row) > 12 and bool(row[12])  # older ones say nothing of it
    return JournalWrite(
        decode_path(row[0]), _state(db, row, 1), _state(db, row, 6), decode_path(row[11]), in_place
    )


def _state(db: Database, row: Row, at: int) -> FileState:
    kept = db.row("SELECT 1 FROM snapshot WHERE sha256 = ?", (row[at + 1],)) is not None
    return read_state(row, at, kept=kept)


def _entry_body(entry: NewEntry) -> dict[str, object]:
    return {
        "uid": entry.uid,
        "at": to_micros(entry.at),
        "labels": [
            entry.harness,
            entry.tool_name,
            entry.summary,
            entry.session_id,
            entry.turn_id,
            entry.intent,
        ],
        "actor": [entry.actor.name, entry.actor.kind.value],
        "kinds": [entry.origin.value, entry.action_type.value, entry.provenance.value],
        "target_path": encoded(encode_path(entry.target_path)),
        "changes": [[encoded(value) for value in change_row(change)] for change in entry.changes],
        "command": None if entry.command is None else encoded(encode_raw_text(entry.command)),
        "cwd": None if entry.cwd is None else encoded(encode_raw_text(entry.cwd)),
        "exit_code": entry.exit_code,
        "reverses": entry.reverses,
        "more": encode_rare(entry),
    }


def _entry(db: Database, body: Mapping[str, Any]) -> NewEntry:
    harness, tool_name, summary, session_id, turn_id, intent = body["labels"]
    origin, action_type, provenance = body["kinds"]
    name, kind = body["actor"]
    rare = decode_rare(body["more"])
    return NewEntry(
        uid=body["uid"],
        at=from_micros(body["at"]),
        harness=harness,
        actor=Actor(name, ActorKind(kind)),
        origin=Origin(origin),
        action_type=ActionType(action_type),
        tool_name=tool_name,
        target_path=decode_path(decoded(body["target_path"])),
        summary=summary,
        provenance=Provenance(provenance),
        session_id=session_id,
        turn_id=turn_id,
        intent=intent,
        changes=tuple(_change(db, tuple(map(decoded, row))) for row in body["changes"]),
        command=None if body["command"] is None else decode_path(decoded(body["command"])),
        cwd=None if body["cwd"] is None else decode_path(decoded(body["cwd"])),
        exit_code=body["exit_code"],
        reverses=None if body["reverses"] is None else SeqId(body["reverses"]),
        git=rare.git,
        derived_from=rare.derived_from,
        rollback_hint=rare.rollback_hint,
        reversed_hunks=rare.reversed_hunks,
        why=rare.why,
        ran=rare.ran,
    )


def _change(db: Database, row: Row) -> Change:
    return Change(
        decode_path(row[0]), _state(db, row, 1), _state(db, row, 6), decode_hunks(row[13]), row[11], row[12]
    )


def encoded(value: Value) -> str | int | list[str] | None:
    """A column's value in JSON; bytes as a list of one base64 text."""
    return [b64encode(value).decode("ascii")] if isinstance(value, bytes) else value


def decoded(value: Any) -> Any:
    """A column's value from JSON."""
    return b64decode(value[0]) if isinstance(value, list) else value
