"""Entries, plans and results as JSON, by names that are fixed: one form for terminal, HTTP, MCP and exports.

Line numbers and hunks count from 1 here. Optional facts are absent, never empty or guessed. No contents.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from sulcus_panel.core.access import Token
from sulcus_panel.core.credentials import redacted
from sulcus_panel.core.events import Event
from sulcus_panel.core.holds import Hold
from sulcus_panel.core.model import (
    PIN,
    Change,
    CommandFacts,
    Entry,
    FileState,
    GitDelta,
    GitState,
    GovernanceRecord,
    SeqId,
    Settings,
)
from sulcus_panel.core.safety import escaped
from sulcus_panel.core.undo.line_runs import Run, line_numbers
from sulcus_panel.core.undo.model import (
    Conflict,
    EntryPlan,
    EntryResult,
    HunkOutcome,
    HunkPlan,
    Outcome,
    PathPlan,
    PathResult,
    UndoPlan,
    UndoResult,
    Warning,
)
from sulcus_panel.service.effect_wire import effect_json

if TYPE_CHECKING:
    from sulcus_panel.service.asking import Answer

Json = dict[str, Any]


def time_text(at: datetime) -> str:
    """ISO 8601 in UTC with microseconds and a final Z."""
    return at.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def entry_json(entry: Entry) -> Json:
    """An entry, field by field."""
    record = entry.record
    body: Json = {
        "seq_id": entry.seq_id,
        "uid": record.uid,
        "at": time_text(record.at),
        "recorded_at": time_text(entry.recorded_at),
        "namespace": entry.namespace,
        "harness": record.harness,
        "session_id": record.session_id,
        "turn_id": record.turn_id,
        "actor": record.actor.name,
        "actor_kind": record.actor.kind,
        "origin": record.origin,
        "action_type": record.action_type,
        "tool_name": record.tool_name,
        "target_path": escaped(record.target_path),
        "paths": [escaped(path) for path in entry.paths],
        "summary": escaped(redacted(record.summary)),
        "intent": escaped(record.intent),
        "state": entry.state,
        "provenance": record.provenance,
        "undoability": entry.undoability,
        "undo_reason": entry.undo_reason,
        "reverses": record.reverses,
        "changes": [_change_json(change) for change in record.changes],
    }
    if record.command is not None:
        body |= {
            "command": escaped(redacted(record.command)),
            "cwd": _text_or_none(record.cwd),
            "exit_code": record.exit_code,
        }
        body |= _facts_json(record.ran)
    if record.command is not None or record.git is not None:
        body["git"] = _git_json(record.git) if record.git is not None else None
    return body | _rare_json(entry)


def _rare_json(entry: Entry) -> Json:
    """What few entries have; absent where there is nothing to say."""
    record, body = entry.record, Json()
    if record.derived_from:
        body["derived_from"] = [escaped(path) for path in record.derived_from]
    if (hint := entry.rollback_hint) is not None:
        body["rollback_hint"] = {"kind": hint.kind, "ref": escaped(hint.ref)}
    if record.model:
        body["model"] = escaped(record.model)
    if record.notes:
        body["notes"] = [escaped(note) for note in record.notes]
    if record.why:
        body["why"] = _texts(record.why)
    if entry.drift is not None:
        body["drift"] = entry.drift
    if PIN in entry.marks:
        body["pinned"] = True
    if entry.labels:
        body["labels"] = [escaped(label) for label in entry.labels]
    return body


def _text_or_none(text: str | None) -> str | None:
    return None if text is None else escaped(text)


def _texts(texts: Mapping[str, str]) -> dict[str, str]:
    return {escaped(key): escaped(value) for key, value in texts.items()}


def _change_json(change: Change) -> Json:
    return {
        "path": escaped(change.path),
        "before": state_json(change.before),
        "after": state_json(change.after),
    }


def state_json(state: FileState) -> Json:
    """One side of a change."""
    return {
        "kind": state.kind,
        "sha256": state.sha256,
        "size_bytes": state.size_bytes,
        "mode": f"{state.mode:04o}" if state.mode is not None else None,
    }


def _facts_json(ran: CommandFacts | None) -> Json:
    """What is known of a command, where there is something; its output is for one entry's details alone."""
    if ran is None:
        return {}
    told: Json = {
        "in_background": ran.in_background,
        "at_once": [escaped(command) for command in ran.at_once],
        "unsure": _texts(ran.unsure),
        "unseen": [escaped(why) for why in ran.unseen],
    }
    return {key: value for key, value in told.items() if value}


def _git_json(delta: GitDelta) -> Json:
    def side(state: GitState) -> Json:
        return {"head": state.head, "branch": _text_or_none(state.branch), "status": _texts(state.status)}

    body: Json = {"before": side(delta.before), "after": side(delta.after)}
    if delta.refs:
        body["refs"] = [
            {"name": escaped(move.name), "before": move.before or None, "after": move.after or None}
            for move in delta.refs
        ]
    return body


def governance_json(record: GovernanceRecord) -> Json:
    """One row of the second timeline."""
    return {
        "id": record.id,
        "at": time_text(record.at),
        "namespace": record.namespace,
        "actor": record.actor.name,
        "actor_kind": record.actor.kind,
        "kind": record.kind,
        "summary": escaped(record.summary),
        "seq_ids": list(record.seq_ids),
        "detail": _texts(record.detail),
    }


def settings_json(settings: Settings) -> Json:
    """A workspace's settings, by the names that `config set` takes."""
    return {name: _plain_value(getattr(settings, name)) for name in Settings.__dataclass_fields__}


def _plain_value(value: object) -> object:
    if isinstance(value, tuple):
        return [_plain_value(part) for part in value]
    return escaped(value) if isinstance(value, str) else value


def conflict_json(conflict: Conflict) -> Json:
    """Who stands in the way, and on which lines of the file on disk (first and last, from 1; None for all)."""
    body: Json = {
        "path": escaped(conflict.path),
        **_lines_json(conflict.lines),
        "with_seq_ids": list(conflict.with_seq_ids),
        "reason": escaped(conflict.reason),
    }
    if conflict.outside:
        body["outside"] = True
    return body


def warning_json(warning: Warning) -> Json:
    """A warning with its stable code."""
    body: Json = {"code": warning.code, "text": escaped(warning.text), "seq_ids": list(warning.seq_ids)}
    if warning.path is not None:
        body["path"] = escaped(warning.path)
    return body


def _lines_json(run: Run | None) -> Json:
    """Both numbers are the line that an empty run stands before, and `empty` says that it holds none."""
    if run is None:
        return {"lines": None}
    return {"lines": line_numbers(run)} | ({"empty": True} if run[0] == run[1] else {})


def _hunk_json(hunk: HunkPlan, outcome: str) -> Json:
    return {
        "hunk": hunk.index + 1,
        "outcome": outcome,
        "chosen": hunk.chosen,
        **_lines_json(hunk.disk_lines),
    }


def _planned_path_json(path: PathPlan) -> Json:
    """A path without hunks tells by which number it is chosen like one."""
    number = {} if path.part is None else {"hunk": path.part + 1, "chosen": path.chosen}
    return {
        "path": escaped(path.path),
        "before_sha256": path.disk.sha256,
        "after_sha256": path.result.sha256,
        "outcome": path.outcome,
        **number,
    }


def _entry_json(item: EntryPlan, warnings: Sequence[Warning]) -> Json:
    """What plan and result tell alike."""
    strategies = [path.strategy for path in item.paths if path.strategy is not None]
    return {
        "seq_id": item.entry.seq_id,
        "outcome": item.outcome,
        "strategy": strategies[0] if strategies else None,
        "reason": escaped(item.reason),
        "paths": [_planned_path_json(path) for path in item.paths],
        "hunks": [_hunk_json(hunk, hunk.outcome) for path in item.paths for hunk in path.hunks],
        "warnings": [warning_json(warning) for warning in warnings],
        "conflicts": [conflict_json(conflict) for path in item.paths for conflict in path.conflicts],
        "undo_seq_id": None,
        **effect_json(item.effect),
    }


def _marked(body: Json) -> Json:
    return {"already": True} | body if body["outcome"] is Outcome.ALREADY_UNDONE else body


def _warnings_of(plan: UndoPlan) -> dict[SeqId, list[Warning]]:
    """Give each entry the warnings that concern it, by number or by path; the first also those of nobody."""
    own: dict[SeqId, list[Warning]] = {item.entry.seq_id: [] for item in plan.entries}
    for warning in plan.warnings:
        concerned = [
            item.entry.seq_id
            for item in plan.entries
            if item.entry.seq_id in warning.seq_ids or warning.path in item.entry.paths
        ]
        for seq_id in concerned or list(own)[:1]:
            own[seq_id].append(warning)
    return own


def plan_json(plan: UndoPlan) -> Json:
    """What would be, in the form of a result; with what needs a yes of its own, and who should go back too."""
    own = _warnings_of(plan)
    consents = [
        {"code": each.code, "path": escaped(each.path), "text": escaped(each.text)} for each in plan.consents
    ]
    more: Json = {"consents": consents} if consents else {}
    if plan.safe_set:
        more["safe_set"] = list(plan.safe_set)
    if plan.choices:
        more["choices"] = list(plan.choices)
    body = more | {
        "outcome": plan.outcome,
        "plan_digest": plan.digest,
        "results": [_marked(_entry_json(item, own[item.entry.seq_id])) for item in plan.entries],
    }
    return _marked(body)


def _result_json(result: EntryResult, item: EntryPlan, warnings: Sequence[Warning]) -> Json:
    body = _entry_json(item, warnings) | {
        "outcome": result.outcome,
        "reason": escaped(result.reason),
        "paths": [_path_json(path) for path in result.paths],
        "hunks": [_hunk_json(hunk, _came_to(hunk, result)) for path in item.paths for hunk in path.hunks],
        "conflicts": [conflict_json(conflict) for conflict in result.conflicts],
        "undo_seq_id": result.undo_seq_id,
        **effect_json(item.effect, result),
    }
    return _marked(body)


def _path_json(path: PathResult) -> Json:
    return {
        "path": escaped(path.path),
        "before_sha256": path.before_sha256,
        "after_sha256": path.after_sha256,
        "read_back": path.read_back,
    }


def _came_to(hunk: HunkPlan, result: EntryResult) -> str:
    """A hunk that would go back has done so only where it was chosen and its file was written."""
    written = hunk.chosen and any(path.path == hunk.path for path in result.paths)
    goes = hunk.outcome in {HunkOutcome.UNDONE, HunkOutcome.MOVED}
    return Outcome.NOT_TRIED if goes and not written else hunk.outcome


def result_json(result: UndoResult, plan: UndoPlan) -> Json:
    """What an undo came to."""
    planned, own = {item.entry.seq_id: item for item in plan.entries}, _warnings_of(plan)
    body = {
        "outcome": result.outcome,
        "plan_digest": result.plan_digest,
        "results": [_result_json(one, planned[one.seq_id], own[one.seq_id]) for one in result.results],
    }
    return _marked(body)


def answer_json(answer: "Answer", *, dry_run: bool = False) -> Json:
    """What an undo through a door without a dialog came to: a plan, a result, or a hold."""
    if answer.result is not None:
        return result_json(answer.result, answer.plan)
    body = plan_json(answer.plan)
    if dry_run:
        body["dry_run"] = True
    if answer.hold is not None:
        body |= {"outcome": Outcome.HELD, "hold_id": answer.hold.id, "reason": escaped(answer.hold.reason)}
        body["results"] = [result | {"outcome": Outcome.HELD} for result in body["results"]]
    return body


def hold_json(hold: Hold) -> Json:
    """An undo that waits, or waited, for the person."""
    return {
        "hold_id": hold.id,
        "at": time_text(hold.at),
        "namespace": hold.namespace,
        "actor": escaped(hold.actor.name),
        "actor_kind": hold.actor.kind,
        "action": "redo" if hold.request.redo else "undo",
        "seq_ids": list(hold.request.seq_ids),
        "hunks": None if hold.request.hunks is None else [index + 1 for index in hold.request.hunks],
        "reason": escaped(hold.reason),
        "state": hold.state,
        "outcome": hold.outcome or None,
        "decided_at": None if hold.decided_at is None else time_text(hold.decided_at),
    }


def token_json(token: Token) -> Json:
    """A token without its key, which nobody here knows."""
    return {
        "id": token.id,
        "actor": escaped(token.actor.name),
        "actor_kind": token.actor.kind,
        "scopes": sorted(token.scopes),
        "made_at": time_text(token.made_at),
        "revoked_at": None if token.revoked_at is None else time_text(token.revoked_at),
    }


def event_json(event: Event) -> Json:
    """An event; an `id` in it is an entry's, its own is `event_id`."""
    return {
        "event_id": event.id,
        "event": event.kind,
        "at": time_text(event.at),
        "namespace": event.namespace,
        **event.body,
    }
