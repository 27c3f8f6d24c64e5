"""Killed while references were moving: what was done is recorded, the rest is told, nothing is moved any more."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sulcus_panel.core.model import Entry, EntryState, GitDelta, GitState, Origin, RefMove
from sulcus_panel.core.undo.model import UndoPlan
from sulcus_panel.core.undo.recover import recover
from sulcus_panel.core.undo.ref_moves import carry
from tests.support.ledgers import entries
from tests.support.repo_bench import RepoBench


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[RepoBench]:
    made = RepoBench(tmp_path)
    yield made
    made.close()


def three(bench: RepoBench) -> list[Entry]:
    return [
        bench.runs("git commit -q --allow-empty -m three"),
        bench.runs("git commit -q --allow-empty -m four"),
        bench.runs("git switch -q -c topic"),
    ]


def moved(plan: UndoPlan, count: int) -> None:
    """The first effects of a plan are carried out, and then the process is killed."""
    for effect in plan.running[:count]:
        assert effect.delta is not None
        carry(effect.git, effect.delta, "x")


@pytest.mark.parametrize("count", range(4))
def test_what_was_done_before_the_kill_is_recorded_and_the_rest_is_not(bench: RepoBench, count: int) -> None:
    made = three(bench)
    plan, _ = bench.begins(*(entry.seq_id for entry in made))
    moved(plan, count)
    said = bench.says()

    (told,) = recover(bench.ledger)

    newest_first = made[::-1]
    states = [bench.entry(entry.seq_id).state for entry in newest_first]
    assert states == [EntryState.UNDONE] * count + [EntryState.RECORDED] * (3 - count)
    undos = [entry for entry in entries(bench.ledger) if entry.record.origin is Origin.UNDO]
    assert [undo.record.reverses for undo in undos] == [entry.seq_id for entry in newest_first[:count]]
    assert all(f"#{entry.seq_id}" in told for entry in newest_first)
    assert ("complete and recorded" in told) == (count == 3)
    assert (bench.says(), bench.ledger.open_undos(), recover(bench.ledger)) == (said, (), ())


@pytest.mark.parametrize("count", [0, 1])
def test_the_index_is_asked_too(bench: RepoBench, count: int) -> None:
    bench.put("b.txt", b"b")
    bench.sh("git add b.txt")
    oid = bench.id_of(":b.txt")
    here = GitState(bench.id_of("main"), "main", {})
    delta = GitDelta(here, here, (RefMove(":b.txt", "", f"100644 {oid}"),))
    entry = bench.runs("git add b.txt", git=delta)
    plan, _ = bench.begins(entry.seq_id)
    moved(plan, count)
    recover(bench.ledger)
    states = (EntryState.RECORDED, EntryState.UNDONE)
    assert (bench.entry(entry.seq_id).state, bench.ledger.open_undos()) == (states[count], ())


def test_a_kill_within_one_effect_is_told_and_left_for_the_person(bench: RepoBench) -> None:
    entry = bench.runs("git switch -q -c topic")
    bench.begins(entry.seq_id)
    bench.sh("git symbolic-ref HEAD refs/heads/main")
    said = bench.says()
    (told,) = recover(bench.ledger)
    assert "Please look at them" in told
    assert bench.entry(entry.seq_id).state is EntryState.ATTENTION
    assert (bench.says(), bench.ledger.open_undos()) == (said, ())


def test_what_somebody_else_moved_meanwhile_is_left_for_the_person(bench: RepoBench) -> None:
    entry = bench.runs("git branch topic")
    bench.begins(entry.seq_id)
    bench.sh("git branch -f topic old")
    said = bench.says()
    assert "Please look at them" in recover(bench.ledger)[0]
    assert bench.says() == said


def test_a_repository_that_cannot_be_read_any_more_is_left_for_the_person(bench: RepoBench) -> None:
    entry = bench.runs("git branch topic")
    bench.begins(entry.seq_id)
    (bench.root / ".git").rename(bench.root.parent / "gone")
    assert "Please look at them" in recover(bench.ledger)[0]
    assert bench.entry(entry.seq_id).state is EntryState.ATTENTION


def test_the_next_undo_settles_what_was_interrupted_first(bench: RepoBench) -> None:
    first, second = bench.runs("git branch topic"), bench.runs("git tag v1")
    plan, _ = bench.begins(first.seq_id)
    moved(plan, 1)
    bench.agrees(bench.plan(second.seq_id))
    assert [bench.entry(one.seq_id).state for one in (first, second)] == [EntryState.UNDONE] * 2
