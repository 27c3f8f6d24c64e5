"""Each call does its one thing to one name and never overwrites, follows or loses. As a whole: test_crash.py."""

import errno
import os
import stat
import struct
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sulcus_panel.core.undo.fs import FileSystem, link_count, owner_can_be_kept


class WithoutLinks(FileSystem):
    """As on FAT, and as the kernel is with somebody else's file."""

    def _link(self, folder: int | None, source: str, target: str) -> None:
        raise PermissionError(errno.EPERM, "no hard links here", source, None, f"{folder}/{target}")


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


def test_without_hard_links_too_a_name_is_moved_only_to_a_free_one(root: Path) -> None:
    fs = WithoutLinks()
    one, two, three = (str(root / name) for name in ("one", "two", "three"))
    for taken in (two, str(root / "link"), str(root / "empty")):
        with pytest.raises(FileExistsError):
            fs.place(None, one, taken)
    fs.place(None, two, three)
    assert contents(root) == {"one": b"1", "link": b"1", "three": b"2"}


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
        fs.dress_like(handle, folder, "one")
        fs.set_mode(handle, None)
        assert stat.S_IMODE((root / "new").stat().st_mode) == 0o600
        fs.set_mode(handle, 0o4755)
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


def test_a_folder_is_made_only_at_a_free_name(fs: FileSystem, root: Path, folder: int) -> None:
    fs.make_folder(folder, "made", private=True)
    assert stat.S_IMODE((root / "made").stat().st_mode) == 0o700
    for taken in ("made", "one", "link"):
        with pytest.raises(FileExistsError):
            fs.make_folder(folder, taken, private=False)


def test_only_an_empty_folder_is_removed(fs: FileSystem, root: Path, folder: int) -> None:
    (root / "full").mkdir()
    (root / "full" / "mine").write_bytes(b"")
    with pytest.raises(OSError, match="not empty"):
        fs.remove_folder(folder, "full")
    fs.remove_folder(folder, "empty")
    fs.remove_folder(folder, "nowhere")
    assert (root / "full" / "mine").exists()
    assert not (root / "empty").exists()
    with pytest.raises(NotADirectoryError):
        fs.remove_folder(folder, "one")


def test_the_permissions_of_a_folder_are_changed_like_a_files(
    fs: FileSystem, root: Path, folder: int
) -> None:
    fs.chmod(folder, "empty", 0o750)
    assert stat.S_IMODE((root / "empty").stat().st_mode) == 0o750


def test_a_file_is_changed_in_place_and_never_behind_a_link(fs: FileSystem, root: Path, folder: int) -> None:
    inode = (root / "one").stat().st_ino
    handle = fs.open_in_place(folder, "one")
    try:
        assert fs.keep_room(handle, 1)
        assert (root / "one").read_bytes() == b"1"
        fs.write(handle, b"changed")
        fs.truncate(handle, 6)
    finally:
        os.close(handle)
    assert (root / "one").read_bytes() == b"change"
    assert (root / "one").stat().st_ino == inode
    with pytest.raises(OSError, match="link"):
        fs.open_in_place(folder, "link")


def test_room_is_kept_ahead_without_a_byte_that_anybody_could_read(
    fs: FileSystem, root: Path, folder: int
) -> None:
    handle = fs.open_in_place(folder, "one")
    try:
        if not fs.keep_room(handle, 300_000):
            pytest.skip("this file system keeps no room")
        assert (root / "one").read_bytes() == b"1"
        assert os.fstat(handle).st_blocks * 512 >= 300_000
    finally:
        os.close(handle)


def test_a_second_name_is_the_same_file_where_that_can_be_and_a_copy_elsewhere(
    root: Path, folder: int
) -> None:
    (root / "one").chmod(0o640)
    FileSystem().second_name(folder, "one", "other")
    assert os.path.samefile(root / "one", root / "other")
    WithoutLinks().second_name(folder, "one", "copy")
    assert not os.path.samefile(root / "one", root / "copy")
    assert ((root / "copy").read_bytes(), stat.S_IMODE((root / "copy").stat().st_mode)) == (b"1", 0o640)
    with pytest.raises(FileExistsError):
        FileSystem().second_name(folder, "one", "two")


def test_a_file_moves_out_of_the_folder_only_on_its_own_file_system(
    fs: FileSystem, root: Path, folder: int
) -> None:
    fs.move_out(folder, "one", str(root / "empty" / "one"))
    assert (root / "empty" / "one").read_bytes() == b"1"
    elsewhere = Path("/dev/shm")
    if not elsewhere.is_dir() or elsewhere.stat().st_dev == root.stat().st_dev:
        pytest.skip("there is only one file system here")
    with pytest.raises(OSError, match="ross-device") as error:
        fs.move_out(folder, "two", str(elsewhere / f"sulcus-test-{os.getpid()}"))
    assert error.value.errno == errno.EXDEV
    assert (root / "two").read_bytes() == b"2"


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
        lambda fs, folder, _: fs.make_folder(folder, "new", private=True),
        lambda fs, folder, _: fs.remove_folder(folder, "empty"),
        lambda fs, folder, _: fs.open_in_place(folder, "one"),
        lambda fs, folder, _: fs.second_name(folder, "one", "new"),
        lambda fs, folder, root: fs.move_out(folder, "one", f"{root}/new"),
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


def test_a_file_that_had_no_access_list_does_not_get_the_folder_s(
    fs: FileSystem, root: Path, folder: int
) -> None:
    try:
        os.setxattr(root, "system.posix_acl_default", access_list())
    except (OSError, AttributeError):
        pytest.skip("no access lists here")
    handle = fs.create(folder, "new")
    assert os.listxattr(handle) == ["system.posix_acl_access"]
    fs.dress_like(handle, folder, "one")
    fs.set_mode(handle, 0o664)
    assert (os.listxattr(handle), stat.S_IMODE(os.fstat(handle).st_mode)) == ([], 0o664)
    os.close(handle)
    os.setxattr(root / "two", "system.posix_acl_access", access_list())
    handle = fs.create(folder, "newer")
    fs.dress_like(handle, folder, "two")
    assert os.getxattr(handle, "system.posix_acl_access") == access_list()
    os.close(handle)


def access_list() -> bytes:
    """Owner and one more user may do everything, the others read: the kernel's form of it."""
    nobody, everyone = 65534, 0xFFFFFFFF
    entries = (
        (0x01, 7, everyone),
        (0x02, 7, nobody),
        (0x04, 4, everyone),
        (0x10, 7, everyone),
        (0x20, 4, everyone),
    )
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)
