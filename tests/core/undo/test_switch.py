"""Whoever writes in the moment of the switch keeps his bytes, on disks that can swap two names and on others."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from sulcus_panel.core.model import ABSENT, LedgerPath
from sulcus_panel.core.undo.fs import FileSystem
from sulcus_panel.core.undo.spare import sweep
from sulcus_panel.core.undo.task import Overtaken, Task
from sulcus_panel.core.undo.write import Writer
from tests.support.ledgers import state

A = LedgerPath("a.txt")
TEMP = ".sulcus-op1.tmp"
EDIT = Task(A, state(b"old"), state(b"new"), b"new", TEMP, displaced=b"old")
MADE = Task(A, ABSENT, state(b"new"), b"new", TEMP)
GONE = Task(A, state(b"old"), ABSENT, None, TEMP, displaced=b"old")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path


def put(root: Path, data: bytes, path: str = A) -> None:
    (root / path).write_bytes(data)
    (root / path).chmod(0o644)


class Meddling(FileSystem):
    """Lets somebody else act right before calls of one kind, by turns."""

    def __init__(self, call: str, *acts: Callable[[], object]) -> None:
        self.call, self.acts = call, list(acts)

    def reach(self, call: str) -> None:
        if call == self.call and self.acts:
            self.acts.pop(0)()


class WithoutExchange(Meddling):
    """As on NFS and some FUSE: two names cannot be swapped."""

    def exchange(self, folder: int | None, one: str, other: str) -> bool:
        self.reach("exchange")
        return (folder, one, other) == (0, "", "")


def test_a_third_writer_is_kept_beside_under_a_name_that_is_told(root: Path) -> None:
    put(root, b"old")
    fs = Meddling("exchange", lambda: put(root, b"second"), lambda: put(root, b"third"))
    writer = Writer(str(root), fs)
    writer.prepare(EDIT)
    with pytest.raises(Overtaken, match=r"kept as a\.txt\.sulcus-conflict-op1"):
        writer.switch(EDIT)
    writer.close()
    assert (root / A).read_bytes() == b"second"
    assert (root / "a.txt.sulcus-conflict-op1").read_bytes() == b"third"
    assert sorted(os.listdir(root)) == [A, "a.txt.sulcus-conflict-op1"]


def test_where_names_cannot_be_swapped_it_takes_two_renames_and_says_so(root: Path) -> None:
    put(root, b"old")
    inode = (root / A).stat().st_ino
    writer = Writer(str(root), WithoutExchange(""))
    writer.prepare(EDIT)
    writer.switch(EDIT)
    assert (root / TEMP).stat().st_ino == inode
    writer.finish([EDIT])
    writer.close()
    assert (root / A).read_bytes() == b"new"
    assert os.listdir(root) == [A]
    assert writer.not_race_free == {A}


@pytest.mark.parametrize("call", ["exchange", "link", "replace"])
def test_where_names_cannot_be_swapped_a_writer_in_between_is_not_lost_either(root: Path, call: str) -> None:
    put(root, b"old")
    writer = Writer(str(root), WithoutExchange(call, lambda: put(root, b"mine")))
    writer.prepare(EDIT)
    with pytest.raises(Overtaken):
        writer.switch(EDIT)
    writer.close()
    assert (root / A).read_bytes() == b"mine"
    sweep(str(root), EDIT, FileSystem())
    assert os.listdir(root) == [A]


def switched(root: Path, task: Task, fs: FileSystem) -> set[LedgerPath]:
    writer = Writer(str(root), fs)
    try:
        writer.prepare(task)
        writer.switch(task)
        writer.finish([task])
    except Overtaken:
        assert not writer.touched
        raise
    finally:
        writer.close()
    return writer.not_race_free


@pytest.mark.parametrize("task", [EDIT, GONE])
def test_a_writer_right_before_the_switch_gets_his_bytes_back_in_place(root: Path, task: Task) -> None:
    put(root, b"old")
    call = "exchange" if task is EDIT else "place"
    with pytest.raises(Overtaken):
        switched(root, task, Meddling(call, lambda: put(root, b"mine")))
    assert (root / A).read_bytes() == b"mine"
    sweep(str(root), task, FileSystem())
    assert os.listdir(root) == [A]


def test_a_newcomer_at_a_free_name_is_never_overwritten(root: Path) -> None:
    with pytest.raises(Overtaken):
        switched(root, MADE, Meddling("place", lambda: put(root, b"mine")))
    assert (root / A).read_bytes() == b"mine"


def test_a_file_taken_aside_that_finds_its_name_in_use_is_kept_beside_and_told(root: Path) -> None:
    put(root, b"old")
    fs = Meddling("place", lambda: put(root, b"second"), lambda: put(root, b"third"))
    with pytest.raises(Overtaken, match=r"kept as a\.txt\.sulcus-conflict-op1"):
        switched(root, GONE, fs)
    assert (root / A).read_bytes() == b"third"
    assert (root / "a.txt.sulcus-conflict-op1").read_bytes() == b"second"


@pytest.mark.parametrize("task", [EDIT, GONE, MADE])
def test_undisturbed_it_is_race_free(root: Path, task: Task) -> None:
    if task is not MADE:
        put(root, b"old")
    assert switched(root, task, FileSystem()) == set()
    assert (root / A).exists() == (task is not GONE)
