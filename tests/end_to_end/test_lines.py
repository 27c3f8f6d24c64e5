"""Scenarios C01 to C07, C10, C24, C30: one turn's lines go, every later line stays, or somebody is named."""

from itertools import permutations

import pytest

from sulcus_panel.core.model import EntryState
from sulcus_panel.core.undo.model import Outcome, Strategy
from tests.support.scene import L10, Scene, with_line

HEADER = b"h1\nh2\nh3\n"
BLOCK = b"try:\n    step()\nexcept Exception:\n    %s\n\n"


@pytest.fixture(autouse=True)
def _a_file(scene: Scene) -> None:
    scene.person("a.txt", L10)
    scene.person("other.txt", b"other\n", 0o600)


def text(scene: Scene) -> bytes:
    return scene.path("a.txt").read_bytes()


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_c01_turns_on_different_lines_come_out_in_any_order(scene: Scene, order: tuple[int, ...]) -> None:
    lines = (2, 8, 5)
    data, turns = L10, []
    for line in lines:
        data = with_line(data, line, b"changed %d" % line)
        turns.append(scene.puts("a.txt", data))
    for turn in order:
        data = with_line(data, lines[turn], b"line %d" % lines[turn])
        result = scene.undo(turns[turn])
        assert text(scene) == data
        assert scene.state(turns[turn]) is EntryState.UNDONE
        last = turn == max(each for each in order[order.index(turn) :] if each >= turn)
        assert result.results[0].strategy in set(Strategy) if last else Strategy.SURGICAL_REVERSE_PATCH
    assert text(scene) == L10


def test_c01_through_the_terminal_in_both_orders(scene: Scene) -> None:
    first = scene.puts("a.txt", with_line(L10, 2, b"two by T1"))
    second = scene.puts("a.txt", with_line(with_line(L10, 2, b"two by T1"), 8, b"eight by T2"))

    answer = scene.terminal("ledger", "rollback", str(first.seq_id), "--json", stdin="y\n")

    assert answer.code == 0, answer.err
    result = answer.json()["results"][0]
    assert (result["outcome"], result["strategy"]) == ("undone", "surgical_reverse_patch")
    assert text(scene) == with_line(L10, 8, b"eight by T2")
    answer = scene.terminal("ledger", "rollback", str(second.seq_id), stdin="y\n")
    assert (answer.code, text(scene)) == (0, L10)


def test_c02_f070_lines_above_may_come_and_go(scene: Scene) -> None:
    turn = scene.puts("a.txt", with_line(L10, 6, b"six by T1"))
    scene.puts("a.txt", HEADER + with_line(L10, 6, b"six by T1"))
    scene.person("a.txt", HEADER + with_line(L10, 6, b"six by T1").removeprefix(b"line 1\n"))

    scene.undo(turn)

    assert text(scene) == HEADER + L10.removeprefix(b"line 1\n")


def test_c03_f071_the_same_line_again_is_a_conflict_that_names_the_later_turn(scene: Scene) -> None:
    first = scene.puts("a.txt", with_line(L10, 3, b"B"))
    second = scene.puts("a.txt", with_line(L10, 3, b"C"))

    conflict = scene.conflict(first)

    assert (conflict.with_seq_ids, conflict.outside) == ((second.seq_id,), False)
    assert conflict.lines == (2, 3)
    assert scene.state(first) is EntryState.RECORDED
    answer = scene.terminal("ledger", "rollback", str(first.seq_id), stdin="y\n")
    assert answer.code == 1
    assert f"#{second.seq_id}" in answer.out
    scene.undo(first, second)
    assert text(scene) == L10


def test_c03_f072_a_line_that_was_put_back_already_needs_nothing_and_is_closed(scene: Scene) -> None:
    first = scene.puts("a.txt", with_line(L10, 3, b"B"))
    scene.puts("a.txt", L10)

    scene.already_so(first)

    assert scene.changes_nothing(first).outcome is Outcome.ALREADY_UNDONE
    scene.operations.apply(scene.operations.plan_redo([first.seq_id]))
    assert scene.state(first) is EntryState.RECORDED
    assert scene.terminal("ledger", "rollback", str(first.seq_id), stdin="y\n").code == 0
    assert (scene.state(first), text(scene)) == (EntryState.UNDONE, L10)


def test_c04_a_change_of_the_next_line_does_not_stand_in_the_way(scene: Scene) -> None:
    turn = scene.puts("a.txt", with_line(L10, 3, b"three T1"))
    scene.puts("a.txt", with_line(with_line(L10, 3, b"three T1"), 4, b"four T2"))

    scene.undo(turn)

    assert text(scene) == with_line(L10, 4, b"four T2")


def test_c05_the_right_one_of_equal_blocks_goes_back(scene: Scene) -> None:
    scene.person("a.txt", BLOCK % b"pass" * 3)
    middle = BLOCK % b"pass" + BLOCK % b"log()" + BLOCK % b"pass"
    turn = scene.puts("a.txt", middle)
    scene.puts("a.txt", BLOCK % b"log()" + middle)

    scene.undo(turn)

    assert text(scene) == BLOCK % b"log()" + BLOCK % b"pass" * 3


def test_c06_a_person_inside_the_inserted_lines_is_a_conflict(scene: Scene) -> None:
    lines = L10.splitlines(keepends=True)
    turn = scene.puts("a.txt", b"".join([*lines[:5], b"new 1\n", b"new 2\n", b"new 3\n", *lines[5:]]))
    scene.person("a.txt", text(scene).replace(b"new 2\n", b"new 2 (user)\n"))

    conflict = scene.conflict(turn)

    assert (conflict.with_seq_ids, conflict.outside) == ((), True)


def test_c07_deleted_lines_return_to_their_neighbours(scene: Scene) -> None:
    shorter = L10.replace(b"line 4\nline 5\nline 6\n", b"")
    turn = scene.puts("a.txt", shorter)
    scene.person("a.txt", b"u1\nu2\n" + shorter)

    scene.undo(turn)

    assert text(scene) == b"u1\nu2\n" + L10


def test_c07_rewritten_neighbours_of_deleted_lines_merely_touch(scene: Scene) -> None:
    # The design lets edits that merely touch pass; the scenario's first writing called this a conflict.
    shorter = L10.replace(b"line 4\nline 5\nline 6\n", b"")
    turn = scene.puts("a.txt", shorter)
    later = scene.puts("a.txt", shorter.replace(b"line 3\n", b"three\n").replace(b"line 7\n", b"seven\n"))

    plan = scene.plan(turn)

    if plan.outcome is Outcome.CONFLICT:
        assert plan.conflicts[0].with_seq_ids == (later.seq_id,)
    else:
        scene.carry_out(plan)
        assert text(scene) == with_line(with_line(L10, 3, b"three"), 7, b"seven")


def test_c10_redo_after_newer_work_and_never_twice(scene: Scene) -> None:
    first = scene.puts("a.txt", with_line(L10, 2, b"T1"))
    scene.undo(first)
    scene.puts("a.txt", with_line(L10, 9, b"T4"))

    scene.redo(first)

    both = with_line(with_line(L10, 2, b"T1"), 9, b"T4")
    assert text(scene) == both
    assert scene.state(first) is EntryState.RECORDED
    again = scene.terminal("ledger", "redo", str(first.seq_id), stdin="y\n")
    assert (again.code, text(scene)) == (1, both)


def test_c10_f098_undo_and_redo_may_alternate_and_survive_restarts(scene: Scene) -> None:
    first = scene.puts("a.txt", with_line(L10, 2, b"T1"))
    changed = with_line(L10, 2, b"T1")
    for _ in range(2):
        answer = scene.terminal("ledger", "rollback", str(first.seq_id), stdin="y\n")
        assert (answer.code, text(scene)) == (0, L10)
        answer = scene.terminal("ledger", "redo", str(first.seq_id), stdin="y\n")
        assert (answer.code, text(scene)) == (0, changed)
    assert len([row for row in scene.rows() if row.record.origin == "undo"]) == 4


def test_c24_a_batch_goes_newest_first_and_keeps_the_person_s_line(scene: Scene) -> None:
    data, turns = L10, []
    for line in (2, 5):
        data = with_line(data, line, b"T")
        turns.append(scene.puts("a.txt", data))
    data = with_line(data, 10, b"mine")
    scene.person("a.txt", data)
    turns.append(scene.puts("a.txt", with_line(data, 7, b"T")))

    result = scene.undo(turns[1], turns[0], turns[2])

    assert [each.seq_id for each in result.results] == [turn.seq_id for turn in reversed(turns)]
    assert text(scene) == with_line(L10, 10, b"mine")


def test_c24_one_conflict_stops_the_whole_batch(scene: Scene) -> None:
    first = scene.puts("a.txt", with_line(L10, 2, b"T1"))
    second = scene.puts("a.txt", with_line(text(scene), 5, b"T2"))
    scene.puts("b.txt", b"new\n", tool="Write")
    scene.person("a.txt", with_line(text(scene), 5, b"mine"))

    plan = scene.changes_nothing(first, second)

    assert plan.outcome is Outcome.CONFLICT
    assert plan.writes == ()
    assert {scene.state(turn) for turn in (first, second)} == {EntryState.RECORDED}


def test_c24_f094_no_entry_of_a_stopped_batch_is_called_undone(scene: Scene) -> None:
    first = scene.puts("a.txt", with_line(L10, 2, b"T1"))
    second = scene.puts("a.txt", with_line(text(scene), 5, b"T2"))
    scene.person("a.txt", with_line(text(scene), 5, b"mine"))

    answer = scene.terminal(
        "ledger", "rollback", str(first.seq_id), str(second.seq_id), "--json", stdin="y\n"
    )

    assert answer.code == 1
    assert {result["outcome"] for result in answer.json()["results"]} == {"conflict", "not_tried"}


def test_c30_a_formatter_on_the_line_is_named_and_never_matched_loosely(scene: Scene) -> None:
    scene.person("a.txt", b"a = 'x'\nb = 1\nc = 2\n")
    turn = scene.puts("a.txt", b"a = 'x'\nb = 'new'\nc = 2\n")
    scene.person("a.txt", b'a = "x"\nb = "new"\nc = 2\n')

    assert scene.conflict(turn).outside


def test_one_hunk_of_several_goes_back_alone_and_then_the_other(scene: Scene) -> None:
    turn = scene.puts("a.txt", with_line(with_line(L10, 2, b"T1"), 8, b"T1"))

    scene.undo(turn, hunks=(1,))
    assert text(scene) == with_line(L10, 2, b"T1")
    assert scene.state(turn) is EntryState.PARTLY_UNDONE
    scene.undo(turn, hunks=(0,))
    assert text(scene) == L10
    assert scene.state(turn) is EntryState.UNDONE


def test_f068_an_undo_puts_back_the_recorded_place_of_text_that_stands_twice(scene: Scene) -> None:
    scene.person("a.txt", b"x\nsame\nx\nsame\nx\n")
    turn = scene.puts("a.txt", b"x\nsame\nx\nother\nx\n")
    scene.puts("a.txt", b"x\nother\nx\nother\nx\n")

    scene.undo(turn)

    assert text(scene) == b"x\nother\nx\nsame\nx\n"
