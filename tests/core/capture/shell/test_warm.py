"""What was saved between two looks is there before the next one, under the name that the look will ask for."""

import os
import time
from pathlib import Path

import pytest

from sulcus_panel.core.capture.shell.keeping import RACY_NS, Baselines, identity
from sulcus_panel.core.capture.shell.scan import Walk, items_of
from sulcus_panel.core.capture.shell.warm import keep_warm


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    folder = tmp_path / "tree"
    folder.mkdir()
    for name in ("a", ".env"):
        (folder / name).write_bytes(b"mine\n")
    until = time.time_ns() + 2 * RACY_NS
    while time.time_ns() < until:
        os.sched_yield()
    return folder


def test_the_next_look_finds_the_bytes_under_the_files_identity(tree: Path, tmp_path: Path) -> None:
    baselines = Baselines(str(tmp_path / "data"), str(tree))
    baselines.make()
    assert keep_warm(tmp_path / "data", [str(tree / "a"), str(tree / "gone"), str(tmp_path / "b")]) == 1
    walk = Walk(str(tree), {})
    walk.whole()
    seen = items_of(walk.changed[""])["a"]
    assert baselines.read("copies/" + identity(seen)) == b"mine\n"


def test_a_tree_that_no_hook_has_looked_at_gets_no_baseline(tree: Path, tmp_path: Path) -> None:
    assert keep_warm(tmp_path / "data", [str(tree / "a")]) == 0
    assert not (tmp_path / "data").exists()


def test_of_a_secret_its_hash_alone_is_kept(tree: Path, tmp_path: Path) -> None:
    baselines = Baselines(str(tmp_path / "data"), str(tree))
    baselines.make()
    keep_warm(tmp_path / "data", [str(tree / ".env")])
    [copy] = Path(baselines.copies).iterdir()
    assert copy.name.endswith(".sha256")
