"""Who must go back too: the smallest set of entries that leaves nobody in the way, or none at all."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sulcus_panel.core.errors import BadRequest
from sulcus_panel.core.model import SeqId
from sulcus_panel.core.undo.model import Outcome, UndoPlan, UndoRequest
from sulcus_panel.core.undo.planner import Planner
from sulcus_panel.service.planning import plan_request, smallest_safe_set
from tests.support.bench import L10, Bench, edited


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    yield made
    made.close()


def plan(bench: Bench, *seq_ids: SeqId, hunks: tuple[int, ...] | None = None) -> UndoPlan:
    return plan_request(bench.ledger, UndoRequest(seq_ids, hunks), bench.clock, Planner())


def test_whoever_stands_on_the_line_is_named_newest_first_and_the_whole_goes(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(edited(L10, _3="B"))
    second = bench.agent(edited(L10, _3="C"))
    third = bench.agent(edited(L10, _3="D"))
    found = plan(bench, first)
    assert (found.outcome, found.safe_set) == (Outcome.CONFLICT, (third, second))
    assert bench.undo(first, *found.safe_set).outcome is Outcome.UNDONE
    assert bench.read("a.txt") == L10


def test_who_changed_another_place_of_the_file_is_left_out(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(edited(L10, _3="B"))
    bench.agent(edited(L10, _3="B", _8="eight"))
    third = bench.agent(edited(L10, _3="C", _8="eight"))
    assert plan(bench, first).safe_set == (third,)
    assert bench.undo(first, third).outcome is Outcome.UNDONE
    assert bench.read("a.txt") == edited(L10, _8="eight")


def test_a_person_s_edit_is_never_part_of_it(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(edited(L10, _3="B"))
    bench.put("a.txt", edited(L10, _3="mine"))
    found = plan(bench, first)
    assert (found.outcome, found.safe_set) == (Outcome.CONFLICT, ())


def test_a_person_s_edit_on_top_of_who_stands_there_leaves_no_set(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(edited(L10, _3="B"))
    bench.agent(edited(L10, _3="C"))
    bench.put("a.txt", edited(L10, _3="mine"))
    assert plan(bench, first).safe_set == ()


def test_where_nobody_is_in_the_way_or_parts_are_chosen_there_is_none(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(edited(L10, _3="B"))
    assert plan(bench, first).safe_set == ()
    bench.agent(edited(L10, _3="C"))
    assert plan(bench, first, hunks=(0,)).safe_set == ()


def test_a_created_file_goes_with_everybody_who_wrote_in_it(bench: Bench) -> None:
    first = bench.agent(b"one\n", "new.txt")
    second = bench.agent(b"one\ntwo\n", "new.txt")
    found = plan(bench, first)
    assert found.safe_set == (second,)
    assert bench.undo(first, second).outcome is Outcome.UNDONE
    assert bench.read("new.txt") is None


def test_too_many_to_be_judged_one_by_one_are_not_offered(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(edited(L10, _3="B"))
    for number in range(13):
        bench.agent(edited(L10, _3=f"{number}"))
    assert plan(bench, first).safe_set == ()


def test_a_name_that_need_not_go_is_taken_out_again(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(edited(L10, _3="B"))
    second = bench.agent(edited(L10, _3="C", _9="nine"))
    third = bench.agent(edited(L10, _3="D", _9="nine"))
    asked: list[tuple[SeqId, ...]] = []

    def planning(request: UndoRequest) -> UndoPlan:
        asked.append(request.seq_ids)
        return bench.plan(*request.seq_ids)

    assert smallest_safe_set(bench.plan(first), planning, lambda seq_id: seq_id) == (third, second)
    assert {frozenset(seq_ids) for seq_ids in asked} >= {
        frozenset({first, second}),
        frozenset({first, third}),
        frozenset({first, second, third}),
    }


def test_an_entry_and_an_undo_of_its_redo_are_not_taken_back_at_once(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(edited(L10, _3="B"))
    chain = [first]
    for _ in range(3):
        undo = bench.undo(chain[-1]).results[0].undo_seq_id
        assert undo is not None
        chain.append(undo)
    for later in chain[2:]:
        with pytest.raises(BadRequest, match=f"#{later} and #{first} are steps of one undo and redo"):
            plan(bench, later, first)
    assert plan(bench, chain[1], first).outcome is Outcome.UNDONE


def test_a_redo_on_the_lines_stands_for_the_change_that_it_brought_back(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(edited(L10, _3="B"))
    second = bench.agent(edited(L10, _3="C"))
    third = bench.agent(edited(L10, _3="D"))
    undone = bench.undo(first, second, third)
    for each in reversed(undone.results):
        assert each.undo_seq_id is not None
        assert bench.undo(each.undo_seq_id).outcome is Outcome.UNDONE
    assert bench.read("a.txt") == edited(L10, _3="D")
    found = plan(bench, first)
    assert (found.outcome, found.safe_set) == (Outcome.CONFLICT, (third, second))
    assert plan(bench, *found.safe_set, first).can_apply
