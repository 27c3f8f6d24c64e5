"""Which parts a change has, also those that a plan for a choice of them no longer tells of. No Qt."""

from collections.abc import Iterator
from dataclasses import replace

from sulcus_panel.core.model import LedgerPath, SeqId
from sulcus_panel.core.undo.model import HunkPlan, Outcome, PathPlan, UndoPlan


class KnownParts:
    """Remembers the parts of each file of one request, so that what was left out can be chosen again."""

    def __init__(self) -> None:
        self._seq_ids: tuple[SeqId, ...] = ()
        self._hunks: dict[LedgerPath, tuple[HunkPlan, ...]] = {}

    def complete(self, plan: UndoPlan) -> UndoPlan:
        """Return `plan` with the parts of files that are left out as they were told of before, not chosen."""
        if plan.request.seq_ids != self._seq_ids:
            self._seq_ids, self._hunks = plan.request.seq_ids, {}
        if len(plan.entries) != 1:
            return plan
        (item,) = plan.entries
        self._hunks |= {path.path: path.hunks for path in item.paths if path.hunks}
        paths = tuple(self._completed(path) for path in item.paths)
        return replace(plan, entries=(replace(item, paths=paths),))

    def _completed(self, path: PathPlan) -> PathPlan:
        if path.hunks or path.outcome is not Outcome.NOTHING_TO_UNDO:
            return path
        hunks = tuple(replace(hunk, chosen=False) for hunk in self._hunks.get(path.path, ()))
        return replace(path, hunks=hunks)


def parts_in(plan: UndoPlan) -> Iterator[HunkPlan]:
    """Yield every part of a plan."""
    for item in plan.entries:
        for path in item.paths:
            yield from path.hunks
