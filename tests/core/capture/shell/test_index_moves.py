"""What `git add` changed in the index, from git's own two files; an index that says more is not understood."""

import subprocess
from pathlib import Path

import pytest

from sulcus_panel.core.capture.shell.index_moves import MAX_MOVES, asks_for_index, index_moves
from tests.support.commands import sh

EMPTY = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    sh(tmp_path, "git init -q -b main && touch a 'b c' && git add a && git commit -qm one")
    return tmp_path


def moved_by(repo: Path, command: str) -> list[tuple[str, str, str]]:
    index = repo / ".git/index"
    before = index.read_bytes()
    assert sh(repo, command) == 0, command
    return [(move.name, move.before, move.after) for move in index_moves(before, index.read_bytes())]


def test_what_comes_changes_and_goes_is_told_with_mode_and_id(repo: Path) -> None:
    assert moved_by(repo, "git add 'b c'") == [(":b c", "", f"100644 {EMPTY}")]
    assert moved_by(repo, "chmod +x a && git add a") == [(":a", f"100644 {EMPTY}", f"100755 {EMPTY}")]
    assert moved_by(repo, "rm a && git add -u") == [(":a", f"100755 {EMPTY}", "")]
    assert moved_by(repo, "git status && touch 'b c' && git update-index --refresh") == []


def test_the_packed_form_of_an_index_is_read_too(repo: Path) -> None:
    sh(repo, "git update-index --index-version 4")
    assert moved_by(repo, "git add 'b c'") == [(":b c", "", f"100644 {EMPTY}")]


def test_an_index_with_conflicts_or_with_what_is_only_intended_tells_nothing(repo: Path) -> None:
    line = subprocess.check_output(["git", "rev-parse", ":a"], cwd=repo, text=True).strip()
    conflict = f"printf '100644 {line} 2\\tx\\n' | git update-index --index-info"
    assert moved_by(repo, f"git add 'b c' && {conflict}") == []
    sh(repo, "git rm -q --cached x; git reset -q --hard")
    assert moved_by(repo, "touch new && git add -N new") == []


def test_more_than_a_number_and_what_is_no_index_tell_nothing(repo: Path) -> None:
    many = "for n in $(seq {}); do echo $n > f$n; done; git add ."
    assert moved_by(repo, many.format(MAX_MOVES + 1)) == []
    index = (repo / ".git/index").read_bytes()
    assert index_moves(b"", index) == index_moves(index, b"junk") == index_moves(index, index) == ()


@pytest.mark.parametrize("command", ["git add a", "git add -A", "git add .", "git add -- a b"])
def test_a_command_that_stages_is_known_by_its_words(command: str) -> None:
    assert asks_for_index(command)


@pytest.mark.parametrize(
    "command", ["git add", "git add -p", "git add a && true", "git commit -am x", "make"]
)
def test_another_is_not(command: str) -> None:
    assert not asks_for_index(command)
