"""The looks before and after a command against what an agent may wait: 2 x `git status` and an interpreter's start.

Pair by pair, on 5,000 and on 50,000 files, cold (no baseline yet) and warm; a command that only reads against an
event that looks at nothing. Exits 1 above a limit. `python -m benchmarks.shell [files …]`
"""

import json
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.timing import measured
from sulcus_panel.core.capture.install.hook_command import hook_command

SIZES = (5_000, 50_000)
ROUNDS, COLD_ROUNDS, PLAIN_ROUNDS = 15, 7, 40
FILES_A_FOLDER = 25
PLAIN_LIMIT = 1.15


@dataclass
class Bench:
    """One tree, one data home, and the waits as measured."""

    tree: Path
    home: Path
    waits: dict[str, list[float]] = field(default_factory=dict)

    def hook(self, name: str, event: str, call: str, command: str = "make") -> float:
        """One hook process; its wall time is kept under `name`."""
        payload = self.home.parent / "payload.json"
        body = {"session_id": "s", "cwd": str(self.tree), "hook_event_name": event, "tool_name": "Bash"}
        payload.write_text(json.dumps({**body, "tool_input": {"command": command}, "tool_use_id": call}))
        argv = hook_command("claude-code", self.home / "spool")
        wall = measured(argv, payload, _environment()).wall
        self.waits.setdefault(name, []).append(wall)
        self.settle()
        return wall

    def settle(self) -> None:
        """Wait for what a hook left running, so that it is not charged to what comes next."""
        while any(str(self.home).encode() in _command_line(number) for number in os.listdir("/proc")):
            time.sleep(0.005)

    def limit(self) -> float:
        """What the agent may wait: measured now, beside the hook."""
        git, python = shutil.which("git") or "git", hook_command("claude-code", self.home)[0]
        status = measured([git, "-C", str(self.tree), "status"], environment=_environment(), quiet=True).wall
        start = measured([python, "-I", "-S", "-E", "-c", "pass"], quiet=True).wall
        self.waits.setdefault("git status", []).append(status)
        self.waits.setdefault("interpreter", []).append(start)
        return 2 * status + start


def main() -> int:
    """Print the medians; 1 where one is over its limit."""
    sizes = tuple(map(int, sys.argv[1:])) or SIZES
    return max([_looks(size) for size in sizes] + [_reading()])


def _looks(size: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder) / "tree", Path(folder) / "home")
        _plant(bench.tree, size)
        ratios: dict[str, list[float]] = {}
        for number in range(COLD_ROUNDS + ROUNDS):
            is_cold = number < COLD_ROUNDS
            if is_cold:
                shutil.rmtree(bench.home / "baselines", ignore_errors=True)
            kind = "cold" if is_cold else "warm"
            before = bench.hook(f"before, {kind}", "PreToolUse", f"c{number}")
            ratios.setdefault(f"before, {kind}", []).append(before / bench.limit())
            for changed in range(3):
                (bench.tree / f"d0/f{changed}").write_text(f"{number} {time.time_ns()}\n")
            after = bench.hook("after", "PostToolUse", f"c{number}")
            ratios.setdefault("after", []).append(after / bench.limit())
    return _told(f"{size:,} files", bench.waits, ratios, 1.0)


def _reading() -> int:
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder) / "tree", Path(folder) / "home")
        _plant(bench.tree, FILES_A_FOLDER)
        pairs = []
        for number in range(PLAIN_ROUNDS):
            reading = bench.hook("rg", "PreToolUse", f"c{number}", "rg -n value src | head -20")
            pairs.append(reading / bench.hook("nothing to look at", "Stop", f"c{number}"))
    return _told("a command that only reads", bench.waits, {"rg": pairs}, PLAIN_LIMIT)


def _told(
    title: str, waits: Mapping[str, list[float]], ratios: Mapping[str, list[float]], limit: float
) -> int:
    print(title)
    for name, walls in waits.items():
        share = f", {statistics.median(ratios[name]):.2f} x the limit" if name in ratios else ""
        print(f"  {name}: {statistics.median(walls) * 1e3:.0f} ms{share}")
    worst = max(statistics.median(pairs) for pairs in ratios.values())
    print(f"  limit {limit:.2f}: {'met' if worst <= limit else 'MISSED'}")
    return int(worst > limit)


def _plant(tree: Path, size: int) -> None:
    """A repository with so many tracked files, and a hundred that it ignores."""
    for number in range(size):
        folder = tree / f"d{number // FILES_A_FOLDER}"
        if number % FILES_A_FOLDER == 0:
            folder.mkdir(parents=True)
        (folder / f"f{number % FILES_A_FOLDER}").write_text(f"value = {number}\n" * 20)
    (tree / ".gitignore").write_text("dist/\n")
    (tree / "dist").mkdir()
    for number in range(100):
        (tree / f"dist/{number}.js").write_text(f"made({number})\n" * 50)
    git = shutil.which("git") or "git"
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-q", "-m", "one"), ("status",)):
        measured([git, "-C", str(tree), *words], environment=_environment(), quiet=True)


def _environment() -> Mapping[str, str]:
    who = {
        f"GIT_{role}_{what}": "a@example.org"
        for role in ("AUTHOR", "COMMITTER")
        for what in ("NAME", "EMAIL")
    }
    kept = {key: value for key, value in os.environ.items() if key != "SULCUS_HOME"}
    return {**kept, **who, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}


def _command_line(number: str) -> bytes:
    try:
        return Path("/proc", number, "cmdline").read_bytes() if number.isdecimal() else b""
    except OSError:
        return b""


if __name__ == "__main__":
    sys.exit(main())
