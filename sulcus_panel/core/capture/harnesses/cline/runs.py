"""Past runs of Cline: the command line's sessions and tasks, and the tasks of its extension in an editor."""

import os
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

from sulcus_panel.core.capture.harnesses.cline.history import folder_in, read_histories
from sulcus_panel.core.capture.harnesses.cline.live import Cline
from sulcus_panel.core.capture.past.changed_files import ChangedFiles
from sulcus_panel.core.capture.past.entries import Importing, NoBackups, imported_run
from sulcus_panel.core.capture.past.importer import Wanted, every_file
from sulcus_panel.core.capture.past.into_ledger import ImportedRun
from sulcus_panel.core.capture.past.path_map import is_among, names_of
from sulcus_panel.core.capture.past.run_files import files_in, oldest_first

MESSAGES, TASK = "*.messages.json", "api_conversation_history.json"
_EXTENSION = Path("User") / "globalStorage" / "saoudrizwan.claude-dev" / "tasks"
_EDITORS = ("Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf")
_SETTINGS = (Path(".config"), Path("Library") / "Application Support", Path("AppData") / "Roaming")


class ClineRuns:
    """The importer for `cline`; its extension's tasks lie beside the person's other settings."""

    harness = Cline.harness
    files = "conversations (*.messages.json, api_conversation_history.json) or their folder"

    def home(self, environment: Mapping[str, str]) -> Path:
        """CLINE_DIR, else `~/.cline`."""
        given = environment.get("CLINE_DIR")
        return Path(given) if given else Path(os.path.expanduser("~")) / ".cline"

    def find(self, home: Path, root: str, wanted: Wanted = every_file) -> tuple[Path, ...]:
        """The conversations that took place at or below `root`, oldest first."""
        names = names_of(root)
        tasks = [home.parent / place / editor / _EXTENSION for place in _SETTINGS for editor in _EDITORS]
        folders = [folder for folder in (home / "data", *tasks) if folder.is_dir()]
        found = filter(wanted, files_in(folders, MESSAGES, TASK))
        return oldest_first(path for path in found if is_among(folder_in(path), names))

    def growth(self, home: Path, root: str, since: datetime) -> ChangedFiles:
        """Watch these files as a whole."""
        return ChangedFiles(partial(self.find, home, root), since)

    def read(self, paths: Sequence[Path], importing: Importing, home: Path | None) -> ImportedRun:  # noqa: ARG002 - its shadow repositories are not read
        """Read these conversations."""
        return imported_run(read_histories(files_in(paths, MESSAGES, TASK)), importing, NoBackups())
