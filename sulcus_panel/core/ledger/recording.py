"""Recording one entry: which bytes are kept, what is said of those that are not, and what an undo marks."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from sulcus_panel.core.errors import BadRequest
from sulcus_panel.core.events import EventKind
from sulcus_panel.core.ledger.blobs import BlobStore
from sulcus_panel.core.ledger.database import Database
from sulcus_panel.core.ledger.encoding import encode_text, to_micros
from sulcus_panel.core.ledger.entry_rows import insert_entry
from sulcus_panel.core.ledger.events import named, store_events
from sulcus_panel.core.ledger.marks import settle_reversals
from sulcus_panel.core.ledger.settings import read_settings
from sulcus_panel.core.ledger.upkeep import EVERY
from sulcus_panel.core.ledger.workspaces import by_id
from sulcus_panel.core.model import (
    Change,
    FileKind,
    FileState,
    Hunk,
    NewEntry,
    Origin,
    SeqId,
    Settings,
    Sha256,
)

SNAPSHOTS_OFF = "snapshots are switched off"
NOT_GIVEN = "contents were not recorded"


@dataclass(slots=True, eq=False, repr=False)
class Recorder:
    """What recording one entry needs besides the entry."""

    db: Database
    blobs: BlobStore
    now: datetime


def append(
    with_: Recorder, workspace_id: int, entry: NewEntry, contents: Mapping[Sha256, bytes]
) -> SeqId | None:
    """Record one entry and give its id; of the first one where its uid is known already.

    None where recording is off and the entry is no undo: a gap is counted instead.

    Raises:
        BadRequest: a path twice in one entry, a malformed hash, contents that do not have their hash.
        NotFound: no such workspace.
    """
    db, now = with_.db, to_micros(with_.now)
    with db.write():
        found = db.row("SELECT seq_id FROM entry WHERE uid = ?", (encode_text(entry.uid),))
        if found is not None:
            return SeqId(found[0])
        settings = read_settings(db, workspace_id)
        if not settings.enabled and entry.origin is not Origin.UNDO:
            from sulcus_panel.core.ledger.gaps import OFF, count_gap  # here, for recording is rarely off

            by_id(db, workspace_id)
            count_gap(db, workspace_id, now, OFF, 1)
            return None
        changes = _settled(with_.blobs, settings, entry, contents)
        ordinal = _next_ordinal(db, workspace_id)
        seq_id = insert_entry(db, workspace_id, ordinal, now, entry, changes)
        settle_reversals(db, entry.reverses, now)
        store_events(db, workspace_id, list(_told(seq_id, entry)), now)
        if ordinal % EVERY == 0 or _size(contents) > settings.max_store_bytes // EVERY:
            _hold(with_, workspace_id, settings, trim=ordinal % EVERY == 0)
        return seq_id


def _hold(with_: Recorder, workspace_id: int, settings: Settings, *, trim: bool) -> None:
    """Keep the workspace within its settings: always its bytes, and from time to time its ring."""
    from sulcus_panel.core.ledger.retention import hold_size, trim_ring  # here, for few records come to this

    if trim:
        trim_ring(with_.db, workspace_id, settings.max_entries, with_.now)
    hold_size(with_.db, workspace_id, settings.max_store_bytes)


def _told(seq_id: SeqId, entry: NewEntry) -> Iterator[tuple[EventKind, dict[str, object]]]:
    """What followers learn of a new row: whose it is and which files it names, no content."""
    paths = [change.path for change in entry.changes] or [entry.target_path]
    yield (
        EventKind.ENTRY_RECORDED,
        {
            "seq_id": seq_id,
            "harness": encode_text(entry.harness),
            "session_id": encode_text(entry.session_id),
            "actor": encode_text(entry.actor.name),
            "actor_kind": entry.actor.kind,
            "origin": entry.origin,
            "action_type": entry.action_type,
            "size_bytes": max((change.after.size_bytes or 0 for change in entry.changes), default=0),
            **named(paths),
        },
    )
    if entry.takes_back and entry.reverses is not None:
        yield EventKind.UNDO_DONE, {"id": entry.reverses, "undo_seq_id": seq_id}


def _size(contents: Mapping[Sha256, bytes]) -> int:
    return sum(len(data) for data in contents.values())


def _next_ordinal(db: Database, workspace_id: int) -> int:
    if not db.run("UPDATE workspace SET last_ordinal = last_ordinal + 1 WHERE id = ?", (workspace_id,)):
        by_id(db, workspace_id)
    return db.number("SELECT last_ordinal FROM workspace WHERE id = ?", (workspace_id,))


def _settled(
    blobs: BlobStore, settings: Settings, entry: NewEntry, contents: Mapping[Sha256, bytes]
) -> tuple[Change, ...]:
    """The changes as they are stored, after the bytes that may be kept were kept."""
    if len({change.path for change in entry.changes}) != len(entry.changes):
        raise BadRequest("An entry names a path twice", entry.uid, field="changes")
    always = entry.origin is Origin.UNDO
    keep_text = always or settings.retain_file_snapshots
    settled = []
    for change in entry.changes:
        sides = []
        for state in (change.before, change.after):
            data = contents.get(state.sha256) if state.sha256 is not None else None
            refusal = "" if always else _refusal(settings, change, state, data)
            sides.append(_settle(blobs, state, data, refusal))
        settled.append(_change(change, sides[0], sides[1], keep_text=keep_text))
    return tuple(settled)


def _refusal(settings: Settings, change: Change, state: FileState, data: bytes | None) -> str:
    """Why these bytes may not be kept; empty where they may."""
    if change.path.startswith("/"):
        return "outside the workspace"
    if not settings.retain_file_snapshots:
        return SNAPSHOTS_OFF
    size = len(data) if data is not None else state.size_bytes or 0
    if size > settings.max_snapshot_bytes:
        return f"larger than {settings.max_snapshot_bytes:,} bytes"
    return ""


def _settle(blobs: BlobStore, state: FileState, data: bytes | None, refusal: str) -> FileState:
    """The state with its bytes kept, or with the reason why not."""
    if state.sha256 is None or state.kind not in (FileKind.FILE, FileKind.SYMLINK):
        return state
    if data is not None and not refusal:
        if hashlib.sha256(data).hexdigest() != state.sha256:
            raise BadRequest(
                "Contents do not have the hash they are given under", state.sha256, field="contents"
            )
        blobs.keep(state.sha256, data)
        return _kept(state, "")
    if blobs.has(state.sha256):
        return _kept(state, state.reason)
    return replace(state, kept=False, reason=state.reason or refusal or NOT_GIVEN)


def _kept(state: FileState, reason: str) -> FileState:
    """The same state, its bytes kept; by name, for this is at the heart of every record."""
    if state.kept and state.reason == reason:
        return state
    return FileState(state.kind, state.sha256, state.size_bytes, state.mode, kept=True, reason=reason)


def _change(change: Change, before: FileState, after: FileState, *, keep_text: bool) -> Change:
    """The change with the text of its hunks only where no snapshot holds it."""
    hunks = tuple(
        Hunk(
            hunk.before_start,
            hunk.before_lines,
            hunk.after_start,
            hunk.after_lines,
            hunk.old if keep_text and not before.kept else None,
            hunk.new if keep_text and not after.kept else None,
            hunk.exact,
        )
        for hunk in change.hunks
    )
    return Change(change.path, before, after, hunks, change.plus, change.minus)
