"""Gathering: the order of targets, what is fetched, what is refused by name."""

from datetime import timedelta
from pathlib import Path

import pytest

from sulcus_panel.core.errors import BadRequest, NotFound
from sulcus_panel.core.model import LedgerPath, SeqId
from sulcus_panel.core.undo.facts import gather_facts, newest_first
from sulcus_panel.core.undo.model import Outcome, UndoRequest
from tests.support.bench import L10, Bench, edited


def test_entries_go_by_time_of_happening_not_by_number(bench: Bench) -> None:
    """An import arrives after newer entries; its work is older all the same."""
    bench.put("a.txt", L10)
    start = bench.look("a.txt")
    bench.put("a.txt", edited(L10, _2="old"))
    middle = bench.look("a.txt")
    bench.clock.advance(100)
    newer = bench.agent(edited(L10, _2="new"))
    bench.clock.now -= timedelta(seconds=50)
    older = bench.record({"a.txt": (start, middle)})
    assert older > newer
    plan = bench.plan(older, newer)
    assert [each.entry.seq_id for each in plan.entries] == [newer, older]
    assert bench.plan(older).conflicts[0].with_seq_ids == (newer,)
    assert bench.apply(plan).outcome is Outcome.UNDONE
    assert bench.read("a.txt") == L10


def test_the_chain_of_a_path_decides_against_equal_times(bench: Bench) -> None:
    bench.put("a.txt", L10)
    one, two = bench.agent(edited(L10, _2="x")), bench.agent(edited(L10, _2="y"))
    entries = (bench.entry(one), bench.entry(two))
    timeline = bench.ledger.timeline(bench.workspace.id, LedgerPath("a.txt"))
    assert [each.seq_id for each in newest_first(entries, {LedgerPath("a.txt"): timeline[::-1]})] == [
        one,
        two,
    ]


def test_a_version_on_the_way_is_fetched_only_where_hunks_do_not_tell(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(edited(L10, _2="x"))
    for number in range(3, 9):
        bench.agent(edited(L10, _2="x", **{f"_{number}": "later"}))
    request = UndoRequest((first,))
    facts = gather_facts(bench.ledger, bench.workspace, request, bench.clock())
    assert len(facts.contents) == 2


def test_an_empty_request_and_an_entry_of_another_workspace_are_refused(bench: Bench, tmp_path: Path) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(edited(L10, _2="x"))
    with pytest.raises(BadRequest):
        bench.plan()
    other = bench.ledger.add_workspace(str(tmp_path / "other"))
    with pytest.raises(NotFound, match=f"#{first}"):
        gather_facts(bench.ledger, other, UndoRequest((SeqId(first),)), bench.clock())
