"""What a plan warns of: everything that a person must know, each once, and nothing of the entry's own."""

import os
from dataclasses import replace
from datetime import timedelta

import pytest

from sulcus_panel.core.model import (
    ABSENT,
    ActionType,
    DiskFile,
    FileKind,
    FileState,
    LedgerPath,
    NewEntry,
    Provenance,
    SeqId,
)
from sulcus_panel.core.undo.cautions import MOST_NAMED
from sulcus_panel.core.undo.model import UndoPlan
from tests.support.bench import L10, Bench, edited
from tests.support.ledgers import appended, contents_of, record, state
from tests.support.shell import record_command

CHANGED = edited(L10, _2="two")
UNKNOWN = FileState(FileKind.UNKNOWN, reason="locked\x1b")


@pytest.fixture(autouse=True)
def _a_file(bench: Bench) -> None:
    bench.put("a.txt", L10)


def ran(bench: Bench, command: str) -> SeqId:
    bench.clock.advance(1)
    return record_command(bench.ledger, bench.workspace, command, bench.clock()).seq_id


def texts(plan: UndoPlan, code: str) -> list[str]:
    return [warning.text for warning in plan.warnings if warning.code == code]


def test_a_change_that_nobody_touched_since_warns_of_nothing(bench: Bench) -> None:
    """Above all not of itself: what it left is not later work."""
    assert bench.plan(bench.agent(CHANGED)).warnings == ()


def test_later_work_in_the_same_file_is_named_with_what_becomes_of_it(bench: Bench) -> None:
    first = bench.agent(CHANGED)
    second, third = bench.agent(edited(CHANGED, _9="x")), bench.agent(edited(CHANGED, _9="x", _5="y"))
    plan = bench.plan(first)
    assert texts(plan, "later_kept") == [f"#{second}, #{third} changed a.txt later and are kept"]
    assert texts(bench.plan(first, third), "later_kept") == [f"#{second} changed a.txt later and is kept"]
    undo = bench.undo(second).results[0].undo_seq_id
    assert texts(bench.plan(first), "later_kept") == [f"#{third} changed a.txt later and is kept"]
    assert undo is not None
    bench.undo(undo)
    assert texts(bench.plan(first), "later_kept") == [f"#{second}, #{third} changed a.txt later and are kept"]


def test_later_work_on_the_same_lines_that_can_be_told_apart_is_named(bench: Bench) -> None:
    say, tell, you = (
        edited(L10, _3=line)
        for line in ("let me say some words", "let me tell some words", "let you tell some words")
    )
    bench.put("a.txt", say)
    first, second = bench.agent(tell), bench.agent(you)
    assert texts(bench.plan(first), "later_same_lines") == [
        f"#{second} changed the same lines of a.txt later"
    ]
    bench.undo(second)
    bench.put("a.txt", you)
    assert texts(bench.plan(first), "later_same_lines") == [
        "a change outside the agents changed the same lines of a.txt later"
    ]


def test_a_command_names_every_file_that_goes_back(bench: Bench) -> None:
    turn = ran(bench, "rm a.txt; echo b > b.txt; echo c > c.txt")
    assert texts(bench.plan(turn), "command") == [
        f"#{turn} was the command “rm a.txt; echo b > b.txt; echo c > c.txt”: "
        "a.txt, b.txt, c.txt go back, whatever else it did stays"
    ]
    alone = bench.record({}, command="make\nall")
    assert texts(bench.plan(alone), "command") == [
        f"#{alone} was the command “make\\nall”: whatever it did stays"
    ]


def test_what_goes_comes_and_moves_back_is_named_file_by_file(bench: Bench) -> None:
    bench.put("old.txt", b"moved\n")
    turn = ran(bench, "mkdir made && mv old.txt made/new.txt && rm a.txt && echo b > b.txt")
    plan = bench.plan(turn)
    assert texts(plan, "moves_back") == ["back to its old path, as it is now: made/new.txt to old.txt"]
    assert texts(plan, "deletes") == ["deleted: b.txt, made/"]
    assert texts(plan, "comes_back") == ["back again: a.txt"]


def test_a_long_list_of_files_is_cut_and_counted(bench: Bench) -> None:
    count = MOST_NAMED + 3
    turn = ran(bench, f"for n in $(seq -w 1 {count}); do echo $n > f$n; done")
    assert texts(bench.plan(turn), "deletes")[0].endswith("f20 and 3 more")


def test_a_folder_that_stays_is_named(bench: Bench) -> None:
    turn = ran(bench, "mkdir d")
    bench.put("d/mine", b"mine\n")
    assert texts(bench.plan(turn), "folder_kept") == ["the folder d is not empty, so it is kept"]


def test_another_name_of_the_file_is_told(bench: Bench) -> None:
    first = bench.agent(CHANGED)
    made = bench.agent(b"new\n", "b.txt")
    os.link(bench.root / "a.txt", bench.root / "a2.txt")
    os.link(bench.root / "b.txt", bench.root / "b2.txt")
    assert texts(bench.plan(first), "hard_link") == [
        "a.txt has another name (a hard link), which shows the same afterwards"
    ]
    assert texts(bench.plan(made), "hard_link") == [
        "b.txt has another name (a hard link), which stays as it is"
    ]


def test_a_moved_file_s_other_name_stays_behind_and_its_contents_are_at_hand(bench: Bench) -> None:
    bench.put("big", b"x" * 400_000)
    turn = ran(bench, "mv big there")
    os.link(bench.root / "there", bench.root / "second")
    plan = bench.plan(turn)
    assert texts(plan, "hard_link") == [
        "there has another name (a hard link), which stays as it is, and is another file then"
    ]
    assert texts(plan, "not_kept") == []
    assert bench.apply(plan).results[0].reason == ""
    assert (bench.read("big"), bench.read("second")) == (b"x" * 400_000,) * 2


def append(bench: Bench, new: NewEntry, *contents: bytes) -> SeqId:
    return appended(bench.ledger, bench.workspace.id, new, contents=contents_of(*contents)).seq_id


def test_a_before_that_nobody_saw_is_told(bench: Bench) -> None:
    unseen = DiskFile(UNKNOWN, None)
    turn = bench.record({"a.txt": (unseen, bench.look("a.txt"))})
    assert texts(bench.plan(turn), "before_unknown") == [
        f"what stood at a.txt before #{turn} is not known: locked\\x1b"
    ]


@pytest.mark.parametrize(
    ("carry", "told"), [(True, "only the changed lines are"), (False, "so it cannot come back from here")]
)
def test_contents_that_are_not_kept_are_told(bench: Bench, *, carry: bool, told: str) -> None:
    large = b"x" * 400_000 + b"\n"
    bench.put("big", large + L10)
    was = bench.look("big")
    bench.put("big", large + CHANGED)
    turn = bench.record({"big": (was, bench.look("big"))}, carry=carry)
    assert texts(bench.plan(turn), "not_kept") == [
        f"the contents of big before #{turn} are not kept (larger than 262,144 bytes), {told}"
    ]


def test_readers_a_busy_session_and_a_claim_are_told_once(bench: Bench) -> None:
    first = bench.agent(CHANGED)
    reading = record(
        "r", at=bench.clock() + timedelta(seconds=1), derived_from=(LedgerPath("a.txt"),), session_id="s2"
    )
    reader = append(bench, reading)
    change = replace(bench.entry(first).record.changes[0], path=LedgerPath("c.txt"), before=ABSENT)
    claim = replace(record("c", change, at=bench.clock()), provenance=Provenance.CLAIMED)
    claimed = append(bench, replace(claim, action_type=ActionType.FILE_CREATE), CHANGED)
    plan = bench.plan(first, claimed)
    assert texts(plan, "read_by") == [f"#{reader} was made after reading a.txt"]
    assert texts(plan, "unverified_pre_image") == [
        f"#{claimed} is what a caller said, nobody saw the file before it"
    ]
    assert state(CHANGED).sha256 == change.after.sha256
