"""Thirty changes to one file of 50 KB, each an entry of a ledger and a commit of a repository of 5,000 files.

Both sides of a comparison start from exactly this in every round: a ledger that grew by the rounds before
would be measured longer each time.
"""

import os
import shutil
import subprocess
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks.edits import edit_of
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.model import LedgerPath
from sulcus_panel.service.operations import Operations

LINES = 1250
OTHER_FILES = 5000
CHANGES = 30
NAME = LedgerPath("module.py")
IDENTITY = {
    f"GIT_{role}_{part}": "bench@example.org"
    for role in ("AUTHOR", "COMMITTER")
    for part in ("NAME", "EMAIL")
}


@dataclass(frozen=True, slots=True)
class History:
    """The same changes in a work tree, a ledger and a repository; `commits[n]` made entry n + 1."""

    folder: Path
    commits: tuple[str, ...]

    @property
    def root(self) -> Path:
        """The work tree."""
        return self.folder / "work"

    @property
    def file(self) -> Path:
        """The one file that the changes are of."""
        return self.root / NAME

    @property
    def home(self) -> DataHome:
        """The ledger that a round may change."""
        return DataHome(self.folder / "data")

    @classmethod
    def make(cls, folder: Path) -> "History":
        """Make everything below `folder`."""
        root = folder / "work"
        root.mkdir()
        git(root, "init", "-q")
        lines = [b"value_%04d = %d  # a line of some length\n" % (n, n) for n in range(LINES)]
        (root / NAME).write_bytes(b"".join(lines))
        for number in range(OTHER_FILES):
            other = root / f"package_{number % 100}" / f"module_{number}.py"
            other.parent.mkdir(exist_ok=True)
            other.write_text(f"value = {number}\n")
        git(root, "add", ".")
        git(root, "commit", "-qm", "start")
        with Operations.open(DataHome(folder / "untouched")) as operations:
            workspace = operations.register(root)
            commits = [
                _change(operations, workspace.id, root, lines, number) for number in range(1, CHANGES + 1)
            ]
        history = cls(folder, tuple(commits))
        history.restore()
        return history

    def restore(self) -> None:
        """Bring ledger, work tree and branch back to where they were."""
        shutil.rmtree(self.home.root, ignore_errors=True)
        shutil.copytree(self.folder / "untouched", self.home.root)
        git(self.root, "reset", "--hard", "-q", self.commits[-1])


def _change(operations: Operations, workspace_id: int, root: Path, lines: list[bytes], number: int) -> str:
    before = b"".join(lines)
    lines[number * 40] = b"changed_%04d = True\n" % number
    after = b"".join(lines)
    (root / NAME).write_bytes(after)
    entry, contents = edit_of(NAME, before, after)
    at = datetime.now(UTC) - timedelta(hours=1) + timedelta(seconds=number)
    operations.ledger.append(workspace_id, replace(entry, uid=str(number), at=at), contents=contents)
    git(root, "commit", "-qam", str(number))
    return git(root, "rev-parse", "HEAD")


def git_environment() -> dict[str, str]:
    """No configuration but a name to commit under."""
    return {**os.environ, **IDENTITY, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}


def git(root: Path, *args: str) -> str:
    """Run git and return what it says."""
    done = subprocess.run(
        ["git", "-C", str(root), *args], check=True, capture_output=True, text=True, env=git_environment()
    )
    return done.stdout.strip()
