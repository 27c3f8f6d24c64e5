"""Runs and their turns as a tree: what an agent was asked, newest run first, turns as they happened.

Runs are known by session, turns by their id: what stays keeps its place, so that a refresh while agents work costs
the window what is new and not a whole new tree.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from sulcus_panel.core.ledger.queries import Run, TurnRun
from sulcus_panel.ui.models.run_answers import answer_of_run, answer_of_turn
from sulcus_panel.ui.models.scope import Scope
from sulcus_panel.ui.models.wording import local_now

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
RUN_ID = 0
"""The internal id of a run's index; a turn's is its run's number, which stays when runs change places."""


@dataclass(slots=True)
class _Row:
    number: int
    run: Run


class RunsModel(QAbstractItemModel):
    """Two levels: runs, and the turns of each."""

    moved = Signal()
    """Runs or turns came, went or changed places."""

    def __init__(
        self,
        runs: Sequence[Run] = (),
        *,
        clock: Callable[[], datetime] = local_now,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._clock = clock
        self._rows: list[_Row] = []
        self._numbered = RUN_ID
        self.show_runs(runs)

    @property
    def runs(self) -> tuple[Run, ...]:
        """The runs shown."""
        return tuple(row.run for row in self._rows)

    def show_runs(self, runs: Sequence[Run]) -> None:
        """Show these runs. What is shown already stays where it is; what is as it was is not told anew."""
        fresh = tuple(run for run in runs if run.entries)
        was = _shape(self.runs)
        wanted = {_key(run) for run in fresh}
        for place in reversed(range(len(self._rows))):
            if _key(self._rows[place].run) not in wanted:
                self._remove(place)
        for place, run in enumerate(fresh):
            self._put(place, run)
        while len(self._rows) > len(fresh):
            self._remove(len(self._rows) - 1)
        if _shape(fresh) != was:
            self.moved.emit()

    def find(self, scope: Scope) -> QModelIndex:
        """Return the index that stands for a scope, an invalid one where none does."""
        for place, row in enumerate(self._rows):
            if _key(row.run) != (scope.harness, scope.session_id):
                continue
            if scope.turn_id is None:
                return self.index(place, 0)
            for turn_place, turn in enumerate(row.run.turns):
                if turn.turn_id == scope.turn_id:
                    return self.index(turn_place, 0, self.index(place, 0))
        return QModelIndex()

    def run_at(self, index: Index) -> Run | None:
        """Return the run of an index, or the run that its turn belongs to."""
        if not index.isValid():
            return None
        number = index.internalId()
        return self._rows[index.row() if number == RUN_ID else self._place_of(number)].run

    def turn_at(self, index: Index) -> TurnRun | None:
        """Return the turn of an index, None for a run's."""
        run = self.run_at(index)
        return None if run is None or index.internalId() == RUN_ID else run.turns[index.row()]

    # -- Qt's questions --------------------------------------------------------------------------------

    def index(self, row: int, column: int, parent: Index = ROOT) -> QModelIndex:
        if column != 0 or not 0 <= row < self.rowCount(parent):
            return QModelIndex()
        return self.createIndex(row, column, self._rows[parent.row()].number if parent.isValid() else RUN_ID)

    def parent(self, index: Index = ROOT) -> QModelIndex:  # type: ignore[override]  # QObject.parent() is the other
        if not index.isValid() or index.internalId() == RUN_ID:
            return QModelIndex()
        return self.createIndex(self._place_of(index.internalId()), 0, RUN_ID)

    def rowCount(self, parent: Index = ROOT) -> int:
        if not parent.isValid():
            return len(self._rows)
        if parent.column() != 0 or parent.internalId() != RUN_ID:
            return 0
        return len(self._rows[parent.row()].run.turns)

    def columnCount(self, _parent: Index = ROOT) -> int:
        return 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        run = self.run_at(index)
        if run is None:
            return None
        turn = self.turn_at(index)
        return answer_of_run(run, role, self._clock()) if turn is None else answer_of_turn(run, turn, role)

    # -- inside ----------------------------------------------------------------------------------------

    def _place_of(self, number: int) -> int:
        return next(place for place, row in enumerate(self._rows) if row.number == number)

    def _remove(self, place: int) -> None:
        self.beginRemoveRows(ROOT, place, place)
        del self._rows[place]
        self.endRemoveRows()

    def _put(self, place: int, run: Run) -> None:
        """Have this run stand in this place; those before it stand in theirs."""
        known = next(
            (at for at in range(place, len(self._rows)) if _key(self._rows[at].run) == _key(run)), -1
        )
        if known < 0:
            self._numbered += 1
            self.beginInsertRows(ROOT, place, place)
            self._rows.insert(place, _Row(self._numbered, run))
            self.endInsertRows()
            return
        if known != place:
            self.beginMoveRows(ROOT, known, known, ROOT, place)
            self._rows.insert(place, self._rows.pop(known))
            self.endMoveRows()
        self._renew(place, run)

    def _renew(self, place: int, run: Run) -> None:
        """Tell what of a run is another than before."""
        row, old = self._rows[place], self._rows[place].run
        if run == old:
            return
        stays = _alike(old.turns, run.turns)
        parent = self.index(place, 0)
        if stays < len(old.turns):
            self.beginRemoveRows(parent, stays, len(old.turns) - 1)
            row.run = replace(old, turns=old.turns[:stays])
            self.endRemoveRows()
        if stays < len(run.turns):
            self.beginInsertRows(parent, stays, len(run.turns) - 1)
            row.run = replace(old, turns=(*old.turns[:stays], *run.turns[stays:]))
            self.endInsertRows()
        row.run = run
        self.dataChanged.emit(parent, parent)
        for at in range(stays):
            if old.turns[at] != run.turns[at]:
                index = self.index(at, 0, parent)
                self.dataChanged.emit(index, index)


def _key(run: Run) -> tuple[str, str]:
    return run.harness, run.session_id


def _alike(one: Sequence[TurnRun], other: Sequence[TurnRun]) -> int:
    """Return how many turns from the first on are the same ones."""
    pairs = zip(one, other, strict=False)
    return next(
        (at for at, (old, new) in enumerate(pairs) if old.turn_id != new.turn_id), min(len(one), len(other))
    )


def _shape(runs: Sequence[Run]) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(run.harness, run.session_id, tuple(turn.turn_id for turn in run.turns)) for run in runs]
