"""A command makes one file another's second name: its undo must not write over that other file."""

import os
from collections.abc import Callable

import pytest

from sulcus_panel.core.model import SeqId
from sulcus_panel.core.undo.model import Outcome
from tests.support.bench import L10, Bench, edited

TWO = edited(L10, _2="two")


def command(bench: Bench, act: Callable[[], object], *names: str) -> SeqId:
    """An entry of a command that did something to these files."""
    was = {name: bench.look(name) for name in names}
    act()
    return bench.record({name: (before, bench.look(name)) for name, before in was.items()}, command="ln")


def link(bench: Bench, old: str, new: str) -> None:
    (bench.root / new).unlink(missing_ok=True)
    os.link(bench.root / old, bench.root / new)


@pytest.mark.parametrize("then", [L10, TWO])
def test_a_file_that_was_given_one_more_name_keeps_its_bytes(bench: Bench, then: bytes) -> None:
    bench.put("b.txt", b"b\n")
    bench.put("c.txt", L10)
    seq = command(bench, lambda: link(bench, "c.txt", "b.txt"), "b.txt")
    bench.put("c.txt", then)
    before = bench.picture()
    plan = bench.plan(seq)
    assert plan.outcome in {Outcome.REFUSED, Outcome.CONFLICT}
    assert (bench.apply(plan).outcome, bench.picture()) == (plan.outcome, before)


def test_two_files_that_became_one_are_refused_for_good(bench: Bench) -> None:
    bench.put("a.txt", b"a\n")
    bench.put("b.txt", b"b\n")

    def act() -> None:
        bench.put("a.txt", L10)
        link(bench, "a.txt", "b.txt")

    plan = bench.plan(command(bench, act, "a.txt", "b.txt"))
    assert (plan.outcome, plan.writes) == (Outcome.REFUSED, ())
    assert "hard link" in plan.entries[0].reason


def test_a_file_that_was_changed_under_all_its_names_goes_back_under_all(bench: Bench) -> None:
    bench.put("a.txt", L10)
    link(bench, "a.txt", "b.txt")
    seq = command(bench, lambda: bench.put("a.txt", TWO), "a.txt", "b.txt")
    assert bench.undo(seq).outcome is Outcome.UNDONE
    assert bench.read("a.txt") == bench.read("b.txt") == L10


def test_a_new_name_goes_and_its_file_stays(bench: Bench) -> None:
    bench.put("a.txt", L10)
    seq = command(bench, lambda: link(bench, "a.txt", "b.txt"), "b.txt")
    assert bench.undo(seq).outcome is Outcome.UNDONE
    assert (bench.read("a.txt"), bench.read("b.txt")) == (L10, None)
