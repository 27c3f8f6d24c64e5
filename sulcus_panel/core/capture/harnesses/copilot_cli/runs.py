"""Past runs of Copilot CLI, from its session files."""

import os
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

from sulcus_panel.core.capture.harnesses.copilot_cli.events import read_sessions
from sulcus_panel.core.capture.harnesses.copilot_cli.live import CopilotCli
from sulcus_panel.core.capture.harnesses.copilot_cli.places import find_sessions, sessions_in
from sulcus_panel.core.capture.past.changed_files import ChangedFiles
from sulcus_panel.core.capture.past.entries import Importing, NoBackups, imported_run
from sulcus_panel.core.capture.past.importer import Wanted, every_file
from sulcus_panel.core.capture.past.into_ledger import ImportedRun


class CopilotCliRuns:
    """The importer for `copilot-cli`."""

    harness = CopilotCli.harness
    files = "session files (events.jsonl) or their folder"

    def home(self, environment: Mapping[str, str]) -> Path:
        """COPILOT_HOME, else `~/.copilot`."""
        given = environment.get("COPILOT_HOME")
        return Path(given) if given else Path(os.path.expanduser("~")) / ".copilot"

    def find(self, home: Path, root: str, wanted: Wanted = every_file) -> tuple[Path, ...]:
        """The sessions that began at or below `root`, oldest file first."""
        return find_sessions(home, root, wanted)

    def growth(self, home: Path, root: str, since: datetime) -> ChangedFiles:
        """Watch these files as a whole."""
        return ChangedFiles(partial(self.find, home, root), since)

    def read(self, paths: Sequence[Path], importing: Importing, home: Path | None) -> ImportedRun:  # noqa: ARG002 - its snapshots are not read
        """Read these sessions."""
        return imported_run(read_sessions(sessions_in(paths)), importing, NoBackups())
