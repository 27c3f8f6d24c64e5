"""Whole processes, measured by the operating system and compared pair by pair.

Figures on a shared machine swing; two commands run one after the other meet the same load, so the median of
the pairs' ratios holds. CPU is user plus system time of the child, by wait4.
"""

import os
import statistics
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Cost:
    """One process: CPU and wall seconds, peak memory in MB."""

    cpu: float
    wall: float
    memory: float


@dataclass(frozen=True, slots=True)
class Ratio:
    """Medians of pairs, one command over the other, and what the other cost."""

    cpu: float
    wall: float
    memory: float
    base: Cost

    def __str__(self) -> str:
        return (
            f"{self.cpu:.2f} x the CPU, {self.wall:.2f} x the time, {self.memory:.2f} x the memory"
            f" of {self.base.cpu * 1e3:.1f} ms CPU, {self.base.wall * 1e3:.1f} ms, {self.base.memory:.0f} MB"
        )


def measured(
    command: Sequence[str],
    stdin: Path | None = None,
    environment: Mapping[str, str] | None = None,
    *,
    quiet: bool = False,
) -> Cost:
    """Run one process to its end, its answer thrown away where `quiet`; a failure ends the benchmark."""
    handle = os.open(stdin or os.devnull, os.O_RDONLY)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    silence = [(os.POSIX_SPAWN_DUP2, nowhere, 1), (os.POSIX_SPAWN_DUP2, nowhere, 2)] if quiet else []
    began = time.perf_counter()
    child = os.posix_spawn(
        command[0],
        list(command),
        dict(os.environ if environment is None else environment),
        file_actions=[(os.POSIX_SPAWN_DUP2, handle, 0), *silence],
    )
    os.close(handle)
    os.close(nowhere)
    _, status, used = os.wait4(child, 0)
    wall = time.perf_counter() - began
    if status != 0:
        raise SystemExit(f"{' '.join(command)} ended with {status}")
    return Cost(used.ru_utime + used.ru_stime, wall, used.ru_maxrss / 1024)


def ratio_of(pairs: Sequence[tuple[Cost, Cost]]) -> Ratio:
    """The medians of the pairs' ratios."""
    return Ratio(
        statistics.median(one.cpu / other.cpu for one, other in pairs),
        statistics.median(one.wall / other.wall for one, other in pairs),
        statistics.median(one.memory / other.memory for one, other in pairs),
        Cost(
            statistics.median(other.cpu for _, other in pairs),
            statistics.median(other.wall for _, other in pairs),
            statistics.median(other.memory for _, other in pairs),
        ),
    )
