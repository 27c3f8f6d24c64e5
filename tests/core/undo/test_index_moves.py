"""Entries of the index go back all or none, under git's lock, and only from how they are said to be."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from sulcus_panel.core.model import RefMove
from sulcus_panel.core.undo.index_moves import move_entries
from tests.support.repo_bench import RepoBench

NONE = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[RepoBench]:
    made = RepoBench(tmp_path)
    made.put("b.txt", b"")
    made.sh("git add b.txt")
    yield made
    made.close()


def listed(bench: RepoBench) -> list[str]:
    said = subprocess.check_output(["git", "ls-files", "-s"], cwd=bench.root, text=True)
    return said.splitlines()


def test_entries_change_together_and_others_stay(bench: RepoBench) -> None:
    one = bench.id_of(":a.txt")
    moves = (RefMove(":a.txt", f"100644 {one}", f"100755 {NONE}"), RefMove(":b.txt", f"100644 {NONE}", ""))
    mode = (bench.root / ".git/index").stat().st_mode
    move_entries(str(bench.root / ".git"), moves)
    assert listed(bench) == [f"100755 {NONE} 0\ta.txt"]
    assert (bench.root / ".git/index").stat().st_mode == mode
    move_entries(str(bench.root / ".git"), tuple(RefMove(one.name, one.after, one.before) for one in moves))
    assert listed(bench) == [f"100644 {one} 0\ta.txt", f"100644 {NONE} 0\tb.txt"]


def test_one_that_is_not_as_it_is_said_to_be_leaves_all(bench: RepoBench) -> None:
    index = (bench.root / ".git/index").read_bytes()
    for move in (RefMove(":a.txt", f"100644 {NONE}", ""), RefMove(":c.txt", f"100644 {NONE}", "")):
        with pytest.raises(ValueError, match="changed meanwhile"):
            move_entries(str(bench.root / ".git"), (RefMove(":b.txt", f"100644 {NONE}", ""), move))
    assert (bench.root / ".git/index").read_bytes() == index
    assert not (bench.root / ".git/index.lock").exists()


def test_a_lock_of_somebody_else_is_left_to_him(bench: RepoBench) -> None:
    index = (bench.root / ".git/index").read_bytes()
    (bench.root / ".git/index.lock").write_bytes(b"his")
    with pytest.raises(FileExistsError):
        move_entries(str(bench.root / ".git"), (RefMove(":b.txt", f"100644 {NONE}", ""),))
    assert (bench.root / ".git/index").read_bytes() == index
    assert (bench.root / ".git/index.lock").read_bytes() == b"his"
