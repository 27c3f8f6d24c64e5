"""Planning again: the plan that is had already for the same facts, and never for others."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from sulcus_panel.core.model import SeqId
from sulcus_panel.core.undo import planner
from sulcus_panel.core.undo.facts import gather_facts
from sulcus_panel.core.undo.model import UndoFacts, UndoRequest
from sulcus_panel.core.undo.planner import Planner
from tests.support.bench import L10, Bench, edited


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    yield made
    made.close()


def facts(bench: Bench, *seq_ids: SeqId) -> UndoFacts:
    return gather_facts(bench.ledger, bench.workspace, UndoRequest(seq_ids), bench.clock())


def test_equal_facts_gathered_anew_have_the_plan_that_was_made(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(edited(L10, _3="B"))
    planned = Planner()
    assert planned(facts(bench, first)) is planned(facts(bench, first))


def test_another_word_on_disk_or_in_the_ledger_is_another_plan(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(edited(L10, _3="B"))
    planned = Planner()
    shown = planned(facts(bench, first)).plan
    bench.put("a.txt", edited(L10, _3="B", _8="mine"))
    drifted = planned(facts(bench, first)).plan
    assert drifted.digest != shown.digest
    second = bench.agent(edited(L10, _3="B", _8="mine", _9="nine"))
    assert planned(facts(bench, first)).plan.digest != drifted.digest
    assert planned(facts(bench, second)).plan.request.seq_ids == (second,)


def test_a_session_that_is_at_work_now_is_warned_of(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(edited(L10, _3="B"))
    planned = Planner()
    quiet = facts(bench, first)
    shown = planned(quiet)
    assert planned(replace(quiet, active_sessions=frozenset({"s"}))) is not shown


def test_large_facts_are_not_held_in_memory(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planner, "MOST_BYTES", len(L10))
    bench.put("a.txt", L10)
    first = bench.agent(edited(L10, _3="B"))
    planned = Planner()
    once, again = planned(facts(bench, first)), planned(facts(bench, first))
    assert once == again
    assert once is not again
