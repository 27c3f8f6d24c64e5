"""Which references moved, by git's own files: loose and packed, in linked trees, up to a number, hostile ones."""

import subprocess
from pathlib import Path

import pytest

from sulcus_panel.core.capture.shell.refs import (
    IN_TABLES,
    MAX_LOOSE,
    MAX_MOVES,
    MAX_PACKED,
    MOVED_MANY,
    TOO_MANY,
    UNREADABLE,
    look_at_refs,
    name_of,
    references,
)
from tests.support.commands import sh


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    folder.mkdir()
    (folder / "a").write_bytes(b"a")
    sh(folder, "git init -q -b main && git add -A && git commit -qm one")
    return folder


def revision(repo: Path, name: str = "HEAD") -> str:
    return subprocess.check_output(["git", "rev-parse", name], cwd=repo, text=True).strip()


def moved_by(repo: Path, command: str) -> tuple[list[str], str]:
    """The fields that the look after the command tells, and why it saw nothing."""
    home = str(repo.parent / "data")
    look_at_refs("before", str(repo), "one\0two\0three", home)
    sh(repo, command)
    fields, sections = look_at_refs("after", str(repo), "one\0two\0three", home)
    told = sections.get("tree_refs", b"").decode("utf-8", "surrogateescape").split("\0")[:-1]
    return told, fields.get("tree_refs_gap", "")


def test_what_a_command_made_moved_and_deleted_is_told_with_both_ids(repo: Path) -> None:
    first = revision(repo)
    assert moved_by(repo, "git branch a/b") == (["refs/heads/a/b", "", first], "")
    told, gap = moved_by(
        repo, "git commit -q --allow-empty -m two && git branch -D a/b && git tag -a v1 -m x"
    )
    assert gap == ""
    assert told == [
        *("refs/heads/a/b", first, ""),
        *("refs/heads/main", first, revision(repo)),
        *("refs/tags/v1", "", revision(repo, "v1")),
    ]


def test_packing_moves_nothing_and_a_packed_one_is_seen_to_go(repo: Path) -> None:
    first = revision(repo)
    sh(repo, "git branch topic && git tag -a v1 -m x")
    assert moved_by(repo, "git pack-refs --all") == ([], "")
    assert moved_by(repo, "git branch -D topic") == (["refs/heads/topic", first, ""], "")
    assert moved_by(repo, "true") == ([], "")


def test_a_linked_working_tree_shares_its_references(repo: Path) -> None:
    sh(repo, "git worktree add -q ../linked")
    linked = repo.parent / "linked"
    assert moved_by(linked, "git branch there") == (["refs/heads/there", "", revision(repo)], "")


def test_a_folder_without_a_repository_and_a_symbolic_reference_tell_nothing(
    tmp_path: Path, repo: Path
) -> None:
    assert references(str(tmp_path)) == ("", {}, b"")
    assert moved_by(repo, "git symbolic-ref refs/remotes/x refs/heads/main") == ([], "")


def test_a_name_that_is_no_utf_8_is_told_by_its_bytes(repo: Path) -> None:
    told, _ = moved_by(repo, "git branch \"$(printf 'b\\377')\"")
    assert told == ["refs/heads/b\udcff", "", revision(repo)]


def test_more_than_can_be_read_in_time_is_told_as_not_seen(repo: Path) -> None:
    for number in range(MAX_LOOSE):
        (repo / f".git/refs/tags/t{number}").write_text(revision(repo) + "\n")
    assert moved_by(repo, "git branch topic") == ([], TOO_MANY)
    sh(repo, "git pack-refs --all")
    assert moved_by(repo, "git branch other")[1] == ""
    with (repo / ".git/packed-refs").open("ab") as file:
        file.truncate(MAX_PACKED + 1)
    assert moved_by(repo, "git branch third") == ([], TOO_MANY)


def test_many_that_move_at_once_are_all_told_up_to_a_number(repo: Path) -> None:
    many = "for n in $(seq {}); do git tag t$n; done"
    told, gap = moved_by(repo, many.format(MAX_MOVES))
    assert (len(told), gap) == (3 * MAX_MOVES, "")
    assert set(told[1::3]) == {""}
    sh(repo, "git pack-refs --all")
    told, gap = moved_by(repo, "git tag -d $(git tag) && git branch late")
    assert (told, gap) == ([], MOVED_MANY)
    assert moved_by(repo, "git branch -D late")[0] == ["refs/heads/late", revision(repo), ""]


def test_references_in_tables_and_ones_that_cannot_be_read_are_told_as_not_seen(repo: Path) -> None:
    (repo / ".git/reftable").mkdir()
    assert moved_by(repo, "true") == ([], IN_TABLES)
    (repo / ".git/reftable").rmdir()
    assert moved_by(repo, "mv .git/refs .git/gone") == ([], UNREADABLE)


def test_a_link_below_refs_is_not_followed(repo: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/x").write_text(revision(repo))
    assert moved_by(repo, "ln -s ../../../outside .git/refs/heads/out; ln -s main .git/refs/heads/alias") == (
        [],
        "",
    )


def test_a_look_after_without_one_before_or_with_a_damaged_one_tells_nothing_of_its_own(repo: Path) -> None:
    home = str(repo.parent / "data")
    assert look_at_refs("after", str(repo), "k\0k\0k", home) == ({}, {})
    look_at_refs("before", str(repo), "k\0k\0k", home)
    (kept,) = (repo.parent / "data").rglob(name_of("k\0k\0k"))
    kept.write_bytes(b"junk")
    assert look_at_refs("after", str(repo), "k\0k\0k", home)[0] == {"tree_refs_gap": UNREADABLE}
