"""Runs of a harness: when each was last heard of, and what it and its turns changed."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from sulcus_panel.core.ledger.activity import Activity
from sulcus_panel.core.ledger.database import Database, Row, Value
from sulcus_panel.core.ledger.encoding import decode_path, encode_path, encode_text, from_micros, to_micros

if TYPE_CHECKING:
    from sulcus_panel.core.ledger.queries import Run, TurnRun

ID_LIMIT = 500


@dataclass(frozen=True, slots=True)
class SessionSeen:
    """An event of a session. None leaves what is known; an end or a rest is taken back by a later event."""

    harness: str
    session_id: str
    at: datetime
    parent: str | None = None
    transcript: str | None = None
    activity: Activity = Activity.WORKING


def store_session(db: Database, workspace_id: int, seen: SessionSeen) -> None:
    """Note that a session was heard of. Events may come in any order. Only inside `write()`."""
    at = to_micros(seen.at)
    db.run(
        "INSERT INTO session"
        " (workspace_id, harness, session_id, parent, transcript, first_at, last_at, ended)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (workspace_id, harness, session_id) DO UPDATE SET"
        " parent = coalesce(excluded.parent, parent), transcript = coalesce(excluded.transcript, transcript),"
        " ended = CASE WHEN excluded.last_at >= last_at THEN excluded.ended ELSE ended END,"
        " first_at = min(first_at, excluded.first_at), last_at = max(last_at, excluded.last_at)",
        (
            workspace_id,
            encode_text(seen.harness, ID_LIMIT),
            encode_text(seen.session_id, ID_LIMIT),
            None if seen.parent is None else encode_text(seen.parent, ID_LIMIT),
            None if seen.transcript is None else encode_path(seen.transcript),
            at,
            at,
            int(seen.activity),
        ),
    )


def read_runs(db: Database, workspace_id: int, limit: int) -> "tuple[Run, ...]":
    """The newest sessions that changed something or were heard of, newest first."""
    from sulcus_panel.core.ledger.queries import (
        TurnRun,  # here as below: an undo asks who is at work, no more
    )

    newest = db.rows(_RUNS, (workspace_id, limit))
    turns: dict[tuple[str, str], list[TurnRun]] = {}
    files = _file_counts(db, workspace_id, newest)
    for row in db.rows(*_of_runs(_TURNS, workspace_id, newest)):
        turn_files = files.get((row[0], row[1], row[2]), 0)
        turns.setdefault((row[0], row[1]), []).append(
            TurnRun(row[2], row[3] or "", from_micros(row[4]), row[5], turn_files, row[6], row[7])
        )
    return tuple(
        _run(row, tuple(turns.get((row[0], row[1]), ())), files.get((row[0], row[1], None), 0))
        for row in newest
    )


def _of_runs(sql: str, workspace_id: int, runs: Sequence[Row]) -> tuple[str, tuple[Value, ...]]:
    """The statement for these runs alone, and its values."""
    names = tuple(name for row in runs for name in (row[0], row[1]))
    return sql.format(runs=", ".join(["(?, ?)"] * len(runs)) or "(NULL, NULL)"), (*names, workspace_id)


# CROSS, so that SQLite goes from the few runs to their entries by the index, and not through all entries.
_ENTRIES = (
    " FROM run CROSS JOIN entry e ON e.workspace_id = ? AND e.harness = run.harness"
    " AND e.session_id = run.session_id AND e.origin = 'agent'"
)
_WITH = "WITH run (harness, session_id) AS (VALUES {runs}) "
_TURNS = f"""{_WITH}
SELECT e.harness, e.session_id, e.turn_id, max(i.text), min(e.at), count(*),
    coalesce(sum(e.plus), 0), coalesce(sum(e.minus), 0)
{_ENTRIES} LEFT JOIN intent i ON i.id = e.intent_id GROUP BY 1, 2, 3 ORDER BY 5
"""
_RUNS = """
WITH done AS (
    SELECT harness, session_id, min(at) AS first, max(at) AS last, count(*) AS entries,
        coalesce(sum(plus), 0) AS plus, coalesce(sum(minus), 0) AS minus
    FROM entry WHERE workspace_id = ?1 AND session_id != '' AND origin = 'agent' GROUP BY 1, 2
), known AS (
    SELECT harness, session_id FROM done
    UNION SELECT harness, session_id FROM session WHERE workspace_id = ?1
)
SELECT k.harness, k.session_id, s.parent, s.transcript,
    min(coalesce(d.first, s.first_at), coalesce(s.first_at, d.first)),
    max(coalesce(d.last, s.last_at), coalesce(s.last_at, d.last)), coalesce(s.ended, 0),
    coalesce(d.entries, 0), coalesce(d.plus, 0), coalesce(d.minus, 0)
FROM known k LEFT JOIN done d ON d.harness = k.harness AND d.session_id = k.session_id
LEFT JOIN session s ON s.workspace_id = ?1 AND s.harness = k.harness AND s.session_id = k.session_id
ORDER BY 6 DESC, 2 LIMIT ?2
"""


def _file_counts(
    db: Database, workspace_id: int, runs: Sequence[Row]
) -> dict[tuple[str, str, str | None], int]:
    """How many paths each turn, and (turn None) each session, changed."""
    of_changes = f"count(DISTINCT c.path){_ENTRIES} JOIN change c ON c.seq_id = e.seq_id"
    by_turn = f"{_WITH}SELECT e.harness, e.session_id, e.turn_id, {of_changes} GROUP BY 1, 2, 3"
    by_session = f"{_WITH}SELECT e.harness, e.session_id, NULL, {of_changes} GROUP BY 1, 2"
    rows = (row for sql in (by_turn, by_session) for row in db.rows(*_of_runs(sql, workspace_id, runs)))
    return {(row[0], row[1], row[2]): row[3] for row in rows}


def _run(row: Row, turns: "tuple[TurnRun, ...]", files: int) -> "Run":
    from sulcus_panel.core.ledger.queries import Run

    return Run(
        harness=row[0],
        session_id=row[1],
        parent=row[2],
        transcript=None if row[3] is None else decode_path(row[3]),
        first=from_micros(row[4]),
        last=from_micros(row[5]),
        ended=row[6] == Activity.ENDED,
        entries=row[7],
        files=files,
        plus=row[8],
        minus=row[9],
        turns=turns,
    )
