"""Past runs of Windsurf, from the trajectories that Cascade keeps."""

import os
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

from sulcus_panel.core.capture.harnesses.windsurf.live import Windsurf
from sulcus_panel.core.capture.harnesses.windsurf.trajectories import folder_in, read_trajectories
from sulcus_panel.core.capture.past.changed_files import ChangedFiles
from sulcus_panel.core.capture.past.entries import Importing, NoBackups, imported_run
from sulcus_panel.core.capture.past.importer import Wanted, every_file
from sulcus_panel.core.capture.past.into_ledger import ImportedRun
from sulcus_panel.core.capture.past.path_map import is_among, names_of
from sulcus_panel.core.capture.past.run_files import files_in, oldest_first

_FILES = "*.jsonl"


class WindsurfRuns:
    """The importer for `windsurf`."""

    harness = Windsurf.harness
    files = "trajectories (.jsonl) or their folder"

    def home(self, environment: Mapping[str, str]) -> Path:  # noqa: ARG002 - no variable moves it
        """`~/.windsurf`."""
        return Path(os.path.expanduser("~")) / ".windsurf"

    def find(self, home: Path, root: str, wanted: Wanted = every_file) -> tuple[Path, ...]:
        """The trajectories that took place at or below `root`, oldest first."""
        names = names_of(root)
        found = filter(wanted, files_in([home / "transcripts"], _FILES))
        return oldest_first(path for path in found if is_among(folder_in(path), names))

    def growth(self, home: Path, root: str, since: datetime) -> ChangedFiles:
        """Watch these files as a whole."""
        return ChangedFiles(partial(self.find, home, root), since)

    def read(self, paths: Sequence[Path], importing: Importing, home: Path | None) -> ImportedRun:  # noqa: ARG002 - it keeps no backups
        """Read these trajectories."""
        return imported_run(read_trajectories(files_in(paths, _FILES)), importing, NoBackups())
