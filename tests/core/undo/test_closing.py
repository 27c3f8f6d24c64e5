"""Closing what is gone already: no file is written, one row says it, and it can be taken back."""

from sulcus_panel.core.model import EntryState
from sulcus_panel.core.undo.gone import to_close
from sulcus_panel.core.undo.model import Outcome
from tests.support.bench import L10, Bench, edited


def test_an_entry_of_which_nothing_is_left_is_closed_and_nothing_written(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(edited(L10, _3="B"))
    bench.put("a.txt", L10)
    before = bench.picture()

    result = bench.undo(first)

    (closed,) = result.results
    assert (result.outcome, closed.outcome) == (Outcome.ALREADY_UNDONE, Outcome.ALREADY_UNDONE)
    assert closed.undo_seq_id is not None
    assert bench.picture() == before
    row = bench.entry(closed.undo_seq_id)
    assert (row.record.reverses, row.record.changes) == (first, ())
    assert (bench.entry(first).state, bench.entry(first).undone_by) == (EntryState.UNDONE, row.seq_id)
    event = bench.ledger.governance(bench.workspace.id)[0]
    assert (event.kind, event.summary, event.seq_ids) == (
        "undo.applied",
        f"already so: #{first}",
        (first,),
    )


def test_what_a_yes_would_close_is_known_before(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(edited(L10, _3="B"))
    assert to_close(bench.plan(first)) == ()
    bench.put("a.txt", L10)
    assert [entry.seq_id for entry in to_close(bench.plan(first))] == [first]
    bench.undo(first)
    assert to_close(bench.plan(first)) == ()


def test_it_is_closed_once_and_opened_again_by_the_undo_of_its_closing(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(edited(L10, _3="B"))
    bench.put("a.txt", L10)
    closing = bench.undo(first).results[0].undo_seq_id
    newest = bench.ledger.newest_seq()
    assert bench.undo(first).results[0].undo_seq_id is None
    assert bench.ledger.newest_seq() == newest
    assert closing is not None
    assert bench.undo(closing).outcome is Outcome.NOTHING_TO_UNDO
    assert bench.entry(first).state is EntryState.RECORDED
    assert bench.entry(closing).state is EntryState.UNDONE


def test_chosen_parts_that_are_gone_close_only_themselves(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(edited(L10, _3="B", _9="C"))
    bench.put("a.txt", edited(L10, _9="C"))
    bench.undo(first, hunks=(0,))
    assert bench.entry(first).state is EntryState.PARTLY_UNDONE
    bench.undo(first, hunks=(1,))
    assert (bench.entry(first).state, bench.read("a.txt")) == (EntryState.UNDONE, L10)


def test_an_entry_beside_a_conflict_is_not_closed(bench: Bench) -> None:
    bench.put("a.txt", L10)
    bench.put("b.txt", L10)
    gone, stuck = bench.agent(edited(L10, _3="B")), bench.agent(edited(L10, _3="B"), "b.txt")
    bench.put("a.txt", L10)
    bench.put("b.txt", edited(L10, _3="mine"))
    result = bench.undo(gone, stuck)
    assert result.outcome is Outcome.CONFLICT
    assert bench.entry(gone).state is EntryState.RECORDED
