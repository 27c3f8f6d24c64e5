"""Random histories on a real disk and ledger: agents and a person work, undos go back in any order."""

from collections import Counter
from collections.abc import Iterator
from typing import ClassVar

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import run_state_machine_as_test

from sulcus_panel.core.model import SeqId
from sulcus_panel.core.undo.model import Outcome
from tests.support.bench import Bench
from tests.support.history_machine import Histories
from tests.support.history_model import Deed, Fate, answer, lost_its_place, parts_of
from tests.support.history_records import Record, was_moved_away
from tests.support.history_states import Line, Text

LINES = [b"line %d\n" % number for number in range(12)]
STOPPED = {Outcome.CONFLICT, Outcome.SUPERSEDED, Outcome.REVIEW}
"""Outcomes that write nothing and name those whose work stands there now."""
SPOT = st.integers(0, 11)
WORK = st.tuples(st.sampled_from(["agent", "person"]), st.sampled_from(["replace", "delete", "insert"]), SPOT)


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    made = Bench(tmp_path_factory.mktemp("histories"))
    yield made
    made.close()


class Slots:
    """The model: twelve slots, each with its text by now, and which work went into which slot."""

    def __init__(self) -> None:
        self.slots = list(LINES)
        self.owners: dict[int, list[int]] = {}

    def work(self, number: int, how: str, spot: int) -> bytes:
        mark = b"work %d at %d\n" % (number, spot)
        self.slots[spot] = {"replace": mark, "delete": b"", "insert": self.slots[spot] + mark}[how]
        self.owners.setdefault(spot, []).append(number)
        return b"".join(self.slots)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), works=st.lists(WORK, min_size=1, max_size=5))
def test_every_order_of_undos_gives_the_start_bytes_or_a_conflict_with_those_it_names(
    bench: Bench, data: st.DataObject, works: list[tuple[str, str, int]]
) -> None:
    bench.clear()
    path = f"f{bench.ledger.newest_seq()}.txt"
    start = b"".join(LINES)
    bench.put(path, start)
    seq_ids: list[SeqId] = []
    slots = Slots()
    for number, (_, how, spot) in enumerate(works):
        was = bench.read(path)
        text = slots.work(number, how, spot)
        if text != was:
            seq_ids.append(bench.agent(text, path))
    for seq_id in data.draw(st.permutations(seq_ids), label="order"):
        before = bench.picture()
        plan = bench.plan(seq_id)
        result = bench.apply(plan)
        if result.outcome in STOPPED:
            assert bench.picture() == before
            taken_back_with_those_who_stand_there(bench, seq_id)
            return
        assert result.outcome in {Outcome.UNDONE, Outcome.ALREADY_UNDONE}
        if result.outcome is Outcome.ALREADY_UNDONE:
            return
    assert bench.read(path) == start


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(works=st.lists(WORK, min_size=1, max_size=6), pick=st.integers(0, 5))
def test_undo_keeps_all_work_on_other_slots_and_redo_brings_the_bytes_back(
    bench: Bench, works: list[tuple[str, str, int]], pick: int
) -> None:
    """Slots apart by more than one line never meet: what an undo must leave is known by construction."""
    bench.clear()
    path = f"g{bench.ledger.newest_seq()}.txt"
    bench.put(path, b"".join(LINES))
    slots, seq_ids, texts = Slots(), {}, {}
    for number, (who, how, spot) in enumerate(works):
        texts[number] = slots.slots[spot]
        text = slots.work(number, how, spot)
        if who == "person" or text == bench.read(path):
            bench.put(path, text)
        else:
            seq_ids[number] = bench.agent(text, path)
    number = sorted(seq_ids)[pick % len(seq_ids)] if seq_ids else -1
    near = (
        {other for spot in _near(works, number) for other in slots.owners.get(spot, [])} if seq_ids else set()
    )
    if not seq_ids or near != {number}:
        return
    now = bench.read(path)
    slots.slots[works[number][2]] = texts[number]
    result = bench.undo(seq_ids[number])
    assert result.outcome is Outcome.UNDONE
    assert bench.read(path) == b"".join(slots.slots)
    undo = result.results[0].undo_seq_id
    assert undo is not None
    assert bench.undo(undo).outcome is Outcome.UNDONE
    assert bench.read(path) == now


def taken_back_with_those_who_stand_there(bench: Bench, seq_id: SeqId) -> None:
    """A conflict names who stands in the way; with all of them, newest first, the undo goes through."""
    chosen = {seq_id}
    plan = bench.plan(*chosen)
    while plan.outcome in STOPPED:
        named = {who for conflict in plan.conflicts for who in conflict.with_seq_ids}
        assert named - chosen
        chosen |= named
        plan = bench.plan(*chosen)
    assert bench.apply(plan).outcome in {Outcome.UNDONE, Outcome.ALREADY_UNDONE}


def _near(works: list[tuple[str, str, int]], number: int) -> range:
    spot = works[number][2]
    return range(spot - 1, spot + 2)


def test_the_model_lets_lines_come_back_where_others_were_moved_to_and_loses_none() -> None:
    old, new = ([Line(number, (1, 2, 3), 1) for number in run] for run in (range(1, 5), range(5, 9)))
    before, after = Text(tuple(old), 0o644), Text(tuple(new), 0o644)
    deed = Deed("a.txt", before, after, parts_of(before, after, [(0, 4, 0, 4)]), hunks=4)
    moved = Text((new[3], *new[:3]), 0o644)
    found = answer(deed, moved, None, frozenset({0}))
    for order, is_right in (((3, 0, 1, 2), True), ((0, 1, 2), False), ((3, 0, 1, 2, 2), False)):
        result = Text(tuple(old[at] for at in order), 0o644)
        assert found.allows(result, [before, after, moved], moved) is is_right
    other = Line(9, (1, 2, 3), 1)
    longer = Text((new[0], other, *new[1:]), 0o644)
    found = answer(deed, longer, None, frozenset({0}))
    for row, is_right in (((old[0], other, *old[1:]), True), ((other, *reversed(old)), False)):
        assert found.allows(Text(row, 0o644), [before, after, longer], longer) is is_right


def test_the_model_lets_cut_lines_stay_away_where_what_came_between_their_neighbours_was_moved() -> None:
    above, cut, new = (Line(number, (1, 2, 3)) for number in (1, 2, 3))
    before, after = Text((above, cut), 0o644), Text((above,), 0o644)
    deed = Deed("a.txt", before, after, parts_of(before, after, [(1, 2, 1, 1)]), hunks=1)
    between, swapped = Text((above, new), 0o644), Text((new, above), 0o644)
    assert lost_its_place(deed, [after, between, swapped], swapped)
    found = answer(deed, swapped, None, frozenset({0}))
    for row, is_right in (((new, above, cut), True), ((new, cut, above), False), ((new, cut), False)):
        assert found.allows(Text(row, 0o644), [before, after, between, swapped], swapped) is is_right


def test_the_model_wants_cut_lines_back_where_what_came_between_their_neighbours_is_gone() -> None:
    above, cut, new = (Line(number, (1, 2, 3)) for number in (1, 2, 3))
    before, after = Text((above, cut), 0o644), Text((above,), 0o644)
    deed = Deed("a.txt", before, after, parts_of(before, after, [(1, 2, 1, 1)]), hunks=1)
    assert not lost_its_place(deed, [after, Text((above, new), 0o644), after], after)
    assert lost_its_place(deed, [after, Text((new,), 0o644), after], after)
    assert answer(deed, after, None, frozenset({0})).fate is Fate.MUST


@pytest.fixture
def machine() -> Iterator[Histories]:
    made = ShortHistories()
    yield made
    made.teardown()


def test_a_history_in_which_a_line_is_moved_and_changed_after_a_redo(machine: Histories) -> None:
    machine.begin(sizes=[0, 0, 0], tail=0)
    machine.an_agent_edits(path="a.txt", edits=[("replace", 9, 0)], turn=2)
    machine.an_agent_edits(path="a.txt", edits=[("replace", 3, 0)], turn=0)
    machine.undo_of_a_batch(picks={0, 1})
    machine.undo_of_a_batch(picks={0, 1})
    machine.the_person_edits(path="a.txt", edits=[("move", 6, 2), ("word", 7, 2)])
    machine.redo(pick=1)
    machine.the_disk_and_every_row_are_what_the_model_says()


def test_a_history_in_which_the_line_is_moved_that_stands_where_others_were_cut(machine: Histories) -> None:
    machine.begin(sizes=[1, 0, 0], tail=0)
    machine.an_agent_edits(path="a.txt", edits=[("replace", 1, 0)], turn=0)
    machine.undo_of_one(pick=0)
    machine.an_agent_edits(path="a.txt", edits=[("replace", 1, 0)], turn=0)
    machine.undo_of_a_batch(picks={0, 1})
    machine.the_person_edits(path="a.txt", edits=[("move", 0, 2)])
    machine.redo(pick=1)
    machine.the_disk_and_every_row_are_what_the_model_says()


def test_a_history_in_which_a_file_that_was_made_is_moved_away(machine: Histories) -> None:
    machine.begin(sizes=[0, 0, 0], tail=0)
    machine.an_agent_puts_something_else(path="d/c.txt", what="gone", pick=2)
    machine.an_agent_puts_something_else(path="d/c.txt", what="empty", pick=2)
    machine.an_agent_puts_something_else(path="b.txt", what="gone", pick=1)
    machine.an_agent_renames(old="d/c.txt", new="b.txt")
    machine.undo_of_a_turn(turn=2)
    machine.the_disk_and_every_row_are_what_the_model_says()


def test_the_model_knows_a_file_that_was_moved_away_from_one_that_came_back() -> None:
    text = Text((), 0o644)
    there = Record(2, (Deed("a.txt", text, None), Deed("b.txt", None, text)))
    back = Record(3, (Deed("b.txt", text, None), Deed("a.txt", None, text)))
    deleted = Record(4, (Deed("a.txt", text, None),))
    assert was_moved_away("a.txt", [there])
    assert not was_moved_away("b.txt", [there])
    assert not was_moved_away("a.txt", [there, back])
    assert not was_moved_away("a.txt", [there, back, deleted])


def test_a_history_in_which_lines_at_one_place_come_back_in_another_order(machine: Histories) -> None:
    machine.begin(sizes=[0, 0, 0], tail=0)
    for turn in range(3):
        machine.an_agent_edits(path="a.txt", edits=[("insert", 0, 0)], turn=turn)
    machine.undo_of_a_batch(picks={0, 1, 2})
    machine.redo(pick=2)
    machine.undo_of_one(pick=2)
    machine.the_disk_and_every_row_are_what_the_model_says()


def test_a_history_in_which_a_cut_line_stands_again_where_another_hunk_had_put_it(machine: Histories) -> None:
    machine.begin(tail=0, sizes=[0, 9, 0])
    machine.an_agent_edits(edits=[("insert", 10, 0)], path="b.txt", turn=0)
    machine.undo_of_chosen_hunks(pick=30, which={0, 2})
    machine.the_person_edits(edits=[("insert", 14, 0)], path="b.txt")
    machine.an_agent_edits(edits=[("delete", 13, 2), ("move", 10, 2)], path="b.txt", turn=2)
    machine.the_person_puts_something_else(path="b.txt", pick=26, what="old")
    machine.undo_of_a_turn(turn=2)
    machine.the_disk_and_every_row_are_what_the_model_says()


class ShortHistories(Histories):
    """The machine of the long run, with counters of its own."""

    counts: ClassVar[Counter[str]] = Counter()


@pytest.mark.timeout(600)
def test_any_history_keeps_disk_rows_and_bytes_what_the_model_says() -> None:
    run_state_machine_as_test(
        ShortHistories,
        settings=settings(
            max_examples=200,
            stateful_step_count=50,
            print_blob=True,
            derandomize=True,  # a gate must not fail by a chance of its own: that is for the long run
            suppress_health_check=list(HealthCheck),
            database=None,
            phases=[Phase.generate],
        ),
    )
    assert ShortHistories.counts["steps"] >= 5000
    assert ShortHistories.counts["undos done"] >= 300
