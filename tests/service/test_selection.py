"""Which entries a request means: exactly one way of naming them, and never more than a hundred."""

import pytest

from sulcus_panel.core.errors import BadRequest, NotFound
from sulcus_panel.core.model import Origin, SeqId
from sulcus_panel.core.undo.model import UndoRequest
from sulcus_panel.service.operations import Operations
from sulcus_panel.service.selection import Chosen, Selection, choose
from tests.support.ledger_builder import LedgerBuilder


def chosen(build: LedgerBuilder, selection: Selection) -> Chosen:
    return choose(build.ledger, build.workspace.id, selection)


@pytest.mark.parametrize("selection", [Selection(), Selection(last_n=1, query="a")])
def test_a_selection_must_say_exactly_one_thing(build: LedgerBuilder, selection: Selection) -> None:
    build.write("a.txt", "1\n")
    with pytest.raises(BadRequest):
        chosen(build, selection)


def test_an_unknown_id_is_named_and_a_double_one_counts_once(build: LedgerBuilder) -> None:
    entry = build.write("a.txt", "1\n")
    assert chosen(build, Selection(seq_ids=(entry.seq_id, entry.seq_id))).seq_ids == (entry.seq_id,)
    with pytest.raises(NotFound, match="#999"):
        chosen(build, Selection(seq_ids=(entry.seq_id, SeqId(999))))


def test_an_entry_of_another_workspace_is_not_found(build: LedgerBuilder) -> None:
    entry = build.write("a.txt", "1\n")
    other = build.ledger.add_workspace(None, "other")
    with pytest.raises(NotFound, match=f"#{entry.seq_id}"):
        choose(build.ledger, other.id, Selection(seq_ids=(entry.seq_id,)))


def test_the_last_n_are_the_newest_changes_of_agents_not_yet_undone(
    build: LedgerBuilder, operations: Operations
) -> None:
    one = build.write("a.txt", "1\n")
    two = build.write("b.txt", "2\n")
    three = build.write("c.txt", "3\n")
    build.write("d.txt", "4\n", origin=Origin.OUTSIDE)
    operations.apply(operations.plan(UndoRequest((three.seq_id,))))

    assert chosen(build, Selection(last_n=2)).seq_ids == (two.seq_id, one.seq_id)


def test_the_last_n_are_found_below_any_number_of_undone_ones(
    build: LedgerBuilder, operations: Operations
) -> None:
    oldest = build.write("old.txt", "1\n")
    with build.ledger.write():
        many = [build.write("b.txt", f"{number}\n").seq_id for number in range(300)]
    operations.apply(operations.plan(UndoRequest(tuple(many))))

    assert chosen(build, Selection(last_n=1)).seq_ids == (oldest.seq_id,)


@pytest.mark.parametrize("last_n", [0, 101, -1])
def test_last_n_outside_its_range_is_refused(build: LedgerBuilder, last_n: int) -> None:
    build.write("a.txt", "1\n")
    with pytest.raises(BadRequest, match="last_n") as caught:
        chosen(build, Selection(last_n=last_n))
    assert caught.value.field == "last_n"


def test_nothing_left_to_undo_is_not_found(build: LedgerBuilder) -> None:
    build.write("a.txt", "1\n", origin=Origin.OUTSIDE)
    with pytest.raises(NotFound, match="left to undo"):
        chosen(build, Selection(last_n=1))


def test_a_query_chooses_by_text_and_never_more_than_a_hundred(build: LedgerBuilder) -> None:
    with build.ledger.write():
        for number in range(101):
            build.write(f"many/{number}.txt", "x\n")
    one = build.write("Single.txt", "x\n")

    assert chosen(build, Selection(query="sINGLE")).seq_ids == (one.seq_id,)
    with pytest.raises(BadRequest, match="101"):
        chosen(build, Selection(query="many/"))
    with pytest.raises(NotFound):
        chosen(build, Selection(query="nowhere"))


@pytest.mark.parametrize("query", ["", "  "])
def test_an_empty_search_does_not_mean_everything(build: LedgerBuilder, query: str) -> None:
    build.write("a.txt", "1\n")
    with pytest.raises(BadRequest, match="empty"):
        chosen(build, Selection(query=query))


def test_an_empty_turn_does_not_mean_everything(build: LedgerBuilder) -> None:
    build.turn("Do things")
    build.write("a.txt", "1\n")
    with pytest.raises((BadRequest, NotFound)):
        chosen(build, Selection(turn_id=""))


def test_a_turn_is_its_file_changes_and_says_what_it_leaves_out(build: LedgerBuilder) -> None:
    build.write("before.txt", "1\n")
    turn = build.turn("Do things")
    one = build.write("a.txt", "1\n")
    command = build.command("npm install")
    build.write("b.txt", "mine\n", origin=Origin.OUTSIDE)
    two = build.write("a.txt", "2\n")

    assert chosen(build, Selection(turn_id=turn)) == Chosen((two.seq_id, one.seq_id), (command,))


def test_a_turn_that_changed_no_file_or_is_not_there_is_not_found(build: LedgerBuilder) -> None:
    turn = build.turn("Only look")
    build.command("ls")
    with pytest.raises(NotFound, match="no file change"):
        chosen(build, Selection(turn_id=turn))
    with pytest.raises(NotFound, match="no turn elsewhere"):
        chosen(build, Selection(turn_id="elsewhere"))


def test_a_turn_of_more_than_a_hundred_changes_is_refused(build: LedgerBuilder) -> None:
    turn = build.turn("Do very much")
    with build.ledger.write():
        for number in range(101):
            build.write("a.txt", f"{number}\n")
    with pytest.raises(BadRequest, match="101"):
        chosen(build, Selection(turn_id=turn))
