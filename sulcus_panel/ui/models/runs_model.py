"""Runs and their turns as a tree: what an agent was asked, newest run first, turns as they happened.

Turns are known by session and turn id, so that a refresh keeps what is open and what is selected.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from enum import IntEnum

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from sulcus_panel.core.ledger.queries import Run, TurnRun
from sulcus_panel.ui.models.scope import Scope
from sulcus_panel.ui.models.wording import (
    count_of,
    day_and_time,
    harness_name,
    local_now,
    one_line,
    signed_counts,
    tooltip,
)

Index = QModelIndex | QPersistentModelIndex
Answers = dict[int, object]
ROOT = QModelIndex()
RUN_ID = 0
"""The internal id of a run's index; a turn's is one more than its run's row."""


class RunsRole(IntEnum):
    """What a delegate may ask, beside Qt's own roles."""

    TITLE = Qt.ItemDataRole.UserRole.value + 1
    SECOND_LINE = Qt.ItemDataRole.UserRole.value + 2
    COUNT = Qt.ItemDataRole.UserRole.value + 3
    HARNESS = Qt.ItemDataRole.UserRole.value + 4
    """The harness's label of a run; None for a turn."""
    BARS = Qt.ItemDataRole.UserRole.value + 5
    """Entries in each turn of a run, oldest first."""
    SCOPE = Qt.ItemDataRole.UserRole.value + 6


class RunsModel(QAbstractItemModel):
    """Two levels: runs, and the turns of each."""

    def __init__(
        self,
        runs: Sequence[Run] = (),
        *,
        clock: Callable[[], datetime] = local_now,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._clock = clock
        self._runs = tuple(runs)

    @property
    def runs(self) -> tuple[Run, ...]:
        """The runs shown."""
        return self._runs

    def show_runs(self, runs: Sequence[Run]) -> None:
        """Show these runs. Where they and their turns are the ones shown already, nothing moves."""
        fresh = tuple(run for run in runs if run.entries)
        if fresh == self._runs:
            return
        if _shape(fresh) == _shape(self._runs):
            self._runs = fresh
            self._tell_changed()
            return
        self.beginResetModel()
        self._runs = fresh
        self.endResetModel()

    def find(self, scope: Scope) -> QModelIndex:
        """Return the index that stands for a scope, an invalid one where none does."""
        for row, run in enumerate(self._runs):
            if (run.harness, run.session_id) != (scope.harness, scope.session_id):
                continue
            if scope.turn_id is None:
                return self.index(row, 0)
            for turn_row, turn in enumerate(run.turns):
                if turn.turn_id == scope.turn_id:
                    return self.index(turn_row, 0, self.index(row, 0))
        return QModelIndex()

    def run_at(self, index: Index) -> Run | None:
        """Return the run of an index, or the run that its turn belongs to."""
        if not index.isValid():
            return None
        row = index.row() if index.internalId() == RUN_ID else index.internalId() - 1
        return self._runs[row]

    def turn_at(self, index: Index) -> TurnRun | None:
        """Return the turn of an index, None for a run's."""
        run = self.run_at(index)
        return None if run is None or index.internalId() == RUN_ID else run.turns[index.row()]

    # -- Qt's questions --------------------------------------------------------------------------------

    def index(self, row: int, column: int, parent: Index = ROOT) -> QModelIndex:
        if column != 0 or not 0 <= row < self.rowCount(parent):
            return QModelIndex()
        return self.createIndex(row, column, parent.row() + 1 if parent.isValid() else RUN_ID)

    def parent(self, index: Index = ROOT) -> QModelIndex:  # type: ignore[override]  # QObject.parent() is the other
        if not index.isValid() or index.internalId() == RUN_ID:
            return QModelIndex()
        return self.createIndex(index.internalId() - 1, 0, RUN_ID)

    def rowCount(self, parent: Index = ROOT) -> int:
        if not parent.isValid():
            return len(self._runs)
        if parent.column() != 0 or parent.internalId() != RUN_ID:
            return 0
        return len(self._runs[parent.row()].turns)

    def columnCount(self, _parent: Index = ROOT) -> int:
        return 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        run = self.run_at(index)
        if run is None:
            return None
        turn = self.turn_at(index)
        answers = _of_run(run, self._clock()) if turn is None else _of_turn(run, turn)
        return answers.get(role)

    def _tell_changed(self) -> None:
        self.dataChanged.emit(self.index(0, 0), self.index(len(self._runs) - 1, 0))
        for row, run in enumerate(self._runs):
            if run.turns:
                parent = self.index(row, 0)
                self.dataChanged.emit(self.index(0, 0, parent), self.index(len(run.turns) - 1, 0, parent))


def _shape(runs: Sequence[Run]) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(run.harness, run.session_id, tuple(turn.turn_id for turn in run.turns)) for run in runs]


def _of_run(run: Run, now: datetime) -> Answers:
    title = harness_name(run.harness) + (" · subagent" if run.parent else "")
    second = f"{day_and_time(run.last, now)} · {count_of(run.files, 'file')}"
    return {
        Qt.ItemDataRole.DisplayRole: title,
        Qt.ItemDataRole.AccessibleTextRole: f"{title}, {count_of(run.entries, 'change')}, {second}",
        RunsRole.TITLE: title,
        RunsRole.SECOND_LINE: second,
        RunsRole.COUNT: run.entries,
        RunsRole.HARNESS: run.harness,
        RunsRole.BARS: tuple(turn.entries for turn in run.turns),
        RunsRole.SCOPE: Scope("This run", run.harness, run.session_id),
    }


def _of_turn(run: Run, turn: TurnRun) -> Answers:
    title = one_line(turn.intent) or "Without a request"
    parts = (count_of(turn.files, "file"), signed_counts(turn.plus, turn.minus))
    second = " · ".join(part for part in parts if part)
    return {
        Qt.ItemDataRole.DisplayRole: title,
        Qt.ItemDataRole.ToolTipRole: tooltip(one_line(turn.intent, 2000)) or None,
        Qt.ItemDataRole.AccessibleTextRole: f"{title}, {count_of(turn.entries, 'change')}, {second}",
        RunsRole.TITLE: title,
        RunsRole.SECOND_LINE: second,
        RunsRole.COUNT: turn.entries,
        RunsRole.SCOPE: Scope("This turn", run.harness, run.session_id, turn.turn_id),
    }
