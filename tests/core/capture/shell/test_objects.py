"""Git's objects as evidence: the bytes as they were, or nothing, in a repository that may be anything."""

import os
from pathlib import Path

import pytest

from sulcus_panel.core.capture.shell.git_delta import blob_id
from sulcus_panel.core.capture.shell.heads import head_of
from sulcus_panel.core.capture.shell.keeping import Baselines
from sulcus_panel.core.capture.shell.objects import Objects
from sulcus_panel.core.capture.shell.report import FileStat, RepoHead, RepoReport
from sulcus_panel.core.capture.shell.scan import Walk, items_of
from tests.support.commands import sh

OLD = 1_700_000_000


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    (folder / "src").mkdir(parents=True)
    for name, data in (("a", b"one\r\n"), ("src/b", b"\0\1"), ("c.bin", b"three")):
        (folder / name).write_bytes(data)
        os.utime(folder / name, (OLD, OLD))
    sh(folder, "git init -q -b main && git add -A && git commit -qm one && git gc -q")
    return folder


def objects(repo: Path) -> Objects:
    baselines = Baselines(str(repo.parent / "data"), str(repo))
    baselines.make()
    head = head_of(str(repo), "", baselines)
    assert head is not None
    stood = RepoHead(*head[2:])
    return Objects(str(repo), RepoReport("", head[1], stood, stood), baselines)


def item(repo: Path, name: str) -> FileStat:
    walk = Walk(str(repo), {})
    walk.whole()
    return FileStat(*items_of(walk.changed[os.path.dirname(name)])[os.path.basename(name)])


def proven(repo: Path, name: str) -> bytes | None:
    found = objects(repo)
    return found.bytes_of(name, item(repo, name), found.report.before)


def test_a_clean_file_is_its_object_packed_or_not(repo: Path) -> None:
    assert proven(repo, "a") == b"one\r\n"
    assert proven(repo, "src/b") == b"\0\1"


def test_a_changed_or_untracked_file_is_not_proven(repo: Path) -> None:
    (repo / "a").write_bytes(b"two\r\n")
    (repo / "new").write_bytes(b"x")
    assert proven(repo, "a") is proven(repo, "new") is None


def test_an_object_that_git_changes_on_the_way_is_not_the_file(repo: Path) -> None:
    (repo / "d.txt").write_bytes(b"line\r\n")
    os.utime(repo / "d.txt", (OLD, OLD))
    (repo / ".gitattributes").write_bytes(b"d.txt text\n*.bin filter=rot\n")
    sh(repo, "git add -A && git commit -qm two")
    assert proven(repo, "d.txt") is None
    assert proven(repo, "c.bin") is None
    assert proven(repo, "a") == b"one\r\n"


def test_what_a_commit_has_at_a_path(repo: Path) -> None:
    found = objects(repo)
    head = found.report.before.head
    assert found.in_tree(head, "src/b") == blob_id(b"\0\1")
    assert found.in_tree(head, "src/none") == ""
    assert found.in_tree("0" * 40, "a") is None


def test_a_repository_without_objects_proves_nothing(repo: Path) -> None:
    found = objects(repo)
    (repo / ".git/objects").rename(repo / ".git/away")
    assert found.bytes_of("a", item(repo, "a"), found.report.before) is None
