"""Swap, refuse to overwrite, keep room, keep others out: done or not at all, and a failure is an error."""

import errno
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sulcus_panel.core.undo.kernel import (
    RENAME_EXCHANGE,
    RENAME_NOREPLACE,
    has_writers,
    hold_alone,
    keep_room,
    let_in,
    rename_with,
)
from tests.support.children import exit_code, forked

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other kernels have other names for these")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "one").write_bytes(b"1")
    (tmp_path / "two").write_bytes(b"2")
    return tmp_path


@pytest.fixture
def folder(root: Path) -> Iterator[int]:
    handle = os.open(root, os.O_RDONLY)
    yield handle
    os.close(handle)


def test_two_names_are_swapped(root: Path, folder: int) -> None:
    assert rename_with(folder, "one", "two", RENAME_EXCHANGE)
    assert ((root / "one").read_bytes(), (root / "two").read_bytes()) == (b"2", b"1")


def test_a_name_in_use_is_an_error_and_a_flag_that_nobody_knows_is_none(root: Path, folder: int) -> None:
    with pytest.raises(FileExistsError):
        rename_with(folder, "one", "two", RENAME_NOREPLACE)
    assert not rename_with(folder, "one", "two", 1 << 20)
    assert not rename_with(None, str(root / "one"), str(root / "two"), RENAME_EXCHANGE)
    assert (root / "one").read_bytes() == b"1"


def test_room_is_kept_without_changing_the_length(root: Path) -> None:
    with (root / "one").open("r+b") as file:
        if not keep_room(file.fileno(), 100_000):
            pytest.skip("this file system keeps no room")
        assert os.fstat(file.fileno()).st_size == 1
        assert os.fstat(file.fileno()).st_blocks * 512 >= 100_000


def test_no_room_is_an_error(root: Path) -> None:
    with (root / "one").open("r+b") as file, pytest.raises(OSError, match=r".") as error:
        keep_room(file.fileno(), 1 << 60)
    assert error.value.errno in {errno.ENOSPC, errno.EFBIG}


def test_others_wait_until_a_file_is_let_go_of_by_any_of_its_names(root: Path) -> None:
    os.link(root / "one", root / "other name")
    handle = os.open(root / "one", os.O_RDWR)
    if not hold_alone(handle):
        pytest.skip("this file system keeps nobody out")
    writer = forked(lambda: (root / "other name").write_bytes(b"his"))
    with pytest.raises(BlockingIOError):  # as anybody is told who does not want to wait
        os.open(root / "one", os.O_RDONLY | os.O_NONBLOCK)
    os.pwrite(handle, b"ours", 0)
    assert (os.pread(handle, 9, 0), os.waitpid(writer, os.WNOHANG)) == (b"ours", (0, 0))
    let_in(handle)
    os.close(handle)
    assert exit_code(writer) == 0
    assert (root / "one").read_bytes() == b"his"


@pytest.mark.parametrize("mode", [os.O_RDONLY, os.O_WRONLY | os.O_APPEND])
def test_a_file_that_somebody_has_open_cannot_be_held(root: Path, mode: int) -> None:
    handle, his = os.open(root / "one", os.O_RDWR), os.open(root / "one", mode)
    with pytest.raises(BlockingIOError):
        hold_alone(handle)
    os.close(his)
    assert hold_alone(handle)
    os.close(handle)


@pytest.mark.parametrize(("mode", "writes"), [(os.O_RDONLY, False), (os.O_RDWR, True), (os.O_WRONLY, True)])
def test_who_may_write_to_a_file_is_told_from_who_reads_it(root: Path, mode: int, writes: bool) -> None:
    handle, his = os.open(root / "one", os.O_RDONLY), os.open(root / "one", mode)
    assert has_writers(handle) is writes
    os.close(his)
    assert not has_writers(handle)
    os.close(handle)
    (root / "one").write_bytes(b"nobody is kept out")


def test_what_gives_no_leases_is_said_to_be_unsure() -> None:
    one, other = os.pipe()
    assert not hold_alone(one)
    assert not has_writers(one)
    os.close(one)
    os.close(other)
