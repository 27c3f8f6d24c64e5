"""What was written goes back with the very file that it displaced, and nobody else's bytes are touched."""

import os
import stat
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from sulcus_panel.core.disk import look
from sulcus_panel.core.model import ABSENT, FileKind, FileState, LedgerPath
from sulcus_panel.core.undo.back import is_after, is_halfway, put_all_back, put_back
from sulcus_panel.core.undo.fs import FileSystem
from sulcus_panel.core.undo.spare import is_clean
from sulcus_panel.core.undo.task import Task
from sulcus_panel.core.undo.write import Writer
from tests.support.ledgers import state

A = LedgerPath("a.txt")
TEMP = ".sulcus-op1.tmp"
OLD, NEW = state(b"old"), state(b"new")
EDIT = Task(A, OLD, NEW, b"new", TEMP, displaced=b"old")
MADE = Task(A, ABSENT, NEW, b"new", TEMP)
GONE = Task(A, OLD, ABSENT, None, TEMP, displaced=b"old")
LINK = replace(EDIT, after=replace(NEW, kind=FileKind.SYMLINK, mode=None))
MODE = Task(A, OLD, replace(OLD, mode=0o600), b"old", TEMP, displaced=b"old")
TASKS = pytest.mark.parametrize(
    "task", [EDIT, MADE, GONE, LINK, MODE], ids=str.split("edit made gone link mode")
)
FOLDER = FileState(FileKind.DIRECTORY, mode=0o750)
D = LedgerPath("d")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path


def put(root: Path, data: bytes, path: str = A) -> None:
    (root / path).write_bytes(data)
    (root / path).chmod(0o644)


def written(root: Path, *tasks: Task, finish: bool = False, fs: FileSystem | None = None) -> None:
    writer = Writer(str(root), fs or FileSystem())
    try:
        for task in tasks:
            writer.prepare(task)
        for task in tasks:
            writer.switch(task)
        if finish:
            writer.finish(tasks)
    finally:
        writer.close()


def stage(root: Path, task: Task) -> None:
    if task.before is not ABSENT:
        put(root, b"old")


@TASKS
@pytest.mark.parametrize("finish", [False, True])
def test_what_was_done_goes_back_and_a_second_time_is_no_harm(root: Path, task: Task, finish: bool) -> None:
    stage(root, task)
    written(root, task, finish=finish)
    for _ in range(2):
        assert put_back(str(root), task, FileSystem())
        found = look(str(root), A).state
        assert (found.kind, found.sha256, found.mode) == (
            task.before.kind,
            task.before.sha256,
            task.before.mode,
        )
    assert is_clean(str(root), task)
    assert os.listdir(root) == ([] if task.before is ABSENT else [A])


@pytest.mark.parametrize("task", [EDIT, GONE, LINK])
def test_before_the_end_it_is_the_displaced_file_itself_that_comes_back(root: Path, task: Task) -> None:
    put(root, b"old")
    os.utime(root / A, ns=(10**18, 10**18))
    try:
        os.setxattr(root / A, "user.tag", b"mine")
    except OSError:
        pytest.skip("this file system keeps no extended attributes")
    if os.geteuid() == 0:
        os.chown(root / A, 12345, 54321)
    was = (root / A).stat()
    written(root, task)
    assert put_back(str(root), task, FileSystem())
    now = (root / A).stat()
    assert os.getxattr(root / A, "user.tag") == b"mine"
    assert (now.st_ino, now.st_mtime_ns, now.st_uid, now.st_gid) == (
        was.st_ino,
        was.st_mtime_ns,
        was.st_uid,
        was.st_gid,
    )


class WithoutExchange(FileSystem):
    """As on NFS and some FUSE: two names cannot be swapped. It may fail at one kind of call."""

    def __init__(self, fails_at: str = "") -> None:
        self.fails_at = fails_at

    def reach(self, call: str) -> None:
        if call == self.fails_at:
            raise OSError(5, os.strerror(5))

    def exchange(self, folder: int | None, one: str, other: str) -> bool:
        del folder, one, other
        return False


@pytest.mark.parametrize("fails_at", ["", "link", "replace", "place"])
def test_where_names_cannot_be_swapped_it_goes_back_from_between_two_renames(
    root: Path, fails_at: str
) -> None:
    put(root, b"old")
    inode = (root / A).stat().st_ino
    try:
        written(root, EDIT, fs=WithoutExchange(fails_at))
    except OSError:
        assert fails_at
    assert put_back(str(root), EDIT, WithoutExchange())
    assert ((root / A).read_bytes(), (root / A).stat().st_ino) == (b"old", inode)
    assert os.listdir(root) == [A]


@TASKS
def test_somebody_elses_bytes_are_never_put_back_over(root: Path, task: Task) -> None:
    put(root, b"mine")
    assert not put_back(str(root), task, FileSystem())
    assert (root / A).read_bytes() == b"mine"
    assert os.listdir(root) == [A]


class Meddling(FileSystem):
    """Lets somebody else act right before the first call of one kind."""

    def __init__(self, call: str, act: Callable[[], object]) -> None:
        self.call, self.acts = call, [act]

    def reach(self, call: str) -> None:
        if call == self.call and self.acts:
            self.acts.pop()()


def test_who_writes_right_before_it_goes_back_keeps_his_bytes_in_place(root: Path) -> None:
    put(root, b"old")
    written(root, EDIT)
    assert not put_back(str(root), EDIT, Meddling("exchange", lambda: put(root, b"mine")))
    assert (root / A).read_bytes() == b"mine"


@pytest.mark.parametrize("data", [b"ol", b"", b"ne"])
def test_a_half_written_spare_of_an_earlier_try_is_no_hindrance(root: Path, data: bytes) -> None:
    put(root, b"new")
    put(root, data, TEMP)
    assert put_back(str(root), EDIT, FileSystem())
    assert ((root / A).read_bytes(), os.listdir(root)) == (b"old", [A])


def test_a_path_that_was_not_reached_is_left_even_if_somebody_made_the_same_of_it(root: Path) -> None:
    put(root, b"new")
    put(root, b"new", TEMP)
    assert put_all_back(str(root), [EDIT], FileSystem(), lambda _: False) == ()
    assert ((root / A).read_bytes(), os.listdir(root)) == (b"new", [A])


def test_a_made_folder_goes_with_what_came_into_it(root: Path) -> None:
    tasks = (
        Task(D, ABSENT, FOLDER, None, ".sulcus-0.tmp"),
        replace(MADE, path=LedgerPath("d/a.txt")),
    )
    written(root, *tasks, finish=True)
    assert stat.S_IMODE((root / "d").stat().st_mode) == 0o750
    assert put_all_back(str(root), tasks, FileSystem()) == ()
    assert os.listdir(root) == []


def test_a_made_folder_in_which_somebody_put_something_stays(root: Path) -> None:
    task = Task(D, ABSENT, FOLDER, None, ".sulcus-0.tmp")
    written(root, task, finish=True)
    put(root, b"mine", "d/mine.txt")
    assert put_all_back(str(root), [task], FileSystem()) == ()
    assert os.listdir(root / "d") == ["mine.txt"]


def test_a_removed_folder_comes_back_with_its_files_and_permissions_that_bar_writing(root: Path) -> None:
    (root / "d").mkdir()
    put(root, b"old", "d/a.txt")
    (root / "d").chmod(0o550)
    tasks = (
        replace(GONE, path=LedgerPath("d/a.txt")),
        Task(D, replace(FOLDER, mode=0o550), ABSENT, None, ".sulcus-1.tmp"),
    )
    written(root, *tasks, finish=True)
    assert os.listdir(root) == []
    for _ in range(2):
        assert put_all_back(str(root), tasks, FileSystem()) == ()
        assert (root / "d/a.txt").read_bytes() == b"old"
        assert stat.S_IMODE((root / "d").stat().st_mode) == 0o550
        assert os.listdir(root / "d") == ["a.txt"]


def test_a_folders_permissions_go_back(root: Path) -> None:
    (root / "d").mkdir(mode=0o750)
    (root / "d").chmod(0o750)
    task = Task(D, FOLDER, replace(FOLDER, mode=0o700), None, ".sulcus-0.tmp")
    written(root, task, finish=True)
    assert stat.S_IMODE((root / "d").stat().st_mode) == 0o700
    assert put_all_back(str(root), [task], FileSystem()) == ()
    assert stat.S_IMODE((root / "d").stat().st_mode) == 0o750


def test_what_the_disk_does_not_let_go_back_is_named(root: Path) -> None:
    put(root, b"old")
    written(root, EDIT, finish=True)
    assert put_all_back(str(root), [EDIT], Meddling("create", refuse)) == (EDIT,)
    assert is_after(EDIT, look(str(root), A))
    assert put_all_back(str(root), [EDIT], FileSystem()) == ()


def refuse() -> None:
    raise OSError(28, os.strerror(28))


def test_a_half_made_folder_and_a_half_written_file_are_known_as_ours(root: Path) -> None:
    put(root, b"neXX")
    in_place = replace(
        EDIT, before=state(b"oldXX"), after=state(b"newYY"), content=b"newYY", displaced=b"oldXX"
    )
    assert not is_halfway(replace(in_place, in_place=True), look(str(root), A))
    put(root, b"neldXX"[:2] + b"dXX")
    assert is_halfway(replace(in_place, in_place=True), look(str(root), A))
    assert not is_halfway(in_place, look(str(root), A))
    (root / "d").mkdir()
    assert is_halfway(Task(D, ABSENT, FOLDER, None, TEMP), look(str(root), D))
