"""Planning twice, once to show and once to make sure: equal facts have the same plan, for planning is pure."""

from sulcus_panel.core.undo.model import UndoFacts
from sulcus_panel.core.undo.plan import PlannedUndo, plan_with_hunks

MOST_BYTES = 16 * 2**20
"""Larger facts are not held in memory after their plan was made."""


class Planner:
    """Remembers the last plan and what it was made from."""

    def __init__(self) -> None:
        self._last: tuple[UndoFacts, PlannedUndo] | None = None

    def __call__(self, facts: UndoFacts) -> PlannedUndo:
        """Plan from these facts; raises BadRequest as plan_with_hunks() does."""
        if self._last is not None and self._last[0] == facts:
            return self._last[1]
        planned = plan_with_hunks(facts)
        self._last = (facts, planned) if _bytes_of(facts) <= MOST_BYTES else None
        return planned


def _bytes_of(facts: UndoFacts) -> int:
    disk = sum(len(file.content or b"") for file in facts.disk.values())
    return disk + sum(map(len, facts.contents.values()))
