"""What a run and a turn say in the sidebar, each answer made when it is asked for: a tree asks of every item."""

from collections.abc import Callable, Mapping
from datetime import datetime
from enum import IntEnum

from PySide6.QtCore import Qt

from sulcus_panel.core.ledger.queries import Run, TurnRun
from sulcus_panel.ui.models.scope import Scope
from sulcus_panel.ui.models.wording import (
    count_of,
    day_and_time,
    harness_name,
    one_line,
    signed_counts,
    tooltip,
)

INTENT_IN_TIP = 2_000


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


def answer_of_run(run: Run, role: int, now: datetime) -> object:
    """Return what a run answers to a role; None where it has nothing to say."""
    answer = _OF_RUN.get(role)
    return None if answer is None else answer(run, now)


def answer_of_turn(run: Run, turn: TurnRun, role: int) -> object:
    """Return what a turn of a run answers to a role; None where it has nothing to say."""
    answer = _OF_TURN.get(role)
    return None if answer is None else answer(run, turn)


def _run_title(run: Run, _now: datetime) -> str:
    return harness_name(run.harness) + (" · subagent" if run.parent else "")


def _run_second(run: Run, now: datetime) -> str:
    return f"{day_and_time(run.last, now)} · {count_of(run.files, 'file')}"


def _run_spoken(run: Run, now: datetime) -> str:
    return f"{_run_title(run, now)}, {count_of(run.entries, 'change')}, {_run_second(run, now)}"


def _run_count(run: Run, _now: datetime) -> int:
    return run.entries


def _run_harness(run: Run, _now: datetime) -> str:
    return run.harness


def _run_bars(run: Run, _now: datetime) -> tuple[int, ...]:
    return tuple(turn.entries for turn in run.turns)


def _run_scope(run: Run, _now: datetime) -> Scope:
    return Scope("This run", run.harness, run.session_id)


def _turn_title(_run: Run, turn: TurnRun) -> str:
    return one_line(turn.intent) or "Without a request"


def _turn_second(_run: Run, turn: TurnRun) -> str:
    parts = (count_of(turn.files, "file"), signed_counts(turn.plus, turn.minus))
    return " · ".join(part for part in parts if part)


def _turn_spoken(run: Run, turn: TurnRun) -> str:
    return f"{_turn_title(run, turn)}, {count_of(turn.entries, 'change')}, {_turn_second(run, turn)}"


def _turn_tip(_run: Run, turn: TurnRun) -> str | None:
    return tooltip(one_line(turn.intent, INTENT_IN_TIP)) or None


def _turn_count(_run: Run, turn: TurnRun) -> int:
    return turn.entries


def _turn_scope(run: Run, turn: TurnRun) -> Scope:
    return Scope("This turn", run.harness, run.session_id, turn.turn_id)


_OF_RUN: Mapping[int, Callable[[Run, datetime], object]] = {
    Qt.ItemDataRole.DisplayRole.value: _run_title,
    Qt.ItemDataRole.AccessibleTextRole.value: _run_spoken,
    RunsRole.TITLE.value: _run_title,
    RunsRole.SECOND_LINE.value: _run_second,
    RunsRole.COUNT.value: _run_count,
    RunsRole.HARNESS.value: _run_harness,
    RunsRole.BARS.value: _run_bars,
    RunsRole.SCOPE.value: _run_scope,
}
_OF_TURN: Mapping[int, Callable[[Run, TurnRun], object]] = {
    Qt.ItemDataRole.DisplayRole.value: _turn_title,
    Qt.ItemDataRole.ToolTipRole.value: _turn_tip,
    Qt.ItemDataRole.AccessibleTextRole.value: _turn_spoken,
    RunsRole.TITLE.value: _turn_title,
    RunsRole.SECOND_LINE.value: _turn_second,
    RunsRole.COUNT.value: _turn_count,
    RunsRole.SCOPE.value: _turn_scope,
}
