"""Effects are carried out newest first; the first that fails stops the rest, and each is told as it is."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sulcus_panel.core.model import ActionType, EntryState, Origin
from sulcus_panel.core.undo.model import Outcome, Strategy
from tests.support.ledgers import entries
from tests.support.repo_bench import RepoBench


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[RepoBench]:
    made = RepoBench(tmp_path)
    yield made
    made.close()


def test_an_undo_is_an_entry_that_says_what_it_moved_and_by_which_words(bench: RepoBench) -> None:
    entry = bench.runs("git branch topic")
    result = bench.agrees(bench.plan(entry.seq_id))
    (told,) = result.results
    assert (told.outcome, told.strategy, told.paths) == (Outcome.UNDONE, Strategy.COMPENSATING_CLI, ())
    assert told.undo_seq_id is not None
    undo = bench.entry(told.undo_seq_id).record
    assert (undo.origin, undo.action_type, undo.reverses) == (
        Origin.UNDO,
        ActionType.RUN_COMMAND,
        entry.seq_id,
    )
    assert undo.command == f"git update-ref -d refs/heads/topic {bench.id_of('main')}"
    assert undo.git is not None
    assert [move.name for move in undo.git.refs] == ["refs/heads/topic"]
    (governed,) = [one for one in bench.ledger.governance(bench.workspace.id) if one.kind == "undo.applied"]
    assert governed.seq_ids == (entry.seq_id,)


def test_the_first_that_fails_stops_those_before_it_in_time(bench: RepoBench) -> None:
    made = [bench.runs(f"git tag v{number}") for number in (1, 2, 3)]
    plan = bench.plan(*(entry.seq_id for entry in made))
    lock = bench.root / ".git/refs/tags/v2.lock"
    lock.touch()
    result = bench.agrees(plan)
    assert result.outcome is Outcome.PARTLY_UNDONE
    outcomes = [(one.seq_id, one.outcome) for one in result.results]
    told = (Outcome.UNDONE, Outcome.FAILED, Outcome.NOT_TRIED)
    assert outcomes == list(zip([entry.seq_id for entry in reversed(made)], told, strict=True))
    assert result.results[1].reason
    states = [bench.entry(entry.seq_id).state for entry in made]
    assert states == [EntryState.RECORDED, EntryState.RECORDED, EntryState.UNDONE]
    assert [f"v{number}" in bench.says() for number in (1, 2, 3)] == [True, True, False]
    assert bench.ledger.open_undos() == ()
    lock.unlink()
    assert bench.agrees(bench.plan(*(entry.seq_id for entry in made[:2]))).outcome is Outcome.UNDONE


def test_what_was_back_already_is_marked_with_the_others(bench: RepoBench) -> None:
    made = [bench.runs(f"git tag v{number}") for number in (1, 2)]
    bench.sh("git tag -d v1")
    result = bench.agrees(bench.plan(*(entry.seq_id for entry in made)))
    assert [one.outcome for one in result.results] == [Outcome.UNDONE, Outcome.ALREADY_UNDONE]
    assert None not in {one.undo_seq_id for one in result.results}
    assert {bench.entry(entry.seq_id).state for entry in made} == {EntryState.UNDONE}


def test_one_that_fails_alone_leaves_all_as_it_was(bench: RepoBench) -> None:
    entry = bench.runs("git tag v1")
    plan, rows = bench.plan(entry.seq_id), len(entries(bench.ledger))
    (bench.root / ".git/refs/tags/v1.lock").touch()
    result = bench.agrees(plan)
    assert (result.outcome, result.results[0].undo_seq_id) == (Outcome.FAILED, None)
    assert (len(entries(bench.ledger)), bench.ledger.open_undos()) == (rows, ())
