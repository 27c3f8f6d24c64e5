"""The triggers as they are kept: rules, how often they fired, what waits to be sent, and marks on entries."""

import json
from collections.abc import Collection
from dataclasses import asdict, dataclass, replace
from typing import Any

from sulcus_panel.core.errors import NotFound
from sulcus_panel.core.ledger.database import Database, Row
from sulcus_panel.core.ledger.encoding import encode_text, from_micros
from sulcus_panel.core.model import ActionType, Namespace
from sulcus_panel.core.triggers import Firing, Rule, Trigger, TriggerAction, TriggerFilter

KEPT_FIRINGS = 10_000
_SELECT = (
    "SELECT t.id, t.workspace_id, w.namespace, t.rule, t.made_at, t.fires, t.last_fired_at"
    " FROM rule t LEFT JOIN workspace w ON w.id = t.workspace_id"
)


@dataclass(frozen=True, slots=True)
class Delivery:
    """One call of a webhook that waits, was made, or was given up (`dead`)."""

    id: int
    trigger_id: int
    event_id: int
    state: str
    attempts: int
    next_at: int
    """Microseconds since 1970 UTC."""
    error: str


@dataclass(frozen=True, slots=True)
class RuleTable:
    """The rules of one ledger, for one thread at a time. Writes only inside the ledger's `write()`."""

    db: Database

    def add(self, workspace_id: int | None, rule: Rule, now: int) -> Trigger:
        """Keep a rule; of all workspaces where none is named."""
        made = self.db.insert(
            "INSERT INTO rule (workspace_id, rule, made_at, fires) VALUES (?, ?, ?, 0)",
            (workspace_id, _encoded(rule), now),
        )
        return self.by_id(made)

    def by_id(self, trigger_id: int) -> Trigger:
        """The trigger with this id. Raises NotFound."""
        row = self.db.row(f"{_SELECT} WHERE t.id = ?", (trigger_id,))
        if row is None:
            raise NotFound(f"There is no trigger {trigger_id}", "", "`triggers list` shows them all.")
        return _trigger(row)

    def all(self) -> tuple[Trigger, ...]:
        """Every trigger, oldest first, those that are off too."""
        if not self.db.has_table("rule"):  # an older ledger that is only read
            return ()
        return tuple(_trigger(row) for row in self.db.rows(f"{_SELECT} ORDER BY t.id"))

    def change(self, trigger_id: int, rule: Rule) -> Trigger:
        """Put another rule in its place; how often it fired stays. Raises NotFound."""
        self.by_id(trigger_id)
        self.db.run("UPDATE rule SET rule = ? WHERE id = ?", (_encoded(rule), trigger_id))
        return self.by_id(trigger_id)

    def move(self, trigger_id: int, workspace_id: int | None) -> Trigger:
        """Let a rule hold in this workspace from now on, in all of them where none is named. Raises NotFound."""
        self.by_id(trigger_id)
        self.db.run("UPDATE rule SET workspace_id = ? WHERE id = ?", (workspace_id, trigger_id))
        return self.by_id(trigger_id)

    def drop(self, trigger_id: int) -> None:
        """Let go of a rule with its history. Raises NotFound."""
        self.by_id(trigger_id)
        self.db.run("DELETE FROM rule WHERE id = ?", (trigger_id,))

    def fired(self, trigger_id: int, event_id: int, told: str, now: int) -> None:
        """Note that a rule fired."""
        self.db.run("UPDATE rule SET fires = fires + 1, last_fired_at = ? WHERE id = ?", (now, trigger_id))
        made = self.db.insert(
            "INSERT INTO firing (rule_id, at, event_id, told) VALUES (?, ?, ?, ?)",
            (trigger_id, now, event_id, encode_text(told, 2_000)),
        )
        self.db.run("DELETE FROM firing WHERE id <= ?", (made - KEPT_FIRINGS,))

    def firings(
        self, trigger_id: int | None, *, before: int | None = None, limit: int = 50
    ) -> tuple[Firing, ...]:
        """When it fired, newest first; of all rules where none is named."""
        if not self.db.has_table("firing"):
            return ()
        rows = self.db.rows(
            "SELECT id, rule_id, at, event_id, told FROM firing"
            " WHERE (?1 IS NULL OR rule_id = ?1) AND (?2 IS NULL OR id < ?2) ORDER BY id DESC LIMIT ?3",
            (trigger_id, before, max(limit, 0)),
        )
        return tuple(Firing(row[0], row[1], from_micros(row[2]), row[3], row[4]) for row in rows)

    @property
    def position(self) -> int | None:
        """The last event that rules have seen; None where none has looked yet."""
        row = self.db.row("SELECT at FROM upkeep WHERE what = 'rules'")
        return None if row is None else int(row[0])

    def move_to(self, event_id: int) -> None:
        """Note that the rules have seen all up to this event."""
        self.db.run(
            "INSERT INTO upkeep (what, at) VALUES ('rules', ?) ON CONFLICT (what) DO UPDATE SET at = excluded.at",
            (event_id,),
        )

    def mark(self, seq_ids: Collection[int], mark: str) -> None:
        """Put a mark (`pin`, `look`, `label:WORD`) on entries that are there."""
        self.db.run_many(
            "INSERT INTO label (seq_id, mark) SELECT seq_id, ?2 FROM entry WHERE seq_id = ?1"
            " ON CONFLICT DO NOTHING",
            [(seq_id, encode_text(mark, 200)) for seq_id in seq_ids],
        )

    def unmark(self, seq_ids: Collection[int], mark: str) -> None:
        """Take a mark away."""
        self.db.run_many(
            "DELETE FROM label WHERE seq_id = ? AND mark = ?", [(each, mark) for each in seq_ids]
        )

    def send(self, trigger_id: int, event_id: int, now: int) -> None:
        """Have a webhook called."""
        self.db.run(
            "INSERT INTO delivery (rule_id, event_id, state, attempts, next_at, error)"
            " VALUES (?, ?, 'waiting', 0, ?, '')",
            (trigger_id, event_id, now),
        )

    def due(self, now: int, limit: int = 20) -> tuple[Delivery, ...]:
        """The calls whose time has come, oldest first."""
        return self._deliveries(
            "state = 'waiting' AND next_at <= ? ORDER BY next_at, id LIMIT ?", (now, limit)
        )

    def claim(self, delivery_id: int, until: int, now: int) -> bool:
        """Take a call for oneself until then; False where somebody else has it."""
        return bool(
            self.db.run(
                "UPDATE delivery SET next_at = ?, attempts = attempts + 1"
                " WHERE id = ? AND state = 'waiting' AND next_at <= ?",
                (until, delivery_id, now),
            )
        )

    def settle(self, delivery_id: int, state: str, next_at: int, error: str) -> None:
        """Say what became of a call: `sent`, `dead`, or `waiting` for another time."""
        self.db.run(
            "UPDATE delivery SET state = ?, next_at = ?, error = ? WHERE id = ?",
            (state, next_at, encode_text(error, 500), delivery_id),
        )

    def dead(self, limit: int = 50) -> tuple[Delivery, ...]:
        """The calls that were given up, newest first."""
        if not self.db.has_table("delivery"):
            return ()
        return self._deliveries("state = 'dead' ORDER BY id DESC LIMIT ?", (limit,))

    def _deliveries(self, where: str, values: tuple[int, ...]) -> tuple[Delivery, ...]:
        columns = "id, rule_id, event_id, state, attempts, next_at, error"
        return tuple(
            Delivery(*row) for row in self.db.rows(f"SELECT {columns} FROM delivery WHERE {where}", values)
        )


def _encoded(rule: Rule) -> str:
    return json.dumps(asdict(rule))


def _trigger(row: Row) -> Trigger:
    return Trigger(
        id=row[0],
        workspace_id=row[1],
        namespace=None if row[2] is None else Namespace(row[2]),
        rule=_rule(json.loads(row[3])),
        made_at=from_micros(row[4]),
        fires=row[5],
        last_fired_at=None if row[6] is None else from_micros(row[6]),
    )


def _rule(body: dict[str, Any]) -> Rule:
    wanted = TriggerFilter(**body.pop("filter"))
    actions = tuple(ActionType(action) for action in wanted.action_types)
    rule = Rule(**body, filter=replace(wanted, action_types=actions))
    return replace(rule, action=TriggerAction(rule.action))
