"""The guard of commands, tried long: real shells against its reading of words, and changes to its own code.

    python -m benchmarks.guard [--quick] [--only NAME ...]

Writes what it counted into docs/reliability.md; with --quick it tries less and leaves the document as it is. Exits
1 where a shell reads a text otherwise, or where the tests see less than 95 of 100 changes.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime

from benchmarks.mutants import is_seen, mutants
from benchmarks.reliability import DOCUMENT, write_document
from tests.support.shells import compare, odd_texts

STRINGS = 1_000_000
A_TIME = 50_000
LEAST_SEEN = 0.95


def main() -> int:
    """Run what is asked for, print the counters, write the document."""
    asked = argparse.ArgumentParser(description="Try to talk the guard round.")
    asked.add_argument("--quick", action="store_true", help="a twentieth; the document stays as it is")
    asked.add_argument("--only", nargs="+", choices=list(PARTS), default=list(PARTS))
    options = asked.parse_args()
    counted: dict[str, Counter[str]] = {}
    bad = False
    for name in options.only:
        counted[name], failed = PARTS[name](options.quick)
        bad = bad or failed
        for what, number in sorted(counted[name].items()):
            print(f"{name}: {what}: {number:,}", flush=True)
    if not options.quick and not bad:
        write_document(DOCUMENT, counted, datetime.now(UTC))
    return int(bad)


def guard_strings(quick: bool) -> tuple[Counter[str], bool]:
    """Odd texts through the guard, bash, dash and shlex."""
    counts: Counter[str] = Counter()
    for seed in range(1 if quick else STRINGS // A_TIME):
        part, wrong = compare(odd_texts(A_TIME, seed + 100))
        counts += part
        print(*wrong[:10], sep="\n", end="" if not wrong else "\n", flush=True)
    counts["read otherwise"] += 0
    return counts, counts["read otherwise"] > 0


def guard_mutants(quick: bool) -> tuple[Counter[str], bool]:
    """Every change to the guard's code, or every twentieth; those that no test sees are printed."""
    counts: Counter[str] = Counter()
    for number, mutant in enumerate(mutants()):
        if quick and number % 20:
            continue
        seen = is_seen(mutant)
        counts["changes"] += 1
        counts["changes seen"] += seen
        if not seen:
            print(f"not seen: {mutant.what}", flush=True)
    return counts, counts["changes seen"] < LEAST_SEEN * counts["changes"]


PARTS: dict[str, Callable[[bool], tuple[Counter[str], bool]]] = {
    "guard strings": guard_strings,
    "guard mutants": guard_mutants,
}

if __name__ == "__main__":
    sys.exit(main())
