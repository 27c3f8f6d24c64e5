"""The doors that only read: entries, diffs, timelines, holds."""

from sulcus_panel.core.errors import NotFound
from sulcus_panel.core.ledger.queries import LedgerQuery
from sulcus_panel.core.model import Entry, SeqId, Workspace
from sulcus_panel.service import wire
from sulcus_panel.service.diff_wire import entry_diff_json
from sulcus_panel.service.operations import DiffView, Operations
from sulcus_panel.service.requests.asked import Answered, Asked
from sulcus_panel.service.requests.words import DiffQuery, HoldsQuery, ListQuery, OneEntry, PageQuery, Scoped


def named(operations: Operations, namespace: str) -> Workspace:
    """Return the workspace of this name. Raises NotFound."""
    found = operations.ledger.workspace_named(namespace)
    if found is None:
        raise NotFound("There is no such namespace", namespace[:200], "`record` and `config` make one.")
    return found


def list_entries(operations: Operations, asked: Asked) -> Answered:
    """Entries, newest first, and the settings in force."""
    words: ListQuery = asked.words
    workspace = named(operations, words.namespace)
    operations.refresh_drift(workspace.id)  # no watcher may run
    query = LedgerQuery(
        workspace_id=workspace.id,
        text=words.query,
        path=words.path or None,
        harness=words.harness or None,
        session_id=words.session_id or None,
        turn_id=words.turn_id or None,
        action_type=words.action_type,
        state=words.state,
        drifted=words.drifted,
        before=None if words.before is None else SeqId(words.before),
        after=None if words.after is None else SeqId(words.after),
        limit=words.limit + 1,
    )
    found = operations.find(query)
    entries = found[: words.limit]
    body = {
        "namespace": workspace.namespace,
        "config": wire.settings_json(operations.settings(workspace.id)),
        "entries": [wire.entry_json(entry) for entry in entries],
        "next_before": entries[-1].seq_id if len(found) > len(entries) else None,
    }
    return Answered(200, body)


def show_entry(operations: Operations, asked: Asked) -> Answered:
    """One entry in full."""
    words: OneEntry = asked.words
    entry = _entry(operations, words.seq_id, words.namespace)
    operations.refresh_drift(entry.workspace_id, entry.paths)
    return Answered(200, wire.entry_json(operations.entry(entry.seq_id)))


def show_diff(operations: Operations, asked: Asked) -> Answered:
    """One entry's contents."""
    words: DiffQuery = asked.words
    entry = _entry(operations, words.seq_id, words.namespace)
    view = DiffView(words.view)
    return Answered(200, entry_diff_json(entry, view, operations.diff(entry.seq_id, view)))


def _entry(operations: Operations, seq_id: int, namespace: str | None) -> Entry:
    entry = operations.entry(SeqId(seq_id))
    if namespace is not None and named(operations, namespace).id != entry.workspace_id:
        raise NotFound("There is no such entry in this namespace", f"#{seq_id}")
    return entry


def _timeline(operations: Operations, asked: Asked, name: str, kind_prefix: str) -> Answered:
    words: PageQuery = asked.words
    workspace = named(operations, words.namespace)
    found = operations.governance(
        workspace.id, limit=words.limit + 1, kind_prefix=kind_prefix, before=words.before
    )
    shown = found[: words.limit]
    body = {
        "namespace": workspace.namespace,
        name: [wire.governance_json(record) for record in shown],
        "next_before": shown[-1].id if len(found) > len(shown) else None,
    }
    return Answered(200, body)


def list_governance(operations: Operations, asked: Asked) -> Answered:
    """The second timeline, newest first."""
    return _timeline(operations, asked, "governance", "")


def list_undo_history(operations: Operations, asked: Asked) -> Answered:
    """Every decision about an undo and what came of it, newest first."""
    return _timeline(operations, asked, "undo_history", "undo.")


def list_recipes(operations: Operations, asked: Asked) -> Answered:
    """Proven inverses of commands: none is kept yet."""
    words: Scoped = asked.words
    return Answered(200, {"namespace": named(operations, words.namespace).namespace, "recipes": []})


def list_holds(operations: Operations, asked: Asked) -> Answered:
    """What waits for the person, newest first."""
    words: HoldsQuery = asked.words
    workspace = named(operations, words.namespace)
    found = operations.holds.find(workspace.id, waiting_only=not words.all)
    body = {"namespace": workspace.namespace, "holds": [wire.hold_json(hold) for hold in found]}
    return Answered(200, body)
