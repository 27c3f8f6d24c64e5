"""Folders come before what is in them, go after it, and only when they are empty."""

import os
import stat
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from sulcus_panel.core.model import ABSENT, FileKind, FileState, LedgerPath
from sulcus_panel.core.states import opens_a_folder
from sulcus_panel.core.undo.back import put_all_back
from sulcus_panel.core.undo.folders import in_order
from sulcus_panel.core.undo.fs import FileSystem
from sulcus_panel.core.undo.model import Write
from sulcus_panel.core.undo.task import Overtaken, Refused, Task
from sulcus_panel.core.undo.write import Writer
from tests.support.children import holds_for_nobody
from tests.support.ledgers import state

FOLDER = FileState(FileKind.DIRECTORY, mode=0o755)
D, E = LedgerPath("d"), LedgerPath("d/e")


def made(path: LedgerPath, mode: int | None = 0o755) -> Task:
    return Task(path, ABSENT, replace(FOLDER, mode=mode), None, f".sulcus-{len(path)}.tmp")


def gone(path: LedgerPath) -> Task:
    return Task(path, FOLDER, ABSENT, None, f".sulcus-{len(path)}.tmp")


def file_gone(path: str, data: bytes) -> Task:
    return Task(LedgerPath(path), state(data), ABSENT, None, ".sulcus-file.tmp", displaced=data)


def run(root: Path, *tasks: Task, fs: FileSystem | None = None) -> set[LedgerPath]:
    writer = Writer(str(root), fs or FileSystem())
    try:
        for task in tasks:
            writer.check(task)
        for task in tasks:
            writer.prepare(task)
        for task in tasks:
            writer.switch(task)
        writer.finish(tasks)
        writer.sync(tasks)
    finally:
        writer.close()
    return writer.touched


def folder(root: Path, path: str, mode: int = 0o755) -> None:
    (root / path).mkdir()
    (root / path).chmod(mode)


@pytest.mark.parametrize("mode", [0o755, 0o700, 0o550, 0o777])
def test_a_folder_comes_with_its_permissions_whatever_the_umask(tmp_path: Path, mode: int) -> None:
    note = Task(LedgerPath("d/note"), ABSENT, state(b"x"), b"x", ".sulcus-note.tmp")
    assert run(tmp_path, made(D, mode), note) == {D, LedgerPath("d/note")}
    assert stat.S_IMODE((tmp_path / "d").stat().st_mode) == mode
    assert (tmp_path / "d/note").read_bytes() == b"x"


def test_folders_and_files_go_together_innermost_first(tmp_path: Path) -> None:
    folder(tmp_path, "d")
    folder(tmp_path, "d/e")
    (tmp_path / "d/e/f").write_bytes(b"x")
    (tmp_path / "d/e/f").chmod(0o644)
    run(tmp_path, file_gone("d/e/f", b"x"), gone(E), gone(D))
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("path", ["d/mine", "d/e/mine"])
def test_a_folder_that_is_not_empty_is_never_removed_and_nothing_in_it_is_let_go(
    tmp_path: Path, path: str
) -> None:
    folder(tmp_path, "d")
    folder(tmp_path, "d/e")
    (tmp_path / "d/f").write_bytes(b"x")
    (tmp_path / "d/f").chmod(0o644)
    (tmp_path / path).write_bytes(b"mine")
    with pytest.raises(Overtaken, match="not empty"):
        run(tmp_path, file_gone("d/f", b"x"), gone(E), gone(D))
    assert (tmp_path / path).read_bytes() == b"mine"
    assert (tmp_path / "d/.sulcus-file.tmp").read_bytes() == b"x"  # still there to go back


class LateGuest(FileSystem):
    """Somebody puts a file into the folder right before it goes."""

    def __init__(self, guest: Path) -> None:
        self.guest = guest

    def reach(self, call: str) -> None:
        if call == "rmdir":
            self.guest.write_bytes(b"mine")


def test_a_guest_at_the_last_moment_keeps_the_folder(tmp_path: Path) -> None:
    folder(tmp_path, "d")
    with pytest.raises(Overtaken, match="not empty"):
        run(tmp_path, gone(D), fs=LateGuest(tmp_path / "d/mine"))
    assert (tmp_path / "d/mine").read_bytes() == b"mine"


def test_a_folder_that_somebody_else_made_meanwhile_is_not_ours(tmp_path: Path) -> None:
    class Faster(FileSystem):
        def reach(self, call: str) -> None:
            if call == "mkdir":
                folder(tmp_path, "d")

    writer = Writer(str(tmp_path), Faster())
    with pytest.raises(Overtaken):
        writer.prepare(made(D))
    writer.close()
    assert not writer.touched


def test_permissions_that_changed_since_count_as_somebody_elses_work(tmp_path: Path) -> None:
    folder(tmp_path, "d", 0o700)
    with pytest.raises(Overtaken):
        run(tmp_path, gone(D))


def test_a_folder_and_a_file_never_take_each_others_place(tmp_path: Path) -> None:
    folder(tmp_path, "d")
    with pytest.raises(Refused, match="folder"):
        run(tmp_path, Task(D, FOLDER, state(b"x"), b"x", ".sulcus-0.tmp"))


def test_missing_folders_are_named_outermost_first_and_before_all_else(tmp_path: Path) -> None:
    folder(tmp_path, "there")
    old = Write(LedgerPath("there/old"), state(b"x"), ABSENT, b"x", None)
    deep = Write(LedgerPath("there/a/b/f"), ABSENT, state(b"x"), None, b"x")
    known = Write(LedgerPath("there/a"), ABSENT, FOLDER, None, None)
    paths = [write.path for write in in_order(str(tmp_path), (old, deep, known))]
    assert paths == ["there/a", "there/a/b", "there/old", "there/a/b/f"]
    first = in_order(str(tmp_path), (deep, known))[0]
    assert first == known  # with the permissions that are known for it


def test_a_folder_that_is_opened_comes_before_what_goes_into_it_and_one_that_is_closed_after() -> None:
    shut = replace(FOLDER, mode=0o555)
    opening, closing = Write(D, shut, FOLDER, None, None), Write(E, FOLDER, shut, None, None)
    assert [opens_a_folder(write.disk, write.result) for write in (opening, closing)] == [True, False]
    deep = Write(LedgerPath("d/x/f"), ABSENT, state(b"x"), None, b"x")
    known = Write(LedgerPath("d/x"), ABSENT, FOLDER, None, None)
    assert in_order("/nowhere", (known, deep, closing, opening)) == (
        opening,
        known,
        deep,
        closing,
    )


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_a_user_without_rights_writes_into_what_is_opened_and_shut_and_it_goes_back() -> None:
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        (root / "shut").mkdir(mode=0o555)
        (root / "open").mkdir(mode=0o755)
        (root / "open/f").write_bytes(b"old")
        (root / "open/f").chmod(0o644)
        for place in (root, root / "shut", root / "open", root / "open/f"):
            os.chown(place, 65534, 65534)
        shut = replace(FOLDER, mode=0o555)
        tasks = (
            Task(LedgerPath("shut"), shut, FOLDER, None, ".sulcus-0.tmp"),
            Task(LedgerPath("shut/f"), ABSENT, state(b"x"), b"x", ".sulcus-1.tmp"),
            Task(
                LedgerPath("open/f"), state(b"old"), state(b"new"), b"new", ".sulcus-2.tmp", displaced=b"old"
            ),
            Task(LedgerPath("open"), FOLDER, shut, None, ".sulcus-3.tmp"),
        )
        assert holds_for_nobody(lambda: bool(run(root, *tasks)))
        assert (root / "shut/f").read_bytes() == b"x"
        assert (root / "open/f").read_bytes() == b"new"
        assert stat.S_IMODE((root / "open").stat().st_mode) == 0o555
        assert holds_for_nobody(lambda: put_all_back(name, tasks, FileSystem()) == ())
        assert (os.listdir(root / "shut"), (root / "open/f").read_bytes()) == ([], b"old")
        modes = [stat.S_IMODE((root / each).stat().st_mode) for each in ("shut", "open")]
        assert modes == [0o555, 0o755]
