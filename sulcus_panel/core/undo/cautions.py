"""What a person should know before deciding on a plan: one plain sentence each, true to the letter. Pure.

Work of the chosen entries themselves is never counted as later work, and never as somebody's reading.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from sulcus_panel.core.credentials import redacted
from sulcus_panel.core.model import COMMANDS, DriftKind, FileKind, FileState, LedgerPath, Provenance, SeqId
from sulcus_panel.core.names import HARNESS_NAMES
from sulcus_panel.core.safety import plain
from sulcus_panel.core.states import EXPIRED, git_movement
from sulcus_panel.core.undo.blame import standing_since
from sulcus_panel.core.undo.folder_plans import NOT_EMPTY
from sulcus_panel.core.undo.follow import followed
from sulcus_panel.core.undo.model import (
    WRITABLE,
    EntryPlan,
    Outcome,
    PathPlan,
    Resolution,
    UndoFacts,
    Warning,
    Write,
)
from sulcus_panel.core.undo.words import DRIFT, numbers

MOST_NAMED = 20
"""Paths that one sentence about many names; the plan's list of files has them all."""


def warn(
    facts: UndoFacts,
    entries: Sequence[EntryPlan],
    writes: Sequence[Write],
    drift: Mapping[LedgerPath, DriftKind],
) -> tuple[Warning, ...]:
    """Return what the person should know before deciding, the gravest first."""
    targets = frozenset(plan.entry.seq_id for plan in entries)
    warnings = [Warning("drift", f"{plain(path, 200)} {DRIFT[kind]}", path) for path, kind in drift.items()]
    for plan in entries:
        warnings += _of_entry(facts, plan)
    warnings += _of_writes(facts, writes)
    undone: dict[LedgerPath, set[SeqId]] = {}
    for plan in entries:
        for step in plan.paths:
            if step.outcome in WRITABLE:
                undone.setdefault(step.path, set()).add(plan.entry.seq_id)
    not_kept = targets if facts.resolution is not Resolution.TAKE_ALL else targets | _going_too(entries)
    for path in facts.disk:
        warnings += _of_path(facts, path, undone.get(path, set()), targets, not_kept)
    return tuple(_once(warnings))


def _going_too(entries: Sequence[EntryPlan]) -> frozenset[SeqId]:
    """Name the later entries whose work the person lets go with the change."""
    steps = [step for plan in entries for step in plan.paths if step.outcome is Outcome.REVIEW]
    return frozenset(one for step in steps for conflict in step.conflicts for one in conflict.with_seq_ids)


def _once(warnings: Sequence[Warning]) -> Iterator[Warning]:
    """Say the same sentence of several entries once, naming them all."""
    by_text: dict[tuple[str, str], list[Warning]] = {}
    for warning in warnings:
        by_text.setdefault((warning.code, warning.text), []).append(warning)
    for same in by_text.values():
        seq_ids = dict.fromkeys(seq_id for warning in same for seq_id in warning.seq_ids)
        yield replace(same[0], seq_ids=tuple(seq_ids))


def _of_entry(facts: UndoFacts, plan: EntryPlan) -> Iterable[Warning]:
    record, seq_id = plan.entry.record, plan.entry.seq_id
    if record.session_id and record.session_id in facts.active_sessions:
        label = HARNESS_NAMES.get(record.harness, plain(record.harness, 60))
        yield Warning("session_active", f"{label} is still at work in this session", seq_ids=(seq_id,))
    if record.provenance is Provenance.CLAIMED:
        text = f"#{seq_id} is what a caller said, nobody saw the file before it"
        yield Warning("unverified_pre_image", text, seq_ids=(seq_id,))
    for rule in plan.entry.looks:
        yield Warning(
            "look_first", f"#{seq_id} waits for a look, by the trigger {plain(rule, 60)}", seq_ids=(seq_id,)
        )
    if record.action_type in COMMANDS:
        yield _of_command(plan)
        yield from _of_facts(plan)
        yield from _of_effect(plan)
    before = {change.path: change.before for change in record.changes}
    for path in plan.paths:
        if path.copy_of is None:
            yield from _of_step(seq_id, path, before[path.path])


def _of_command(plan: EntryPlan) -> Warning:
    record, seq_id = plan.entry.record, plan.entry.seq_id
    told = plain(redacted(record.command or "") or record.tool_name, 120)
    if plan.effect is not None and plan.effect.delta is not None:
        text = f"#{seq_id} was the command “{told}”: what is named here goes back, whatever else it did stays"
        return Warning("command", text, seq_ids=(seq_id,))
    back = [path for path in plan.paths if path.outcome in WRITABLE and path.copy_of is None]
    paths = [plain(path.path, 80) for path in back]
    verb = "goes" if len(paths) == 1 else "go"
    text = (
        f"#{seq_id} was the command “{told}”: {', '.join(paths)} {verb} back, whatever else it did stays"
        if paths
        else f"#{seq_id} was the command “{told}”: whatever it did stays"
    )
    return Warning("command", text, seq_ids=(seq_id,))


def _of_facts(plan: EntryPlan) -> Iterable[Warning]:
    """Say what is not sure of a command's changes, and that git itself does not move back with the files."""
    record, seq_id = plan.entry.record, plan.entry.seq_id
    if record.ran is not None:
        written = {path.path for path in plan.paths if path.outcome in WRITABLE}
        for path, why in record.ran.unsure.items():
            if path in written:
                text = f"{plain(path, 200)} may not be the work of #{seq_id}: {plain(why, 200)}"
                yield Warning("unsure", text, LedgerPath(path), (seq_id,))
        for why in record.ran.unseen:
            yield Warning("unseen", f"#{seq_id} may have changed more: {plain(why, 200)}", seq_ids=(seq_id,))
    runs = plan.effect is not None and plan.effect.delta is not None
    if not runs and record.git is not None and (moved := git_movement(record.git)):
        text = f"#{seq_id} moved git ({plain(moved, 200)}): files go back, HEAD, branch and index stay"
        yield Warning("git_moved", text, seq_ids=(seq_id,))


def _of_effect(plan: EntryPlan) -> Iterable[Warning]:
    """Say of what the command did beside files why it stays, where that is known."""
    effect = plan.effect
    if effect is not None and effect.reason and plan.reason != effect.reason:
        text = f"#{effect.seq_id}: {effect.happened}: {plain(effect.reason, 300)}"
        yield Warning("effect_stays", text, seq_ids=(effect.seq_id,))


def _of_step(seq_id: SeqId, step: PathPlan, before: FileState) -> Iterable[Warning]:
    """Say what is not known of one path of an entry, and which of its folders stays."""
    path = step.path
    name = plain(path, 200)
    if before.kind is FileKind.UNKNOWN:
        why = f": {plain(before.reason, 80)}" if before.reason else ""
        text = f"what stood at {name} before #{seq_id} is not known{why}"
        yield Warning("before_unknown", text, path, (seq_id,))
    elif _is_missed(step, before):
        why = plain(before.reason or EXPIRED, 80)
        how = "only the changed lines are" if step.outcome in WRITABLE else "so it cannot come back from here"
        text = f"the contents of {name} before #{seq_id} are not kept ({why}), {how}"
        yield Warning("not_kept", text, path, (seq_id,))
    if step.outcome is Outcome.NOTHING_TO_UNDO and step.reason == NOT_EMPTY:
        yield Warning("folder_kept", f"the folder {name} is {NOT_EMPTY}", path, (seq_id,))
    if step.outcome is Outcome.REVIEW:
        who = dict.fromkeys(one for conflict in step.conflicts for one in conflict.with_seq_ids)
        outside = any(conflict.outside for conflict in step.conflicts)
        named = [text for text in (numbers(who), "a change outside the agents" if outside else "") if text]
        if named:
            text = f"{' and '.join(named)} changed the same lines of {name} later"
            yield Warning("later_same_lines", text, path, tuple(who))


def _is_missed(step: PathPlan, before: FileState) -> bool:
    """Say whether the contents of before would be wanted and are not kept; a file that moves back has its own."""
    moves_back = step.outcome in WRITABLE and step.disk.kind is FileKind.ABSENT
    missing = before.kind is FileKind.FILE and not before.kept and before.sha256 != step.disk.sha256
    return missing and not moves_back


def _of_writes(facts: UndoFacts, writes: Sequence[Write]) -> Iterable[Warning]:
    """Say which files have another name, and of several files which go, which come and which move back."""
    moved = {write.like: write.path for write in writes if write.like is not None}
    for write in writes:
        if write.path in facts.linked:
            parted = ", and is another file then" if write.path in moved else ""
            shown = "which shows the same afterwards" if write.in_place else f"which stays as it is{parted}"
            text = f"{plain(write.path, 200)} has another name (a hard link), {shown}"
            yield Warning("hard_link", text, write.path)
    if len(writes) < 2:
        return
    places = set(moved.values())
    back = [f"{plain(new, 80)} to {plain(old, 80)}" for new, old in moved.items()]
    gone = [_named(write) for write in writes if _goes(write) and write.path not in moved]
    copies = set(facts.copies.values())
    come = [_named(write) for write in writes if _comes(write) and write.path not in places | copies]
    if back:
        yield Warning("moves_back", f"back to its old path, as it is now: {_listed(back)}")
    if gone:
        yield Warning("deletes", f"deleted: {_listed(gone)}")
    if come:
        yield Warning("comes_back", f"back again: {_listed(come)}")


def _goes(write: Write) -> bool:
    return write.result.kind is FileKind.ABSENT


def _comes(write: Write) -> bool:
    return write.disk.kind is FileKind.ABSENT


def _named(write: Write) -> str:
    return f"{plain(write.path, 80)}/" if write.is_folder else plain(write.path, 80)


def _listed(names: Sequence[str]) -> str:
    more = len(names) - MOST_NAMED
    told = ", ".join(names[:MOST_NAMED])
    return f"{told} and {more:,} more" if more > 0 else told


def _of_path(
    facts: UndoFacts,
    path: LedgerPath,
    undone: Collection[SeqId],
    targets: frozenset[SeqId],
    not_kept: frozenset[SeqId],
) -> Iterable[Warning]:
    kept = _later(facts, path, undone, not_kept) if undone else ()
    if kept:
        verb = "is" if len(kept) == 1 else "are"
        text = f"{numbers(kept)} changed {plain(path, 200)} later and {verb} kept"
        yield Warning("later_kept", text, path, kept)
    readers = tuple(seq_id for seq_id in facts.readers.get(path, ()) if seq_id not in targets)
    if readers:
        verb = "was" if len(readers) == 1 else "were"
        text = f"{numbers(readers)} {verb} made after reading {plain(path, 200)}"
        yield Warning("read_by", text, path, readers)


def _later(
    facts: UndoFacts, path: LedgerPath, undone: Collection[SeqId], targets: frozenset[SeqId]
) -> tuple[SeqId, ...]:
    """Name the entries whose work on this path came after the oldest undone one and stays."""
    known = facts.timelines.get(path, ())
    timeline = followed(path, known, facts.moved, lambda place: facts.timelines.get(place, ()))
    first = next((index for index, step in enumerate(timeline) if step.seq_id in undone), len(timeline))
    if first >= len(timeline):
        return ()
    standing = standing_since(timeline[first].after, timeline[first + 1 :], timeline[-1].after)
    return tuple(seq_id for seq_id in standing.seq_ids if seq_id not in targets | facts.cancelled)
