"""Entries, plans and results as the JSON of api.md: one form for the terminal, HTTP, MCP and exports.

Line numbers and hunks count from 1 here. Optional facts are absent, never empty or guessed. No contents.
"""

from datetime import UTC, datetime
from typing import Any

from sulcus_panel.core.model import Change, Entry, FileState, GitDelta, GitState, GovernanceRecord, Settings
from sulcus_panel.core.undo.model import (
    Conflict,
    EntryPlan,
    EntryResult,
    HunkPlan,
    Outcome,
    PathPlan,
    UndoPlan,
    UndoResult,
    Warning,
)

Json = dict[str, Any]


def time_text(at: datetime) -> str:
    """ISO 8601 in UTC with microseconds and a final Z."""
    return at.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def entry_json(entry: Entry) -> Json:
    """The entry of api.md, field by field."""
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
        "target_path": _text(record.target_path),
        "paths": [_text(path) for path in entry.paths],
        "summary": _text(record.summary),
        "intent": _text(record.intent),
        "state": entry.state,
        "provenance": record.provenance,
        "undoability": entry.undoability,
        "undo_reason": entry.undo_reason,
        "reverses": record.reverses,
        "changes": [_change_json(change) for change in record.changes],
    }
    if record.command is not None:
        body |= {"command": _text(record.command), "cwd": record.cwd, "exit_code": record.exit_code}
        body["git"] = _git_json(record.git) if record.git is not None else None
    if record.derived_from:
        body["derived_from"] = [_text(path) for path in record.derived_from]
    if (hint := entry.rollback_hint) is not None:
        body["rollback_hint"] = {"kind": hint.kind, "ref": hint.ref}
    if record.why:
        body["why"] = dict(record.why)
    if entry.drift is not None:
        body["drift"] = entry.drift
    return body


def _text(text: str) -> str:
    """Names that are not UTF-8 keep their bytes as escapes that JSON can carry."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def _change_json(change: Change) -> Json:
    return {
        "path": _text(change.path),
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


def _git_json(delta: GitDelta) -> Json:
    def side(state: GitState) -> Json:
        return {"head": state.head, "branch": state.branch, "status": dict(state.status)}

    return {"before": side(delta.before), "after": side(delta.after)}


def governance_json(record: GovernanceRecord) -> Json:
    """One row of the second timeline."""
    return {
        "id": record.id,
        "at": time_text(record.at),
        "namespace": record.namespace,
        "actor": record.actor.name,
        "actor_kind": record.actor.kind,
        "kind": record.kind,
        "summary": _text(record.summary),
        "seq_ids": list(record.seq_ids),
        "detail": dict(record.detail),
    }


def settings_json(settings: Settings) -> Json:
    """A workspace's settings under api.md's names."""
    return {name: _plain_value(getattr(settings, name)) for name in Settings.__dataclass_fields__}


def _plain_value(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def conflict_json(conflict: Conflict) -> Json:
    """Who stands in the way, and on which lines of the file on disk (first and last, from 1)."""
    body: Json = {
        "path": _text(conflict.path),
        "lines": [conflict.lines[0] + 1, conflict.lines[1]] if conflict.lines is not None else None,
        "with_seq_ids": list(conflict.with_seq_ids),
        "reason": conflict.reason,
    }
    if conflict.outside:
        body["outside"] = True
    return body


def warning_json(warning: Warning) -> Json:
    """A warning with its stable code."""
    body: Json = {"code": warning.code, "text": _text(warning.text), "seq_ids": list(warning.seq_ids)}
    if warning.path is not None:
        body["path"] = _text(warning.path)
    return body


def _hunk_json(hunk: HunkPlan) -> Json:
    lines = [hunk.disk_lines[0] + 1, hunk.disk_lines[1]] if hunk.disk_lines is not None else None
    return {"hunk": hunk.index + 1, "outcome": hunk.outcome, "chosen": hunk.chosen, "lines": lines}


def _planned_path_json(path: PathPlan) -> Json:
    return {
        "path": _text(path.path),
        "before_sha256": path.disk.sha256,
        "after_sha256": path.result.sha256,
        "outcome": path.outcome,
    }


def _planned_entry_json(item: EntryPlan, warnings: tuple[Warning, ...]) -> Json:
    strategies = [path.strategy for path in item.paths if path.strategy is not None]
    body: Json = {"already": True} if item.outcome is Outcome.ALREADY_UNDONE else {}
    return body | {
        "seq_id": item.entry.seq_id,
        "outcome": item.outcome,
        "strategy": strategies[0] if strategies else None,
        "reason": item.reason,
        "paths": [_planned_path_json(path) for path in item.paths],
        "hunks": [_hunk_json(hunk) for path in item.paths for hunk in path.hunks],
        "warnings": [warning_json(warning) for warning in warnings],
        "conflicts": [conflict_json(conflict) for path in item.paths for conflict in path.conflicts],
        "undo_seq_id": None,
    }


def plan_json(plan: UndoPlan) -> Json:
    """What would be, in the form of a result."""
    return {
        "outcome": plan.outcome,
        "plan_digest": plan.digest,
        "results": [_planned_entry_json(item, plan.warnings) for item in plan.entries],
    }


def _result_json(result: EntryResult, plan: UndoPlan) -> Json:
    planned = next(item for item in plan.entries if item.entry.seq_id == result.seq_id)
    body = _planned_entry_json(planned, plan.warnings)
    body |= {
        "outcome": result.outcome,
        "reason": result.reason,
        "paths": [
            {"path": _text(p.path), "before_sha256": p.before_sha256, "after_sha256": p.after_sha256}
            for p in result.paths
        ],
        "conflicts": [conflict_json(conflict) for conflict in result.conflicts],
        "undo_seq_id": result.undo_seq_id,
    }
    return body


def result_json(result: UndoResult, plan: UndoPlan) -> Json:
    """What an undo came to."""
    return {
        "outcome": result.outcome,
        "plan_digest": result.plan_digest,
        "results": [_result_json(item, plan) for item in result.results],
    }
