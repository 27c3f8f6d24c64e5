"""Two doors at once, and folders that turn into links while an undo runs."""

import os
import threading
from pathlib import Path

from sulcus_panel.core.errors import StalePlan
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import PERSON
from sulcus_panel.core.undo.apply import apply_undo
from sulcus_panel.core.undo.fs import FileSystem
from sulcus_panel.core.undo.model import Outcome
from tests.support.bench import L10, Bench, edited


def test_one_undo_asked_for_at_four_doors_runs_once(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.put("a.txt", L10)
    first = bench.agent(edited(L10, _2="two"))
    plan = bench.plan(first)
    outcomes: list[str] = []

    def door(number: int) -> None:
        with Ledger.open(bench.home, clock=bench.clock) as ledger:
            try:
                result = apply_undo(
                    ledger,
                    bench.workspace,
                    plan,
                    PERSON,
                    lambda: f"door-{number}-{os.urandom(4).hex()}",
                    bench.clock,
                )
                outcomes.append(result.outcome.value)
            except StalePlan:
                outcomes.append("stale")

    doors = [threading.Thread(target=door, args=(number,)) for number in range(4)]
    for each in doors:
        each.start()
    for each in doors:
        each.join()
    assert sorted(outcomes) == ["stale", "stale", "stale", "undone"]
    assert bench.read("a.txt") == L10
    bench.close()


class Swapping(FileSystem):
    """Turns a folder into a link to outside before one of the calls."""

    def __init__(self, at: int, folder: Path, outside: Path) -> None:
        self.at, self.folder, self.outside, self.calls = at, folder, outside, 0

    def reach(self, call: str) -> None:
        del call
        self.calls += 1
        if self.calls == self.at:
            self.folder.rename(self.folder.with_name("moved"))
            os.symlink(self.outside, self.folder)


def test_a_folder_swapped_for_a_link_at_any_moment_never_leads_outside(tmp_path: Path) -> None:
    for at in range(1, 9):
        here = tmp_path / str(at)
        here.mkdir()
        outside = here / "outside"
        outside.mkdir()
        (outside / "f").write_bytes(b"secret\n")
        bench = Bench(here)
        bench.put("sub/f", L10)
        first = bench.agent(edited(L10, _2="two"), "sub/f")
        try:
            result = bench.apply(bench.plan(first), Swapping(at, bench.root / "sub", outside))
            assert result.outcome is not Outcome.UNDONE or not (bench.root / "sub").is_symlink()
        except StalePlan:
            pass
        assert os.listdir(outside) == ["f"]
        assert (outside / "f").read_bytes() == b"secret\n"
        bench.close()
