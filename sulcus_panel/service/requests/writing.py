"""The doors that change something, but for records (claiming.py): settings, undo, redo."""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET, structs

from sulcus_panel.core.errors import BadRequest
from sulcus_panel.core.model import SeqId
from sulcus_panel.core.undo.model import Outcome
from sulcus_panel.service import wire
from sulcus_panel.service.asking import Answer, Ask
from sulcus_panel.service.configuring import configure_named
from sulcus_panel.service.operations import Operations, Selection
from sulcus_panel.service.requests.asked import Answered, Asked
from sulcus_panel.service.requests.reading import named
from sulcus_panel.service.requests.words import ConfigBody, RedoBody, UndoBody

HELD = 202
STATUSES = {Outcome.HELD: HELD, Outcome.CONFLICT: 409, Outcome.FAILED: 409}
"""Outcomes that are told by a status of their own, too."""


def change_config(operations: Operations, asked: Asked) -> Answered:
    """Set what is named; all or nothing. A namespace that is not there yet is made."""
    body: ConfigBody = asked.words
    workspace, settings = configure_named(
        operations.ledger, operations.bus, asked.caller.actor, body.namespace, _values(body)
    )
    return Answered(200, {"namespace": workspace.namespace, "config": wire.settings_json(settings)})


def _values(body: ConfigBody) -> dict[str, Any]:
    given = {name: value for name, value in structs.asdict(body).items() if value is not UNSET}
    del given["namespace"]
    patterns: Sequence[str] | None = given.get("exclude")
    if patterns is not None:
        if any("," in pattern or "\n" in pattern for pattern in patterns):
            raise BadRequest("A pattern holds neither a comma nor a line's end", field="exclude")
        given["exclude"] = "\n".join(patterns)
    return given


def undo(operations: Operations, asked: Asked) -> Answered:
    """Take back what is chosen, or show what that would be."""
    body: UndoBody = asked.words
    seq_ids = tuple(SeqId(seq_id) for seq_id in body.seq_ids or ())
    ask = Ask(
        Selection(seq_ids, body.last_n, body.query, body.turn_id),
        None if body.hunks is None else tuple(number - 1 for number in body.hunks),
        body.plan_digest,
        body.dry_run,
    )
    return _answered(operations, asked, body.namespace, ask)


def redo(operations: Operations, asked: Asked) -> Answered:
    """Bring back what undos took."""
    body: RedoBody = asked.words
    seq_ids = tuple(SeqId(seq_id) for seq_id in body.seq_ids)
    ask = Ask(Selection(seq_ids), None, body.plan_digest, body.dry_run, redo=True)
    return _answered(operations, asked, body.namespace, ask)


def _answered(operations: Operations, asked: Asked, namespace: str, ask: Ask) -> Answered:
    workspace = named(operations, namespace)
    answer = operations.asking.ask(asked.caller, workspace.id, ask)
    status = STATUSES.get(answer.outcome, 200)
    body = wire.answer_json(answer, dry_run=ask.dry_run)
    return Answered(status, body if status in {200, HELD} else _as_error(answer) | body)


def _as_error(answer: Answer) -> dict[str, str]:
    """What stands in the way, in the form of an error too."""
    reasons = [
        conflict.reason for item in answer.plan.entries for path in item.paths for conflict in path.conflicts
    ]
    reasons += [effect.reason for effect in answer.plan.effects]
    results = answer.result.results if answer.result is not None else ()
    detail = next((reason for reason in (*reasons, *(one.reason for one in results)) if reason), "")
    if answer.outcome is Outcome.CONFLICT:
        title, hint = "Later work stands in the way", "See `conflicts` of the results; nothing was done."
    else:
        title, hint = "It could not be carried out", "See the results; what was written was put back."
    return {"error": str(answer.outcome), "title": title, "detail": detail, "hint": hint, "field": ""}
