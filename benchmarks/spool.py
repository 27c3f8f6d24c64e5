"""The spool under load: eight hooks at once while the reader is killed, and what a drain costs the open window.

First 8 processes leave 1,000 events each through the hook's own writing, while a reader that drains them is killed
and begun again 10 times: the ledger must then hold 8,000 rows, nothing set aside, nothing dropped. Then the window
ticks every 10 ms, idle and while events are drained, in turn: late ticks are counted, the longest is told.
Exits 1 where a row is missing or doubled, or a limit is missed.
"""

import asyncio
import json
import os
import signal
import statistics
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.opening import fill
from sulcus_panel.core.capture.hook import spool_data, write_spool
from sulcus_panel.core.capture.recorder import Recorder
from sulcus_panel.core.ledger.encoding import utc_now
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.ledger.queries import LedgerQuery
from sulcus_panel.core.ledger.store import Ledger

HOOKS, EVENTS, KILLS = 8, 1_000, 10
TICK_MS, LATE_MS, LONGEST_MS = 10, 10, 50


@dataclass(frozen=True, slots=True)
class Case:
    """A window that ticks: how often idle and draining, how long each, how many events at once."""

    title: str
    pairs: int
    seconds: float
    events: int
    rows: int = 0
    is_sorted: bool = False


CASES = (
    Case("1,000 events into a new ledger", 10, 3.0, 1_000),
    Case("1,000 events into 50,000 rows sorted by file", 10, 3.0, 1_000, 50_000, is_sorted=True),
    Case("10,000 events into 50,000 rows", 2, 15.0, 10_000, 50_000),
)


def main() -> int:
    """Both parts."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    with tempfile.TemporaryDirectory() as folder:
        done = [load(Path(folder) / "load")]
        for number, case in enumerate(CASES):
            home, root = prepared(Path(folder) / f"case{number}", case.rows)
            done.append(ticks(case, home, root))
    return int(not all(done))


def load(folder: Path) -> bool:
    """Every event exactly once, whoever dies."""
    home, root = prepared(folder)
    writers = [forked(partial(leave, home, root, number, EVENTS)) for number in range(HOOKS)]
    killed = 0
    while killed < KILLS:
        before = count(home)
        reader = forked(partial(drain_for_ever, home))
        wait_for(partial(has_moved, home, before), 20)
        os.kill(reader, signal.SIGKILL)
        os.waitpid(reader, 0)
        killed += 1
    codes = [os.waitstatus_to_exitcode(os.waitpid(writer, 0)[1]) for writer in writers]
    with Ledger.open(home) as ledger:
        recorder = Recorder(ledger, home, utc_now)
        report = recorder.drain(wait=20)
        rows = ledger.count(LedgerQuery())
    wanted = HOOKS * EVENTS
    print(
        f"{HOOKS} hooks x {EVENTS:,} events, reader killed {killed} times: {rows:,} of {wanted:,} rows,"
        f" {report.set_aside} set aside, {report.dropped} dropped"
    )
    return rows == wanted and not report.set_aside and not report.dropped and not any(codes)


def prepared(folder: Path, rows: int = 0) -> tuple[DataHome, Path]:
    """A data folder, and a workspace that has so many rows and keeps 50,000."""
    root, home = folder / "work", DataHome(folder / "data")
    if rows:
        fill(folder, rows)
        return home, root
    (root / ".git").mkdir(parents=True)
    with Ledger.open(home) as ledger:
        workspace = ledger.add_workspace(str(root))
        ledger.set_setting(workspace.id, "max_entries", 50_000)
    return home, root


def leave(home: DataHome, root: Path, number: int, events: int) -> None:
    """One hook's events, a process' worth of each."""
    for event in range(events):
        payload = {
            "hook_event_name": "PostToolUse",
            "session_id": f"s{number}",
            "cwd": str(root),
            "tool_name": "Bash",
            "tool_use_id": f"t{number}-{event}",
            "tool_input": {"command": f"make part-{event}"},
            "tool_response": {"stdout": "", "stderr": "", "interrupted": False},
        }
        header = {"at": str(time.time_ns()), "uptime": str(time.monotonic_ns()), "harness": "claude-code"}
        data = spool_data(header, {"payload": json.dumps(payload).encode()})
        name = f"{time.time_ns()}-{os.getpid()}-{os.urandom(4).hex()}"
        write_spool(str(home.spool), name, data)


def drain_for_ever(home: DataHome) -> None:
    """What a reader does until it is killed."""
    with Ledger.open(home) as ledger:
        recorder = Recorder(ledger, home, utc_now)
        while True:
            recorder.drain()


def count(home: DataHome) -> int:
    """How many rows there are."""
    with Ledger.open(home, read_only=True) as ledger:
        return ledger.count(LedgerQuery())


def waiting(home: DataHome) -> bool:
    """Whether events wait."""
    return any(home.spool_new.iterdir()) if home.spool_new.is_dir() else False


def has_moved(home: DataHome, before: int) -> bool:
    """Whether the reader has recorded more than before, or everything."""
    return count(home) > before or not waiting(home)


def wait_for(condition: Callable[[], bool], seconds: float) -> None:
    """Ask until it is so; SystemExit after so many seconds."""
    until, pause = time.monotonic() + seconds, threading.Event()
    while not condition():
        if time.monotonic() > until:
            raise SystemExit("nothing moved any more")
        pause.wait(0.005)


def forked(act: Callable[[], None]) -> int:
    """Begin to do this in a process of its own; its id."""
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        act()
        code = 0
    finally:
        if code:
            traceback.print_exc()
        os._exit(code)


def ticks(case: Case, home: DataHome, root: Path) -> bool:
    """Late ticks of the window, idle and while it drains, in turn."""
    from sulcus_panel.service.operations import Operations
    from sulcus_panel.ui.app import application_and_loop, build_app
    from sulcus_panel.ui.collector import COLLECT_MS, Collector
    from sulcus_panel.ui.models.columns import LedgerColumn
    from sulcus_panel.ui.theme import ThemeSwitch

    with Operations.open(home) as operations:
        (workspace,) = operations.workspaces()
    application, loop = application_and_loop()
    app = build_app(home, workspace, loop, ThemeSwitch(application))
    collector = Collector()
    app.window.resize(1440, 900)
    app.window.show()
    app.start()
    if case.is_sorted:
        app.window.model.sort(LedgerColumn.TARGET)
    loop.run_until_complete(asyncio.sleep(COLLECT_MS / 1000 + 1))
    idle, busy = [], []
    for number in range(case.pairs):
        idle.append(ticked(loop, case.seconds))
        writer = forked(partial(leave_apart, home, root, number, case.events))
        busy.append(ticked(loop, case.seconds))
        os.waitpid(writer, 0)
        loop.run_until_complete(drained(home))
    collector.stop()
    app.close()
    app.window.deleteLater()
    loop.close()
    print(f"late ticks in {case.seconds:.0f} s, {case.pairs} pairs, {case.title}:")
    print(f"    idle     {said(idle)}")
    print(f"    draining {said(busy)} (limits: median no more than idle, longest {LONGEST_MS} ms)")
    more = statistics.median(late for late, _ in busy) - statistics.median(late for late, _ in idle)
    return more <= 0 and max(longest for _, longest in busy) <= LONGEST_MS


def said(runs: Sequence[tuple[int, float]]) -> str:
    """Counts and longest of some runs, in words."""
    counts = [late for late, _ in runs]
    longest = max(longest for _, longest in runs)
    return f"median {statistics.median(counts):.0f}, most {max(counts)}, longest {longest:.0f} ms"


def leave_apart(home: DataHome, root: Path, number: int, events: int) -> None:
    """Like agents' hooks, in a session of its own: Linux shares the processors among sessions."""
    os.setsid()
    leave(home, root, number, events)


async def drained(home: DataHome) -> None:
    """Until nothing waits."""
    while waiting(home):
        await asyncio.sleep(0.02)


def ticked(loop: asyncio.AbstractEventLoop, seconds: float) -> tuple[int, float]:
    """How many ticks of the window came more than LATE_MS late, and by how many ms the latest did."""
    from PySide6.QtCore import QElapsedTimer, Qt, QTimer

    spent, lateness = QElapsedTimer(), list[float]()
    timer = QTimer()
    timer.setTimerType(Qt.TimerType.PreciseTimer)

    def on_tick() -> None:
        lateness.append(spent.nsecsElapsed() / 1e6 - TICK_MS)
        spent.restart()

    timer.timeout.connect(on_tick)
    spent.start()
    timer.start(TICK_MS)
    loop.run_until_complete(asyncio.sleep(seconds))
    timer.stop()
    return sum(late > LATE_MS for late in lateness), max(lateness)


if __name__ == "__main__":
    sys.exit(main())
