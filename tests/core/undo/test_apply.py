"""Undo on a real disk with a real ledger: the scenarios with their exact results."""

import errno
import os
from itertools import permutations
from pathlib import Path

import pytest

from sulcus_panel.core.errors import BadRequest, LedgerBusy, NotFound, StalePlan
from sulcus_panel.core.ledger.sessions import SessionSeen
from sulcus_panel.core.model import EntryState, Origin, SeqId
from sulcus_panel.core.undo.apply import apply_undo
from sulcus_panel.core.undo.fs import FileSystem
from sulcus_panel.core.undo.model import Outcome, UndoPlan, UndoResult
from sulcus_panel.core.undo.recover import recover
from tests.support.bench import L10, Bench, digest, edited
from tests.support.broken_calls import Counting
from tests.support.children import in_a_child
from tests.support.clock import counting_ids

TWO = edited(L10, _2="two")


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_three_turns_undone_in_any_order_give_the_start_bytes(bench: Bench, order: tuple[int, ...]) -> None:
    bench.put("a.txt", L10)
    turns = [
        bench.agent(edited(L10, _2="two")),
        bench.agent(edited(L10, _2="two", _8="eight")),
        bench.agent(edited(L10, _2="two", _8="eight", _5="five\nand a half")),
    ]
    for index in order:
        assert bench.undo(turns[index]).outcome is Outcome.UNDONE
    assert bench.read("a.txt") == L10


def test_an_undo_is_an_entry_with_exact_hunks_that_names_what_it_reverses(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(edited(L10, _2="two"))
    bench.agent(edited(L10, _2="two", _8="eight"))
    result = bench.undo(first)
    assert result.results[0].undo_seq_id is not None
    undo = bench.entry(result.results[0].undo_seq_id)
    assert (undo.record.origin, undo.record.reverses, undo.record.tool_name) == (
        Origin.UNDO,
        first,
        "surgical_undo",
    )
    assert [(h.before_start, h.before_lines, h.after_lines) for h in undo.record.changes[0].hunks] == [
        (1, 1, 1)
    ]
    assert bench.entry(first).state is EntryState.UNDONE
    assert result.results[0].paths[0].after_sha256 == digest(edited(L10, _8="eight"))
    assert [row.kind for row in bench.ledger.governance(bench.workspace.id, kind_prefix="undo")] == [
        "undo.applied"
    ]
    assert not bench.ledger.open_undos()


def test_redo_brings_the_change_back_after_newer_work_and_a_second_redo_is_already_done(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(edited(L10, _2="T1"))
    undo = bench.undo(first).results[0].undo_seq_id
    assert undo is not None
    bench.agent(edited(L10, _9="T4"))
    assert bench.undo(undo).outcome is Outcome.UNDONE
    assert bench.read("a.txt") == edited(L10, _2="T1", _9="T4")
    assert bench.entry(first).state is EntryState.RECORDED
    assert bench.undo(undo).outcome is Outcome.ALREADY_UNDONE


def test_lines_that_moved_go_back_where_they_are_now(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(edited(L10, _6="six by T1"))
    bench.agent(b"h1\nh2\nh3\n" + edited(L10, _6="six by T1"))
    bench.put("a.txt", b"h1\nh2\nh3\n" + edited(L10, _6="six by T1").removeprefix(b"line 1\n"))
    bench.undo(first)
    assert bench.read("a.txt") == b"h1\nh2\nh3\n" + L10.removeprefix(b"line 1\n")


def test_later_work_on_the_same_line_conflicts_and_the_chain_goes_back(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first, second = bench.agent(edited(L10, _3="B")), bench.agent(edited(L10, _3="C"))
    before = bench.picture()
    result = bench.undo(first)
    assert result.outcome is Outcome.CONFLICT
    assert result.results[0].conflicts[0].with_seq_ids == (second,)
    assert bench.picture() == before
    assert bench.undo(first, second).outcome is Outcome.UNDONE
    assert bench.read("a.txt") == L10


def test_outside_work_on_the_same_line_conflicts_as_outside(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(edited(L10, _3="B"))
    bench.put("a.txt", edited(L10, _3="mine"))
    conflict = bench.plan(first).conflicts[0]
    assert (conflict.with_seq_ids, conflict.outside, conflict.lines) == ((), True, (2, 3))


def test_a_change_that_is_already_gone_writes_nothing(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(edited(L10, _3="B"))
    bench.agent(L10)
    inode = os.stat(bench.root / "a.txt").st_ino
    assert bench.undo(first).outcome is Outcome.ALREADY_UNDONE
    assert os.stat(bench.root / "a.txt").st_ino == inode


def test_paths_outside_and_protected_ones_are_refused(bench: Bench) -> None:
    bench.put(".git/config", b"[core]\n")
    file = bench.look(".git/config")
    for path in ("/etc/hosts", "../x", ".git/config", "sub/.GIT/hooks/x", "git~1/config"):
        seq = bench.record({path: (file, file), "fine.txt": (file, file)})
        assert bench.plan(seq).entries[0].paths[0].outcome is Outcome.REFUSED


def test_a_batch_goes_newest_first_and_keeps_the_persons_line(bench: Bench) -> None:
    bench.put("a.txt", L10)
    one, two = bench.agent(edited(L10, _2="T1")), bench.agent(edited(L10, _2="T1", _5="T2"))
    bench.put("a.txt", edited(L10, _2="T1", _5="T2", _10="mine"))
    three = bench.agent(edited(L10, _2="T1", _5="T2", _10="mine", _7="T3"))
    plan = bench.plan(one, two, three, two)
    assert [entry.entry.seq_id for entry in plan.entries] == [three, two, one]
    assert len(plan.writes) == 1
    result = bench.apply(plan)
    assert bench.read("a.txt") == edited(L10, _10="mine")
    assert [bench.entry(seq).state for seq in (one, two, three)] == [EntryState.UNDONE] * 3
    undos = [each.undo_seq_id for each in result.results]
    assert bench.undo(*[undo for undo in undos if undo is not None]).outcome is Outcome.UNDONE
    assert bench.read("a.txt") == edited(L10, _2="T1", _5="T2", _10="mine", _7="T3")


def test_one_conflict_in_a_batch_leaves_everything(bench: Bench) -> None:
    bench.put("a.txt", L10)
    bench.put("b.txt", L10)
    both = bench.turn({"a.txt": edited(L10, _1="x"), "b.txt": edited(L10, _1="x")})
    bench.put("b.txt", edited(L10, _1="mine"))
    before = bench.picture()
    assert bench.undo(both).outcome is Outcome.CONFLICT
    assert bench.picture() == before


def test_a_plan_made_before_the_person_saved_is_stale(bench: Bench) -> None:
    bench.put("f", L10)
    first = bench.agent(edited(L10, _2="T1"), "f")
    plan = bench.plan(first)
    bench.put("f", edited(L10, _2="T1", _7="saved"))
    with pytest.raises(StalePlan):
        bench.apply(plan)
    assert bench.read("f") == edited(L10, _2="T1", _7="saved")
    bench.undo(first)
    assert bench.read("f") == edited(L10, _7="saved")


def test_chosen_hunks_go_back_and_the_others_stay(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(edited(L10, _2="x", _8="y"))
    assert bench.undo(first, hunks=[1]).outcome is Outcome.UNDONE
    assert bench.read("a.txt") == edited(L10, _2="x")
    assert bench.entry(first).state is EntryState.PARTLY_UNDONE
    assert bench.undo(first, hunks=[0]).outcome is Outcome.UNDONE
    assert bench.read("a.txt") == L10
    assert bench.entry(first).state is EntryState.UNDONE


def test_hunks_that_do_not_exist_are_a_bad_request(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first, second = bench.agent(edited(L10, _2="x")), bench.agent(edited(L10, _2="x", _4="y"))
    with pytest.raises(BadRequest):
        bench.plan(first, hunks=[1])
    with pytest.raises(BadRequest):
        bench.plan(first, second, hunks=[0])


def test_an_unknown_entry_is_not_found_by_name(bench: Bench) -> None:
    with pytest.raises(NotFound, match="#99"):
        bench.plan(99)


def test_other_files_keep_bytes_mode_time_and_inode(bench: Bench) -> None:
    for number in range(20):
        bench.put(f"other/{number}", b"x\n")
    bench.put("x", L10)
    first = bench.agent(edited(L10, _2="A"), "x")
    bench.agent(edited(L10, _2="A", _8="B"), "x")
    stats = {n: os.stat(bench.root / f"other/{n}") for n in range(20)}
    bench.undo(first)
    assert bench.read("x") == edited(L10, _8="B")
    for number, was in stats.items():
        now = os.stat(bench.root / f"other/{number}")
        assert (now.st_mtime_ns, now.st_ino, now.st_mode) == (was.st_mtime_ns, was.st_ino, was.st_mode)
    assert sorted(os.listdir(bench.root)) == ["other", "x"]


def test_extended_attributes_stay(bench: Bench) -> None:
    bench.put("x", L10)
    first = bench.agent(edited(L10, _2="A"), "x")
    try:
        os.setxattr(bench.root / "x", "user.tag", b"mine")
    except OSError:
        pytest.skip("this file system keeps no extended attributes")
    bench.undo(first)
    assert os.getxattr(bench.root / "x", "user.tag") == b"mine"


def test_a_command_names_the_files_it_restores(bench: Bench) -> None:
    bench.put("1.txt", b"foo\n")
    was = bench.look("1.txt")
    bench.put("1.txt", b"bar\n")
    seq = bench.record({"1.txt": (was, bench.look("1.txt"))}, command="sed -i s/foo/bar/ 1.txt")
    warnings = {warning.code: warning.text for warning in bench.plan(seq).warnings}
    assert "1.txt" in warnings["command"]


def test_a_command_without_files_stops_nobody_in_a_turn_and_cannot_be_undone_alone(bench: Bench) -> None:
    bench.put("a.txt", L10)
    edit, command = bench.agent(edited(L10, _2="x")), bench.record({}, command="pytest")
    alone = bench.undo(command)
    assert (alone.outcome, alone.results[0].reason) == (Outcome.UNAVAILABLE, "no_rollback_point")
    assert bench.undo(edit, command).outcome is Outcome.UNDONE


def test_content_over_the_cap_is_undone_by_its_hunks_while_nothing_came_after(bench: Bench) -> None:
    bench.ledger.set_setting(bench.workspace.id, "max_snapshot_bytes", 4096)
    big = b"".join(b"a long line with number %d\n" % n for n in range(400))
    bench.put("big.json", big)
    was = bench.look("big.json")
    bench.put("big.json", edited(big, _200="changed"))
    seq = bench.record({"big.json": (was, bench.look("big.json"))}, carry=True)
    assert bench.entry(seq).record.changes[0].before.kept is False
    assert bench.undo(seq).outcome is Outcome.UNDONE
    assert bench.read("big.json") == big


def test_content_that_was_never_kept_is_said_so(bench: Bench) -> None:
    bench.ledger.set_setting(bench.workspace.id, "retain_file_snapshots", value=False)
    bench.put("a.txt", L10)
    first = bench.agent(edited(L10, _2="x"))
    result = bench.undo(first)
    assert (result.outcome, result.results[0].reason) == (Outcome.UNAVAILABLE, "not_kept")


def test_drift_and_later_work_and_readers_are_told_before_the_click(bench: Bench) -> None:
    bench.put("app.py", L10)
    first = bench.agent(edited(L10, _5="T1"), "app.py")
    later = bench.agent(edited(L10, _5="T1", _1="T2"), "app.py")
    bench.ledger.touch_session(bench.workspace.id, SessionSeen("claude-code", "s1", bench.clock()))
    bench.put("app.py", edited(L10, _5="T1", _1="T2", _9="mine"))
    plan = bench.plan(first)
    codes = {warning.code: warning for warning in plan.warnings}
    assert set(codes) >= {"drift", "later_kept", "session_active"}
    assert codes["later_kept"].seq_ids == (later,)
    assert plan.explanation.what_happens == "1 line goes back; 9 lines stay as they are"
    bench.apply(plan)
    assert bench.read("app.py") == edited(L10, _1="T2", _9="mine")


SAY, TELL, YOU_TELL = (
    edited(L10, _3=text) for text in ("let me say it", "let me tell it", "let you tell it")
)


def agreed(bench: Bench, plan: UndoPlan, *consents: str) -> UndoResult:
    return apply_undo(bench.ledger, bench.workspace, plan, bench.hands(), consents)


@pytest.mark.parametrize("consents", [(), ("review:b.txt",), ("config:a.txt",), ("review",)])
def test_without_the_persons_own_yes_nothing_is_written_or_recorded(
    bench: Bench, consents: tuple[str, ...]
) -> None:
    bench.put("a.txt", SAY)
    first = bench.agent(TELL)
    bench.agent(YOU_TELL)
    plan = bench.plan(first)
    assert [each.key for each in plan.consents] == ["review:a.txt"]
    newest, governed = bench.ledger.newest_seq(), bench.ledger.governance(None)
    result = agreed(bench, plan, *consents)
    (one,) = result.results
    assert (result.outcome, one.outcome, one.paths, one.undo_seq_id) == (Outcome.HELD, Outcome.HELD, (), None)
    assert one.reason == f"needs the person's own yes: {plan.consents[0].text}"
    assert bench.read("a.txt") == YOU_TELL
    assert (bench.ledger.newest_seq(), bench.ledger.governance(None)) == (newest, governed)
    assert bench.entry(first).state is EntryState.RECORDED


def test_a_result_that_the_person_looked_at_is_written_recorded_and_can_be_redone(bench: Bench) -> None:
    bench.put("a.txt", SAY)
    first = bench.agent(TELL)
    bench.agent(YOU_TELL)
    result = agreed(bench, bench.plan(first), "review:a.txt", "config:elsewhere")
    (one,) = result.results
    assert (result.outcome, one.outcome) == (Outcome.UNDONE, Outcome.UNDONE)
    assert bench.read("a.txt") == edited(L10, _3="let you say it")
    assert one.paths[0].after_sha256 == digest(edited(L10, _3="let you say it"))
    assert bench.entry(first).state is EntryState.UNDONE
    assert one.undo_seq_id is not None
    undo = bench.entry(one.undo_seq_id).record
    assert (undo.reverses, undo.changes[0].after.sha256) == (first, digest(edited(L10, _3="let you say it")))
    bench.undo(one.undo_seq_id)
    assert bench.read("a.txt") == YOU_TELL


def test_another_disk_than_was_agreed_to_is_stale_whatever_was_said(bench: Bench) -> None:
    bench.put("a.txt", SAY)
    first = bench.agent(TELL)
    bench.agent(YOU_TELL)
    plan = bench.plan(first)
    bench.put("a.txt", YOU_TELL + b"mine\n")
    with pytest.raises(StalePlan):
        agreed(bench, plan, "review:a.txt")
    assert bench.read("a.txt") == YOU_TELL + b"mine\n"


def test_what_an_interrupted_undo_may_still_put_back_is_not_undone_once_more(bench: Bench) -> None:
    """Else both would be recorded, and one change would be undone twice."""
    for path in ("a/x", "b/y", "c"):
        bench.put(path, L10)
    seq_id = bench.turn({"a/x": TWO, "b/y": TWO})
    other = bench.agent(TWO, "c")
    half_way(bench, seq_id)
    stuck = Shut(bench.root / "a")
    with pytest.raises(LedgerBusy, match=f"The undo of #{seq_id} was interrupted and comes first") as error:
        bench.apply(bench.plan(seq_id), stuck)
    assert "does not let a/x go back yet" in str(error.value)
    assert bench.apply(bench.plan(other), stuck).outcome is Outcome.UNDONE
    recover(bench.ledger)
    assert bench.undo(seq_id).outcome is Outcome.UNDONE
    undos = [one for one in bench.ledger.after(seq_id) if one.record.reverses == seq_id]
    assert (len(undos), bench.read("a/x"), bench.read("b/y")) == (1, L10, L10)


class Shut(FileSystem):
    """A folder in which nothing can be changed today."""

    def __init__(self, folder: Path) -> None:
        self.shut = folder.stat().st_ino

    def exchange(self, folder: int | None, one: str, other: str) -> bool:
        if folder is not None and os.fstat(folder).st_ino == self.shut:
            raise OSError(errno.EROFS, os.strerror(errno.EROFS))
        return super().exchange(folder, one, other)


def half_way(bench: Bench, seq_id: SeqId) -> None:
    """Kill an undo of two files between them."""
    counting = Counting()

    def until_the_second(now: int, what: str) -> None:
        del now
        if what == "exchange" and bench.read("a/x") == L10:
            os._exit(137)

    counting.act = until_the_second

    def act() -> None:
        own = Bench(bench.root.parent, bench.clock)
        own.ids = counting_ids("killed")
        own.apply(own.plan(seq_id), counting)

    assert in_a_child(act) == 137
