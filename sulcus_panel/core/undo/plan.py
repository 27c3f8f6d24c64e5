"""What would this undo do? The pure answer, from facts alone: no disk, no ledger, no clock.

All or nothing: one entry that does not end clean leaves the whole batch without writes; one that a person must
look at does not.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from sulcus_panel.core.errors import BadRequest
from sulcus_panel.core.model import DriftKind, FileKind, FileState, Hunk, LedgerPath, SeqId
from sulcus_panel.core.states import drift_between, opens_a_folder, same_state
from sulcus_panel.core.undo.batch import SMOOTH, Batch, weigh
from sulcus_panel.core.undo.cautions import warn
from sulcus_panel.core.undo.consents import consents_of
from sulcus_panel.core.undo.model import (
    WRITABLE,
    Consent,
    EffectPlan,
    EntryPlan,
    Outcome,
    PathPlan,
    Resolution,
    UndoFacts,
    UndoPlan,
    UndoRequest,
    Write,
)
from sulcus_panel.core.undo.words import explain


@dataclass(frozen=True, slots=True)
class PlannedUndo:
    """A plan, and what recording it needs beside: the exact hunks of every step over a path."""

    plan: UndoPlan
    hunks: Mapping[tuple[SeqId, LedgerPath], tuple[Hunk, ...]]
    taken: Mapping[SeqId, frozenset[int]] = field(default_factory=dict)
    """Which hunks undos of parts have taken back before, and still do."""
    root: str | None = None


def plan_undo(facts: UndoFacts) -> UndoPlan:
    """Return what undoing `facts.targets` would do. Raises BadRequest for hunks that do not exist."""
    return plan_with_hunks(facts).plan


def plan_with_hunks(facts: UndoFacts) -> PlannedUndo:
    """Return the plan together with the exact hunks of each step; see plan_undo()."""
    if facts.hunks is not None and len(facts.targets) != 1:
        raise BadRequest("Single parts can be chosen in one change at a time", field="hunks")
    if facts.resolution is not Resolution.KEEP and len(facts.targets) != 1:
        raise BadRequest("Later work can be decided about for one change at a time", field="resolution")
    batch = Batch.of(facts)
    entries = batch.without_swaps([batch.plan_entry(entry) for entry in facts.targets])
    outcome = weigh([entry.outcome for entry in entries])
    if outcome not in SMOOTH and outcome not in WRITABLE:
        entries = tuple(_stopped(entry) for entry in entries)
    writes = _writes(facts, batch) if outcome in WRITABLE else ()
    consents = consents_of(entries, writes)
    drift = _drift(facts)
    request = UndoRequest(tuple(entry.seq_id for entry in facts.targets), facts.hunks, facts.resolution)
    plan = UndoPlan(
        workspace_id=facts.workspace_id,
        request=request,
        entries=entries,
        writes=writes,
        warnings=warn(facts, entries, writes, drift),
        explanation=explain(facts, entries, writes, outcome),
        drift=drift,
        outcome=outcome,
        digest=_digest(facts, request, entries, writes, consents),
        consents=consents,
    )
    return PlannedUndo(plan, batch.hunks, facts.taken, facts.root)


def _stopped(entry: EntryPlan) -> EntryPlan:
    """Say of an entry that it would go back, but for the others of its batch."""
    if entry.outcome is not Outcome.UNDONE:
        return entry
    return replace(entry, outcome=Outcome.NOT_TRIED, reason="another change of the batch is in the way")


def _writes(facts: UndoFacts, batch: Batch) -> tuple[Write, ...]:
    """Return what is to be written in the order it must be done, whatever order the entries were named in."""
    writes = [
        _write(facts, batch, path)
        for path, disk in sorted(facts.disk.items())
        if not same_state(disk.state, batch.files[path].state)
    ]
    folders = [write for write in writes if write.is_folder]
    first = [write for write in folders if opens_a_folder(write.disk, write.result)]
    files_between = [write for write in writes if not write.is_folder]
    return (
        *first,
        *files_between,
        *(write for write in reversed(folders) if not opens_a_folder(write.disk, write.result)),
    )


def _write(facts: UndoFacts, batch: Batch, path: LedgerPath) -> Write:
    disk, result = facts.disk[path], batch.files[path]
    in_place = path in facts.linked and disk.state.kind is result.state.kind is FileKind.FILE
    like = batch.came_from.get(path)
    if like is not None and facts.disk[like].state.kind is not FileKind.FILE:
        like = None
    return Write(path, disk.state, result.state, disk.content, result.content, in_place, like)


def _drift(facts: UndoFacts) -> dict[LedgerPath, DriftKind]:
    drift: dict[LedgerPath, DriftKind] = {}
    for path, file in facts.disk.items():
        timeline = facts.timelines.get(path, ())
        kind = drift_between(timeline[-1].after, file.state) if timeline else None
        if kind is not None:
            drift[path] = kind
    return drift


def _digest(
    facts: UndoFacts,
    request: UndoRequest,
    entries: Sequence[EntryPlan],
    writes: Sequence[Write],
    consents: Sequence[Consent],
) -> str:
    """Hash all that the plan rests on and all that it does; warnings may change without making it stale."""
    told = [
        facts.workspace_id,
        facts.root,
        list(request.seq_ids),
        request.hunks,
        request.resolution,
        [[path, _state(file.state)] for path, file in sorted(facts.disk.items())],
        [[plan.entry.seq_id, plan.outcome, plan.reason, _paths(plan.paths)] for plan in entries],
        [
            [write.path, _state(write.disk), _state(write.result), write.in_place, write.like]
            for write in writes
        ],
        [consent.key for consent in consents],
        *(effect_told(plan.effect) for plan in entries if plan.effect is not None),
    ]
    return hashlib.sha256(json.dumps(told, separators=(",", ":")).encode()).hexdigest()


def effect_told(effect: EffectPlan) -> list[object]:
    """Return all that an effect does and why, as JSON can say it."""
    delta = effect.delta
    moves = [] if delta is None else [[move.name, move.before, move.after] for move in delta.refs]
    heads = [] if delta is None else [delta.before.branch, delta.after.branch]
    return [effect.outcome, effect.reason, effect.git, moves, heads, effect.commands]


def _paths(plans: Sequence[PathPlan]) -> list[object]:
    return [
        [
            plan.path,
            plan.outcome,
            plan.strategy,
            plan.reason,
            _state(plan.disk),
            _state(plan.result),
            [[hunk.index, hunk.chosen, hunk.outcome, hunk.disk_lines] for hunk in plan.hunks],
            [[conflict.lines, conflict.with_seq_ids, conflict.outside] for conflict in plan.conflicts],
        ]
        for plan in plans
    ]


def _state(state: FileState) -> list[object]:
    return [state.kind, state.sha256, state.mode]
