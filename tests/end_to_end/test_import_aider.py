"""aider's runs through the real program: imported once, and one change of them taken back byte for byte."""

import time
from pathlib import Path

import pytest

from tests.support.aider_project import HISTORY, ChatFile, Repo
from tests.support.terminal import sulcus


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = Repo(tmp_path / "project")
    made.now = int(time.time()) - 3600
    made.commit({"a.bin": b"\xff1\r\n", "b.txt": b"one\ntwo\nthree\n"}, "first")
    return made


def test_a_commit_of_aiders_goes_back_and_comes_again(repo: Repo) -> None:
    repo.aider({"a.bin": b"\xff2", "b.txt": b"one\nzwei\nthree\n", "c.txt": b"new"})
    answer = sulcus("import", "aider", "--workspace", str(repo.folder), "--json")
    assert answer.json() == {"recorded": 3, "already": 0, "problems": []}, answer.err
    again = sulcus("import", "aider", "--workspace", str(repo.folder), "--json")
    assert again.json() == {"recorded": 0, "already": 3, "problems": []}

    (repo.folder / "b.txt").write_bytes(b"one\nzwei\nthree\nfour\n")
    undone = sulcus("ledger", "rollback", "1", "2", "3", "--json", stdin="y\n")
    assert undone.code == 0, undone.err
    assert (repo.folder / "a.bin").read_bytes() == b"\xff1\r\n"
    assert (repo.folder / "b.txt").read_bytes() == b"one\ntwo\nthree\nfour\n"
    assert not (repo.folder / "c.txt").exists()
    assert sulcus("ledger", "redo", "2", stdin="y\n").code == 0
    assert (repo.folder / "b.txt").read_bytes() == b"one\nzwei\nthree\nfour\n"


def test_an_edit_that_nobody_committed_goes_back(tmp_path: Path) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    chat = ChatFile(folder / HISTORY)
    chat.start(time.strftime("%Y-%m-%d %H:%M:%S"), options="--no-git")
    chat.ask("make it two")
    chat.block("a.txt", "one\n", "two\n")
    chat.applied("a.txt")
    (folder / "a.txt").write_bytes(b"zero\ntwo\nthree\n")
    answer = sulcus("import", "aider", "--workspace", str(folder), "--json")
    assert answer.json() == {"recorded": 1, "already": 0, "problems": []}, answer.err
    assert sulcus("ledger", "rollback", "1", stdin="y\n").code == 0
    assert (folder / "a.txt").read_bytes() == b"zero\none\nthree\n"
