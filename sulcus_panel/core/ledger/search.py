"""Filtering, searching, sorting and counting entries, all in SQL.

The text searched is a column folded once at writing; `instr` needs no escaping and finds any substring.
"""

from array import array

from sulcus_panel.core.errors import BadRequest
from sulcus_panel.core.ledger.database import Database, Value
from sulcus_panel.core.ledger.encoding import encode_path, encode_text, folded
from sulcus_panel.core.ledger.queries import Facets, LedgerQuery, SortKey
from sulcus_panel.core.model import ActionType, EntryState

_ORDER = {
    SortKey.SEQ: "e.seq_id",
    SortKey.TIME: "e.at",
    SortKey.HARNESS: "e.harness COLLATE NOCASE",
    SortKey.ACTION: "e.action_type",
    SortKey.TARGET: "e.target_path COLLATE NOCASE",
    SortKey.PLUS: "coalesce(e.plus, -1)",
    SortKey.MINUS: "coalesce(e.minus, -1)",
    SortKey.INTENT: "coalesce(i.folded, '')",
    SortKey.STATE: "coalesce(m.state, 'recorded')",
    SortKey.DRIFT: "coalesce(d.kind, '')",
    SortKey.ACTOR: "e.actor COLLATE NOCASE",
    SortKey.SUMMARY: "e.summary COLLATE NOCASE",
    SortKey.TOOL: "e.tool_name COLLATE NOCASE",
    SortKey.SESSION: "e.session_id",
}
_DRIFT_OF = " FROM drift d CROSS JOIN change c ON c.workspace_id = d.workspace_id AND c.path = d.path"
"""CROSS, so that SQLite begins with the few drifting paths and never with all changes."""
_DRIFTED = f"SELECT c.seq_id{_DRIFT_OF}"
_JOIN_MARK = " LEFT JOIN mark m ON m.seq_id = e.seq_id"
_JOIN_INTENT = " LEFT JOIN intent i ON i.id = e.intent_id"
_JOIN_DRIFT = (
    f" LEFT JOIN (SELECT c.seq_id, min(d.kind) AS kind{_DRIFT_OF} GROUP BY c.seq_id) d ON d.seq_id = e.seq_id"
)


class _Where:
    """Conditions and their values, in step."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.values: list[Value] = []

    def add(self, condition: str, *values: Value) -> None:
        self.parts.append(condition)
        self.values.extend(values)

    def __str__(self) -> str:
        return " WHERE " + " AND ".join(self.parts) if self.parts else ""


def find_ids(db: Database, query: LedgerQuery, *, limit: int | None = None) -> "array[int]":
    """The seq_ids that match, in the query's order: all of them, or the first `limit`."""
    where = _where(query)
    way = "DESC" if query.descending else "ASC"
    order = f"{_ORDER[query.sort]} {way}"
    if query.sort is not SortKey.SEQ:
        order += f", e.seq_id {way}"
    sql = f"SELECT e.seq_id FROM entry e{_joins(query, query.sort)}{where} ORDER BY {order}"
    if limit is not None:
        where.values.append(max(limit, 0))
        sql += " LIMIT ?"
    return array("q", [row[0] for row in db.rows(sql, where.values)])


def count(db: Database, query: LedgerQuery) -> int:
    """How many entries match."""
    where = _where(query)
    return db.number(f"SELECT count(*) FROM entry e{_joins(query, SortKey.SEQ)}{where}", where.values)


def facets(db: Database, query: LedgerQuery) -> Facets:
    """How many entries match, by harness, action, state and drift.

    Marks and drift are few, so each is counted from its own table; what has no mark is `recorded`.
    """
    where = _where(query)
    harness: dict[str, int] = {}
    action: dict[ActionType, int] = {}
    total = 0
    for name, kind, count_ in db.rows(
        f"SELECT e.harness, e.action_type, count(*) FROM entry e{_joins(query, SortKey.SEQ)}{where}"
        " GROUP BY 1, 2",
        where.values,
    ):
        harness[name] = harness.get(name, 0) + count_
        action[ActionType(kind)] = action.get(ActionType(kind), 0) + count_
        total += count_
    marked = db.rows(
        f"SELECT m.state, count(*) FROM mark m CROSS JOIN entry e ON e.seq_id = m.seq_id{where} GROUP BY 1",
        where.values,
    )
    state = {EntryState(row[0]): row[1] for row in marked}
    unmarked = total - sum(state.values())
    if unmarked:
        state[EntryState.RECORDED] = state.get(EntryState.RECORDED, 0) + unmarked
    drifted = db.number(
        f"SELECT count(*) FROM (SELECT DISTINCT c.seq_id{_DRIFT_OF}) d"
        f" CROSS JOIN entry e ON e.seq_id = d.seq_id{_joins(query, SortKey.SEQ)}{where}",
        where.values,
    )
    return Facets(total, harness, action, state, drifted)


def _joins(query: LedgerQuery, sort: SortKey) -> str:
    joins = ""
    if query.state is not None or query.states or sort is SortKey.STATE:
        joins += _JOIN_MARK
    if sort is SortKey.INTENT:
        joins += _JOIN_INTENT
    if sort is SortKey.DRIFT:
        joins += _JOIN_DRIFT
    return joins


def _where(query: LedgerQuery) -> _Where:
    where = _Where()
    equal: dict[str, Value] = {
        "e.workspace_id": query.workspace_id,
        "e.harness": query.harness and encode_text(query.harness),
        "e.session_id": query.session_id and encode_text(query.session_id),
        "e.turn_id": query.turn_id and encode_text(query.turn_id),
        "e.action_type": query.action_type and query.action_type.value,
        "e.origin": query.origin and query.origin.value,
        "e.actor": query.actor and encode_text(query.actor),
        "coalesce(m.state, 'recorded')": query.state and query.state.value,
    }
    for column, value in equal.items():
        if value not in {None, ""}:
            where.add(f"{column} = ?", value)
    if query.states:
        holes = ", ".join("?" * len(query.states))
        where.add(f"coalesce(m.state, 'recorded') IN ({holes})", *(state.value for state in query.states))
    if query.before is not None:
        where.add("e.seq_id < ?", query.before)
    if query.after is not None:
        where.add("e.seq_id > ?", query.after)
    if query.drifted is not None:
        where.add(f"e.seq_id {'IN' if query.drifted else 'NOT IN'} ({_DRIFTED})")
    if query.text:
        sought = folded(query.text)
        where.add(
            "(instr(e.search, ?) OR e.intent_id IN (SELECT id FROM intent WHERE instr(folded, ?)))",
            sought,
            sought,
        )
    if query.path is not None:
        _add_path(where, query.path.rstrip("/") or "/", query.workspace_id)
    if query.path_text:
        _add_path_text(where, query.path_text)
    return where


def _add_path_text(where: _Where, text: str) -> None:
    """A part of a path, its raw bytes where it is no UTF-8. Case is folded as SQLite does it, for ASCII alone."""
    try:
        sought = text.encode("utf-8", "surrogateescape").lower()
    except UnicodeEncodeError:  # half a character: no file has such a name
        where.add("0")
        return
    where.add(
        "(instr(lower(CAST(e.target_path AS TEXT)), CAST(? AS TEXT)) OR e.seq_id IN"
        " (SELECT seq_id FROM change WHERE instr(lower(CAST(path AS TEXT)), CAST(? AS TEXT))))",
        sought,
        sought,
    )


def _add_path(where: _Where, path: str, workspace_id: int | None) -> None:
    """The file itself or anything below it, in TEXT and in BLOB paths."""
    try:
        exact = encode_path(path)
    except BadRequest:  # half a character: no file has such a name
        where.add("0")
        return
    below = path.rstrip("/").encode("utf-8", "surrogateescape") + b"/"
    ranges = ["{c} = ?", "({c} >= ? AND {c} < ?)"]
    values: list[Value] = [exact, below, below[:-1] + b"0"]
    if isinstance(exact, str):
        ranges.append("({c} >= ? AND {c} < ?)")
        values += [below.decode(), below[:-1].decode() + "0"]
    of_target = " OR ".join(ranges).format(c="e.target_path")
    of_change = " OR ".join(ranges).format(c="path")
    scope = "" if workspace_id is None else "workspace_id = ? AND "
    where.add(
        f"({of_target} OR e.seq_id IN (SELECT seq_id FROM change WHERE {scope}({of_change})))",
        *values,
        *(() if workspace_id is None else (workspace_id,)),
        *values,
    )
