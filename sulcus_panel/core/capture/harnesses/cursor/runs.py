"""Past runs of Cursor, from its agent transcripts: little is in them, and the import says so."""

import os
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

from sulcus_panel.core.capture.harnesses.cursor.live import Cursor
from sulcus_panel.core.capture.harnesses.cursor.transcripts import folder_in, project_key, read_transcripts
from sulcus_panel.core.capture.past.changed_files import ChangedFiles
from sulcus_panel.core.capture.past.entries import Importing, NoBackups, imported_run
from sulcus_panel.core.capture.past.importer import Wanted, every_file
from sulcus_panel.core.capture.past.into_ledger import ImportedRun
from sulcus_panel.core.capture.past.path_map import is_among, names_of
from sulcus_panel.core.capture.past.run_files import files_in, oldest_first

_FILES = "*.jsonl"


class CursorRuns:
    """The importer for `cursor`."""

    harness = Cursor.harness
    files = "agent transcripts (.jsonl) or their folder"

    def home(self, environment: Mapping[str, str]) -> Path:  # noqa: ARG002 - no variable moves it
        """`~/.cursor`."""
        return Path(os.path.expanduser("~")) / ".cursor"

    def find(self, home: Path, root: str, wanted: Wanted = every_file) -> tuple[Path, ...]:
        """The transcripts of all runs at or below `root`, oldest first."""
        keys = [project_key(name) for name in (root, os.path.realpath(root))]
        names = names_of(root)
        found = [
            path
            for folder in sorted((home / "projects").glob("*/agent-transcripts"))
            if any(folder.parent.name == key or folder.parent.name.startswith(f"{key}-") for key in keys)
            for path in filter(wanted, files_in([folder], _FILES))
            if folder.parent.name in keys or is_among(folder_in(path), names)
        ]
        return oldest_first(found)

    def growth(self, home: Path, root: str, since: datetime) -> ChangedFiles:
        """Watch these files, each once it is at rest."""
        return ChangedFiles(partial(self.find, home, root), since, at_rest=True)

    def read(self, paths: Sequence[Path], importing: Importing, home: Path | None) -> ImportedRun:  # noqa: ARG002 - it keeps no backups
        """Read these transcripts."""
        return imported_run(read_transcripts(files_in(paths, _FILES)), importing, NoBackups())
