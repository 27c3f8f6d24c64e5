"""The capture hook against an interpreter that does nothing, pair by pair; exits 1 above the limit.

CPU time (user + system) of each child, by wait4: steadier than wall time on a busy machine. Prints the median
of the ratios for a 50 KB file, and for the same hook as a plain script.
"""

import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from sulcus_panel.core.capture.hooks_config import hook_command

PAIRS = 60
FILE_BYTES = 50_000
LIMIT = 1.2


def main() -> int:
    """Print the ratios; 1 where the hook costs more than LIMIT times the floor."""
    with tempfile.TemporaryDirectory() as folder:
        spool = Path(folder) / "spool"
        target, payload = Path(folder) / "target.py", Path(folder) / "payload.json"
        target.write_bytes(b"value = 1  # a line\n" * (FILE_BYTES // 20))
        payload.write_text(json.dumps(event(target)))
        installed = hook_command("claude-code", spool)
        floor = [*installed[:4], "-c", "pass"]
        script = [*installed[:4], *installed[6:]]
        measured(installed, payload)
        ratio = compare("hook as installed", installed, floor, payload)
        compare("hook as a plain script", script, floor, payload)
        spooled = len(os.listdir(spool / "new"))
    if spooled != 2 * PAIRS + 1:
        print(f"only {spooled} of {2 * PAIRS + 1} events were spooled")
        return 1
    print(f"limit {LIMIT:.2f}: {'met' if ratio <= LIMIT else 'MISSED'}")
    return int(ratio > LIMIT)


def event(target: Path) -> dict[str, object]:
    """A PreToolUse of an Edit."""
    return {
        "session_id": "00000000-0000-4000-8000-000000000000",
        "cwd": str(target.parent),
        "hook_event_name": "PreToolUse",
        "tool_name": "Edit",
        "tool_input": {"file_path": str(target), "old_string": "value = 1", "new_string": "value = 2"},
        "tool_use_id": "toolu_0001",
    }


def compare(name: str, command: Sequence[str], floor: Sequence[str], payload: Path) -> float:
    """The median CPU ratio of pairs run one after the other, so that both meet the same load."""
    pairs = [(measured(command, payload), measured(floor, payload)) for _ in range(PAIRS)]
    cpu = statistics.median(one[0] / other[0] for one, other in pairs)
    wall = statistics.median(one[1] / other[1] for one, other in pairs)
    base = statistics.median(other[0] for _, other in pairs)
    print(f"{name}: {cpu:.2f} x the CPU, {wall:.2f} x the time of `python -c pass` ({base * 1e3:.1f} ms CPU)")
    return cpu


def measured(command: Sequence[str], payload: Path) -> tuple[float, float]:
    """CPU and wall seconds of one process with the payload on stdin."""
    environment = {key: value for key, value in os.environ.items() if key != "SULCUS_HOME"}
    handle = os.open(payload, os.O_RDONLY)
    began = time.perf_counter()
    child = os.posix_spawn(
        command[0], list(command), environment, file_actions=[(os.POSIX_SPAWN_DUP2, handle, 0)]
    )
    os.close(handle)
    _, status, used = os.wait4(child, 0)
    wall = time.perf_counter() - began
    if status != 0:
        raise SystemExit(f"{command[0]} ended with {status}")
    return used.ru_utime + used.ru_stime, wall


if __name__ == "__main__":
    sys.exit(main())
