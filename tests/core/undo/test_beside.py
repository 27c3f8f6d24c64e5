"""A file that moved on stays as it is, and its old copy is saved beside it: nothing that stands is ever touched."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from sulcus_panel.core.errors import StalePlan
from sulcus_panel.core.ledger.queries import LedgerQuery
from sulcus_panel.core.model import SAVED_COPY, EntryState, LedgerPath, Origin, SeqId
from sulcus_panel.core.undo.beside import copy_name
from sulcus_panel.core.undo.model import Outcome, Resolution, UndoPlan, UndoRequest
from sulcus_panel.core.undo.planner import Planner
from sulcus_panel.core.undo.recover import recover
from sulcus_panel.service.planning import plan_request
from tests.support.bench import L10, Bench, edited
from tests.support.sweep import Stage, undone
from tests.support.undo_scenarios import an_old_copy_beside

OLD, NEW, NEWER = (b"\x89PNG\0" + name for name in (b"old" * 99, b"new", b"newer"))
SEQ = SeqId(842)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    yield made
    made.close()


def moved_on(bench: Bench, path: str = "img/logo.png", mode: int = 0o640) -> SeqId:
    bench.put(path, OLD, mode)
    first = bench.agent(NEW, path)
    bench.agent(NEWER, path)
    return first


def beside(bench: Bench, seq_id: SeqId) -> UndoPlan:
    return bench.plan(seq_id, how=Resolution.BESIDE)


def offered(bench: Bench, seq_id: SeqId) -> tuple[Resolution, ...]:
    return plan_request(bench.ledger, UndoRequest((seq_id,)), bench.clock, Planner()).choices


def test_c15_the_file_stays_as_it_is_and_the_old_copy_stands_beside_it_with_its_mode(bench: Bench) -> None:
    first = moved_on(bench)
    assert offered(bench, first) == (Resolution.TAKE_ALL, Resolution.BESIDE)
    status = os.stat(bench.root / "img/logo.png")
    found = beside(bench, first)
    assert (found.outcome, found.consents) == (Outcome.COPY_SAVED, ())
    copy = f"logo (before #{first}).png"
    assert found.explanation.what_happens == f"logo.png stays as it is, its old copy is saved as {copy}"
    done = bench.apply(found)
    assert (done.outcome, done.results[0].outcome) == (Outcome.COPY_SAVED, Outcome.COPY_SAVED)
    assert done.results[0].reason == f"kept logo.png, saved the old copy as {copy}"
    (path,) = done.results[0].paths
    assert (path.path, path.before_sha256, path.read_back) == (f"img/{copy}", None, True)
    assert bench.read(f"img/{copy}") == OLD
    assert os.stat(bench.root / "img" / copy).st_mode & 0o777 == 0o640
    assert os.stat(bench.root / "img/logo.png") == status
    assert bench.read("img/logo.png") == NEWER


def test_the_entry_is_not_closed_by_it_and_the_copy_is_an_entry_that_takes_nothing_back(bench: Bench) -> None:
    first = moved_on(bench)
    undo = bench.apply(beside(bench, first)).results[0].undo_seq_id
    assert undo is not None
    kept = bench.entry(first)
    assert (kept.state, kept.undone_by) == (EntryState.RECORDED, None)
    record = bench.entry(undo).record
    assert (record.origin, record.tool_name, record.reverses) == (Origin.UNDO, SAVED_COPY, None)
    assert not record.takes_back
    assert record.target_path == f"img/logo (before #{first}).png"
    assert record.summary.startswith(f"Old copy from before #{first}: ")


def test_undoing_it_removes_the_copy_and_bringing_that_back_restores_it(bench: Bench) -> None:
    first = moved_on(bench)
    before = bench.picture()
    saved = bench.apply(beside(bench, first)).results[0].undo_seq_id
    assert saved is not None
    plan = bench.plan(saved)
    assert not plan.is_redo
    removed = bench.apply(plan)
    assert (removed.outcome, bench.picture()) == (Outcome.UNDONE, before)
    assert bench.entry(saved).state is EntryState.UNDONE
    back = removed.results[0].undo_seq_id
    assert back is not None
    assert bench.undo(back).outcome is Outcome.UNDONE
    assert bench.read(f"img/logo (before #{first}).png") == OLD


def test_a_copy_that_was_changed_since_is_not_removed(bench: Bench) -> None:
    first = moved_on(bench)
    saved = bench.apply(beside(bench, first)).results[0].undo_seq_id
    assert saved is not None
    bench.put(f"img/logo (before #{first}).png", b"mine\0")
    assert bench.undo(saved).outcome is Outcome.CONFLICT
    assert bench.read(f"img/logo (before #{first}).png") == b"mine\0"


def test_what_stands_under_the_name_is_never_written_over_nor_followed(bench: Bench) -> None:
    first = moved_on(bench)
    bench.put(f"img/LOGO (before #{first}).png", b"somebody's")
    os.symlink("../outside", bench.root / f"img/logo (before #{first}) 2.png")
    os.mkdir(bench.root / f"img/logo (before #{first}) 3.png")
    before = bench.picture()
    assert bench.apply(beside(bench, first)).outcome is Outcome.COPY_SAVED
    after = bench.picture()
    copy = f"img/logo (before #{first}) 4.png"
    assert after.pop(copy)[1] == OLD
    assert after == before
    assert not os.path.lexists(bench.root / "outside")


def test_a_name_that_is_taken_after_the_look_makes_the_plan_stale(bench: Bench) -> None:
    first = moved_on(bench)
    found = beside(bench, first)
    bench.put(f"img/logo (before #{first}).png", b"somebody's")
    with pytest.raises(StalePlan):
        bench.apply(found)
    assert bench.read(f"img/logo (before #{first}).png") == b"somebody's"


def test_a_second_time_finds_the_copy_and_makes_no_other(bench: Bench) -> None:
    first = moved_on(bench)
    bench.apply(beside(bench, first))
    before = bench.picture()
    again = beside(bench, first)
    assert (again.outcome, again.can_apply) == (Outcome.NOTHING_TO_UNDO, False)
    assert "its old copy is beside it already" in again.explanation.what_happens
    assert bench.apply(again).outcome is Outcome.NOTHING_TO_UNDO
    assert (bench.picture(), offered(bench, first)) == (before, (Resolution.TAKE_ALL,))


def test_it_is_offered_where_a_folder_or_another_kind_stands_and_not_where_nothing_does(bench: Bench) -> None:
    bench.put("lib", b"old\n")
    gone = bench.agent(None, "lib")
    assert Resolution.BESIDE not in offered(bench, gone)
    bench.put("lib/x.py", b"mine\n")
    assert offered(bench, gone) == (Resolution.BESIDE,)
    assert bench.apply(beside(bench, gone)).outcome is Outcome.COPY_SAVED
    assert (bench.read(f"lib (before #{gone})"), bench.read("lib/x.py")) == (b"old\n", b"mine\n")
    created = bench.agent(b"a\0", "made.bin")
    bench.agent(b"b\0", "made.bin")
    assert Resolution.BESIDE not in offered(bench, created)  # before it there was no file
    deleted = moved_on(bench, "b.bin")
    (bench.root / "b.bin").unlink()
    assert Resolution.BESIDE not in offered(bench, deleted)  # taking it back brings it back


def test_lines_have_ways_of_their_own_and_it_is_not_offered(bench: Bench) -> None:
    bench.put("a.txt", L10)
    first = bench.agent(edited(L10, _2="two"))
    bench.agent(edited(L10, _2="three"))
    assert Resolution.BESIDE not in offered(bench, first)
    assert beside(bench, first).outcome in {Outcome.CONFLICT, Outcome.SUPERSEDED}


def test_it_is_not_offered_where_the_old_bytes_are_not_kept(bench: Bench) -> None:
    first = moved_on(bench)
    bench.ledger.set_setting(bench.workspace.id, "max_snapshot_bytes", 4096)
    bench.put("c.bin", OLD * 20)
    unkept = bench.agent(b"c\0", "c.bin")
    bench.agent(b"cc\0", "c.bin")
    assert offered(bench, unkept) == ()
    assert Resolution.BESIDE in offered(bench, first)


def test_of_several_files_the_clean_ones_go_back_and_the_row_is_partly_undone(bench: Bench) -> None:
    bench.put("logo.png", OLD)
    bench.put("b.bin", b"b\0")
    bench.put("a.txt", L10)
    turn = bench.turn({"logo.png": NEW, "b.bin": b"B\0", "a.txt": edited(L10, _2="two")})
    bench.agent(NEWER, "logo.png")
    found = beside(bench, turn)
    assert found.outcome is Outcome.UNDONE
    assert found.explanation.what_happens.startswith(
        "logo.png stays as it is, its old copy is saved as logo ("
    )
    assert found.explanation.what_happens.endswith("; 2 files go back, later changes kept")
    done = bench.apply(found)
    assert done.results[0].reason == f"kept logo.png, saved the old copy as logo (before #{turn}).png"
    assert [bench.read(name) for name in ("a.txt", "b.bin", "logo.png")] == [L10, b"b\0", NEWER]
    assert bench.entry(turn).state is EntryState.PARTLY_UNDONE
    undo = done.results[0].undo_seq_id
    assert undo is not None
    assert bench.undo(undo).outcome is Outcome.UNDONE
    assert bench.read(f"logo (before #{turn}).png") is None
    assert (bench.read("b.bin"), bench.entry(turn).state) == (b"B\0", EntryState.RECORDED)


def test_one_path_that_nothing_helps_keeps_all_of_them_as_they_are(bench: Bench) -> None:
    bench.put("logo.png", OLD)
    bench.put("a.txt", L10)
    turn = bench.turn({"logo.png": NEW, "a.txt": edited(L10, _2="two")})
    bench.agent(NEWER, "logo.png")
    bench.agent(edited(L10, _2="three"), "a.txt")
    before = bench.picture()
    found = beside(bench, turn)
    assert not found.can_apply
    bench.apply(found)
    assert bench.picture() == before


def test_a_copy_of_what_a_tool_obeys_needs_its_own_yes_where_a_tool_would_obey_it_too(bench: Bench) -> None:
    first = moved_on(bench, ".github/workflows/ci.yml")
    assert [consent.code for consent in beside(bench, first).consents] == ["config"]


def test_a_name_that_may_not_be_kept_is_not_used(bench: Bench) -> None:
    first = moved_on(bench)
    bench.ledger.set_setting(bench.workspace.id, "exclude", "*before*")
    assert Resolution.BESIDE not in offered(bench, first)


def test_what_was_put_off_is_decided_by_it(bench: Bench) -> None:
    first = moved_on(bench)
    bench.ledger.set_state(first, EntryState.DEFERRED)
    bench.apply(beside(bench, first))
    assert bench.entry(first).state is EntryState.RECORDED


def test_a_command_s_file_is_not_said_to_go_back_where_its_copy_is_saved(bench: Bench) -> None:
    bench.put("logo.png", OLD)
    was = {"logo.png": bench.look("logo.png")}
    bench.put("logo.png", NEW)
    made = bench.record({"logo.png": (was["logo.png"], bench.look("logo.png"))}, command="make logo")
    bench.agent(NEWER, "logo.png")
    said = [warning.text for warning in beside(bench, made).warnings if warning.code == "command"]
    assert [text.endswith("whatever it did stays") for text in said] == [True]


@pytest.mark.parametrize(
    ("name", "copy"),
    [
        ("logo.png", "logo (before #842).png"),
        ("Makefile", "Makefile (before #842)"),
        (".gitignore", ".gitignore (before #842)"),
        ("..a", "..a (before #842)"),
        ("a.", "a. (before #842)"),
        ("data.tar.gz", "data (before #842).tar.gz"),
        (".tar.gz", ".tar (before #842).gz"),
        ("a." + "x" * 40, "a." + "x" * 40 + " (before #842)"),
        (os.fsdecode(b"caf\xe9.bin"), os.fsdecode(b"caf\xe9 (before #842).bin")),
    ],
)
def test_the_name_says_of_what_and_keeps_its_suffix(name: str, copy: str) -> None:
    assert copy_name(name, SEQ) == copy
    assert copy_name("logo.png", SEQ, 2) == "logo (before #842) 2.png"


@pytest.mark.parametrize("letter", ["x", "é", "日", "👩"])
@pytest.mark.parametrize("count", range(225, 256))
def test_a_name_too_long_is_shortened_by_bytes_and_stays_valid(letter: str, count: int) -> None:
    name = copy_name(letter * (count // len(letter.encode())) + ".png", SEQ, 12)
    raw = name.encode()
    assert name.endswith(" (before #842) 12.png")
    assert len(raw) <= 255


def test_a_file_with_the_longest_name_gets_its_copy(bench: Bench) -> None:
    path = "é" * 125 + ".png"
    first = moved_on(bench, path)
    found = beside(bench, first)
    (write,) = found.writes
    assert bench.apply(found).outcome is Outcome.COPY_SAVED
    assert len(write.path.encode()) <= 255
    assert bench.read(write.path) == OLD
    assert LedgerPath(path) not in {each.path for each in found.writes}


def test_a_kill_leaves_all_before_or_all_after_and_the_message_names_the_copy(tmp_path: Path) -> None:
    stage = Stage(tmp_path, an_old_copy_beside)
    told: set[str] = set()
    for point in range(1, stage.points + 1, 3):
        stage.reset()
        stage.killed(lambda bench, fs: undone(bench, stage.seq_ids, fs), point)
        own = stage.opened()
        told.update(recover(own.ledger))
        assert stage.check(own, f"killed at {point}") == has_saved(own)
        own.close()
    what = f"The saving of img/logo (before #{stage.seq_ids[0]}).png was interrupted"
    assert len(told) > 1
    assert all(each.startswith(what) or "spare files" in each for each in told)


def has_saved(bench: Bench) -> bool:
    found = bench.ledger.find(LedgerQuery(workspace_id=bench.workspace.id, limit=100))
    return any(entry.record.tool_name == SAVED_COPY for entry in found)
