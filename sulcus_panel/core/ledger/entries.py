"""Reading entries: each row as recorded, and what has become of it since (state, undoability, drift)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from sulcus_panel.core.ledger.database import Database, Row
from sulcus_panel.core.ledger.encoding import decode_hunks, decode_path, decode_sha, from_micros
from sulcus_panel.core.ledger.marks import taken_back
from sulcus_panel.core.ledger.rare_fields import decode_rare
from sulcus_panel.core.ledger.settings import read_settings
from sulcus_panel.core.ledger.undoability import Taken, judge, judge_effect, with_kept
from sulcus_panel.core.model import (
    ABSENT,
    COMMANDS,
    ActionType,
    Actor,
    ActorKind,
    Change,
    DriftKind,
    Entry,
    EntryState,
    FileKind,
    FileState,
    Namespace,
    NewEntry,
    Origin,
    Provenance,
    SeqId,
)

PAGE = 256

_SELECT = """
SELECT e.seq_id, e.uid, e.workspace_id, w.namespace, e.at, e.recorded_at, e.harness, e.actor, e.actor_kind,
    e.origin, e.action_type, e.tool_name, e.target_path, e.summary, e.provenance, e.session_id, e.turn_id,
    i.text, e.exit_code, e.reverses, e.command, e.cwd, e.more, m.state, m.undone_by, w.root IS NOT NULL
FROM entry e JOIN workspace w ON w.id = e.workspace_id
LEFT JOIN mark m ON m.seq_id = e.seq_id LEFT JOIN intent i ON i.id = e.intent_id
WHERE e.seq_id IN (%s)
"""
_SELECT_CHANGES = """
SELECT c.seq_id, c.path, c.before_kind, c.before_sha256, c.before_size, c.before_mode, c.before_reason,
    c.after_kind, c.after_sha256, c.after_size, c.after_mode, c.after_reason, c.plus, c.minus, c.hunks,
    b.sha256 IS NOT NULL, a.sha256 IS NOT NULL, d.kind
FROM change c LEFT JOIN snapshot b ON b.sha256 = c.before_sha256
LEFT JOIN snapshot a ON a.sha256 = c.after_sha256
LEFT JOIN drift d ON d.workspace_id = c.workspace_id AND d.path = c.path
WHERE c.seq_id IN (%s) ORDER BY c.seq_id, c.idx
"""
_KINDS = {kind.value: kind for kind in FileKind}
_STATES = {state.value: state for state in EntryState}
_ACTIONS = {action.value: action for action in ActionType}
_ORIGINS = {origin.value: origin for origin in Origin}
_PROVENANCES = {provenance.value: provenance for provenance in Provenance}
_ACTOR_KINDS = {kind.value: kind for kind in ActorKind}
_DRIFTS = {kind.value: kind for kind in DriftKind}


@dataclass(frozen=True, slots=True)
class _Means:
    """What beside its record says how much of an entry can be taken back today."""

    exclude: Sequence[str]
    taken: Taken | None


def read_entries(db: Database, seq_ids: Sequence[SeqId]) -> tuple[Entry, ...]:
    """The entries in the order asked; ids that are not in the ledger are left out."""
    found: dict[int, Entry] = {}
    for start in range(0, len(seq_ids), PAGE):
        page = seq_ids[start : start + PAGE]
        holes = ",".join("?" * len(page))
        changes: dict[int, list[Change]] = {}
        drifts: dict[int, DriftKind] = {}
        for row in db.rows(_SELECT_CHANGES % holes, page):
            changes.setdefault(row[0], []).append(read_change(row))
            if row[17] is not None:
                drifts.setdefault(row[0], _DRIFTS[row[17]])
        rows = db.rows(_SELECT % holes, page)
        partly = [row[0] for row in rows if row[23] == EntryState.PARTLY_UNDONE.value]
        taken = taken_back(db, partly) if partly else {}
        marks = _marks(db, page)
        excludes = {each: read_settings(db, each).exclude for each in {row[2] for row in rows}}
        for row in rows:
            means = _Means(excludes[row[2]], taken.get(row[0]))
            entry = _entry(row, tuple(changes.get(row[0], ())), drifts.get(row[0]), means)
            found[row[0]] = replace(entry, marks=tuple(marks[row[0]])) if row[0] in marks else entry
    return tuple(found[seq_id] for seq_id in seq_ids if seq_id in found)


def _marks(db: Database, seq_ids: Sequence[SeqId]) -> dict[int, list[str]]:
    """What rules put on entries; most bear nothing, and an older ledger that is only read knows nothing of it."""
    found: dict[int, list[str]] = {}
    if db.has_table("label"):
        holes = ",".join("?" * len(seq_ids))
        for row in db.rows(
            f"SELECT seq_id, mark FROM label WHERE seq_id IN ({holes}) ORDER BY mark", seq_ids
        ):
            found.setdefault(row[0], []).append(row[1])
    return found


def read_change(row: Row) -> Change:
    """One change from `seq_id, path, before…, after…, plus, minus, hunks, before kept, after kept`."""
    return Change(
        path=decode_path(row[1]),
        before=read_state(row, 2, kept=bool(row[15])),
        after=read_state(row, 7, kept=bool(row[16])),
        hunks=decode_hunks(row[14]),
        plus=row[12],
        minus=row[13],
    )


def read_state(row: Row, at: int, *, kept: bool) -> FileState:
    """One side from `kind, sha256, size, mode, reason` at this place of the row."""
    return _state(kept, *row[at : at + 5])


@lru_cache(maxsize=4096)
def _state(
    kept: bool,
    kind: str,
    sha: bytes | None,
    size: int | None,
    mode: int | None,
    reason: str,
) -> FileState:
    """Read one side's columns once: where one step ends the next begins, and a list has shown both before."""
    if _KINDS[kind] is FileKind.ABSENT:
        return ABSENT
    return with_kept(FileState(_KINDS[kind], decode_sha(sha), size, mode, False, reason), kept=kept)


def _entry(row: Row, changes: tuple[Change, ...], drift: DriftKind | None, means: _Means) -> Entry:
    record = _record(row, changes)
    state = _STATES[row[23]] if row[23] else EntryState.RECORDED
    is_command = record.action_type in COMMANDS
    undoability, reason = judge(
        state,
        changes,
        is_command=is_command,
        has_root=bool(row[25]),
        exclude=means.exclude,
        taken=means.taken,
    )
    if record.git is not None and record.git.refs and not changes:
        undoability, reason = judge_effect(state, record, has_root=bool(row[25]))
    return Entry(
        seq_id=SeqId(row[0]),
        recorded_at=from_micros(row[5]),
        workspace_id=row[2],
        namespace=Namespace(row[3]),
        record=record,
        state=state,
        undone_by=row[24],
        undoability=undoability,
        undo_reason=reason,
        drift=drift,
    )


def _record(row: Row, changes: tuple[Change, ...]) -> NewEntry:
    rare = decode_rare(row[22])
    return NewEntry(
        uid=row[1],
        at=from_micros(row[4]),
        harness=row[6],
        actor=Actor(row[7], _ACTOR_KINDS[row[8]]),
        origin=_ORIGINS[row[9]],
        action_type=_ACTIONS[row[10]],
        tool_name=row[11],
        target_path=decode_path(row[12]),
        summary=row[13],
        provenance=_PROVENANCES[row[14]],
        session_id=row[15],
        turn_id=row[16],
        intent=row[17] or "",
        changes=changes,
        command=None if row[20] is None else decode_path(row[20]),
        cwd=None if row[21] is None else decode_path(row[21]),
        exit_code=row[18],
        git=rare.git,
        derived_from=rare.derived_from,
        rollback_hint=rare.rollback_hint,
        reverses=row[19],
        reversed_hunks=rare.reversed_hunks,
        why=rare.why,
        notes=rare.notes,
        input=rare.input,
        ran=rare.ran,
        model=rare.model,
    )
