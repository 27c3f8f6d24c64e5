"""The same kills from outside: strace ends a whole process at each of its real system calls, SQLite's included."""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

from sulcus_panel.core.undo.recover import recover
from tests.support.sweep import Stage

CALLS = (
    *("write", "pwrite64", "fsync", "fdatasync", "ftruncate", "fallocate", "rename", "renameat2", "unlink"),
    *("unlinkat", "mkdir", "mkdirat", "rmdir", "symlinkat", "linkat", "fchmod", "fsetxattr", "fchown"),
)
"""System calls after which a disk is another."""
ROOT = Path(__file__).resolve().parents[2]


def can_trace() -> bool:
    """Whether strace is installed and may be used."""
    tool = shutil.which("strace")
    return (
        tool is not None
        and not subprocess.run([tool, "-qq", "true"], check=False, capture_output=True).returncode
    )


def sweep_system_calls(stage: Stage, counts: Counter[str], *, most: int) -> None:
    """Kill the process at up to `most` of its system calls, evenly; where strace is missing, say so."""
    if not can_trace():
        counts["strace is not there: nothing was tried"] = 1
        return
    stage.reset()
    log = stage.place.with_name("calls")
    assert _undo(stage, "-o", str(log), "-e", f"trace={','.join(CALLS)}") == 0
    made = Counter(re.findall(r"^\d+ +(\w+)\(", log.read_text(errors="replace"), re.MULTILINE))
    points = [(call, number) for call in CALLS for number in range(1, made[call] + 1)]
    for call, number in points[:: max(1, len(points) // most)]:
        stage.reset()
        inject = f"inject={call}:signal=SIGKILL:when={number}"
        code = _undo(stage, "-o", os.devnull, "-e", f"trace={call}", "-e", inject)
        bench = stage.opened()
        recover(bench.ledger)
        done = stage.check(bench, f"killed at {call} {number}")
        bench.close()
        counts["kills at system calls" if code in {-signal.SIGKILL, 137} else "calls not reached again"] += 1
        counts["kills at system calls: all after" if done else "kills at system calls: all before"] += 1


def _undo(stage: Stage, *options: str) -> int:
    numbers = [str(seq_id) for seq_id in stage.seq_ids]
    command = [sys.executable, "-B", "-m", "tests.support.one_undo", str(stage.place), *numbers]
    return subprocess.run(
        ["strace", "-f", "-qq", *options, *command], check=False, cwd=ROOT, capture_output=True
    ).returncode
