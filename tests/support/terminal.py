"""The program as a person starts it: a real process, a real ledger, answers on stdin."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Answer:
    """What one command line came to."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        return json.loads(self.out)


def environment(home: Path | None = None) -> Mapping[str, str]:
    """The test's own, this checkout on the path, and where wanted another data folder."""
    chosen = {} if home is None else {"SULCUS_HOME": str(home)}
    return {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), **chosen}


def sulcus(*args: str, cwd: Path | None = None, stdin: str = "", home: Path | None = None) -> Answer:
    """Run `sulcus-panel ARGS` and wait for it."""
    done = subprocess.run(
        [sys.executable, "-m", "sulcus_panel", *args],
        cwd=cwd,
        input=stdin.encode(),
        capture_output=True,
        check=False,
        timeout=60,
        env=environment(home),
    )
    return Answer(done.returncode, done.stdout.decode(), done.stderr.decode())
