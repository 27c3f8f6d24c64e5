"""Where git stands around a file, told without loading more: nothing is guessed, nothing private is read."""

import subprocess
from pathlib import Path

import pytest

from sulcus_panel.core.capture.shell.standing import read_whole, where_it_stands
from tests.support.commands import sh


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    folder.mkdir()
    (folder / "a").write_bytes(b"a")
    sh(folder, "git init -q -b main && git add -A && git commit -qm one")
    return folder


def stands(path: Path) -> tuple[str, ...]:
    return tuple(where_it_stands(str(path)).decode().split("\n"))


def test_of_a_file_far_below_the_repository_around_it_is_told(repo: Path) -> None:
    revision = subprocess.check_output(["git", "rev-parse", "HEAD"], cwd=repo, text=True).strip()
    assert stands(repo / "a") == stands(repo / "none/such/file") == (revision, "main")
    sh(repo, "git worktree add -qb side ../linked")
    assert stands(repo.parent / "linked/a") == (revision, "side")


def test_outside_of_every_repository_nothing_is_told(tmp_path: Path) -> None:
    assert where_it_stands(str(tmp_path / "a")) == b""


@pytest.mark.parametrize(
    "text", ["ref: ../../secret", "ref: refs/../../../secret", "a secret of the person's"]
)
def test_head_names_no_file_of_the_persons(repo: Path, text: str) -> None:
    (repo.parent / "secret").write_text("a secret of the person's\n")
    (repo / ".git/HEAD").write_text(text + "\n")
    assert stands(repo / "a") == ("", "")


def test_a_reference_that_holds_no_object_is_not_told(repo: Path) -> None:
    (repo / ".git/refs/heads/main").write_text("a secret of the person's\n")
    assert stands(repo / "a") == ("", "main")


def test_references_in_tables_are_not_read_and_not_guessed(repo: Path) -> None:
    (repo / ".git/HEAD").write_text("ref: refs/heads/.invalid\n")
    assert stands(repo / "a") == ("", "")


def test_what_is_too_large_or_no_file_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "large").write_bytes(b"12345")
    assert read_whole(str(tmp_path / "large"), 5) == b"12345"
    for path, most in ((tmp_path / "large", 4), (tmp_path, 4)):
        with pytest.raises(OSError):  # noqa: PT011 - whatever the system says of it
            read_whole(str(path), most)
