"""One file of an entry cannot go back: the others do where the person so decides, and the row says partly."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sulcus_panel.core.model import DiskFile, EntryState, FileKind, FileState, SeqId, Undoability
from sulcus_panel.core.undo.gone import to_close
from sulcus_panel.core.undo.model import Outcome, Resolution, UndoPlan, UndoRequest
from sulcus_panel.core.undo.planner import Planner
from sulcus_panel.service.planning import plan_request
from tests.support.bench import L10, Bench, edited

TWO, THREE = edited(L10, _2="two"), edited(L10, _2="three")


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    yield made
    made.close()


def offered(bench: Bench, seq_id: SeqId) -> tuple[Resolution, ...]:
    return plan_request(bench.ledger, UndoRequest((seq_id,)), bench.clock, Planner()).choices


def others(bench: Bench, seq_id: SeqId) -> UndoPlan:
    return bench.plan(seq_id, how=Resolution.OTHERS)


def a_turn(bench: Bench, *paths: str) -> SeqId:
    for path in paths:
        bench.put(path, L10)
    turn = bench.turn(dict.fromkeys(paths, TWO))
    bench.agent(THREE, paths[0])
    return turn


def test_the_clean_files_go_back_the_other_stays_and_the_row_says_partly(bench: Bench) -> None:
    turn = a_turn(bench, "a.txt", "b.txt", "c.txt")
    assert Resolution.OTHERS in offered(bench, turn)
    found = others(bench, turn)
    assert (found.outcome, [write.path for write in found.writes]) == (Outcome.UNDONE, ["b.txt", "c.txt"])
    assert found.explanation.what_happens == (
        "a.txt stays as it is (later work stands on these lines); 2 files go back, later changes kept"
    )
    done = bench.apply(found)
    assert (done.outcome, done.results[0].reason) == (
        Outcome.UNDONE,
        "a.txt stays as it is (later work stands on these lines)",
    )
    assert [bench.read(name) for name in ("a.txt", "b.txt", "c.txt")] == [THREE, L10, L10]
    assert bench.entry(turn).state is EntryState.PARTLY_UNDONE
    undo = done.results[0].undo_seq_id
    assert undo is not None
    assert bench.undo(undo).outcome is Outcome.UNDONE
    assert [bench.read(name) for name in ("a.txt", "b.txt", "c.txt")] == [THREE, TWO, TWO]
    assert bench.entry(turn).state is EntryState.RECORDED


def test_the_file_that_stayed_can_go_back_later_and_then_all_of_it_is_undone(bench: Bench) -> None:
    turn = a_turn(bench, "a.txt", "b.txt")
    later = SeqId(turn + 1)
    bench.apply(others(bench, turn))
    bench.undo(later)
    assert bench.undo(turn).outcome is Outcome.UNDONE
    assert (bench.read("a.txt"), bench.entry(turn).state) == (L10, EntryState.UNDONE)


def test_files_without_parts_go_back_alone_too(bench: Bench) -> None:
    bench.put("run.sh", b"x\n", 0o644)
    bench.put("a.txt", L10)
    was = {path: bench.look(path) for path in ("run.sh", "a.txt")}
    bench.put("run.sh", b"x\n", 0o755)
    bench.put("a.txt", TWO)
    turn = bench.record({path: (before, bench.look(path)) for path, before in was.items()})
    bench.agent(THREE)
    assert bench.apply(others(bench, turn)).outcome is Outcome.UNDONE
    assert bench.look("run.sh").state.mode == 0o644
    assert (bench.read("a.txt"), bench.entry(turn).state) == (THREE, EntryState.PARTLY_UNDONE)


def test_half_of_a_move_is_never_made(bench: Bench) -> None:
    bench.put("old.txt", L10)
    bench.put("b.txt", L10)
    was = {path: bench.look(path) for path in ("old.txt", "new.txt", "b.txt")}
    (bench.root / "old.txt").rename(bench.root / "new.txt")
    bench.put("b.txt", TWO)
    turn = bench.record({path: (before, bench.look(path)) for path, before in was.items()})
    bench.put("old.txt", b"a newcomer\n")
    found = others(bench, turn)
    assert [write.path for write in found.writes] == ["b.txt"]
    assert found.explanation.what_happens.startswith("2 files stay as they are; 1 file goes back")
    bench.apply(found)
    assert (bench.read("old.txt"), bench.read("new.txt"), bench.read("b.txt")) == (
        b"a newcomer\n",
        L10,
        L10,
    )


def test_it_is_offered_where_a_file_may_not_be_written_or_is_not_kept(bench: Bench) -> None:
    bench.put("a.txt", L10)
    turn = bench.turn({".env": b"TOKEN=1\n", "a.txt": TWO})
    assert offered(bench, turn) == (Resolution.OTHERS,)
    bench.apply(others(bench, turn))
    assert (bench.read("a.txt"), bench.read(".env")) == (L10, b"TOKEN=1\n")


def test_it_is_offered_neither_where_nothing_could_go_back_nor_for_a_single_file(bench: Bench) -> None:
    turn = a_turn(bench, "a.txt", "b.txt")
    bench.agent(THREE, "b.txt")
    assert Resolution.OTHERS not in offered(bench, turn)
    assert not others(bench, turn).can_apply
    alone = a_turn(bench, "z.txt")
    assert Resolution.OTHERS not in offered(bench, alone)


def test_where_the_others_are_back_already_the_entry_is_not_closed_as_undone(bench: Bench) -> None:
    turn = a_turn(bench, "a.txt", "b.txt")
    bench.put("b.txt", L10)
    found = others(bench, turn)
    assert (found.can_apply, to_close(found)) == (False, ())
    bench.apply(found)
    assert bench.entry(turn).state is EntryState.RECORDED


def test_an_uncertain_file_still_needs_its_own_yes(bench: Bench) -> None:
    bench.put("m.py", b"import os\n\n\nx = 1\n")
    bench.put("a.txt", L10)
    guard = bench.turn({"m.py": b"import os\n\n\nx = 1\nif x:\n    y = 3\n", "a.txt": TWO})
    bench.agent(b"import os\n\n\nx = 1\nif x:\n    y = 3\nelse:\n    y = 4\n", "m.py")
    bench.agent(THREE)
    found = others(bench, guard)
    assert [(each.code, each.path) for each in found.consents] == [("review", "m.py")]
    assert bench.apply(found).outcome is Outcome.HELD


def test_once_the_others_are_back_the_row_says_that_the_rest_cannot_go_like_its_plan(bench: Bench) -> None:
    """The row's own word, known before anyone clicks, and the plan's: one truth."""
    bench.put("a.txt", L10)
    was = bench.look("a.txt")
    bench.put("a.txt", TWO)
    bench.put("b.bin", b"\0new")
    unseen = DiskFile(FileState(FileKind.UNKNOWN, reason="busy"), None)
    turn = bench.record({"a.txt": (was, bench.look("a.txt")), "b.bin": (unseen, bench.look("b.bin"))})
    assert bench.entry(turn).undoability is Undoability.PARTLY
    assert bench.apply(others(bench, turn)).outcome is Outcome.UNDONE
    row, plan = bench.entry(turn), bench.plan(turn)
    assert row.state is EntryState.PARTLY_UNDONE
    assert (row.undoability, plan.outcome) == (Undoability.NOT, Outcome.UNAVAILABLE)
    assert row.undo_reason == "what is left: before unknown: busy"
    assert row.undone_by is not None
    assert bench.undo(row.undone_by).outcome is Outcome.UNDONE
    assert bench.entry(turn).undoability is Undoability.PARTLY
