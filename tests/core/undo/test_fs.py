"""Each call does its one thing to one name and never overwrites, follows or loses. As a whole: test_crash.py."""

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sulcus_panel.core.undo.fs import FileSystem, link_count, owner_can_be_kept


@pytest.fixture
def fs() -> FileSystem:
    return FileSystem()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "one").write_bytes(b"1")
    (tmp_path / "two").write_bytes(b"2")
    (tmp_path / "link").symlink_to("one")
    (tmp_path / "empty").mkdir()
    return tmp_path


@pytest.fixture
def folder(root: Path) -> Iterator[int]:
    handle = os.open(root, os.O_RDONLY)
    yield handle
    os.close(handle)


def contents(root: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in root.iterdir() if path.is_file()}


def test_a_name_is_moved_only_to_a_free_one(fs: FileSystem, root: Path, folder: int) -> None:
    with pytest.raises(FileExistsError):
        fs.place(folder, "one", "two")
    with pytest.raises(FileExistsError):
        fs.place(folder, "one", "link")
    assert contents(root) == {"one": b"1", "two": b"2", "link": b"1"}
    fs.place(folder, "two", "three")
    assert contents(root) == {"one": b"1", "link": b"1", "three": b"2"}


def test_without_the_kernels_help_a_name_is_moved_only_to_a_free_one_too(fs: FileSystem, root: Path) -> None:
    one, two, three = (str(root / name) for name in ("one", "two", "three"))
    with pytest.raises(FileExistsError):
        fs.place(None, one, two)
    assert contents(root) == {"one": b"1", "two": b"2", "link": b"1"}
    fs.place(None, two, three)
    assert contents(root) == {"one": b"1", "link": b"1", "three": b"2"}
    fs.place(None, str(root / "link"), str(root / "moved"))
    assert os.readlink(root / "moved") == "one"


def test_two_names_are_swapped_in_one_step_or_not_at_all(fs: FileSystem, root: Path, folder: int) -> None:
    assert not fs.exchange(None, str(root / "one"), str(root / "two"))
    assert contents(root)["one"] == b"1"
    if not fs.exchange(folder, "link", "two"):
        pytest.skip("this file system cannot swap names")
    assert (root / "two").is_symlink()
    assert (root / "link").read_bytes() == b"2"
    with pytest.raises(FileNotFoundError):
        fs.exchange(folder, "one", "nowhere")


@pytest.mark.parametrize("taken", ["one", "link", "empty"])
def test_a_new_file_is_never_an_old_one(fs: FileSystem, root: Path, folder: int, taken: str) -> None:
    with pytest.raises(FileExistsError):
        fs.create(folder, taken)
    (root / "dangling").symlink_to("elsewhere")
    with pytest.raises(FileExistsError):
        fs.create(folder, "dangling")
    assert not (root / "elsewhere").exists()


def test_a_new_file_is_private_until_it_is_dressed(fs: FileSystem, root: Path, folder: int) -> None:
    (root / "one").chmod(0o640)
    handle = fs.create(folder, "new")
    try:
        assert stat.S_IMODE((root / "new").stat().st_mode) == 0o600
        fs.write(handle, b"x" * 100_000)
        fs.dress(handle, folder, "one", None)
        assert stat.S_IMODE((root / "new").stat().st_mode) == 0o600
        fs.dress(handle, folder, "one", 0o4755)
    finally:
        os.close(handle)
    assert stat.S_IMODE((root / "new").stat().st_mode) == 0o4755
    assert (root / "new").read_bytes() == b"x" * 100_000


def test_permissions_are_never_changed_behind_a_link(fs: FileSystem, root: Path, folder: int) -> None:
    (root / "one").chmod(0o640)
    with pytest.raises(OSError, match="link"):
        fs.chmod(folder, "link", 0o777)
    assert stat.S_IMODE((root / "one").stat().st_mode) == 0o640
    fs.chmod(folder, "one", 0o600)
    assert stat.S_IMODE((root / "one").stat().st_mode) == 0o600


def test_folders_that_were_missing_are_made_and_named_outermost_first(fs: FileSystem, root: Path) -> None:
    made: list[str] = []
    fs.make_folders(str(root), "empty/a/b/file.txt", made)
    assert made == ["empty/a", "empty/a/b"]
    fs.make_folders(str(root), "empty/a/b/other.txt", made)
    assert made == ["empty/a", "empty/a/b"]
    assert not (root / "empty/a/b/file.txt").exists()


def test_only_an_empty_folder_is_removed(fs: FileSystem, root: Path) -> None:
    (root / "full").mkdir()
    (root / "full" / "mine").write_bytes(b"")
    for path in ("full", "empty", "nowhere"):
        fs.remove_folder(str(root), path)
    assert (root / "full" / "mine").exists()
    assert not (root / "empty").exists()
    with pytest.raises(NotADirectoryError):
        fs.remove_folder(str(root), "one")


def test_what_is_gone_already_is_removed(fs: FileSystem, root: Path, folder: int) -> None:
    fs.unlink(folder, "link")
    fs.unlink(folder, "link")
    assert (root / "one").exists()


class Stopped(Exception):
    pass


class Stopping(FileSystem):
    """Stops right before the first call that would change anything."""

    def reach(self, call: str) -> None:
        raise Stopped(call)


@pytest.mark.parametrize(
    "act",
    [
        lambda fs, folder, _: fs.create(folder, "new"),
        lambda fs, folder, _: fs.chmod(folder, "one", 0o777),
        lambda fs, folder, _: fs.link_to(folder, "new", b"one"),
        lambda fs, folder, _: fs.unlink(folder, "one"),
        lambda fs, folder, _: fs.exchange(folder, "one", "two"),
        lambda fs, folder, _: fs.replace(folder, "one", "two"),
        lambda fs, folder, _: fs.place(folder, "one", "new"),
        lambda fs, _, root: fs.make_folders(root, "a/b", []),
        lambda fs, _, root: fs.remove_folder(root, "empty"),
    ],
)
def test_every_change_can_be_stopped_before_it(
    root: Path, folder: int, act: Callable[[FileSystem, int, str], object]
) -> None:
    before = [(path.name, path.lstat()) for path in sorted(root.iterdir())]
    with pytest.raises(Stopped):
        act(Stopping(), folder, str(root))
    after = [(path.name, path.lstat()) for path in sorted(root.iterdir())]
    assert [(name, seen.st_ino, seen.st_mode) for name, seen in after] == [
        (name, seen.st_ino, seen.st_mode) for name, seen in before
    ]


def test_only_the_names_of_a_file_are_counted(root: Path, folder: int) -> None:
    os.link(root / "one", root / "second")
    names = ("one", "two", "link", "empty")
    assert [link_count(folder, name) for name in names] == [2, 1, 1, 1]
    assert owner_can_be_kept(folder, "one")
