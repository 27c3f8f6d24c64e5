"""Copies by identity: the bytes that were seen or none."""

import hashlib
import marshal
import os
import time
from pathlib import Path

import pytest

from sulcus_panel.core.capture.shell import keeping
from sulcus_panel.core.capture.shell.keeping import (
    HASH_ONLY,
    KEY_MARKS,
    Baselines,
    fingerprint,
    identity,
    root_before,
    scan_name,
)
from sulcus_panel.core.capture.shell.scan import Item, Walk, items_of
from sulcus_panel.core.credentials import _SHAPES


def seen(folder: Path, name: str) -> Item:
    walk = Walk(str(folder), {})
    walk.whole()
    return items_of(walk.changed[""])[name]


@pytest.fixture
def baselines(tmp_path: Path) -> Baselines:
    made = Baselines(str(tmp_path / "data"), str(tmp_path / "tree"))
    made.make()
    return made


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    folder = tmp_path / "tree"
    folder.mkdir()
    return folder


def aged(path: Path, data: bytes) -> Path:
    """A file that was written longer ago than the clock's tick."""
    path.write_bytes(data)
    until = time.time_ns() + 2 * keeping.RACY_NS
    while time.time_ns() < until:
        os.sched_yield()
    return path


def copies(baselines: Baselines) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in Path(baselines.copies).iterdir()}


def test_a_file_is_copied_once_under_its_identity(baselines: Baselines, tree: Path) -> None:
    path = aged(tree / "a", b"bytes")
    item = seen(tree, "a")
    assert baselines.keep(str(path), item)
    assert baselines.keep(str(path), item)
    assert copies(baselines) == {identity(item): b"bytes"}
    assert os.stat(baselines.copies).st_mode & 0o777 == 0o700
    assert (Path(baselines.copies) / identity(item)).stat().st_mode & 0o777 == 0o600


def test_a_file_that_is_not_any_more_what_was_seen_is_not_copied(baselines: Baselines, tree: Path) -> None:
    path = aged(tree / "a", b"bytes")
    item = seen(tree, "a")
    path.write_bytes(b"later")
    assert baselines.keep(str(path), item)
    path.unlink()
    path.symlink_to("/etc/passwd")
    assert baselines.keep(str(path), item)
    assert copies(baselines) == {}


def test_a_file_written_a_moment_ago_is_tried_again(baselines: Baselines, tree: Path) -> None:
    (tree / "a").write_bytes(b"bytes")
    item = seen(tree, "a")
    fresh = (*item[:1], time.time_ns(), *item[2:])
    assert not baselines.keep(str(tree / "a"), fresh)


def test_of_a_secret_and_of_a_large_file_the_hash_alone_is_kept(
    baselines: Baselines, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "MAX_COPY", 8)
    aged(tree / ".env", b"KEY=1")
    aged(tree / "large", b"123456789")
    for name in (".env", "large"):
        assert baselines.keep(str(tree / name), seen(tree, name))
    found = copies(baselines)
    assert all(name.endswith(HASH_ONLY) and len(data) == 64 for name, data in found.items())
    assert len(found) == 2


def test_no_more_is_copied_than_there_is_room_for(
    baselines: Baselines, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    aged(tree / "a", b"bytes")
    monkeypatch.setattr(keeping, "MAX_COPIES", 0)
    baselines.measure()
    assert baselines.keep(str(tree / "a"), seen(tree, "a"))
    assert copies(baselines) == {}


def test_a_name_of_ours_is_replaced_whole_and_linked(baselines: Baselines) -> None:
    baselines.write("one", b"1")
    baselines.link("one", "last")
    baselines.write("one", b"2")
    baselines.link("one", "other")
    baselines.link("one", "last")
    assert (baselines.read("last"), baselines.read("other"), baselines.read("none")) == (b"2", b"2", b"")
    assert fingerprint("a") != fingerprint("b")


def test_a_copy_that_another_process_is_making_does_not_stop_the_measuring(baselines: Baselines) -> None:
    (Path(baselines.copies) / "1-2-3-4.77.tmp").write_bytes(b"x")
    (Path(baselines.copies) / "1-2-3-4.sha256.77.tmp").write_bytes(b"x")
    baselines.measure()
    assert not baselines.full


def test_the_start_of_a_call_is_found_in_whichever_tree_it_was(baselines: Baselines, tmp_path: Path) -> None:
    key, home = "s\0c1", str(tmp_path / "data")
    baselines.write(scan_name(key), marshal.dumps((key, baselines.root, 1)))
    assert root_before("/elsewhere", key, home) == baselines.root
    assert root_before("/elsewhere", "another", home) == "/elsewhere"
    assert root_before("/elsewhere", key, str(tmp_path / "none")) == "/elsewhere"
    baselines.write(scan_name(key), b"junk")
    assert root_before("/elsewhere", key, home) == "/elsewhere"


def test_of_a_file_that_holds_a_key_only_the_hash_is_kept(baselines: Baselines, tree: Path) -> None:
    key = b"key = AKIA" + b"ABCDEFGHIJKLMNOP\n"
    for name, data in (("conf", key), ("talk", b"a key begins with AKIA\n")):
        assert baselines.keep(str(aged(tree / name, data)), seen(tree, name))
    kept = copies(baselines)
    assert kept == {
        identity(seen(tree, "conf")) + HASH_ONLY: hashlib.sha256(key).hexdigest().encode(),
        identity(seen(tree, "talk")): b"a key begins with AKIA\n",
    }


def test_every_key_that_is_known_has_a_mark_that_is_looked_for() -> None:
    for mark, shape in _SHAPES:
        assert any(mark in known for known in KEY_MARKS)
        begun = shape.replace(rb"\b", b"")
        assert mark != b"gh" or begun.startswith(b"gh[pousr]_")
