"""What can be chosen of one change, file by file, with a real plan under the sheet."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton

from sulcus_panel.core.model import EntryState, SeqId
from sulcus_panel.core.undo.model import Outcome
from sulcus_panel.ui.dialogs.choices import choices_in, numbers_in
from sulcus_panel.ui.dialogs.tick_box import TickBox
from tests.support import hard_plans, undo_plans
from tests.support.bench import L10, Bench, edited
from tests.support.shown_sheet import Shown

OLD = L10.replace(b"line", b"row")


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    yield made
    made.close()


@pytest.fixture
def command(bench: Bench) -> SeqId:
    """A command that edited a text, drew a picture, made a folder and moved a file."""
    bench.put("a.txt", L10)
    bench.put("p.png", b"\0old")
    bench.put("was.txt", OLD)
    paths = ("a.txt", "d", "is.txt", "p.png", "was.txt")
    before = {path: bench.look(path) for path in paths}
    bench.put("a.txt", edited(L10, _2="two", _8="eight"))
    (bench.root / "d").mkdir()
    (bench.root / "was.txt").rename(bench.root / "is.txt")
    bench.put("p.png", b"\0new")
    files = {path: (before[path], bench.look(path)) for path in paths}
    return bench.record(files, command="./run", binary=True)


def test_each_hunk_each_file_without_any_and_each_move_is_one_choice(bench: Bench, command: SeqId) -> None:
    plan = bench.plan(command)
    assert [choice.parts for choice in choices_in(plan)] == [(3, 2), (0,), (1,), (4,), (5,)]
    assert sorted(numbers_in(plan)) == [0, 1, 2, 3, 4, 5]
    assert all(choice.chosen and choice.is_clean for choice in choices_in(plan))


def test_what_is_left_out_can_still_be_chosen(bench: Bench, command: SeqId) -> None:
    plan = bench.plan(command, hunks=[0, 1, 5])
    assert {choice.parts: choice.chosen for choice in choices_in(plan) if len(choice.parts) == 1} == {
        (0,): True,
        (1,): True,
        (4,): False,
        (5,): True,
    }


def test_of_several_changes_each_goes_as_a_whole() -> None:
    assert choices_in(undo_plans.turn_plan()) == ()


def test_a_file_a_folder_and_a_move_have_a_tick_of_their_own(
    shown: Shown, bench: Bench, command: SeqId
) -> None:
    shown.sheet.show_plan(bench.plan(command))
    assert "5 of 5 parts" in shown.texts()
    for name, left in (("file_5", (0, 1, 2, 3, 4)), ("file_4", (0, 1, 2, 3)), ("file_3", (0, 1))):
        shown.box(name).click()
        assert shown.hunks[-1] == left
        shown.sheet.show_plan(bench.plan(command, hunks=left))
        assert not shown.box(name).isChecked()
    assert "2 of 5 parts" in shown.texts()
    assert shown.sheet.findChild(QPushButton, "tick_clean") is None
    shown.box("file_3").click()
    assert shown.hunks[-1] == (0, 1, 2, 3)
    plan = bench.plan(command, hunks=shown.hunks[-1])
    shown.sheet.show_plan(plan)
    assert shown.box("file_3").isChecked()
    assert bench.apply(plan).outcome is Outcome.UNDONE
    assert (bench.read("was.txt"), bench.read("is.txt"), bench.read("p.png")) == (OLD, None, b"\0new")
    assert (bench.root / "d").is_dir()
    assert bench.entry(command).state is EntryState.PARTLY_UNDONE
    assert bench.undo(command).outcome is Outcome.UNDONE
    assert bench.entry(command).state is EntryState.UNDONE
    assert not (bench.root / "d").exists()


def test_all_and_none_tick_files_too(shown: Shown, bench: Bench, command: SeqId) -> None:
    shown.sheet.show_plan(bench.plan(command))
    shown.button("tick_none").click()
    assert shown.hunks[-1] == ()
    assert not shown.box("file_5").isChecked()
    shown.button("tick_all").click()
    assert shown.sheet.is_all(shown.hunks[-1])
    assert shown.box("file_3").isChecked()


def test_a_single_file_without_hunks_has_no_tick(shown: Shown) -> None:
    shown.sheet.show_plan(hard_plans.binary_plan())
    assert not [box for box in shown.sheet.findChildren(TickBox) if box.objectName().startswith("file_")]
