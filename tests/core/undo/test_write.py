"""One path from one known state to another, and back out of it at every point. Races and kills: test_crash.py."""

import os
import stat
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from sulcus_panel.core.disk import look
from sulcus_panel.core.model import ABSENT, FileKind, FileState, LedgerPath
from sulcus_panel.core.undo.fs import FileSystem
from sulcus_panel.core.undo.write import (
    Overtaken,
    Refused,
    Task,
    Writer,
    backwards,
    conflict_name,
    is_clean,
    is_ours,
    put_back,
)
from tests.support.ledgers import contents_of, state

A = LedgerPath("a.txt")
TEMP = ".sulcus-op1.tmp"
OLD, NEW = state(b"old"), state(b"new")
EDIT = Task(A, OLD, NEW, b"new", TEMP)
MADE = Task(A, ABSENT, NEW, b"new", TEMP)
GONE = Task(A, OLD, ABSENT, None, TEMP)
LINK = Task(A, OLD, replace(state(b"new"), kind=FileKind.SYMLINK, mode=None), b"new", TEMP)
MODE = Task(A, OLD, replace(OLD, mode=0o600), b"old", TEMP)
TASKS = pytest.mark.parametrize(
    "task", [EDIT, MADE, GONE, LINK, MODE], ids=str.split("edit made gone link mode")
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path


@pytest.fixture
def writer(root: Path) -> Iterator[Writer]:
    made = Writer(str(root), FileSystem())
    yield made
    made.close()


def put(root: Path, data: bytes, path: str = A) -> None:
    (root / path).write_bytes(data)
    (root / path).chmod(0o644)


def at(root: Path, path: LedgerPath = A) -> FileState:
    return look(str(root), path).state


def stage(root: Path, task: Task) -> None:
    if task.before is not ABSENT:
        put(root, b"old")


@TASKS
def test_it_is_prepared_beside_and_switched_in_one_step(root: Path, writer: Writer, task: Task) -> None:
    stage(root, task)
    writer.check(task)
    writer.prepare(task)
    assert at(root).sha256 == task.before.sha256
    writer.switch(task)
    found = at(root)
    assert (found.kind, found.sha256) == (task.after.kind, task.after.sha256)
    assert found.mode == task.after.mode
    assert is_clean(str(root), task)
    assert len(os.listdir(root)) == (task.after is not ABSENT)
    assert writer.touched == {A}


@TASKS
def test_what_was_prepared_is_taken_away_again(root: Path, writer: Writer, task: Task) -> None:
    stage(root, task)
    before = os.listdir(root)
    writer.prepare(task)
    writer.discard(task)
    assert os.listdir(root) == before
    assert at(root).sha256 == task.before.sha256


@TASKS
def test_what_was_done_goes_back_and_a_second_time_is_no_harm(root: Path, writer: Writer, task: Task) -> None:
    stage(root, task)
    writer.prepare(task)
    writer.switch(task)
    back = backwards(task, contents_of(b"old"))
    for _ in range(2):
        assert put_back(str(root), back, FileSystem())
        assert at(root).sha256 == task.before.sha256
        assert at(root).mode == task.before.mode
    assert is_clean(str(root), task)


@TASKS
def test_somebody_elses_bytes_are_never_put_back_over(root: Path, task: Task) -> None:
    put(root, b"mine")
    assert not put_back(str(root), backwards(task, contents_of(b"old")), FileSystem())
    assert (root / A).read_bytes() == b"mine"
    assert os.listdir(root) == [A]


@TASKS
def test_who_wrote_before_us_is_seen_at_every_point(root: Path, writer: Writer, task: Task) -> None:
    stage(root, task)
    writer.prepare(task)
    put(root, b"mine")
    with pytest.raises(Overtaken):
        writer.switch(task)
    with pytest.raises(Overtaken):
        writer.check(task)
    with pytest.raises(Overtaken):
        Writer(str(root), FileSystem()).prepare(task)
    assert (root / A).read_bytes() == b"mine"
    assert not writer.touched


def test_permissions_that_changed_since_count_as_somebody_elses_work(root: Path, writer: Writer) -> None:
    put(root, b"old")
    (root / A).chmod(0o600)
    with pytest.raises(Overtaken):
        writer.check(EDIT)


def test_a_second_name_is_not_parted_from_the_first(root: Path, writer: Writer) -> None:
    put(root, b"old")
    os.link(root / A, root / "second")
    with pytest.raises(Refused, match="second name"):
        writer.check(EDIT)
    with pytest.raises(Refused, match="second name"):
        writer.prepare(EDIT)
    assert sorted(os.listdir(root)) == [A, "second"]


def test_no_link_on_the_way_is_followed(
    root: Path, writer: Writer, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (root / "sub").symlink_to(outside)
    for task in (EDIT, MADE):
        below = replace(task, path=LedgerPath("sub/a.txt"))
        with pytest.raises(Refused, match="cannot be reached"):
            writer.check(below)
        with pytest.raises(Refused):
            writer.prepare(below)
    assert os.listdir(outside) == []


@pytest.mark.parametrize("in_use", [[], ["mine.txt"]])
def test_folders_made_for_a_file_that_did_not_come_are_removed_but_not_those_in_use(
    root: Path, writer: Writer, in_use: list[str]
) -> None:
    deep = replace(MADE, path=LedgerPath("x/y/a.txt"))
    writer.check(deep)
    writer.prepare(deep)
    for name in in_use:
        put(root, b"mine", f"x/{name}")
    writer.discard(deep)
    writer.remove_made_folders()
    assert (os.listdir(root / "x") if (root / "x").exists() else []) == in_use
    assert (root / "x").exists() == bool(in_use)


def test_a_new_file_keeps_permissions_that_the_umask_would_take(root: Path, writer: Writer) -> None:
    task = replace(MADE, after=replace(NEW, mode=0o666))
    writer.prepare(task)
    writer.switch(task)
    assert stat.S_IMODE((root / A).stat().st_mode) == 0o666


def test_a_spare_file_is_ours_where_it_is_a_known_image_or_the_beginning_of_one(root: Path) -> None:
    def ours(data: bytes) -> bool:
        put(root, data)
        return is_ours(look(str(root), A), OLD, NEW, b"new")

    assert [ours(data) for data in (b"new", b"old", b"ne", b"")] == [True] * 4
    assert [ours(data) for data in (b"news", b"mine")] == [False] * 2
    (root / A).unlink()
    assert not is_ours(look(str(root), A), OLD, NEW, b"new")


def test_a_displaced_file_with_other_permissions_than_planned_is_not_ours(root: Path) -> None:
    put(root, b"old")
    (root / A).chmod(0o600)
    assert not is_ours(look(str(root), A), OLD, NEW, b"new")


def test_a_strangers_spare_file_is_not_discarded(root: Path, writer: Writer) -> None:
    put(root, b"old")
    writer.prepare(EDIT)
    put(root, b"mine", TEMP)
    writer.discard(EDIT)
    assert (root / TEMP).read_bytes() == b"mine"
    assert not is_clean(str(root), EDIT)


def test_a_second_writers_file_is_named_after_the_first_and_the_operation() -> None:
    assert conflict_name("a.txt", TEMP) == "a.txt.sulcus-conflict-op1"
    assert conflict_name("a.txt", f"/w/{TEMP}") == "a.txt.sulcus-conflict-op1"
    assert len(conflict_name("x" * 255, f".sulcus-{'0' * 32}.tmp")) <= 255


def test_a_second_writers_file_has_a_name_that_fits_in_any_script() -> None:
    name = conflict_name("界" * 85, f".sulcus-{'0' * 32}.tmp")
    assert len(os.fsencode(name)) <= 255
