"""The capture hook against an interpreter that does nothing, pair by pair; exits 1 above the limit.

Prints the median of the ratios for a 50 KB file: as Claude Code starts it, by its argv, and as a plain script; and
for a patch of ten such files.
"""

import json
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.timing import Cost, measured, ratio_of
from sulcus_panel.core.capture.install.hook_command import hook_command, shell_line

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
        argv = hook_command("claude-code", spool)
        floor = [*argv[:4], "-c", "pass"]
        hook_cost(argv, payload)
        ratio = compare("hook as installed, by way of a shell", by_shell(argv), floor, payload)
        compare("hook by argv", argv, floor, payload)
        compare("hook as a plain script", [*argv[:4], *argv[6:]], floor, payload)
        payload.write_text(json.dumps(patch_of_ten(Path(folder))))
        compare("hook of a patch of ten files", by_shell(hook_command("codex", spool)), floor, payload)
        spooled = len(os.listdir(spool / "new"))
    if spooled != 4 * PAIRS + 1:
        print(f"only {spooled} of {4 * PAIRS + 1} events were spooled")
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


def by_shell(argv: Sequence[str]) -> list[str]:
    """As a harness that has one line starts it."""
    return ["/bin/sh", "-c", shell_line(argv)]


def patch_of_ten(folder: Path) -> dict[str, object]:
    """A PreToolUse of Codex's apply_patch on ten files of FILE_BYTES each."""
    lines = ["*** Begin Patch"]
    for number in range(10):
        (folder / f"{number}.py").write_bytes(b"value = 1  # a line\n" * (FILE_BYTES // 20))
        lines += [f"*** Update File: {number}.py", "@@", "-value = 1  # a line", "+value = 2"]
    given = {"command": "\n".join([*lines, "*** End Patch"])}
    return {**event(folder / "x"), "tool_name": "apply_patch", "tool_input": given}


def compare(name: str, command: Sequence[str], floor: Sequence[str], payload: Path) -> float:
    """Print and return the median CPU ratio of pairs run one after the other."""
    pairs = [(hook_cost(command, payload), hook_cost(floor, payload)) for _ in range(PAIRS)]
    ratio = ratio_of(pairs)
    print(f"{name}: {ratio} (`python -I -S -E -c pass`)")
    return ratio.cpu


def hook_cost(command: Sequence[str], payload: Path) -> Cost:
    """One process with the payload on stdin, spooling where its argv says."""
    environment = {key: value for key, value in os.environ.items() if key != "SULCUS_HOME"}
    return measured(command, payload, environment)


if __name__ == "__main__":
    sys.exit(main())
