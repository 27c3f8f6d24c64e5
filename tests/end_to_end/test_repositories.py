"""Scenario C27: an undo inside git repositories leaves HEAD, index, refs and everything else of git byte-equal."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.support.scene import L10, Scene, sights, with_line

CHANGED = with_line(L10, 2, b"two")


def git(folder: Path, *args: str) -> str:
    done = subprocess.run(["git", *args], cwd=folder, capture_output=True, check=True, text=True)
    return done.stdout


def raw(folder: Path) -> dict[str, bytes]:
    """Every byte below .git."""
    files = (path for path in (folder / ".git").rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


@pytest.fixture
def repo(scene: Scene) -> Path:
    """A repository r1 in a plain workspace, next to r2; a hook that would leave a trace; s.txt staged."""
    for name in ("r1", "r2"):
        folder = scene.path(name)
        folder.mkdir()
        git(folder, "init", "-q", "-b", "main")
    folder = scene.path("r1")
    scene.person("r1/x", L10)
    scene.person("r1/y", b"y\n")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "start")
    scene.person("r1/s.txt", b"staged\n")
    git(folder, "add", "s.txt")
    for hook in ("post-checkout", "pre-commit", "post-index-change", "fsmonitor-watchman"):
        scene.person(f"r1/.git/hooks/{hook}", b"#!/bin/sh\ntouch ../hook-ran ./hook-ran\n", 0o755)
    return folder


@pytest.mark.skipif(os.system("git --version >/dev/null 2>&1") != 0, reason="git is not installed")
def test_c27_undo_after_a_commit_changes_one_work_file_and_nothing_of_git(scene: Scene, repo: Path) -> None:
    turn = scene.puts("r1/x", CHANGED)
    git(repo, "-c", "core.hooksPath=/dev/null", "commit", "-q", "-a", "-m", "agent's work")
    scene.person("r1/s2.txt", b"staged too\n")
    git(repo, "add", "s2.txt")
    scene.path("r1/hook-ran").unlink(missing_ok=True)
    scene.path("hook-ran").unlink(missing_ok=True)
    before, all_files = raw(repo), sights(scene.folder)

    scene.undo(turn)

    assert raw(repo) == before
    assert (repo / "x").read_bytes() == L10
    after = sights(scene.folder)
    assert {name for name in all_files if all_files[name] != after[name]} == {"r1/x"}
    assert set(all_files) == set(after)
    status = git(repo, "-c", "core.hooksPath=/dev/null", "status", "--porcelain")
    assert status.splitlines() == ["A  s2.txt", " M x"]


def test_c27_after_a_branch_switch_the_undo_is_a_conflict_and_head_stays(scene: Scene, repo: Path) -> None:
    turn = scene.puts("r1/x", CHANGED)
    git(repo, "-c", "core.hooksPath=/dev/null", "stash", "-q")
    git(repo, "-c", "core.hooksPath=/dev/null", "checkout", "-q", "-b", "other")
    scene.person("r1/x", with_line(L10, 2, b"another two"))
    before = raw(repo)

    conflict = scene.conflict(turn)

    assert (conflict.with_seq_ids, conflict.outside) == ((), True)
    assert raw(repo) == before


def test_a_worktree_whose_git_is_a_file_is_left_alone_too(scene: Scene, repo: Path) -> None:
    git(
        repo, "-c", "core.hooksPath=/dev/null", "worktree", "add", "-q", str(scene.path("tree")), "-b", "side"
    )
    turn = scene.puts("tree/x", CHANGED)
    before = raw(repo)
    scene.undo(turn)
    assert raw(repo) == before
    assert scene.path("tree/x").read_bytes() == L10


def test_f075_a_pointer_to_large_content_and_the_content_are_two_files_of_bytes(
    scene: Scene, repo: Path
) -> None:
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize 9\n" % (b"0" * 64)
    scene.person("r1/.gitattributes", b"*.bin filter=lfs diff=lfs merge=lfs -text\n")
    git(repo, "config", "filter.lfs.smudge", "touch filter-ran; cat")
    scene.person("r1/a.bin", pointer)
    turn = scene.puts("r1/a.bin", b"\0content\n")
    scene.undo(turn)
    assert (repo / "a.bin").read_bytes() == pointer
    scene.redo(turn)
    assert (repo / "a.bin").read_bytes() == b"\0content\n"
    assert not list(scene.folder.rglob("filter-ran"))


def test_f074_line_end_filters_are_never_run(scene: Scene, repo: Path) -> None:
    scene.person("r1/.gitattributes", b"* text eol=crlf filter=loud\n")
    git(repo, "config", "filter.loud.clean", "touch filter-ran; cat")
    git(repo, "config", "filter.loud.smudge", "touch filter-ran; cat")
    turn = scene.puts("r1/x", CHANGED)
    scene.undo(turn)
    assert (repo / "x").read_bytes() == L10
    assert not list(scene.folder.rglob("filter-ran"))
