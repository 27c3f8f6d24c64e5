"""What the end-to-end test of the tee does not show: ends that go away, left-behind processes, foreign signals."""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import IO

import pytest

from sulcus_panel.core.errors import NotFound
from sulcus_panel.service.acp import end_like, run_between
from tests.support.terminal import environment

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="written for a shell")


def between(script: str) -> Sequence[str]:
    return [sys.executable, "-m", "sulcus_panel", "acp", "--", "sh", "-c", script]


def run(script: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        between(script), input=stdin, capture_output=True, check=False, timeout=60, env=environment()
    )


def test_what_comes_without_a_line_end_goes_on_at_once() -> None:
    process = subprocess.Popen(
        between("printf half; read answer; printf $answer"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(),
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert os.read(process.stdout.fileno(), 100) == b"half"
    process.stdin.write(b"whole\n")
    process.stdin.close()
    assert process.stdout.read() == b"whole"
    assert process.wait(60) == 0
    process.stdout.close()


def test_a_line_longer_than_anything_is_passed_on_whole() -> None:
    data = b"\r" * 1000 + b"x" * 5_000_000 + b"\n\n\r\n" + b"y" * 70_000
    done = run("cat", data)
    assert (done.stdout == data, done.returncode, done.stderr) == (True, 0, b"")


def test_an_agent_that_leaves_a_process_behind_has_ended_all_the_same() -> None:
    done = run("sleep 30 >/dev/null 2>&1 <&- & sleep 30 2>/dev/null & echo $!; exit 3")
    os.kill(int(done.stdout), 9)
    assert done.returncode == 3


def test_an_editor_that_reads_no_more_is_noticed_by_the_agent() -> None:
    process = subprocess.Popen(
        between("exec yes"), stdout=subprocess.PIPE, stdin=subprocess.PIPE, env=environment()
    )
    assert process.stdout is not None
    assert process.stdin is not None
    assert process.stdout.read(4) == b"y\ny\n"
    process.stdout.close()
    assert process.wait(60) == -13
    process.stdin.close()


DEAF = """
import os, signal
signal.signal(signal.SIGTERM, lambda *_: os._exit(4))
os.close(0)
os.write(1, b"ready\\n")
while True:
    signal.pause()
"""


def test_an_agent_that_hears_no_more_is_noticed_by_the_editor() -> None:
    command = [sys.executable, "-m", "sulcus_panel", "acp", "--", sys.executable, "-c", DEAF]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stdin=subprocess.PIPE, env=environment(), bufsize=0
    )
    assert process.stdout is not None
    assert process.stdin is not None
    assert process.stdout.readline() == b"ready\n"
    with pytest.raises(BrokenPipeError):
        _write_for_ever(process.stdin)
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) == 4
    process.stdout.close()
    process.stdin.close()


def _write_for_ever(stream: IO[bytes]) -> None:
    while True:
        stream.write(b"x" * 65_536 + b"\n")


def test_an_exit_code_is_kept_and_what_cannot_be_started_is_said(tmp_path: Path) -> None:
    assert end_like(0) == 0
    assert end_like(9) == 9
    with pytest.raises(NotFound, match="no-such-agent"):
        run_between(["no-such-agent"], tmp_path)
