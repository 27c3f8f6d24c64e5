"""Empties the spool in a process of its own, so that the window has its interpreter, and its processor, for itself.

The process ends when its standard input does, however the window ends. It is no more than a help: it takes the
same lock as everybody who drains, and where it does not run the window's own threads drain.
"""

import json
import os
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path

from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.service.bus import ChangeBus
from sulcus_panel.service.changes import Changes
from sulcus_panel.service.follower import Follower
from sulcus_panel.service.operations import Operations

POLL_SECONDS = 0.1
LOOK_SECONDS = 0.02
END_SECONDS = 5.0
"""How long the process has to end by itself; a kill loses nothing."""
BEGIN = "from sulcus_panel.service.spool_worker import main; main()"


class SpoolWorker:
    """The process, and what it has to say, told on `bus`. `start()` once; `stop()` waits for its end."""

    def __init__(self, home: DataHome, bus: ChangeBus) -> None:
        self._home = home
        self._bus = bus
        self._process: subprocess.Popen[bytes] | None = None
        self._listener = threading.Thread(target=self._listen, name="spool-worker", daemon=True)

    def start(self) -> None:
        """Begin; where no process can be begun there is none."""
        packages = str(Path(__file__).parents[2])
        found = os.environ.get("PYTHONPATH")
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", BEGIN, str(self._home.root)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": os.pathsep.join([packages, *([found] if found else [])])},
                start_new_session=True,  # Linux shares the processors among sessions, and Ctrl+C is the window's
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except OSError:
            return
        self._listener.start()

    def stop(self) -> None:
        """Have it end and wait for that."""
        process, self._process = self._process, None
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        try:
            process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        self._listener.join()
        if process.stdout is not None:
            process.stdout.close()

    def leave_it(self, stopping: threading.Event, seconds: float) -> None:
        """Give it so much time for what is in the spool, so that nobody else has to drain."""
        until = time.monotonic() + seconds
        while self._is_running and self._is_waiting and time.monotonic() < until:
            if stopping.wait(LOOK_SECONDS):
                return

    @property
    def pid(self) -> int | None:
        """The process, None where none was begun."""
        return None if self._process is None else self._process.pid

    @property
    def _is_running(self) -> bool:
        process = self._process
        return process is not None and process.poll() is None

    @property
    def _is_waiting(self) -> bool:
        try:
            return bool(os.listdir(self._home.spool_new))
        except OSError:
            return False  # whoever drains says what is wrong with it

    def _listen(self) -> None:
        process = self._process
        if process is None or process.stdout is None:
            return
        for line in process.stdout:
            self._bus.publish(Changes(touched=None, governance=True, notice=json.loads(line)))


class _Drainer(Follower):
    """What the process does."""

    def begin(self, operations: Operations) -> None:
        operations.bus.subscribe(_say)

    def run_round(self, operations: Operations) -> None:
        if not self.stopping.wait(POLL_SECONDS):
            operations.drain(rest=self._goes_on)

    def _goes_on(self) -> bool:
        return not self.stopping.is_set()


def main() -> None:
    """Drain the spool of the data home that is named until standard input ends."""
    home, bus = DataHome(Path(sys.argv[1])), ChangeBus()
    bus.subscribe(_say)
    drainer = _Drainer("drainer", partial(Operations.open, home), bus)
    drainer.start()
    sys.stdin.buffer.read()
    drainer.stop()


def _say(changes: Changes) -> None:
    """Tell of what was recorded or recovered; of trouble with the ledger the window knows by itself."""
    if changes.notice and changes.governance:
        sys.stdout.write(json.dumps(changes.notice) + "\n")
        sys.stdout.flush()
