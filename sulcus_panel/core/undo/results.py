"""What an apply came to, entry by entry; what it says of the disk was read from the disk.

Within a batch over one path only the last step's state ever stood on disk. Those before it are told as what
they are: states between two steps.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sulcus_panel.core.disk import look, look_as_named
from sulcus_panel.core.model import FileKind, FileState, LedgerPath, SeqId
from sulcus_panel.core.safety import plain
from sulcus_panel.core.states import same_state
from sulcus_panel.core.undo.beside import have_kept
from sulcus_panel.core.undo.model import (
    WRITABLE,
    EntryPlan,
    EntryResult,
    Outcome,
    PathPlan,
    PathResult,
    Strategy,
    UndoPlan,
    UndoResult,
    Warning,
)


def as_planned(plan: UndoPlan) -> UndoResult:
    """Answer a plan that has nothing to do or may not be done with its own outcomes."""
    results = tuple(_untouched(entry, entry.outcome, entry.reason) for entry in plan.entries)
    return UndoResult(plan.outcome, plan.digest, results, plan.warnings)


def not_agreed(plan: UndoPlan, needs: Sequence[str]) -> UndoResult:
    """Answer that nothing is done until the person has said yes to each of these."""
    return not_done(plan, Outcome.HELD, f"needs the person's own yes: {'; '.join(needs)}")


def not_done(plan: UndoPlan, outcome: Outcome, reason: str) -> UndoResult:
    """Tell that nothing was done; an entry that had nothing to undo stays what it is."""
    results = tuple(
        _untouched(entry, outcome, reason)
        if _written(entry) or entry.outcome in WRITABLE
        else _untouched(entry, entry.outcome)
        for entry in plan.entries
    )
    return UndoResult(outcome, plan.digest, results, plan.warnings)


def _untouched(entry: EntryPlan, outcome: Outcome, reason: str = "") -> EntryResult:
    conflicts = tuple(conflict for path in entry.paths for conflict in path.conflicts)
    strategy = next((path.strategy for path in entry.paths if path.strategy is not None), None)
    if entry.effect is not None and entry.effect.delta is not None:
        strategy = Strategy.COMPENSATING_CLI
    return EntryResult(entry.entry.seq_id, outcome, strategy, (), conflicts, reason)


def _came_to(planned: Outcome, trouble: str) -> Outcome:
    if trouble:
        return Outcome.APPLIED_UNCONFIRMED
    return planned if planned is Outcome.COPY_SAVED else Outcome.UNDONE


def _written(entry: EntryPlan) -> tuple[PathPlan, ...]:
    return tuple(path for path in entry.paths if path.outcome in WRITABLE)


@dataclass(slots=True, eq=False, repr=False)
class ReadBack:
    """What every path of a plan holds once all is written, and which step of the batch was its last."""

    plan: UndoPlan
    disk: Mapping[LedgerPath, FileState]
    last: Mapping[LedgerPath, PathPlan]

    @classmethod
    def of(cls, root: str, plan: UndoPlan) -> "ReadBack":
        """Look once at every path that the plan takes back; its last step is that of its oldest entry."""
        last = {step.path: step for entry in plan.entries for step in _written(entry)}
        disk = {
            path: (look_as_named if step.result.kind is FileKind.ABSENT else look)(root, path).state
            for path, step in last.items()
        }
        return cls(plan, disk, last)

    def trouble(self) -> str:
        """Say which path is not what it was to become, "" where all are."""
        for path, step in self.last.items():
            now = self.disk[path]
            if now.kind is FileKind.UNKNOWN:
                return f"{plain(path, 200)} could not be read back: {now.reason}"
            if not same_state(now, step.result):
                return f"{plain(path, 200)} has changed again since it was written"
        return ""

    def done(
        self, trouble: str, recorded: Mapping[SeqId, SeqId], warnings: Sequence[Warning] = ()
    ) -> UndoResult:
        """Tell what was written and what the disk says; `trouble` says why that is not sure, "" where it is.

        `recorded` names the undo's own entry for each that was taken back; `warnings` are of the writing itself.
        """
        outcome = _came_to(self.plan.outcome, trouble)
        results: list[EntryResult] = []
        for entry in self.plan.entries:
            steps = _written(entry)
            said = "; ".join(each for each in (have_kept(entry), trouble) if each)
            told = _untouched(entry, outcome if steps else entry.outcome, said if steps else entry.reason)
            paths = tuple(map(self._path, steps))
            undo = recorded.get(entry.entry.seq_id)
            results.append(replace(told, paths=paths, undo_seq_id=undo))
        return UndoResult(outcome, self.plan.digest, tuple(results), (*self.plan.warnings, *warnings))

    def _path(self, step: PathPlan) -> PathResult:
        now = self.disk[step.path]
        read_back = step is self.last[step.path] and now.kind is not FileKind.UNKNOWN
        after = now if read_back else step.result
        return PathResult(step.path, step.disk.sha256, after.sha256, read_back)
