"""What would this undo do? The pure answer, from facts alone: no disk, no ledger, no clock.

Entries are taken newest first over a virtual disk, each on the result of the one before. All or nothing: one
entry that does not end clean leaves the whole batch without writes.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from sulcus_panel.core.errors import BadRequest, UnsafePath
from sulcus_panel.core.model import (
    ActionType,
    DiskFile,
    DriftKind,
    Entry,
    FileKind,
    FileState,
    Hunk,
    LedgerPath,
    Origin,
    SeqId,
    Sha256,
    Step,
)
from sulcus_panel.core.safety import check_path
from sulcus_panel.core.states import drift_between, same_state
from sulcus_panel.core.undo.model import EntryPlan, Outcome, PathPlan, UndoFacts, UndoPlan, UndoRequest, Write
from sulcus_panel.core.undo.paths import plan_path
from sulcus_panel.core.undo.question import Question
from sulcus_panel.core.undo.words import explain, warn

CLEAN = (Outcome.NOTHING_TO_UNDO, Outcome.ALREADY_UNDONE, Outcome.UNDONE)
"""Outcomes that stand in nobody's way, the weightiest last."""

WORST = (Outcome.SUPERSEDED, Outcome.REVIEW, Outcome.UNAVAILABLE, Outcome.REFUSED, Outcome.CONFLICT)
"""Outcomes that stop a batch, the weightiest last."""


@dataclass(frozen=True, slots=True)
class PlannedUndo:
    """A plan, and the exact hunks of every step over a path, for recording."""

    plan: UndoPlan
    hunks: Mapping[tuple[SeqId, LedgerPath], tuple[Hunk, ...]]


def plan_undo(facts: UndoFacts) -> UndoPlan:
    """Return what undoing `facts.targets` would do. Raises BadRequest for hunks that do not exist."""
    return plan_with_hunks(facts).plan


def plan_with_hunks(facts: UndoFacts) -> PlannedUndo:
    """Return the plan together with the exact hunks of each step; see plan_undo()."""
    if facts.hunks is not None and len(facts.targets) != 1:
        raise BadRequest("Hunks can be chosen of one entry only", field="hunks")
    batch = _Batch(facts, dict(facts.disk), dict(facts.contents))
    for file in facts.disk.values():
        batch.learn(file)
    entries = tuple(batch.plan_entry(entry) for entry in facts.targets)
    outcome = weigh([entry.outcome for entry in entries])
    if outcome not in CLEAN:
        entries = tuple(_stopped(entry) for entry in entries)
    writes = _writes(facts, batch.files) if outcome is Outcome.UNDONE else ()
    drift = _drift(facts)
    request = UndoRequest(tuple(entry.seq_id for entry in facts.targets), facts.hunks)
    plan = UndoPlan(
        workspace_id=facts.workspace_id,
        request=request,
        entries=entries,
        writes=writes,
        warnings=warn(facts, entries, drift),
        explanation=explain(facts, entries, writes, outcome),
        drift=drift,
        outcome=outcome,
        digest=_digest(facts, request, entries, writes),
    )
    return PlannedUndo(plan, batch.hunks)


def weigh(outcomes: Sequence[Outcome]) -> Outcome:
    """Sum up: the worst where anything is in the way, else the most that is done."""
    bad = [outcome for outcome in outcomes if outcome not in CLEAN]
    if bad:
        return max(bad, key=lambda outcome: WORST.index(outcome) if outcome in WORST else len(WORST))
    return max(outcomes, key=CLEAN.index, default=Outcome.NOTHING_TO_UNDO)


def _stopped(entry: EntryPlan) -> EntryPlan:
    """Say of an entry that it would go back, but for the others of its batch."""
    if entry.outcome is not Outcome.UNDONE:
        return entry
    return replace(entry, outcome=Outcome.NOT_TRIED, reason="another change of the batch is in the way")


@dataclass(slots=True)
class _Batch:
    """The virtual disk: what each path would be by now, what is known of bytes, what was done so far."""

    facts: UndoFacts
    files: dict[LedgerPath, DiskFile]
    contents: dict[Sha256, bytes]
    done: dict[LedgerPath, list[Step]] = field(default_factory=dict)
    hunks: dict[tuple[SeqId, LedgerPath], tuple[Hunk, ...]] = field(default_factory=dict)

    def learn(self, file: DiskFile) -> None:
        if file.content is not None and file.state.sha256 is not None:
            self.contents[file.state.sha256] = file.content

    def plan_entry(self, entry: Entry) -> EntryPlan:
        if not entry.record.changes:
            return self._without_files(entry)
        plans: list[PathPlan] = []
        first = 0
        for position in range(len(entry.record.changes)):
            plan = self._plan_path(entry, position, first)
            first += max(len(plan.hunks), len(entry.record.changes[position].hunks))
            plans.append(plan)
        if self.facts.hunks is not None and any(not 0 <= index < first for index in self.facts.hunks):
            raise BadRequest("No such hunk", f"#{entry.seq_id} has {first}, counted from 1", field="hunks")
        outcome = weigh([plan.outcome for plan in plans])
        reason = next((plan.reason for plan in plans if plan.outcome is outcome), "")
        return EntryPlan(entry, outcome, tuple(plans), reason if outcome not in CLEAN else "")

    def _without_files(self, entry: Entry) -> EntryPlan:
        """Decide an entry without files: alone, a command cannot be undone; in a turn it is passed over."""
        is_command = entry.record.action_type in {ActionType.RUN_COMMAND, ActionType.MCP_MUTATION}
        if is_command and not any(target.record.changes for target in self.facts.targets):
            return EntryPlan(entry, Outcome.UNAVAILABLE, (), "no_rollback_point")
        return EntryPlan(entry, Outcome.NOTHING_TO_UNDO, ())

    def _plan_path(self, entry: Entry, position: int, first: int) -> PathPlan:
        change = entry.record.changes[position]
        file = self.files.get(change.path, _UNSEEN)
        question = Question(
            change=change,
            first_hunk=first,
            chosen=_local(self.facts.hunks, first, len(change.hunks)),
            refusal=self._refusal(change.path),
            file=file,
            steps=(
                *later_steps(self.facts.timelines.get(change.path, ()), entry),
                *self.done.get(change.path, ()),
            ),
            contents=self.contents,
        )
        if self.facts.root is None:
            return _no_root(question)
        answer = plan_path(question)
        if answer.plan.outcome is Outcome.UNDONE:
            self._advance(entry, answer.plan, answer.hunks)
        return answer.plan

    def _refusal(self, path: LedgerPath) -> str:
        try:
            check_path(path)
        except UnsafePath as error:
            return f"{error.title.lower()}: {error.detail}"
        return self.facts.refusals.get(path, "")

    def _advance(self, entry: Entry, plan: PathPlan, hunks: tuple[Hunk, ...]) -> None:
        """Let the rest of the batch build on this step."""
        result = DiskFile(plan.result, plan.result_content)
        self.files[plan.path] = result
        self.learn(result)
        self.hunks[entry.seq_id, plan.path] = hunks
        step = Step(entry.seq_id, Origin.UNDO, entry.record.at, plan.disk, plan.result, hunks)
        self.done.setdefault(plan.path, []).append(step)


_UNSEEN = DiskFile(FileState(kind=FileKind.UNKNOWN, reason="it was not looked at"), None)


def _no_root(question: Question) -> PathPlan:
    state = question.file.state
    return PathPlan(
        question.change.path, Outcome.UNAVAILABLE, None, state, state, None, None, reason="no_root"
    )


def _local(chosen: Sequence[int] | None, first: int, count: int) -> frozenset[int] | None:
    """Return which hunks of one change are chosen, None for all (also where a change has no hunks)."""
    if chosen is None:
        return None
    return frozenset(index - first for index in chosen if first <= index < first + count)


def later_steps(timeline: Sequence[Step], entry: Entry) -> tuple[Step, ...]:
    """Return the steps of a path that came after an entry's own (after its time, where it has none)."""
    for index, step in enumerate(timeline):
        if step.seq_id == entry.seq_id:
            return tuple(timeline[index + 1 :])
    return tuple(step for step in timeline if step.at > entry.record.at)


def _writes(facts: UndoFacts, files: Mapping[LedgerPath, DiskFile]) -> tuple[Write, ...]:
    return tuple(
        Write(path, disk.state, files[path].state, disk.content, files[path].content)
        for path, disk in sorted(facts.disk.items())  # whatever order the entries were named in
        if not same_state(disk.state, files[path].state)
    )


def _drift(facts: UndoFacts) -> dict[LedgerPath, DriftKind]:
    drift: dict[LedgerPath, DriftKind] = {}
    for path, file in facts.disk.items():
        timeline = facts.timelines.get(path, ())
        kind = drift_between(timeline[-1].after, file.state) if timeline else None
        if kind is not None:
            drift[path] = kind
    return drift


def _digest(
    facts: UndoFacts, request: UndoRequest, entries: Sequence[EntryPlan], writes: Sequence[Write]
) -> str:
    """Hash all that the plan rests on and all that it does; warnings may change without making it stale."""
    told = [
        facts.workspace_id,
        facts.root,
        list(request.seq_ids),
        request.hunks,
        [[path, _state(file.state)] for path, file in sorted(facts.disk.items())],
        [[plan.entry.seq_id, plan.outcome, plan.reason, _paths(plan.paths)] for plan in entries],
        [[write.path, _state(write.disk), _state(write.result)] for write in writes],
    ]
    return hashlib.sha256(json.dumps(told, separators=(",", ":")).encode()).hexdigest()


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
