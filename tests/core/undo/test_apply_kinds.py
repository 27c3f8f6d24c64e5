"""Every kind of change, taken back on a real disk: files made and deleted, binary, modes, links, folders."""

import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from sulcus_panel.core.errors import StalePlan
from sulcus_panel.core.model import ActionType, FileKind, FileState, SeqId
from sulcus_panel.core.undo.model import Outcome, Strategy
from tests.support.bench import L10, Bench, edited


def test_a_created_file_is_deleted_only_while_it_is_what_was_left(bench: Bench) -> None:
    first = bench.agent(b"# Notes\n", "notes.md")
    plan = bench.plan(first)
    assert plan.entries[0].paths[0].strategy is Strategy.DELETE_CREATED_FILE
    bench.put("notes.md", b"# Notes\nbuy milk\n")
    with pytest.raises(StalePlan):
        bench.apply(plan)
    again = bench.plan(first)
    assert (again.outcome, again.conflicts[0].outside) == (Outcome.CONFLICT, True)
    bench.put("notes.md", b"# Notes\n")
    result = bench.undo(first)
    assert (result.outcome, bench.read("notes.md")) == (Outcome.UNDONE, None)
    assert result.results[0].undo_seq_id is not None
    bench.undo(result.results[0].undo_seq_id)
    assert bench.read("notes.md") == b"# Notes\n"


def test_a_deleted_file_comes_back_with_its_folder_and_mode(bench: Bench) -> None:
    bench.put("deep/er/run.sh", b"#!/bin/sh\n", 0o750)
    first = bench.agent(None, "deep/er/run.sh")
    (bench.root / "deep/er").rmdir()
    (bench.root / "deep").rmdir()
    assert bench.undo(first).outcome is Outcome.UNDONE
    assert bench.picture()["deep/er/run.sh"] == (stat.S_IFREG | 0o750, b"#!/bin/sh\n")


def test_a_path_that_was_created_again_conflicts_and_the_chain_gives_the_old_file(bench: Bench) -> None:
    bench.put("cfg.ini", b"a=1\n")
    first, second = bench.agent(None, "cfg.ini"), bench.agent(b"b=2\n", "cfg.ini")
    plan = bench.plan(first)
    assert (plan.outcome, plan.conflicts[0].with_seq_ids) == (Outcome.CONFLICT, (second,))
    assert bench.undo(second, first).outcome is Outcome.UNDONE
    assert bench.read("cfg.ini") == b"a=1\n"


def test_a_folder_in_the_way_is_left_alone(bench: Bench) -> None:
    bench.put("lib", b"x\n")
    first = bench.agent(None, "lib")
    bench.put("lib/x.py", b"y\n")
    assert bench.undo(first).outcome is Outcome.CONFLICT
    assert bench.read("lib/x.py") == b"y\n"


def test_binary_bytes_go_back_whole_or_not_at_all(bench: Bench) -> None:
    start, one, two = bytes(range(256)), bytes(range(255, -1, -1)), b"\0" * 300
    bench.put("b.bin", start)
    first, second = bench.agent(one, "b.bin"), bench.agent(two, "b.bin")
    plan = bench.plan(first)
    assert (plan.outcome, plan.conflicts[0].with_seq_ids) == (Outcome.CONFLICT, (second,))
    assert bench.undo(first, second).outcome is Outcome.UNDONE
    assert bench.read("b.bin") == start


@pytest.mark.parametrize(("start", "made"), [(None, b""), (b"", b"hi"), (b"hi", b"")])
def test_empty_and_absent_stay_apart(bench: Bench, start: bytes | None, made: bytes) -> None:
    if start is not None:
        bench.put("x.txt", start)
    first = bench.agent(made, "x.txt")
    assert bench.undo(first).outcome is Outcome.UNDONE
    assert bench.read("x.txt") == start


def test_a_mode_that_the_turn_changed_goes_back_and_another_stays(bench: Bench) -> None:
    bench.put("run.sh", b"one\n", 0o755)
    bench.put("mine.txt", b"one\n", 0o600)
    first = bench.turn({"run.sh": b"two\n", "mine.txt": b"two\n"}, {"run.sh": 0o644})
    assert bench.undo(first).outcome is Outcome.UNDONE
    assert bench.picture()["run.sh"] == (stat.S_IFREG | 0o755, b"one\n")
    assert bench.picture()["mine.txt"] == (stat.S_IFREG | 0o600, b"one\n")


def test_a_mode_alone_goes_back_under_later_edits(bench: Bench) -> None:
    bench.put("run.sh", L10, 0o644)
    first = bench.agent(L10, "run.sh", mode=0o755)
    bench.agent(edited(L10, _3="later"), "run.sh")
    inode = os.stat(bench.root / "run.sh").st_ino
    assert bench.undo(first).outcome is Outcome.UNDONE
    assert bench.picture()["run.sh"] == (stat.S_IFREG | 0o644, edited(L10, _3="later"))
    assert os.stat(bench.root / "run.sh").st_ino == inode


def test_a_link_that_replaced_a_file_gives_way_to_the_file_and_back(bench: Bench) -> None:
    bench.put("CLAUDE.md", L10)
    bench.put("AGENTS.md", b"agents\n")
    first = bench.link("CLAUDE.md", "AGENTS.md")
    undo = bench.undo(first).results[0].undo_seq_id
    assert undo is not None
    assert bench.picture()["CLAUDE.md"] == (stat.S_IFREG | 0o644, L10)
    bench.undo(undo)
    assert os.readlink(bench.root / "CLAUDE.md") == "AGENTS.md"
    assert bench.read("AGENTS.md") == b"agents\n"


def test_a_link_that_was_created_is_removed_and_its_target_stays(bench: Bench) -> None:
    bench.put("target", b"t\n")
    first = bench.link("new", "target")
    assert bench.undo(first).outcome is Outcome.UNDONE
    assert not os.path.lexists(bench.root / "new")
    assert bench.read("target") == b"t\n"


def test_a_folder_that_became_a_link_to_outside_is_refused(bench: Bench, tmp_path: Path) -> None:
    bench.put("out/f", b"one\n")
    first = bench.agent(b"two\n", "out/f")
    outside = tmp_path / "outside"
    (bench.root / "out").rename(outside)
    os.symlink(outside, bench.root / "out")
    result = bench.undo(first)
    assert (result.outcome, "link" in result.results[0].reason) == (Outcome.REFUSED, True)
    assert (outside / "f").read_bytes() == b"two\n"


def test_a_file_with_two_names_is_changed_in_place_and_both_show_it(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(edited(L10, _2="two"))
    os.link(bench.root / "a.txt", bench.root / "b.txt")
    inode = os.stat(bench.root / "a.txt").st_ino
    assert bench.undo(first).outcome is Outcome.UNDONE
    assert (bench.read("a.txt"), bench.read("b.txt")) == (L10, L10)
    assert os.stat(bench.root / "b.txt").st_ino == os.stat(bench.root / "a.txt").st_ino == inode


def test_a_file_of_unknown_before_is_never_deleted(bench: Bench) -> None:
    bench.put("z.txt", L10)
    now = bench.look("z.txt")
    unknown = replace(now, state=FileState(FileKind.UNKNOWN, reason="locked"), content=None)
    seq = bench.record({"z.txt": (unknown, now)})
    result = bench.undo(seq)
    assert (result.outcome, result.results[0].reason) == (Outcome.UNAVAILABLE, "before_unknown")
    assert bench.read("z.txt") == L10


def test_the_undo_of_a_creation_is_recorded_as_a_deletion(bench: Bench) -> None:
    first = bench.agent(b"x\n", "new")
    undo = bench.undo(first).results[0].undo_seq_id
    assert undo is not None
    assert bench.entry(undo).record.action_type is ActionType.FILE_DELETE
    assert bench.entry(SeqId(undo)).record.changes[0].after.kind is FileKind.ABSENT


def test_two_deleted_neighbours_never_come_back_in_the_wrong_order(bench: Bench) -> None:
    """Found by the random histories: with line 2 changed, then 4, then 3 deleted, undo in order of happening."""
    bench.put("a.txt", L10)
    one = bench.agent(edited(L10, _2="two"))
    two = bench.agent(edited(L10, _2="two").replace(b"line 4\n", b""))
    three = bench.agent(edited(L10, _2="two").replace(b"line 4\n", b"").replace(b"line 3\n", b""))
    bench.undo(one)
    back = bench.undo(two).results[0].undo_seq_id
    plan = bench.plan(three)
    assert (plan.outcome, plan.conflicts[0].with_seq_ids) == (Outcome.CONFLICT, (back,))
    assert bench.read("a.txt") == L10.replace(b"line 3\n", b"")
