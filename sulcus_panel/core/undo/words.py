"""The plain sentences of a plan: for a person who does not live in a terminal, and true to the letter.

Every string of a record passes through plain(), so that data cannot pose as one of our own sentences.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from sulcus_panel.core.model import ActionType, DriftKind, Entry, FileKind, LedgerPath, Provenance, SeqId
from sulcus_panel.core.safety import plain
from sulcus_panel.core.undo.blame import standing_since
from sulcus_panel.core.undo.model import (
    Conflict,
    EntryPlan,
    Explanation,
    HunkOutcome,
    Outcome,
    PathPlan,
    Strategy,
    UndoFacts,
    Warning,
    Write,
)

HARNESSES = {
    "claude-code": "Claude Code",
    "codex": "Codex CLI",
    "gemini-cli": "Gemini CLI",
    "cursor": "Cursor",
    "opencode": "OpenCode",
    "sulcus-panel": "Sulcus Panel",
}

DRIFT = {
    DriftKind.CHANGED: "was changed outside the agents",
    DriftKind.MISSING: "was deleted outside the agents",
    DriftKind.RECREATED: "was created again outside the agents",
    DriftKind.TYPE_CHANGED: "became another kind of file outside the agents",
    DriftKind.UNREADABLE: "cannot be read now",
}

REASONS = {
    "no_root": "this workspace has no folder yet",
    "before_unknown": "what was there before is not known",
    "snapshot_expired": "what was there before is no longer kept",
    "not_kept": "what was there before was never kept",
    "no_rollback_point": "it changed no file that was recorded, and there is no recorded way back",
}


def explain(
    facts: UndoFacts, entries: Sequence[EntryPlan], writes: Sequence[Write], outcome: Outcome
) -> Explanation:
    """Return the four sentences of the first step."""
    how_back = (
        "the files as they are now are kept; Redo brings them back any time"
        if len(writes) > 1
        else "the file as it is now is kept; Redo brings it back any time"
    )
    return Explanation(
        where_from=_where_from([plan.entry for plan in entries]),
        how_compared=_how_compared(entries),
        what_happens=_what_happens(entries, writes, outcome, len(facts.disk)),
        how_back=how_back if writes else "nothing is changed, so there is nothing to get back",
    )


def _where_from(entries: Sequence[Entry]) -> str:
    if not entries:
        return "no entry"
    record = entries[0].record
    label = HARNESSES.get(record.harness, plain(record.harness, 60))
    moment = record.at.astimezone().strftime("%H:%M")
    intents = {entry.record.intent for entry in entries}
    said = f", “{plain(record.intent, 120)}”" if len(intents) == 1 and record.intent else ""
    many = f"{len(entries)} changes, " if len(entries) > 1 else ""
    return f"{many}{label}, {moment}{said}"


def _how_compared(entries: Sequence[EntryPlan]) -> str:
    plans = [(plan.entry.seq_id, path) for plan in entries for path in plan.paths]
    if len(plans) != 1:
        return "each file: its state after the change, the file now, its state before; newest change first"
    seq_id, path = plans[0]
    if path.strategy is Strategy.SURGICAL_REVERSE_PATCH:
        return f"state after #{seq_id}, the file now, state before #{seq_id}"
    if path.strategy is None:
        return f"the file now with what #{seq_id} found and left"
    return f"the file now is exactly what #{seq_id} left"


def _what_happens(entries: Sequence[EntryPlan], writes: Sequence[Write], outcome: Outcome, seen: int) -> str:
    if outcome is Outcome.UNDONE:
        if not writes:
            return "nothing changes: the steps cancel each other out"
        return _single(entries, writes[0]) if len(writes) == 1 and seen == 1 else _many(entries, writes)
    if outcome is Outcome.ALREADY_UNDONE:
        return "nothing: the change is no longer there"
    if outcome is Outcome.NOTHING_TO_UNDO:
        return "nothing: no file was changed"
    conflicts = [conflict for entry in entries for path in entry.paths for conflict in path.conflicts]
    if conflicts:
        return f"nothing: {stands(conflicts[0])}"
    return f"nothing: {because(entries, outcome)}"


def because(entries: Sequence[EntryPlan], outcome: Outcome) -> str:
    """Return why a plan cannot be carried out, naming the file where there are several."""
    for entry in entries:
        for path in entry.paths:
            if path.outcome is outcome:
                told = REASONS.get(path.reason, path.reason)
                return f"{plain(path.path, 120)}: {told}" if len(entry.paths) > 1 else told
        if entry.outcome is outcome:
            return REASONS.get(entry.reason, entry.reason)
    return "it cannot be done"


def stands(conflict: Conflict) -> str:
    """Say who stands in the way, and where."""
    where = _lines(conflict.lines) if conflict.lines is not None else plain(conflict.path, 120)
    who = _numbers(conflict.with_seq_ids)
    if conflict.outside:
        who = f"{who} and a change outside the agents" if who else "a change outside the agents"
    return f"{who or 'something'} stands on {where} ({conflict.reason})"


def _lines(lines: tuple[int, int]) -> str:
    start, end = lines
    if end <= start:
        return f"the place before line {start + 1}"
    return f"line {end}" if end == start + 1 else f"lines {start + 1}–{end}"


def _numbers(seq_ids: Iterable[SeqId]) -> str:
    return ", ".join(f"#{seq_id}" for seq_id in seq_ids)


def _single(entries: Sequence[EntryPlan], write: Write) -> str:
    """Tell the one file's fate in lines where lines are what changes."""
    name = plain(write.path.rsplit("/", 1)[-1], 120)
    if write.result.kind is FileKind.ABSENT:
        return f"{name} is deleted; it is exactly what the change created"
    if write.disk.kind is FileKind.ABSENT:
        return f"{name} comes back"
    if write.result.kind is FileKind.SYMLINK or write.disk.kind is FileKind.SYMLINK:
        return f"{name} becomes again the link or file that it was"
    if write.result.sha256 == write.disk.sha256:
        return f"permissions go back to {write.result.mode or 0:04o}; the contents stay as they are"
    paths = [path for entry in entries for path in entry.paths if path.outcome is Outcome.UNDONE]
    counted = _counts(paths[0], write) if len(paths) == 1 else ""
    mode = ""
    if write.result.mode != write.disk.mode and write.result.mode is not None:
        mode = f"; permissions go back to {write.result.mode:04o}"
    return (counted or f"{name} goes back to what it was, later changes kept") + mode


def _counts(path: PathPlan, write: Write) -> str:
    back = gone = come = 0
    for hunk in path.hunks:
        if hunk.chosen and hunk.outcome in {HunkOutcome.UNDONE, HunkOutcome.MOVED}:
            removed, restored = _count(hunk.removes), _count(hunk.restores)
            back += min(removed, restored)
            gone += max(0, removed - restored)
            come += max(0, restored - removed)
    told = [
        f"{_n(back)} {'goes' if back == 1 else 'go'} back" if back else "",
        f"{_n(gone)} {'goes' if gone == 1 else 'go'}" if gone else "",
        f"{_n(come)} {'comes' if come == 1 else 'come'} back" if come else "",
    ]
    if not any(told) or write.disk_content is None:
        return ""
    stay = _count(write.disk_content) - back - gone
    kept = f"; {_n(stay)} {'stays as it is' if stay == 1 else 'stay as they are'}" if stay > 0 else ""
    return ", ".join(part for part in told if part) + kept


def _count(data: bytes) -> int:
    return data.count(b"\n") + bool(data and not data.endswith(b"\n"))


def _n(count: int) -> str:
    return f"{count:,} line" if count == 1 else f"{count:,} lines"


def _many(entries: Sequence[EntryPlan], writes: Sequence[Write]) -> str:
    deleted = sum(write.result.kind is FileKind.ABSENT for write in writes)
    back = sum(write.disk.kind is FileKind.ABSENT for write in writes)
    changed = len(writes) - deleted - back
    told = [
        f"{_files(changed)} {'goes' if changed == 1 else 'go'} back, later changes kept" if changed else "",
        f"{_files(deleted)} {'is' if deleted == 1 else 'are'} deleted" if deleted else "",
        f"{_files(back)} {'comes' if back == 1 else 'come'} back" if back else "",
    ]
    count = len(entries)
    taken = f"{count} changes are taken back, newest first: " if count > 1 else ""
    return taken + "; ".join(part for part in told if part)


def _files(count: int) -> str:
    return f"{count:,} file" if count == 1 else f"{count:,} files"


def warn(
    facts: UndoFacts, entries: Sequence[EntryPlan], drift: Mapping[LedgerPath, DriftKind]
) -> tuple[Warning, ...]:
    """Return what the person should know before deciding, the gravest first."""
    targets = frozenset(plan.entry.seq_id for plan in entries)
    warnings = [Warning("drift", f"{plain(path, 200)} {DRIFT[kind]}", path) for path, kind in drift.items()]
    for plan in entries:
        warnings += _of_entry(facts, plan)
    for path in facts.disk:
        warnings += _of_path(facts, entries, path, targets)
    return tuple(_once(warnings))


def _once(warnings: Sequence[Warning]) -> Iterator[Warning]:
    """Say the same sentence of several entries once, naming them all."""
    by_text: dict[tuple[str, str], list[Warning]] = {}
    for warning in warnings:
        by_text.setdefault((warning.code, warning.text), []).append(warning)
    for same in by_text.values():
        yield replace(same[0], seq_ids=tuple(seq_id for warning in same for seq_id in warning.seq_ids))


def _of_entry(facts: UndoFacts, plan: EntryPlan) -> Iterable[Warning]:
    record, seq_id = plan.entry.record, plan.entry.seq_id
    if record.session_id and record.session_id in facts.active_sessions:
        label = HARNESSES.get(record.harness, plain(record.harness, 60))
        yield Warning("session_active", f"{label} is still at work in this session", seq_ids=(seq_id,))
    if record.provenance is Provenance.CLAIMED:
        text = f"#{seq_id} is what a caller said, nobody saw the file before it"
        yield Warning("unverified_pre_image", text, seq_ids=(seq_id,))
    if record.action_type in {ActionType.RUN_COMMAND, ActionType.MCP_MUTATION}:
        told = plain(record.command or record.tool_name, 120)
        paths = ", ".join(plain(path.path, 80) for path in plan.paths if path.outcome is Outcome.UNDONE)
        text = (
            f"#{seq_id} was the command “{told}”: {paths} go back, whatever else it did stays"
            if paths
            else f"#{seq_id} was the command “{told}”: whatever it did stays"
        )
        yield Warning("command", text, seq_ids=(seq_id,))


def _of_path(
    facts: UndoFacts, entries: Sequence[EntryPlan], path: LedgerPath, targets: frozenset[SeqId]
) -> Iterable[Warning]:
    undone = [
        plan.entry.seq_id
        for plan in entries
        for step in plan.paths
        if step.path == path and step.outcome is Outcome.UNDONE
    ]
    kept = _later(facts, path, undone, targets) if undone else ()
    if kept:
        verb = "is" if len(kept) == 1 else "are"
        text = f"{_numbers(kept)} changed {plain(path, 200)} later and {verb} kept"
        yield Warning("later_kept", text, path, kept)
    readers = tuple(seq_id for seq_id in facts.readers.get(path, ()) if seq_id not in targets)
    if readers:
        verb = "was" if len(readers) == 1 else "were"
        text = f"{_numbers(readers)} {verb} made after reading {plain(path, 200)}"
        yield Warning("read_by", text, path, readers)


def _later(
    facts: UndoFacts, path: LedgerPath, undone: Sequence[SeqId], targets: frozenset[SeqId]
) -> tuple[SeqId, ...]:
    """Name the entries whose work on this path came after the oldest undone one and stays."""
    timeline = facts.timelines.get(path, ())
    first = next((index for index, step in enumerate(timeline) if step.seq_id in undone), len(timeline))
    if first >= len(timeline):
        return ()
    standing = standing_since(timeline[first].after, timeline[first + 1 :], timeline[-1].after)
    return tuple(seq_id for seq_id in standing.seq_ids if seq_id not in targets)
