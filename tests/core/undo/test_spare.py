"""What lies beside a path is ours only where that is proven, and whatever is not stays."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from sulcus_panel.core.disk import look
from sulcus_panel.core.model import LedgerPath
from sulcus_panel.core.undo.fs import FileSystem
from sulcus_panel.core.undo.spare import conflict_name, is_clean, is_ours, place_of, straighten, sweep
from sulcus_panel.core.undo.task import Task
from tests.support.ledgers import state

A = LedgerPath("a.txt")
TEMP, SECOND = ".sulcus-op1.tmp", ".sulcus-op1.old"
TASK = Task(A, state(b"old"), state(b"new"), b"new", TEMP, displaced=b"old")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    put(tmp_path, b"old")
    return tmp_path


def put(root: Path, data: bytes, path: str = A, mode: int = 0o644) -> None:
    (root / path).write_bytes(data)
    (root / path).chmod(mode)


def test_a_spare_file_is_ours_where_it_is_a_known_image_or_the_beginning_of_one(root: Path) -> None:
    def ours(data: bytes, mode: int = 0o644) -> bool:
        put(root, data, mode=mode)
        return is_ours(look(str(root), A), TASK)

    assert [ours(data) for data in (b"new", b"old", b"ne", b"ol", b"")] == [True] * 5
    assert [ours(data) for data in (b"news", b"older", b"mine")] == [False] * 3
    assert ours(b"new", 0o600)
    (root / A).unlink()
    assert not is_ours(look(str(root), A), TASK)


def test_a_displaced_file_with_permissions_that_somebody_gave_it_is_not_ours(root: Path) -> None:
    put(root, b"old", mode=0o640)
    assert not is_ours(look(str(root), A), TASK)
    put(root, b"old", mode=0o600)
    assert is_ours(look(str(root), A), TASK)  # as a killed process leaves one that it was writing
    assert not is_ours(look(str(root), A), replace(TASK, displaced=None))


def test_a_link_is_not_the_beginning_of_a_file(root: Path) -> None:
    (root / "link").symlink_to("ne")
    assert not is_ours(look(str(root), LedgerPath("link")), TASK)


@pytest.mark.parametrize("spare", [TEMP, SECOND])
def test_ours_is_swept_away_and_a_strangers_is_kept_under_a_name_that_says_so(root: Path, spare: str) -> None:
    put(root, b"new", spare)
    assert not is_clean(str(root), TASK)
    assert sweep(str(root), TASK, FileSystem()) == ()
    assert is_clean(str(root), TASK)
    put(root, b"mine", spare)
    assert sweep(str(root), TASK, FileSystem()) == ("a.txt.sulcus-conflict-op1",)
    assert (root / "a.txt.sulcus-conflict-op1").read_bytes() == b"mine"
    assert is_clean(str(root), TASK)


def test_a_conflict_file_is_never_overwritten_by_another(root: Path) -> None:
    put(root, b"first", "a.txt.sulcus-conflict-op1")
    put(root, b"second", TEMP)
    assert sweep(str(root), TASK, FileSystem()) == ()
    assert (root / TEMP).read_bytes() == b"second"
    assert (root / "a.txt.sulcus-conflict-op1").read_bytes() == b"first"


def test_between_two_renames_the_displaced_file_is_brought_to_its_place(root: Path) -> None:
    (root / A).rename(root / SECOND)
    put(root, b"new")
    with place_of(str(root), TASK) as place:
        straighten(place, FileSystem())
    assert ((root / TEMP).read_bytes(), (root / A).read_bytes()) == (b"old", b"new")
    assert not (root / SECOND).exists()


def test_a_mere_second_name_is_removed(root: Path) -> None:
    os.link(root / A, root / SECOND)
    put(root, b"new", TEMP)
    with place_of(str(root), TASK) as place:
        straighten(place, FileSystem())
    assert sorted(os.listdir(root)) == [TEMP, A]
    assert (root / A).read_bytes() == b"old"


def test_what_is_in_a_folder_that_is_gone_needs_no_sweeping(root: Path) -> None:
    elsewhere = replace(TASK, path=LedgerPath("gone/a.txt"))
    assert sweep(str(root), elsewhere, FileSystem()) == ()
    assert is_clean(str(root), elsewhere)


def test_a_second_writers_file_is_named_after_the_first_and_the_operation() -> None:
    for spare in (TEMP, f"/w/{TEMP}", SECOND):
        assert conflict_name("a.txt", spare) == "a.txt.sulcus-conflict-op1"
    assert len(conflict_name("x" * 255, f".sulcus-{'0' * 32}.tmp")) <= 255


def test_a_second_writers_file_has_a_name_that_fits_in_any_script() -> None:
    name = conflict_name("界" * 85, f".sulcus-{'0' * 32}.tmp")
    assert len(os.fsencode(name)) <= 255
