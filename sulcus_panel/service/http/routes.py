"""The table of doors: what HTTP offers, once for routing, checks, OpenAPI and docs/api.md.

Routes of another kind (the attached window's) are further rows; nothing else has to know them.
"""

from dataclasses import replace

from sulcus_panel.core.access import Scope
from sulcus_panel.service.http.table import AGENT, UNDO, UNDO_OR_LOOK, Door, Way
from sulcus_panel.service.requests import reading, writing
from sulcus_panel.service.requests.words import (
    ConfigBody,
    DiffQuery,
    EventsQuery,
    HoldsQuery,
    ListQuery,
    Nothing,
    OneEntry,
    PageQuery,
    RecordBody,
    RedoBody,
    Scoped,
    UndoBody,
)

LEDGER = f"{AGENT}/ledger"
TIMELINES = ("undo-history", "governance", "recipes", "holds")
UNDONE = {"outcome": "string", "plan_digest": "string", "results": "array"}
_DOORS = (
    Door(
        "POST",
        f"{LEDGER}/record",
        "Record an action",
        RecordBody,
        Way.RECORDS,
        frozenset({Scope.RECORD}),
        statuses=(201, 200),
        errors=(400,),
        answer={"seq_id": "integer", "uid": "string", "state": "string"},
    ),
    Door(
        "GET",
        LEDGER,
        "Entries, newest first, and the settings in force",
        ListQuery,
        Way.READS,
        run=reading.list_entries,
        answer={"namespace": "string", "config": "object", "entries": "array", "next_before": "integer"},
    ),
    Door(
        "POST",
        f"{LEDGER}/config",
        "Change settings: all that are named, or none",
        ConfigBody,
        Way.WRITES,
        frozenset({Scope.ADMIN}),
        writing.change_config,
        errors=(400,),
        answer={"namespace": "string", "config": "object"},
    ),
    Door(
        "POST",
        f"{LEDGER}/undo",
        "Take back chosen entries and keep all later work",
        UndoBody,
        Way.WRITES,
        UNDO_OR_LOOK,
        writing.undo,
        UNDO,
        statuses=(200, 202),
        errors=(400, 404, 409),
        answer=UNDONE,
    ),
    Door(
        "POST",
        f"{LEDGER}/redo",
        "Bring back what undos took",
        RedoBody,
        Way.WRITES,
        UNDO_OR_LOOK,
        writing.redo,
        UNDO,
        statuses=(200, 202),
        errors=(400, 404, 409),
        answer=UNDONE,
    ),
    Door(
        "GET",
        f"{LEDGER}/undo-history",
        "Decisions about undos and what came of them, newest first",
        PageQuery,
        Way.READS,
        run=reading.list_undo_history,
        answer={"namespace": "string", "undo_history": "array", "next_before": "integer"},
    ),
    Door(
        "GET",
        f"{LEDGER}/governance",
        "Rare, high-impact events, newest first",
        PageQuery,
        Way.READS,
        run=reading.list_governance,
        answer={"namespace": "string", "governance": "array", "next_before": "integer"},
    ),
    Door(
        "GET",
        f"{LEDGER}/recipes",
        "Proven inverses of commands",
        Scoped,
        Way.READS,
        run=reading.list_recipes,
        answer={"namespace": "string", "recipes": "array"},
    ),
    Door(
        "GET",
        f"{LEDGER}/holds",
        "Undos that wait for the person",
        HoldsQuery,
        Way.READS,
        run=reading.list_holds,
        answer={"namespace": "string", "holds": "array"},
    ),
    Door(
        "GET",
        f"{LEDGER}/{{seq_id}}",
        "One entry",
        OneEntry,
        Way.READS,
        run=reading.show_entry,
        answer={"seq_id": "integer", "uid": "string", "changes": "array"},
    ),
    Door(
        "GET",
        f"{LEDGER}/{{seq_id}}/diff",
        "What one entry changed, with contents",
        DiffQuery,
        Way.READS,
        run=reading.show_diff,
        answer={"seq_id": "integer", "namespace": "string", "view": "string", "files": "array"},
    ),
    Door(
        "GET",
        f"{AGENT}/events",
        "Server-sent events: what happens, as it happens",
        EventsQuery,
        Way.EVENTS,
    ),
    Door(
        "GET",
        "/health",
        "Whether it answers",
        Nothing,
        Way.HERE,
        frozenset(),
        errors=(400,),
        answer={"ok": "boolean"},
    ),
    Door(
        "GET",
        "/openapi.json",
        "This description",
        Nothing,
        Way.HERE,
        frozenset(),
        errors=(400,),
        answer={"openapi": "string", "paths": "object"},
    ),
)

DOORS = (
    *_DOORS,
    *(
        replace(door, path=f"{AGENT}/{name}")
        for name in TIMELINES
        for door in _DOORS
        if door.path.endswith(name)
    ),
)
"""The timelines are found beside the ledger as below it: their names were given with their place left open."""
