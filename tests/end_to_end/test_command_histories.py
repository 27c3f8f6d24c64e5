"""Random histories of commands that edit, move, copy and remove files and folders: all of it goes back, and forth.

What is left to a later undo by a folder that it had to make on its way is no part of these promises.
"""

import shutil
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from sulcus_panel.core.model import FileKind, FileState, LedgerPath, SeqId
from sulcus_panel.core.undo.model import Outcome
from tests.support.bench import L10, Bench
from tests.support.shell import record_command, tree

Sight = dict[LedgerPath, tuple[FileKind, int | None, str | None]]


def sight(bench: Bench, *, folders: bool = True) -> Sight:
    """Kind, mode and hash of everything below the root."""
    states: dict[LedgerPath, FileState] = {path: file.state for path, file in tree(bench.root).items()}
    return {
        path: (state.kind, state.mode, state.sha256)
        for path, state in states.items()
        if folders or state.kind is not FileKind.DIRECTORY
    }


class Command:
    """A few deeds at random places; one that cannot be done is left out."""

    def __init__(self, root: Path, random: Random) -> None:
        self.root = root
        self.random = random

    def __call__(self) -> None:
        deeds = (self.edit, self.edit, self.move, self.move, self.copy, self.remove, self.make, self.create)
        for _ in range(self.random.randint(1, 3)):
            deed = self.random.choice((*deeds, self.remove_folder, self.move_folder, self.close))
            with suppress(OSError, IndexError):
                deed()

    def a_file(self) -> Path:
        return self.random.choice(sorted(path for path in self.root.rglob("*") if path.is_file()))

    def a_folder(self, *, root: bool = True) -> Path:
        below = sorted(path for path in self.root.rglob("*") if path.is_dir())
        return self.random.choice([self.root, *below] if root else below)

    def a_place(self) -> Path:
        place = self.a_folder() / self.random.choice("abcdef")
        if place.is_dir():
            raise IsADirectoryError
        return place

    def edit(self) -> None:
        path = self.a_file()
        lines = path.read_bytes().split(b"\n")
        lines[self.random.randrange(len(lines))] = b"x%d" % self.random.randrange(1000)
        path.write_bytes(b"\n".join(lines))

    def move(self) -> None:
        self.a_file().rename(self.a_place())

    def copy(self) -> None:
        shutil.copy(self.a_file(), self.a_place())

    def remove(self) -> None:
        self.a_file().unlink()

    def create(self) -> None:
        self.a_place().write_bytes(L10.replace(b"line 3", b"n%d" % self.random.randrange(9)))

    def make(self) -> None:
        (self.a_folder() / self.random.choice("DEF")).mkdir()

    def remove_folder(self) -> None:
        shutil.rmtree(self.a_folder(root=False))

    def move_folder(self) -> None:
        self.a_folder(root=False).rename(self.root / self.random.choice("GHI"))

    def close(self) -> None:
        self.a_file().chmod(self.random.choice([0o600, 0o644, 0o755]))


def history(bench: Bench, random: Random) -> list[SeqId]:
    """Let several commands run; return the entries that changed anything."""
    for name in "abc":
        bench.put(name, L10.replace(b"line 1", name.encode()))
    command = Command(bench.root, random)
    rows = []
    for number in range(random.randint(2, 6)):
        bench.clock.advance(1)
        rows.append(
            record_command(bench.ledger, bench.workspace, f"command {number}", bench.clock(), command)
        )
    return [row.seq_id for row in rows if row.record.changes]


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


@pytest.mark.parametrize("seed", range(40))
def test_a_whole_history_goes_back_to_its_start(bench: Bench, seed: int) -> None:
    seq_ids = history(bench, Random(seed))
    start = {LedgerPath(name) for name in "abc"}
    plan = bench.plan(*seq_ids) if seq_ids else None
    if plan is not None and plan.outcome is not Outcome.REFUSED:  # a folder and a file changed places
        bench.apply(plan)
        assert sight(bench).keys() == start
        assert all(bench.read(name) == L10.replace(b"line 1", name.encode()) for name in "abc")
    bench.close()


@pytest.mark.parametrize("seed", range(40, 80))
def test_any_one_command_goes_back_and_forth_again_or_nothing_changes(bench: Bench, seed: int) -> None:
    for seq_id in history(bench, Random(seed)):
        now = sight(bench, folders=False)
        plan = bench.plan(seq_id)
        result = bench.apply(plan)
        assert result.outcome is plan.outcome
        undo = result.results[0].undo_seq_id
        if plan.outcome is Outcome.UNDONE and undo is not None:
            assert bench.plan(seq_id).outcome in {Outcome.ALREADY_UNDONE, Outcome.NOTHING_TO_UNDO}
            assert bench.undo(undo).outcome is Outcome.UNDONE
        assert sight(bench, folders=False) == now
    bench.close()
