"""Where a repository stands, by its files alone: branches, packed refs, detached, unborn, worktrees."""

import subprocess
from pathlib import Path

import pytest

from sulcus_panel.core.capture.shell.heads import Head, head_of, written_at
from sulcus_panel.core.capture.shell.keeping import Baselines
from tests.support.commands import sh


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    folder.mkdir()
    (folder / "a").write_bytes(b"a")
    sh(folder, "git init -q -b main && git add -A && git commit -qm one")
    return folder


def stands(repo: Path, at: str = "") -> Head:
    baselines = Baselines(str(repo.parent / "data"), str(repo))
    baselines.make()
    head = head_of(str(repo), at, baselines)
    assert head is not None
    if head[4]:
        git = Path(head[1])
        assert baselines.read(head[4]) == (git / "index").read_bytes()
        assert written_at(head[4]) == (git / "index").stat().st_mtime_ns
    return head


def revision(repo: Path) -> str:
    return subprocess.check_output(["git", "rev-parse", "HEAD"], cwd=repo, text=True).strip()


def test_a_branch_loose_and_packed(repo: Path) -> None:
    assert stands(repo)[2:4] == (revision(repo), "main")
    sh(repo, "git checkout -qb with/slash && git pack-refs --all")
    assert stands(repo)[2:4] == (revision(repo), "with/slash")


def test_detached_and_unborn(repo: Path, tmp_path: Path) -> None:
    sh(repo, "git checkout -q --detach")
    assert stands(repo)[2:4] == (revision(repo), "")
    empty = tmp_path / "empty"
    empty.mkdir()
    sh(empty, "git init -q -b first")
    assert stands(empty)[2:] == ("", "first", "")


def test_a_linked_working_tree_has_its_own_head_and_shared_refs(repo: Path) -> None:
    sh(repo, "git worktree add -q ../linked")
    linked = repo.parent / "linked"
    assert stands(linked)[2:4] == (revision(repo), "linked")
    assert stands(linked)[1].endswith("/worktrees/linked")


@pytest.mark.parametrize("text", [b"", b"gitdir", b"gitdir: ", b"nonsense\n", b"\xff" * 50])
def test_a_git_file_that_names_nothing_is_no_repository(tmp_path: Path, text: bytes) -> None:
    (tmp_path / ".git").write_bytes(text)
    baselines = Baselines(str(tmp_path / "data"), str(tmp_path))
    baselines.make()
    head = head_of(str(tmp_path), "", baselines)
    assert head is None or head[2:] == ("", "", "")


def test_an_index_that_is_no_file_or_too_large_is_none(repo: Path) -> None:
    index = repo / ".git/index"
    with index.open("ab") as file:
        file.truncate(1 << 30)
    assert stands(repo)[4] == ""
    index.unlink()
    index.mkdir()
    assert stands(repo)[4] == ""
