"""The undo verbs as one object: every step of a decision over one ledger, and what is said of it on the bus."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sulcus_panel.core.errors import BadRequest, NotFound
from sulcus_panel.core.model import PERSON, Decision, EntryState
from sulcus_panel.core.undo.model import Outcome, UndoRequest
from sulcus_panel.service.bus import ChangeBus
from sulcus_panel.service.changes import Changes
from sulcus_panel.service.undoing import Undoing, new_uid
from tests.support.bench import L10, Bench, edited


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    yield made
    made.close()


@pytest.fixture
def heard() -> list[Changes]:
    return []


@pytest.fixture
def undoing(bench: Bench, heard: list[Changes]) -> Undoing:
    bus = ChangeBus()
    bus.subscribe(heard.append)
    return Undoing(bench.ledger, bus, bench.clock, PERSON)


def test_what_was_planned_is_done_told_and_measured_and_comes_back(
    bench: Bench, undoing: Undoing, heard: list[Changes]
) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(edited(L10, _3="B"))
    measured: list[tuple[int, set[str]]] = []

    def refresh(workspace_id: int, paths: object) -> None:
        assert isinstance(paths, set)
        measured.append((workspace_id, paths))

    done = undoing.apply(undoing.plan(UndoRequest((first,))), (), refresh)
    assert (done.outcome, bench.read("a.txt")) == (Outcome.UNDONE, L10)
    assert heard[-1].new_entries == (done.results[0].undo_seq_id,)
    assert measured == [(bench.workspace.id, {"a.txt"})]
    undoing.apply(undoing.plan_redo((first,)), (), refresh)
    assert bench.read("a.txt") == edited(L10, _3="B")
    with pytest.raises(NotFound, match="has not been undone"):
        undoing.plan_redo((first,))


def test_what_is_put_off_keeps_a_mark_until_it_is_decided(bench: Bench, undoing: Undoing) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(edited(L10, _3="B"))
    undoing.decline(undoing.plan(UndoRequest((first,))), Decision.DEFER)
    undoing.decline(undoing.plan(UndoRequest((first,))), Decision.DEFER)  # which is no news
    assert bench.ledger.entry(first).state is EntryState.DEFERRED
    assert [record.kind for record in bench.ledger.governance(bench.workspace.id)].count("undo.deferred") == 1
    undoing.decline(undoing.plan(UndoRequest((first,))), Decision.REJECT)
    assert bench.ledger.entry(first).state is EntryState.RECORDED
    with pytest.raises(BadRequest):
        undoing.decline(undoing.plan(UndoRequest((first,))), Decision.ACCEPT)


def test_ids_are_never_given_twice() -> None:
    assert len({new_uid() for _ in range(1000)}) == 1000
    assert len(new_uid()) == 32


def test_an_undo_asks_the_ledger_for_nothing_twice(bench: Bench, undoing: Undoing) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(edited(L10, _3="B"))
    bench.agent(edited(L10, _3="B", _8="H"))
    asked: list[str] = []
    bench.ledger.database.connection.set_trace_callback(asked.append)
    done = undoing.apply(undoing.plan(UndoRequest((first,))), (), lambda _id, _paths: None)
    bench.ledger.database.connection.set_trace_callback(None)
    assert done.outcome is Outcome.UNDONE
    assert not [sql for sql in asked if "SAVEPOINT" in sql]
    looks = sum(sql.startswith("PRAGMA data_version") for sql in asked)
    assert looks <= 8  # three of them as a write begins
    assert len(asked) <= 66
