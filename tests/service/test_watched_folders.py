"""The folders of the newest paths are watched, each as the folder it is now, and the rest is named."""

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from sulcus_panel.core.model import LedgerPath
from sulcus_panel.service import watched_folders
from sulcus_panel.service.watched_folders import WatchedFolders
from tests.support.heard import until

A, B, C, TOP = (LedgerPath(path) for path in ("one/a", "two/b", "two/c", "top"))


class Touched:
    """Keeps the paths that something happened to."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self.paths: list[LedgerPath] = []

    def __call__(self, path: LedgerPath) -> None:
        with self._condition:
            self.paths.append(path)
            self._condition.notify_all()

    def wait(self, path: LedgerPath) -> bool:
        with self._condition:
            return self._condition.wait_for(lambda: path in self.paths, 10)


@pytest.fixture
def touched() -> Touched:
    return Touched()


@pytest.fixture
def folders(tmp_path: Path, touched: Touched) -> Iterator[WatchedFolders]:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    watched = WatchedFolders(str(tmp_path), touched)
    yield watched
    watched.close()


def test_what_happens_to_a_path_is_told(tmp_path: Path, folders: WatchedFolders, touched: Touched) -> None:
    paths = (TOP, A, B, C)
    assert folders.follow(paths) == {TOP, A, B, C}
    assert folders.follow(paths) == set()
    assert folders.rest == []
    for path in paths:
        (tmp_path / path).write_text("new")
        assert touched.wait(path)


def test_the_folders_of_the_newest_paths_are_watched(
    folders: WatchedFolders, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watched_folders, "MOST_FOLDERS", 1)
    assert folders.follow((B, C, TOP, A)) == {A}
    assert sorted(folders.rest) == [TOP, B, C]
    assert folders.follow((C, TOP, A, B)) == {B, C}
    assert sorted(folders.rest) == [A, TOP]


def test_a_folder_made_anew_is_watched_anew(
    tmp_path: Path, folders: WatchedFolders, touched: Touched
) -> None:
    paths = (A,)
    folders.follow(paths)
    shutil.rmtree(tmp_path / "one")
    (tmp_path / "one").mkdir()
    assert until(lambda: folders.follow(paths) == {A})
    (tmp_path / A).write_text("new")
    assert touched.wait(A)


def test_a_folder_moved_away_and_replaced_is_watched_where_it_was(
    tmp_path: Path, folders: WatchedFolders, touched: Touched
) -> None:
    paths = (A,)
    folders.follow(paths)
    (tmp_path / "one").rename(tmp_path / "elsewhere")
    assert folders.follow(paths) == set()
    assert folders.rest == [A]
    (tmp_path / "one").mkdir()
    assert folders.follow(paths) == {A}
    (tmp_path / A).write_text("new")
    assert touched.wait(A)


def test_a_link_to_a_folder_is_not_watched(tmp_path: Path, folders: WatchedFolders) -> None:
    (tmp_path / "link").symlink_to("one")
    path = LedgerPath("link/a")
    assert folders.follow((path,)) == set()
    assert folders.rest == [path]


def test_where_nothing_can_be_watched_the_reason_is_said(
    folders: WatchedFolders, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> None:
        raise OSError(24, "inotify instance limit reached")

    monkeypatch.setattr(watched_folders, "Observer", refuse)
    assert folders.follow((A, B)) == set()
    assert folders.problem == "no watch left: inotify instance limit reached"
    assert sorted(folders.rest) == [A, B]
