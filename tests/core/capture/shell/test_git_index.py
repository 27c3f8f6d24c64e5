"""The index that git itself writes, in each version: what it tracks, and which files are as git has them."""

import os
from pathlib import Path

import pytest

from sulcus_panel.core.capture.shell.git_index import (
    filtered_endings,
    is_as_written,
    is_clean,
    object_id,
    one_file,
    tracked_files,
)
from sulcus_panel.core.capture.shell.scan import Item, Walk, items_of
from tests.support.commands import sh

NAMES = ["a", "ab", "b/a", "b/ab", "é", "x" * 200, "b/" + "y" * 210]


@pytest.fixture(params=["2", "3", "4"])
def repo(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    for name in NAMES:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(name.encode())
    (tmp_path / "ln").symlink_to("a")
    sh(
        tmp_path,
        f"git init -q && git config index.version {request.param} && git add -A && git commit -qm one",
    )
    if request.param == "3":
        (tmp_path / "planned").write_bytes(b"x")
        sh(tmp_path, "git add -N planned")
    return tmp_path


def index_of(repo: Path) -> bytes:
    return (repo / ".git/index").read_bytes()


def items(repo: Path) -> dict[str, Item]:
    walk = Walk(str(repo), {})
    walk.whole()
    return {
        (f"{at}/{name}" if at else name): item
        for at, listing in walk.changed.items()
        for name, item in items_of(listing).items()
    }


def test_every_file_is_found_with_its_object(repo: Path) -> None:
    data = index_of(repo)
    tracked = tracked_files(data)
    assert set(tracked) - {"planned"} == {*NAMES, "ln"}
    assert object_id(tracked["a"]) == "2e65efe2a145dda7ee51d1741299f848e5bf752e"
    if data[7] != 4:
        assert all(one_file(data, name) == entry for name, entry in tracked.items())
        assert one_file(data, "none") is one_file(data, "") is None


def test_a_file_is_clean_until_it_is_touched(repo: Path) -> None:
    for name in NAMES:
        os.utime(repo / name, (1_700_000_000, 1_700_000_000))
    sh(repo, "git update-index -q --refresh")
    tracked, written = tracked_files(index_of(repo)), (repo / ".git/index").stat().st_mtime_ns
    now = items(repo)
    assert all(is_clean(tracked[name], now[name], written) for name in NAMES)
    assert not any(is_clean(tracked[name], now[name], 1_700_000_000 * 10**9) for name in NAMES)
    (repo / "a").write_bytes(b"b")
    (repo / "ab").chmod(0o755)
    (repo / "b/a").unlink()
    (repo / "b/a").symlink_to("x")
    now = items(repo)
    assert not any(is_clean(tracked[name], now[name], written) for name in ("a", "ab", "b/a"))


def test_what_git_wrote_is_told_from_what_was_written_since(repo: Path) -> None:
    (repo / "a").write_bytes(b"changed")
    (repo / "ab").write_bytes(b"changed")
    sh(repo, "git checkout -q -- a")
    tracked, now = tracked_files(index_of(repo)), items(repo)
    assert is_as_written(tracked["a"], now["a"])
    assert not is_as_written(tracked["ab"], now["ab"])
    (repo / "a").write_bytes((repo / "a").read_bytes())
    assert not is_as_written(tracked["a"], items(repo)["a"])


@pytest.mark.parametrize("cut", [0, 3, 11, 40, 100, -1, -19, -21])
def test_a_damaged_index_tells_nothing_and_raises_nothing(repo: Path, cut: int) -> None:
    assert tracked_files(index_of(repo)[:cut]) == {}


def test_a_split_index_tells_nothing(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"a")
    sh(tmp_path, "git init -q && git add -A && git update-index --split-index && echo b > a && git add a")
    assert tracked_files(index_of(tmp_path)) == {}


def test_which_paths_a_filter_may_change() -> None:
    assert filtered_endings(b"*.psd filter=lfs -text\n# *.x filter=y\n*.txt text\n") == (".psd",)
    assert filtered_endings(b"/docs/** filter=x\n[attr]big filter=lfs\n") == ("", "")
    assert filtered_endings(b"") == ()


def test_names_that_grow_from_one_another_do_not_fill_the_memory() -> None:
    """Version 4: each entry may add to the last one's name, so a small index could name gigabytes."""
    entry = bytes(62) + b"\0" + b"x" * 1000 + b"\0"
    data = b"DIRC" + (4).to_bytes(4, "big") + (3000).to_bytes(4, "big") + entry * 3000 + bytes(20)
    assert tracked_files(data) == {}


@pytest.mark.parametrize("told", [b"ident", b"text eol=crlf", b"working-tree-encoding=UTF-16", b"filter=lfs"])
def test_what_git_changes_on_the_way_is_known_by_its_attribute(told: bytes) -> None:
    assert filtered_endings(b"*.bin " + told) == (".bin",)
