"""`sulcus-panel acp -- COMMAND…`: stands between an editor and its ACP agent, and passes every byte on as it is.

Bytes go on as they come, half lines too; only before the end of a line after which the editor would change a file
they wait until the file has been looked at. The agent's stderr, exit code and signals are its own.
"""

import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO

from sulcus_panel.core.errors import NotFound
from sulcus_panel.service.acp_scribe import MAX_LINE, Scribe

CHUNK = 1 << 16
STILL_SECONDS = 0.2
"""So long nothing comes where an agent has ended and said all."""
PASSED_ON = tuple(
    getattr(signal, name)
    for name in ("SIGTERM", "SIGHUP", "SIGINT", "SIGUSR1", "SIGUSR2")
    if hasattr(signal, name)
)


def run_between(command: Sequence[str], spool: Path) -> int:
    """Run the agent with our stdin and stdout between, until it ends; its exit code, or minus its signal.

    Raises:
        NotFound: the command cannot be started.
    """
    try:
        agent = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    except OSError as error:
        raise NotFound(f"{command[0]} cannot be started", error.strerror or str(error)) from error
    for number in PASSED_ON:
        signal.signal(number, lambda got, _frame: agent.send_signal(got))
    scribe = Scribe(spool)
    scribe.start()
    if agent.stdin is None or agent.stdout is None:
        raise AssertionError("the pipes were asked for")
    _Way(0, agent.stdin, _Lines(scribe, from_agent=False)).start()
    answers = _Way(agent.stdout, 1, _Lines(scribe, from_agent=True))
    answers.start()
    code = agent.wait()
    answers.finish()
    scribe.close()
    return code


def end_like(code: int) -> int:
    """The exit code for us; where the agent was ended by a signal, we end by the same."""
    if code >= 0 or sys.platform == "win32":
        return code
    signal.signal(-code, signal.SIG_DFL) if -code not in (signal.SIGKILL, signal.SIGSTOP) else None
    os.kill(os.getpid(), -code)
    return 128 - code


class _Lines:
    """Cuts one direction's bytes at the ends of lines for the scribe."""

    def __init__(self, scribe: Scribe, *, from_agent: bool) -> None:
        self._scribe = scribe
        self._from_agent = from_agent
        self._begun: list[bytes] = []
        self._size = 0

    def split(self, data: bytes) -> list[tuple[bytes, Callable[[], None] | None]]:
        """The parts of what came, each with what is to be done before it is passed on."""
        parts: list[tuple[bytes, Callable[[], None] | None]] = []
        for part in _at_lf(data):
            self._size += len(part)
            if self._size <= MAX_LINE:
                self._begun.append(part)
            if not part.endswith(b"\n"):
                parts.append((part, None))
                continue
            parts.append((part, self._line(b"".join(self._begun), is_whole=self._size <= MAX_LINE)))
            self._begun, self._size = [], 0
        return parts

    def _line(self, line: bytes, *, is_whole: bool) -> Callable[[], None]:
        def note() -> None:
            if is_whole:
                self._scribe.line(line, from_agent=self._from_agent)
            else:
                self._scribe.missed()

        return note


def _at_lf(data: bytes) -> list[bytes]:
    lines = [line + b"\n" for line in data.split(b"\n")]
    lines[-1] = lines[-1][:-1]
    return [line for line in lines if line]


class _Way(threading.Thread):
    """One direction, until one of both ends is closed: then the other learns it as it would have without us."""

    def __init__(self, source: IO[bytes] | int, target: IO[bytes] | int, lines: _Lines) -> None:
        super().__init__(name="acp-way", daemon=True)
        self._source = source
        self._target = target
        self._lines = lines
        self._is_reading = True

    def run(self) -> None:
        """Pass on what comes."""
        source, target = _number(self._source), _number(self._target)
        try:
            while data := os.read(source, CHUNK):
                self._is_reading = False
                for part, before in self._lines.split(data):
                    if before is not None:
                        before()
                    _write_all(target, part)
                self._is_reading = True
        except OSError:
            pass  # who read is gone: who writes gets the same answer from us
        _close(self._source)
        _close(self._target)

    def finish(self) -> None:
        """Wait for what is still on its way. A process that the agent left behind may hold the pipe open."""
        while self.is_alive():
            self.join(STILL_SECONDS)
            if self._is_reading and self.is_alive() and not _has_more(self._source):
                return


def _number(end: IO[bytes] | int) -> int:
    return end if isinstance(end, int) else end.fileno()


def _has_more(end: IO[bytes] | int) -> bool:
    if sys.platform == "win32":
        return False
    try:
        return bool(select.select([end], [], [], 0)[0])
    except (OSError, ValueError):
        return False  # it is closed


def _write_all(target: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(target, rest) :]


def _close(end: IO[bytes] | int) -> None:
    """Close an end; one of our own standard streams stays taken, so that no file gets its number."""
    if not isinstance(end, int):
        end.close()
        return
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, end)
    os.close(nowhere)
