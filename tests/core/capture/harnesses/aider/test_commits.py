"""aider's commits as git's objects tell them, and what they cannot tell."""

import sys
from pathlib import Path

import pygit2
import pytest

from sulcus_panel.core.capture.edits import Unknown
from sulcus_panel.core.capture.harnesses.aider.commits import (
    FILTERED,
    OTHER_ENDS,
    Repository,
    open_repository,
)
from tests.support.aider_project import CO_AUTHOR, Repo


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = Repo(tmp_path / "project")
    made.commit({"a.txt": b"one\n", "b.txt": b"b\n"}, "first")
    return made


def opened(repo: Repo) -> Repository:
    found = open_repository(repo.folder)
    assert found is not None
    return found


def sides(repo: Repo) -> list[tuple[str, bytes | Unknown | None, bytes | Unknown | None]]:
    repository = opened(repo)
    newest = next(repository.commits())
    return [(one.path, one.before, one.after) for one in repository.changes(newest)]


def test_a_commit_tells_each_file_before_and_after_byte_for_byte(repo: Repo) -> None:
    repo.aider({"a.txt": b"one\r\n\xff", "b.txt": None, "neu/\u00fc.txt": b"c"})
    assert sides(repo) == [
        ("a.txt", b"one\n", b"one\r\n\xff"),
        ("b.txt", b"b\n", None),
        ("neu/\u00fc.txt", None, b"c"),
    ]


def test_the_first_commit_makes_all_its_files(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "p")
    repo.aider({"a": b"1"})
    assert sides(repo) == [("a", None, b"1")]


def test_a_file_that_went_under_another_name_with_the_same_bytes_was_moved(repo: Repo) -> None:
    repo.aider({"b.txt": None, "c.txt": b"b\n", "d.txt": b"new"})
    repository = opened(repo)
    moved, made = repository.changes(next(repository.commits()))
    assert (moved.path, moved.moved_to, moved.before, moved.after) == ("b.txt", "c.txt", b"b\n", b"b\n")
    assert (made.path, made.moved_to) == ("d.txt", "")


@pytest.mark.parametrize(
    ("author", "committer", "subject", "marked"),
    [
        ("Tess (aider)", "Tess (aider)", "feat: x", True),
        ("Tess (aider)", "Tess", "feat: x", True),
        ("Tess", "Tess", f"feat: x{CO_AUTHOR}", True),
        ("Tess", "Tess (aider)", "mine", False),
        ("aider fan", "Tess", "about Co-authored-by: aider (x)", False),
    ],
)
def test_aiders_own_work_is_known_by_its_marks(
    repo: Repo, author: str, committer: str, subject: str, *, marked: bool
) -> None:
    repo.commit({"a.txt": b"2\n"}, subject, author=author, committer=committer)
    newest = next(opened(repo).commits())
    assert (newest.is_marked, newest.subject) == (marked, subject.partition("\n")[0])


def test_a_merge_is_left_out(repo: Repo) -> None:
    base = repo.git.head.target
    repo.aider({"a.txt": b"2\n"})
    newest = repo.git.head.peel(pygit2.Commit)
    tree, who = newest.tree_id, newest.author
    repo.git.create_commit("HEAD", who, who, "merge", tree, [repo.git.head.target, base])
    assert [one.subject for one in opened(repo).commits()] == ["feat: a change", "first"]


@pytest.mark.parametrize(
    ("attributes", "setting", "data", "expected"),
    [
        ("a.txt filter=lfs", "", b"x\n", FILTERED),
        ("a.txt working-tree-encoding=UTF-16", "", b"x\n", FILTERED),
        ("a.txt ident", "", b"x\n", FILTERED),
        ("a.txt eol=crlf", "", b"x\n", OTHER_ENDS),
        ("a.txt text eol=lf", "true", b"x\n", b"x\n"),
        ("a.txt -text", "true", b"x\n", b"x\n"),
        ("", "true", b"x\n", OTHER_ENDS),
        ("", "true", b"x", b"x"),
        ("", "true", b"\0x\n", b"\0x\n"),
        ("", "input", b"x\n", b"x\n"),
        ("* text=auto", "", b"x\n", b"x\n"),
        ("* text=auto", "true", b"x\n", OTHER_ENDS),
    ],
)
def test_an_object_that_git_rewrites_on_its_way_to_the_file_is_not_taken_for_it(
    repo: Repo, attributes: str, setting: str, data: bytes, expected: object
) -> None:
    if setting:
        repo.git.config["core.autocrlf"] = setting
    (repo.folder / ".gitattributes").write_text(attributes + "\n", encoding="utf-8")
    repo.aider({"a.txt": data})
    assert [after for _, _, after in sides(repo)] == [expected]


def test_a_commit_is_found_by_the_beginning_of_its_id(repo: Repo) -> None:
    name = repo.aider({"a.txt": b"2\n"})
    found = opened(repo).find(name)
    assert found is not None
    assert found.name.startswith(name)
    assert opened(repo).find("0" * 7) is None
    assert opened(repo).find("zzzzzzz") is None


def test_no_repository_is_none_and_an_empty_one_has_no_commits(tmp_path: Path) -> None:
    assert open_repository(tmp_path) is None
    empty = opened(Repo(tmp_path / "p"))
    assert (empty.head, list(empty.commits())) == ("", [])


def test_a_damaged_repository_is_read_as_far_as_it_goes(repo: Repo) -> None:
    lost = repo.git.head.target
    repo.aider({"a.txt": b"2\n"})
    name = str(lost)
    (repo.folder / ".git" / "objects" / name[:2] / name[2:]).unlink()
    repository = opened(repo)
    for commit in repository.commits():
        assert repository.changes(commit) == ()
    (repo.folder / ".git" / "HEAD").write_text("ref: refs/heads/\x01\n", encoding="utf-8")
    again = open_repository(repo.folder)
    assert again is None or (again.head, list(again.commits())) == ("", [])


@pytest.mark.skipif(sys.platform == "win32", reason="planted as shell scripts")
def test_nothing_of_a_hostile_repository_runs(repo: Repo, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    script = tmp_path / "planted"
    script.write_text(f"#!/bin/sh\ntouch {ran}\ncat\n", encoding="utf-8")
    script.chmod(0o755)
    for key in ("core.fsmonitor", "filter.x.clean", "filter.x.smudge", "diff.x.textconv", "core.sshCommand"):
        repo.git.config[key] = str(script)
    for hook in ("post-checkout", "pre-commit", "post-index-change"):
        (repo.folder / ".git" / "hooks" / hook).symlink_to(script)
    (repo.folder / ".gitattributes").write_text("* filter=x diff=x\n", encoding="utf-8")
    repo.aider({"a.txt": b"2\n", "b.txt": None})
    assert [after for _, _, after in sides(repo)] == [FILTERED, None]
    assert not ran.exists()
