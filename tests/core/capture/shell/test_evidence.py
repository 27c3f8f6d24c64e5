"""The bytes of a state that a look saw: from each place where they may be, or the reason why they are not known."""

import hashlib
import os
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from sulcus_panel.core.capture.changes import ABSENT_SIDE, file_side, symlink_side
from sulcus_panel.core.capture.shell.evidence import GONE, NOT_KEPT, TOO_LARGE, Evidence
from sulcus_panel.core.capture.shell.heads import head_of
from sulcus_panel.core.capture.shell.keeping import HASH_ONLY, MAX_COPY, Baselines, identity
from sulcus_panel.core.capture.shell.report import FileStat, RepoHead, RepoReport, TreeReport
from sulcus_panel.core.capture.shell.scan import Walk, items_of
from sulcus_panel.core.model import DiskFile, FileKind
from tests.support.commands import sh

OLD = 1_700_000_000


@dataclass
class Tree:
    """A tree with its baselines, and what the ledger last saw in it."""

    folder: Path
    baselines: Baselines
    last: tuple[DiskFile, datetime] | None = None
    repos: tuple[RepoReport, ...] = ()

    def write(self, name: str, data: bytes) -> FileStat:
        """A file as a look saw it."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        os.utime(path, (OLD, OLD))
        return self.item(name)

    def item(self, name: str) -> FileStat:
        walk = Walk(str(self.folder), {})
        walk.whole()
        return FileStat(*items_of(walk.changed[os.path.dirname(name)])[os.path.basename(name)])

    def copy(self, item: FileStat, data: bytes, end: str = "") -> None:
        (Path(self.baselines.copies) / (identity(item) + end)).write_bytes(data)

    def evidence(self) -> Evidence:
        report = TreeReport(str(self.folder), repos=self.repos)
        return Evidence(report, self.baselines, lambda _path: self.last)


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    (tmp_path / "tree").mkdir()
    baselines = Baselines(str(tmp_path / "data"), str(tmp_path / "tree"))
    baselines.make()
    return Tree(tmp_path / "tree", baselines)


def test_where_nothing_was_there_is_nothing(tree: Tree) -> None:
    assert tree.evidence().before("a", None) is tree.evidence().after("a", None) is ABSENT_SIDE


def test_a_file_that_is_still_what_was_seen_tells_its_own_bytes(tree: Tree) -> None:
    item = tree.write("src/a", b"one\n")
    for side in (tree.evidence().before("src/a", item), tree.evidence().after("src/a", item)):
        assert side == file_side(b"one\n", 0o644)


def test_a_copy_tells_what_the_file_does_not_any_more(tree: Tree) -> None:
    item = tree.write("a", b"one\n")
    tree.copy(item, b"one\n")
    tree.write("a", b"two\n")
    assert tree.evidence().before("a", item) == file_side(b"one\n", 0o644)


def test_a_copy_cut_short_is_none(tree: Tree) -> None:
    item = tree.write("a", b"one\n")
    tree.copy(item, b"on")
    (tree.folder / "a").unlink()
    assert tree.evidence().before("a", item).state.reason == NOT_KEPT


def test_an_empty_file_needs_no_copy(tree: Tree) -> None:
    item = tree.write("a", b"")
    (tree.folder / "a").unlink()
    assert tree.evidence().before("a", item) == file_side(b"", 0o644)


def test_git_has_the_bytes_of_a_tracked_file(tree: Tree) -> None:
    item = tree.write("a", b"one\n")
    sh(tree.folder, "git init -q -b main && git add -A && git commit -qm one")
    head = head_of(str(tree.folder), "", tree.baselines)
    assert head is not None
    tree.repos = (RepoReport("", head[1], RepoHead(*head[2:]), RepoHead("", "", "")),)
    tree.write("a", b"two\n")
    assert tree.evidence().before("a", item) == file_side(b"one\n", 0o644)
    assert tree.evidence().after("a", item).content is None, "its index of afterwards has it not"


def test_of_two_repositories_the_inner_one_has_the_path(tree: Tree) -> None:
    stood = RepoHead("", "", "")
    tree.repos = tuple(RepoReport(at, f"/{at}", stood, stood) for at in ("", "lib", "lib/deep"))
    found = {path: tree.evidence().repo_of(path) for path in ("a", "lib/a", "lib/deep/a", "library/a")}
    assert {path: one and (one[0].report.at, one[1]) for path, one in found.items()} == {
        "a": ("", "a"),
        "lib/a": ("lib", "a"),
        "lib/deep/a": ("lib/deep", "a"),
        "library/a": ("", "library/a"),
    }
    tree.repos = tree.repos[1:]
    assert tree.evidence().repo_of("a") is None


def test_of_what_may_not_be_kept_the_hash_is_known(tree: Tree) -> None:
    item = tree.write(".env", b"KEY=1")
    tree.copy(item, hashlib.sha256(b"KEY=1").hexdigest().encode(), HASH_ONLY)
    (tree.folder / ".env").unlink()
    side = tree.evidence().before(".env", item)
    assert (side.content, side.state.sha256, side.state.size_bytes) == (
        None,
        hashlib.sha256(b"KEY=1").hexdigest(),
        5,
    )
    assert side.state.reason == NOT_KEPT


def test_what_the_ledger_saw_last_counts_where_the_file_is_older_than_that(tree: Tree) -> None:
    item = tree.write("a", b"one\n")
    (tree.folder / "a").unlink()
    known = file_side(b"one\n", 0o644)
    later = datetime.now(UTC) + timedelta(minutes=1)
    tree.last = known, later
    assert tree.evidence().before("a", item) == known
    assert tree.evidence().after("a", item).state.kind is FileKind.UNKNOWN
    for last in (
        (known, datetime.fromtimestamp(OLD - 1, UTC)),
        (file_side(b"longer\n", 0o644), later),
        (file_side(b"one\n", 0o600), later),
        (symlink_side(b"one\n"), later),
    ):
        tree.last = last
        assert tree.evidence().before("a", item).state.kind is FileKind.UNKNOWN


def test_what_is_nowhere_says_why(tree: Tree) -> None:
    item = tree.write("a", b"one\n")
    (tree.folder / "a").unlink()
    large = item._replace(size=MAX_COPY + 1)
    found = [tree.evidence().before("a", item), tree.evidence().after("a", item)]
    found.append(tree.evidence().before("a", large))
    assert [side.state.reason for side in found] == [NOT_KEPT, GONE, TOO_LARGE]
    assert {side.state.kind for side in found} == {FileKind.UNKNOWN}
    assert found[2].state.size_bytes == MAX_COPY + 1


def test_what_is_no_regular_file_is_told_whole_by_the_look(tree: Tree) -> None:
    (tree.folder / "folder").mkdir(mode=0o750)
    (tree.folder / "link").symlink_to(os.fsdecode(b"to\xff"))
    os.mkfifo(tree.folder / "pipe")
    folder, link, pipe = (tree.evidence().after(name, tree.item(name)) for name in ("folder", "link", "pipe"))
    assert (folder.state.kind, folder.state.mode) == (FileKind.DIRECTORY, 0o750)
    assert link == symlink_side(b"to\xff")
    assert (pipe.state.kind, pipe.state.reason) == (FileKind.UNKNOWN, "not a regular file")
