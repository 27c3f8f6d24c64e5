"""The long run: everything that could make an undo lose or invent a byte, far more often than the tests do.

    python -m benchmarks.reliability [--quick] [--only NAME ...]

Writes what it counted into docs/reliability.md. Exits 1 at the first loss, with what led to it. A run takes about
ten minutes; with --quick one, and then the document is left as it is.
"""

import argparse
import os
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.support.history_machine import Histories
from tests.support.racers import race_a_swapper, race_a_writer, race_doors
from tests.support.strace import sweep_system_calls
from tests.support.sweep import (
    Stage,
    sweep_double_failures,
    sweep_failures,
    sweep_kills,
    sweep_kills_of_recovery,
)
from tests.support.undo_scenarios import SCENARIOS, an_edit

DOCUMENT = Path(__file__).resolve().parents[1] / "docs" / "reliability.md"
STEPS_A_HISTORY = 50
LEAST: Mapping[str, Mapping[str, int]] = {
    "histories": {"steps": 100_000, "undos asked": 10_000, "undos done": 5_000, "undos killed": 300},
    "kills": {"kills": 600, "kills of a recovery": 2_000},
    "failures": {"failed calls": 1_000},
    "writers": {"writer: tries": 4_500, "writer: stale": 100, "writer: undone": 100},
    "links": {"swapped folder: tries": 20_000, "swapped folder: written": 1_000},
    "doors": {"doors: records": 200, "doors: undone": 200},
    "system calls": {},
}
"""What a long run must have counted at the least, by its parts in their order."""


@dataclass(frozen=True, slots=True)
class Size:
    """How often each thing is tried."""

    histories: int
    recovery_every: int
    double_failures: int
    writes: int
    swaps: int
    records: int
    system_calls: int


LONG = Size(2350, 5, 8, 3000, 60_000, 400, 300)
QUICK = Size(60, 30, 1, 200, 4000, 50, 10)


def main() -> int:
    """Run what is asked for, print the counters, write the document."""
    asked = argparse.ArgumentParser(description="Try to make an undo lose a byte.")
    asked.add_argument("--quick", action="store_true", help="a minute's worth; the document stays as it is")
    asked.add_argument("--only", nargs="+", choices=list(LEAST), default=list(LEAST))
    options = asked.parse_args()
    size = QUICK if options.quick else LONG
    counted: dict[str, Counter[str]] = {}
    with ProcessPoolExecutor(max_workers=2) as pool:
        for name, counts, seconds in pool.map(run, options.only, [size] * len(options.only)):
            counted[name] = counts
            print(f"{name} ({seconds:.0f} s)", flush=True)
            for what, number in sorted(counts.items()):
                print(f"  {what}: {number:,}", flush=True)
    if not options.quick:
        write_document(DOCUMENT, counted, datetime.now(UTC))
    return 0


def run(name: str, size: Size) -> tuple[str, Counter[str], float]:
    """One part in a folder of its own; its name, its counters and how long it took."""
    began = time.monotonic()
    with workplace() as folder:
        return name, RUNS[name](folder, size), time.monotonic() - began


@contextmanager
def workplace() -> Iterator[Path]:
    """A folder of its own; in memory where there is such a place, for the disk's speed is not the question."""
    memory = Path("/dev/shm")
    folder = Path(tempfile.mkdtemp(prefix="reliability-", dir=memory if os.access(memory, os.W_OK) else None))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def histories(folder: Path, size: Size) -> Counter[str]:
    """Agents, a person, undos, kills and retention in any order against a model of what must come of it."""
    Histories.counts.clear()
    tempfile.tempdir = str(folder)
    try:
        run_state_machine_as_test(
            Histories,
            settings=settings(
                max_examples=size.histories,
                stateful_step_count=STEPS_A_HISTORY,
                print_blob=True,
                deadline=None,
                database=None,
                phases=[Phase.generate, Phase.shrink],
                suppress_health_check=list(HealthCheck),
            ),
        )
    finally:
        tempfile.tempdir = None
    return Counter(Histories.counts)


def kills(folder: Path, size: Size) -> Counter[str]:
    """Every call and statement of every scenario, and of every recovery after it."""
    counts: Counter[str] = Counter()
    for scenario in SCENARIOS:
        stage = Stage(folder / scenario.__name__, scenario)
        sweep_kills(stage, counts)
        sweep_kills_of_recovery(stage, counts, every=size.recovery_every)
        counts["scenarios"] += 1
    return counts


def failures(folder: Path, size: Size) -> Counter[str]:
    """Every call of every scenario, and pairs of calls."""
    counts: Counter[str] = Counter()
    for number, scenario in enumerate(SCENARIOS):
        stage = Stage(folder / scenario.__name__, scenario)
        sweep_failures(stage, counts)
        if number < size.double_failures:
            sweep_double_failures(stage, counts)
        counts["scenarios"] += 1
    return counts


def writers(folder: Path, size: Size) -> Counter[str]:
    """Another program writes at once, after half a millisecond and after two."""
    counts: Counter[str] = Counter()
    for gap in (0, 0.0005, 0.002):
        place = folder / f"{gap}"
        place.mkdir()
        race_a_writer(place, size.writes, gap, counts)
    return counts


def links(folder: Path, size: Size) -> Counter[str]:
    """A folder on the way turns into a link to outside and back."""
    counts: Counter[str] = Counter()
    race_a_swapper(folder, size.swaps, counts)
    return counts


def doors(folder: Path, size: Size) -> Counter[str]:
    """Four processes undo the same records."""
    counts: Counter[str] = Counter()
    race_doors(folder, size.records, 4, counts)
    return counts


def system_calls(folder: Path, size: Size) -> Counter[str]:
    """Every system call of a whole process that undoes, where strace is there to stop it."""
    counts: Counter[str] = Counter()
    sweep_system_calls(Stage(folder, an_edit), counts, most=size.system_calls)
    return counts


RUNS: Mapping[str, Callable[[Path, Size], Counter[str]]] = {
    "histories": histories,
    "kills": kills,
    "failures": failures,
    "writers": writers,
    "links": links,
    "doors": doors,
    "system calls": system_calls,
}


def write_document(document: Path, counted: Mapping[str, Counter[str]], at: datetime) -> None:
    """Put the counters in place of those of the last run; parts that were not run keep theirs."""
    text = document.read_text(encoding="utf-8")
    for name, counts in counted.items():
        mark = f"<!-- {name} -->"
        rows = "".join(f"| {what} | {number:,} |\n" for what, number in sorted(counts.items()))
        table = (
            f"{mark}\nLast run on {at:%Y-%m-%d}.\n\n| counted | times |\n| --- | ---: |\n{rows}<!-- end -->"
        )
        text, found = re.subn(rf"(?s){mark}.*?<!-- end -->", table.replace("\\", r"\\"), text)
        if not found:
            raise SystemExit(f"{document} has no place for {name}")
    document.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
