"""Swap, refuse to overwrite, keep room: done by the kernel or not at all, and a failure is an error."""

import errno
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sulcus_panel.core.undo.kernel import RENAME_EXCHANGE, RENAME_NOREPLACE, keep_room, rename_with

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
