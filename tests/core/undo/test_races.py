"""Two doors at once, programs that write without asking, and folders that turn into links while an undo runs."""

import os
from collections import Counter
from pathlib import Path

import pytest

from sulcus_panel.core.errors import StalePlan
from sulcus_panel.core.undo.model import Outcome
from tests.support.bench import L10, Bench, edited
from tests.support.broken_calls import Counting
from tests.support.racers import race_a_swapper, race_a_writer, race_doors


@pytest.mark.parametrize("gap", [0, 0.0005, 0.002])
def test_f085_no_write_of_another_program_is_lost_in_1500_undos(tmp_path: Path, gap: float) -> None:
    counts: Counter[str] = Counter()
    race_a_writer(tmp_path, 1500, gap, counts)
    assert counts["writer: tries"] == 1500
    assert counts["writer: stale"]


def test_f089_of_200_records_undone_at_four_doors_each_is_undone_once(tmp_path: Path) -> None:
    counts: Counter[str] = Counter()
    race_doors(tmp_path, 200, 4, counts)
    assert counts["doors: undone"] == 200
    assert counts["doors: stale"] + counts["doors: already_undone"] == 600


def test_a_folder_that_turns_into_a_link_leads_nobody_outside_in_20000_tries(tmp_path: Path) -> None:
    counts: Counter[str] = Counter()
    race_a_swapper(tmp_path, 20_000, counts)
    assert counts["swapped folder: written"]
    assert counts["swapped folder: refused"]


def test_a_folder_swapped_for_a_link_at_any_call_never_leads_outside(tmp_path: Path) -> None:
    for at in range(1, 9):
        here = tmp_path / str(at)
        outside = here / "outside"
        outside.mkdir(parents=True)
        (outside / "f").write_bytes(b"secret\n")
        bench = Bench(here)
        bench.put("sub/f", L10)
        first = bench.agent(edited(L10, _2="two"), "sub/f")
        folder = bench.root / "sub"

        def swap(number: int, what: str, now: int = at, sub: Path = folder, away: Path = outside) -> None:
            del what
            if number == now:
                sub.rename(sub.with_name("moved"))
                os.symlink(away, sub)

        try:
            result = bench.apply(bench.plan(first), Counting(swap))
            assert result.outcome is not Outcome.UNDONE or not folder.is_symlink()
        except StalePlan:
            pass
        assert os.listdir(outside) == ["f"]
        assert (outside / "f").read_bytes() == b"secret\n"
        bench.close()
