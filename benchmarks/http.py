"""The HTTP door under load: records by a compiled load generator, slow clients, requests that nobody means.

    python -m benchmarks.http [--quick] [--only NAME ...]

Needs wrk (Debian: apt-get install wrk) for the first two parts, which are left out with a word where it is missing.
Writes what it counted into docs/reliability.md; with --quick it takes half a minute and writes nothing. Exits 1
where an acknowledged record is missing or a bound is not kept.
"""

import argparse
import json
import shutil
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import httpx

from benchmarks.reliability import DOCUMENT, workplace, write_document
from sulcus_panel.core.ledger.queries import LedgerQuery
from sulcus_panel.service.requests.lanes import READERS
from tests.support.fuzz_http import Fuzz, size_of
from tests.support.http_door import LEDGER, Door, an_edit, serving

LOAD = Path(__file__).with_name("http_load.lua")
CONNECTIONS = 20
PAUSE_MS = 1
"""Between an answer and the next request of one connection: agents do not come all at the same moment."""
SLOW_CLIENTS = 200
AT_ONCE = 10
"""So many new ones come between two requests of the good one."""
LEAST_A_SECOND = 2_000
MOST_P99_MS = 25.0
MOST_P99_BESIDE_SLOW_MS = 50.0
MOST_GROWTH_KIB = 20 * 1024


@dataclass(frozen=True, slots=True)
class Size:
    """How long, and how often."""

    seconds: int
    good_requests: int
    fuzzed: int


LONG = Size(60, 1_000, 10_000)
QUICK = Size(5, 300, 1_000)


def main() -> int:
    """Run what is asked for, print the counters, write the document."""
    asked = argparse.ArgumentParser(description="Load the HTTP door.")
    asked.add_argument("--quick", action="store_true", help="half a minute; the document stays as it is")
    asked.add_argument("--only", nargs="+", choices=list(RUNS), default=list(RUNS))
    options = asked.parse_args()
    counted: dict[str, Counter[str]] = {}
    missed = []
    for name in options.only:
        with workplace() as folder, serving(folder / "home") as door:
            counts, complaints = RUNS[name](door, QUICK if options.quick else LONG)
        if counts:
            counted[name] = counts
        missed += complaints
        print(name, *(f"  {what}: {number:,}" for what, number in sorted(counts.items())), sep="\n")
    if not options.quick and not missed:
        write_document(DOCUMENT, counted, datetime.now(UTC))
    for complaint in missed:
        print(complaint, file=sys.stderr)
    return 1 if missed else 0


Told = tuple[Counter[str], list[str]]


def records(door: Door, size: Size) -> Told:
    """As many records as go in, over 120 sessions; every one that was acknowledged must be there."""
    wrk = shutil.which("wrk")
    if wrk is None:
        print("wrk is missing: no load")
        return Counter(), []
    key, acknowledged = door.key("load"), door.home.root / "acknowledged"
    with door.client(key) as client:
        for number in range(4):
            client.post(f"{LEDGER}/config", json={"namespace": f"load-{number}", "max_entries": 50_000})
    before = _cpu_seconds(door.process.pid)
    how = ["-t1", f"-c{CONNECTIONS}", f"-d{size.seconds}s", f"-s{LOAD}", door.url]
    ran = subprocess.run(
        [wrk, *how, "--", key, str(acknowledged), str(PAUSE_MS)],
        check=True,
        capture_output=True,
        text=True,
    )
    cpu = _cpu_seconds(door.process.pid) - before
    told = json.loads(ran.stdout.splitlines()[-1])
    lines = acknowledged.read_text(encoding="ascii").split()
    ids = [int(line) for line in lines if line.isdecimal()]
    with door.operations() as operations:
        lost = set(ids) - set(operations.find_ids(LedgerQuery()))
    counts = Counter(
        {
            "records acknowledged": len(ids),
            "records lost": len(lost),
            "answers that were no 201": len(lines) - len(ids),
            "seconds": round(told["seconds"]),
            "records a second": round(len(ids) / told["seconds"]),
            "latency: half below, microseconds": round(told["p50_ms"] * 1000),
            "latency: 99 of 100 below, microseconds": round(told["p99_ms"] * 1000),
            "processor time a record, microseconds": round(cpu / max(len(ids), 1) * 1e6),
        }
    )
    checks = {
        f"{len(lost)} acknowledged records are missing": not lost and len(set(ids)) == len(ids),
        "answers that were no 201": len(lines) == len(ids),
        f"fewer than {LEAST_A_SECOND} a second": counts["records a second"] >= LEAST_A_SECOND,
        f"a p99 of {told['p99_ms']:.1f} ms": told["p99_ms"] < MOST_P99_MS,
    }
    return counts, [complaint for complaint, is_kept in checks.items() if not is_kept]


def _cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / 100


def slow_clients(door: Door, size: Size) -> Told:
    """Two hundred that send next to nothing, for as long as a good one works; those that are ended come again."""
    key, times = door.key("good"), []
    slow: list[socket.socket] = []
    with closing_all(slow), door.client(key) as good:
        counts: Counter[str] = Counter({"slow connections": SLOW_CLIENTS})
        slow += [_slow(door, number) for number in range(SLOW_CLIENTS)]
        for _ in range(size.good_requests):
            for _ in range(min(SLOW_CLIENTS - len(slow), AT_ONCE)):
                slow.append(_slow(door, len(slow)))
                counts["slow connections"] += 1
            begun = time.perf_counter()
            try:
                answer = good.post(f"{LEDGER}/record", json=an_edit())
                counts["good requests"] += answer.status_code == 201
            except httpx.TransportError:
                counts["good requests that had to come again"] += 1
            times.append(time.perf_counter() - begun)
            slow[:] = [line for line in slow if not _is_ended(line)]
    times.sort()
    p99 = times[int(len(times) * 0.99)] * 1000
    counts["latency: 99 of 100 below, microseconds"] = round(p99 * 1000)
    return counts, [] if p99 < MOST_P99_BESIDE_SLOW_MS else [f"a p99 of {p99:.1f} ms beside slow clients"]


def _slow(door: Door, number: int) -> socket.socket:
    line = socket.create_connection(("127.0.0.1", door.here.port), timeout=10)
    line.setblocking(False)
    if number % 2:
        line.send(b"POST /api/v1/agent/ledger/record HTTP/1.1\r\nHost: loc")
    return line


def _is_ended(line: socket.socket) -> bool:
    """Whether the server has ended it; then it is closed here, too."""
    try:
        is_ended = line.recv(65_536) == b""
    except BlockingIOError:
        return False
    except OSError:
        is_ended = True
    if is_ended:
        line.close()
    return is_ended


@contextmanager
def closing_all(lines: list[socket.socket]) -> Iterator[None]:
    """Close what is in the list at the end."""
    try:
        yield
    finally:
        for line in lines:
            line.close()


def fuzz(door: Door, size: Size) -> Told:
    """Requests that nobody means: no 5xx, no hang, no growth."""
    made = Fuzz(door, door.key("fuzz"), seed=2)
    made.run(size.fuzzed // 10)
    threads, memory = size_of(door.process.pid)
    made.run(size.fuzzed - size.fuzzed // 10)
    more_threads, more_memory = size_of(door.process.pid)
    counts = made.counts
    counts["requests"] = size.fuzzed
    counts["more threads at the end"] = more_threads - threads
    counts["more memory at the end, KiB"] = more_memory - memory
    checks = {
        "threads grew": more_threads <= threads + READERS,  # they begin with their first work
        "memory grew": more_memory - memory < MOST_GROWTH_KIB,
        "the log tells of a bug": not door.home.log.exists(),
    }
    return counts, [complaint for complaint, is_kept in checks.items() if not is_kept]


RUNS: Mapping[str, Callable[[Door, Size], Told]] = {
    "http records": records,
    "http slow clients": slow_clients,
    "http fuzz": fuzz,
}


if __name__ == "__main__":
    sys.exit(main())
