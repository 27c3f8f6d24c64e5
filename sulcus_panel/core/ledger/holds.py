"""The undos that wait for the person's decision, and what became of them."""

import json
from dataclasses import dataclass

from sulcus_panel.core.errors import NotFound
from sulcus_panel.core.events import EventKind
from sulcus_panel.core.holds import Hold, HoldRequest, HoldState
from sulcus_panel.core.ledger.database import Database, Row
from sulcus_panel.core.ledger.encoding import encode_text, from_micros
from sulcus_panel.core.ledger.events import store_event
from sulcus_panel.core.model import Actor, ActorKind, Namespace, SeqId

_SELECT = (
    "SELECT h.id, h.at, h.workspace_id, w.namespace, h.actor, h.actor_kind, h.seq_ids, h.hunks, h.redo,"
    " h.reason, h.state, h.outcome, h.decided_at FROM hold h JOIN workspace w ON w.id = h.workspace_id"
)


@dataclass(frozen=True, slots=True)
class HoldTable:
    """The holds of one ledger, for one thread at a time. Writes only inside the ledger's `write()`."""

    db: Database

    def add(self, workspace_id: int, actor: Actor, request: HoldRequest, reason: str, now: int) -> Hold:
        """Let a request wait, and tell it; the same request that waits already is given back."""
        seq_ids, hunks = json.dumps(request.seq_ids), json.dumps(request.hunks)
        same = self.db.row(
            "SELECT id FROM hold WHERE workspace_id = ? AND actor = ? AND actor_kind = ? AND seq_ids = ?"
            " AND hunks = ? AND redo = ? AND state = 'waiting'",
            (workspace_id, actor.name, actor.kind.value, seq_ids, hunks, int(request.redo)),
        )
        if same is not None:
            return self.by_id(same[0])
        made = self.db.insert(
            "INSERT INTO hold (at, workspace_id, actor, actor_kind, seq_ids, hunks, redo, reason, state, outcome)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'waiting', '')",
            (
                now,
                workspace_id,
                encode_text(actor.name, 200),
                actor.kind.value,
                seq_ids,
                hunks,
                int(request.redo),
                encode_text(reason, 2_000),
            ),
        )
        told = {
            "hold_id": made,
            "seq_ids": list(request.seq_ids),
            "actor": actor.name,
            "actor_kind": actor.kind,
        }
        store_event(self.db, workspace_id, EventKind.UNDO_HELD, told, now)
        return self.by_id(made)

    def by_id(self, hold_id: int) -> Hold:
        """The hold with this id. Raises NotFound."""
        row = self.db.row(f"{_SELECT} WHERE h.id = ?", (hold_id,))
        if row is None:
            raise NotFound(f"There is no hold {hold_id}", "", "`holds list` shows them all.")
        return _hold(row)

    def find(
        self, workspace_id: int | None, *, waiting_only: bool, limit: int | None = None
    ) -> tuple[Hold, ...]:
        """The newest first; of all workspaces where none is named. All that wait, for none may be overlooked."""
        if not self.db.has_table("hold"):  # an older ledger that is only read
            return ()
        rows = self.db.rows(
            f"{_SELECT} WHERE (?1 IS NULL OR h.workspace_id = ?1) AND (NOT ?2 OR h.state = 'waiting')"
            " ORDER BY h.id DESC LIMIT ?3",
            (workspace_id, int(waiting_only), -1 if limit is None else max(limit, 0)),
        )
        return tuple(_hold(row) for row in rows)

    def decide(self, hold_id: int, state: HoldState, outcome: str, now: int) -> bool:
        """End a hold that waits; False where it was decided already."""
        return bool(
            self.db.run(
                "UPDATE hold SET state = ?, outcome = ?, decided_at = ? WHERE id = ? AND state = 'waiting'",
                (state.value, encode_text(outcome, 200), now, hold_id),
            )
        )


def _hold(row: Row) -> Hold:
    hunks = json.loads(row[7])
    return Hold(
        id=row[0],
        at=from_micros(row[1]),
        workspace_id=row[2],
        namespace=Namespace(row[3]),
        actor=Actor(row[4], ActorKind(row[5])),
        request=HoldRequest(
            tuple(SeqId(seq_id) for seq_id in json.loads(row[6])),
            None if hunks is None else tuple(hunks),
            redo=bool(row[8]),
        ),
        reason=row[9],
        state=HoldState(row[10]),
        outcome=row[11],
        decided_at=None if row[12] is None else from_micros(row[12]),
    )
