"""Past runs of Codex, and those that still go on, from its rollouts: Code Mode tells nothing to hooks."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from sulcus_panel.core.capture.harnesses.codex.live import Codex
from sulcus_panel.core.capture.harnesses.codex.places import find_rollouts, rollouts_in
from sulcus_panel.core.capture.harnesses.codex.rollout import read_rollouts
from sulcus_panel.core.capture.harnesses.codex.tail import RolloutTail
from sulcus_panel.core.capture.past.entries import Importing, NoBackups, imported_run
from sulcus_panel.core.capture.past.into_ledger import ImportedRun


class CodexRuns:
    """The importer for `codex`; remembers in which folder each rollout began."""

    harness = Codex.harness
    files = "rollout files (.jsonl) or their folder"

    def __init__(self) -> None:
        self._began_in: dict[str, str] = {}

    def home(self, environment: Mapping[str, str]) -> Path:
        """CODEX_HOME, else `~/.codex`."""
        given = environment.get("CODEX_HOME")
        return Path(given) if given else Path(os.path.expanduser("~")) / ".codex"

    def find(self, home: Path, root: str) -> tuple[Path, ...]:
        """The rollouts of all threads that ran at or below `root`, archived ones included, oldest file first."""
        return find_rollouts(home, root, self._began_in)

    def follow(self, home: Path, root: str, since: float) -> RolloutTail:
        """Follow those of them that were written to since then."""
        return RolloutTail(lambda: find_rollouts(home, root, self._began_in, since))

    def read(self, paths: Sequence[Path], importing: Importing, home: Path | None) -> ImportedRun:  # noqa: ARG002 - Codex keeps no backups
        """Read these rollouts."""
        return imported_run(read_rollouts(rollouts_in(paths)), importing, NoBackups())
