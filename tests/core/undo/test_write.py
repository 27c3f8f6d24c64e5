"""One path from one known state to another. The way back: test_back.py. Races and kills: test_crash.py."""

import errno
import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from sulcus_panel.core import disk
from sulcus_panel.core.disk import look
from sulcus_panel.core.model import ABSENT, DiskFile, FileKind, FileState, LedgerPath
from sulcus_panel.core.undo import spare, write
from sulcus_panel.core.undo.fs import FileSystem
from sulcus_panel.core.undo.spare import is_clean, sweep
from sulcus_panel.core.undo.task import Overtaken, Refused, Task, backwards
from sulcus_panel.core.undo.write import Writer
from tests.support.children import holds_for_nobody
from tests.support.ledgers import state

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
    writer.finish([task])
    writer.sync([task])
    assert is_clean(str(root), task)
    assert len(os.listdir(root)) == (task.after is not ABSENT)
    assert writer.touched == {A}


@pytest.mark.parametrize("task", [EDIT, GONE, LINK])
def test_what_is_displaced_stays_beside_until_all_is_written(root: Path, writer: Writer, task: Task) -> None:
    stage(root, task)
    inode = (root / A).stat().st_ino
    writer.prepare(task)
    writer.switch(task)
    assert ((root / TEMP).read_bytes(), (root / TEMP).stat().st_ino) == (b"old", inode)
    writer.finish([task])
    assert not os.path.lexists(root / TEMP)


@TASKS
def test_what_was_prepared_is_swept_away_again(root: Path, writer: Writer, task: Task) -> None:
    stage(root, task)
    before = os.listdir(root)
    writer.prepare(task)
    assert sweep(str(root), task, FileSystem()) == ()
    assert os.listdir(root) == before
    assert at(root).sha256 == task.before.sha256


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


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_what_cannot_be_read_is_not_said_to_have_changed() -> None:
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        root.chmod(0o755)
        put(root, b"old")
        (root / A).chmod(0)

        def refused() -> bool:
            with pytest.raises(Refused, match="cannot be read: permission denied"):
                Writer(name, FileSystem()).check(EDIT)
            return True

        assert holds_for_nobody(refused)


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


def test_a_new_file_keeps_permissions_that_the_umask_would_take(root: Path, writer: Writer) -> None:
    task = replace(MADE, after=replace(NEW, mode=0o666))
    writer.prepare(task)
    writer.switch(task)
    assert stat.S_IMODE((root / A).stat().st_mode) == 0o666


def test_what_a_program_writes_to_the_displaced_file_is_kept_and_told(root: Path, writer: Writer) -> None:
    put(root, b"old")
    with (root / A).open("ab") as held_open:
        writer.prepare(EDIT)
        writer.switch(EDIT)
        held_open.write(b" and more")
    writer.finish([EDIT])
    assert (root / A).read_bytes() == b"new"
    assert (root / "a.txt.sulcus-conflict-op1").read_bytes() == b"old and more"
    assert writer.notes == [
        "a program wrote to the old a.txt after it was replaced; that is kept as a.txt.sulcus-conflict-op1"
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="only there it can be told who has a file open")
@pytest.mark.parametrize("mode", ["rb", "ab"])
def test_an_old_file_that_a_program_may_still_write_to_is_not_removed(
    root: Path, writer: Writer, mode: str
) -> None:
    put(root, b"old")
    with (root / A).open(mode) as held_open:
        writer.prepare(EDIT)
        writer.switch(EDIT)
        writer.finish([EDIT])
        if mode == "ab":
            held_open.write(b" and later")
    kept = root / "a.txt.sulcus-conflict-op1"
    assert (root / A).read_bytes() == b"new"
    assert kept.exists() is (mode == "ab")
    if mode == "ab":
        assert kept.read_bytes() == b"old and later"
        assert writer.notes == [
            "a program has the old a.txt open and may write to it still;"
            " that is kept as a.txt.sulcus-conflict-op1"
        ]


class Failing(FileSystem):
    """The disk fails at calls of one kind, so many times."""

    def __init__(self, call: str, times: int, code: int = errno.EIO) -> None:
        self.call, self.times, self.code = call, times, code

    def reach(self, call: str) -> None:
        if call == self.call and self.times:
            self.times -= 1
            raise OSError(self.code, os.strerror(self.code))


def test_a_file_that_does_not_reach_the_disk_is_written_once_more_in_a_new_one(root: Path) -> None:
    put(root, b"old")
    writer = Writer(str(root), Failing("fsync", 1))
    writer.prepare(EDIT)
    writer.switch(EDIT)
    writer.finish([EDIT])
    writer.close()
    assert (root / A).read_bytes() == b"new"
    assert os.listdir(root) == [A]


@pytest.mark.parametrize(("times", "code"), [(2, errno.EIO), (1, errno.ENOSPC)])
def test_a_second_failure_or_a_full_disk_ends_it(root: Path, times: int, code: int) -> None:
    put(root, b"old")
    writer = Writer(str(root), Failing("fsync", times, code))
    with pytest.raises(OSError, match=os.strerror(code)):
        writer.prepare(EDIT)
    writer.close()
    sweep(str(root), EDIT, FileSystem())
    assert ((root / A).read_bytes(), os.listdir(root)) == (b"old", [A])


def test_a_file_that_comes_back_takes_owner_and_attributes_from_the_other_end_of_its_move(
    root: Path, writer: Writer
) -> None:
    put(root, b"new", "moved.txt")
    try:
        os.setxattr(root / "moved.txt", "user.tag", b"mine")
    except OSError:
        pytest.skip("this file system keeps no extended attributes")
    if os.geteuid() == 0:
        os.chown(root / "moved.txt", 12345, 54321)
    task = replace(MADE, like=LedgerPath("moved.txt"))
    writer.check(task)
    writer.prepare(task)
    writer.switch(task)
    one, other = (root / A).stat(), (root / "moved.txt").stat()
    assert os.getxattr(root / A, "user.tag") == b"mine"
    assert (one.st_uid, one.st_gid) == (other.st_uid, other.st_gid)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
@pytest.mark.parametrize("was_link", [False, True])
@pytest.mark.parametrize("is_link", [False, True])
def test_a_link_and_what_takes_its_place_keep_the_owner(root: Path, was_link: bool, is_link: bool) -> None:
    put(root, b"old")
    if was_link:
        (root / A).unlink()
        (root / A).symlink_to("old")
    os.chown(root / A, 12345, 54321, follow_symlinks=False)
    task = replace(LINK if is_link else EDIT, before=at(root))
    writer = Writer(str(root), FileSystem())
    writer.prepare(task)
    writer.switch(task)
    writer.finish([task])
    writer.close()
    found = os.lstat(root / A)
    assert (found.st_uid, found.st_gid, stat.S_ISLNK(found.st_mode)) == (12345, 54321, is_link)


def test_the_other_end_of_a_move_that_is_gone_makes_it_stale(writer: Writer) -> None:
    task = replace(MADE, like=LedgerPath("moved.txt"))
    with pytest.raises(Overtaken, match=r"moved\.txt"):
        writer.check(task)
    with pytest.raises(Overtaken, match=r"moved\.txt"):
        writer.prepare(task)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_a_file_of_somebody_else_is_refused(root: Path) -> None:
    root.chmod(0o777)
    put(root, b"old")
    os.chown(root / A, 12345, 12345)
    assert holds_for_nobody(lambda: is_refused(root, EDIT))
    put(root, b"new", "moved.txt")
    moved = replace(MADE, path=LedgerPath("b.txt"), like=LedgerPath("moved.txt"))
    assert holds_for_nobody(lambda: is_refused(root, moved))


def is_refused(root: Path, task: Task) -> bool:
    with pytest.raises(Refused):
        Writer(str(root), FileSystem()).check(task)
    return True


class OneCase(FileSystem):
    """A disk that does not tell capitals apart: a rename to a name in use fails whatever its capitals."""

    def place(self, folder: int | None, source: str, target: str) -> None:
        if found(folder, target) not in {None, source}:
            raise FileExistsError(target)
        super().place(folder, source, target)


def found(folder: int | None, name: str) -> str | None:
    """The name by which such a disk finds this one."""
    return next((each for each in os.listdir(folder) if each.casefold() == name.casefold()), None)


def test_a_rename_of_capitals_alone_goes_back_where_capitals_do_not_count(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def look_at(folder: int | None, name: str, **most: int) -> DiskFile:
        return disk.look_at(folder, found(folder, name) or name, **most)

    def is_named_so(folder: int | None, name: str) -> bool:
        return found(folder, name) in {None, name}

    for module in (write, spare):
        monkeypatch.setattr(module, "look_at", look_at)
    monkeypatch.setattr(spare, "is_named_so", is_named_so)
    put(root, b"new", "A.TXT")
    gone = Task(LedgerPath("A.TXT"), NEW, ABSENT, None, ".sulcus-0.tmp", displaced=b"new")
    came = replace(MADE, temp=".sulcus-1.tmp")
    for tasks, names in (((gone, came), ["a.txt"]), ((backwards(came), backwards(gone)), ["A.TXT"])):
        writer = Writer(str(root), OneCase())
        for step in (writer.check, writer.prepare, writer.switch):
            for task in tasks:
                step(task)
        writer.finish(tasks)
        writer.close()
        assert os.listdir(root) == names
        assert (root / names[0]).read_bytes() == b"new"


def test_where_capitals_do_not_count_another_spelling_is_still_in_the_way(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spare, "is_named_so", lambda folder, name: found(folder, name) in {None, name})
    put(root, b"mine", "A.txt")
    writer = Writer(str(root), OneCase())
    writer.prepare(MADE)
    with pytest.raises(Overtaken):
        writer.switch(MADE)
    writer.close()
    sweep(str(root), MADE, FileSystem())
    assert ((root / "A.txt").read_bytes(), os.listdir(root)) == (b"mine", ["A.txt"])
