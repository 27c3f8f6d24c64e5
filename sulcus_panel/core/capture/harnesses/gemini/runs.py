"""Past runs of Gemini CLI, from its chats."""

import os
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

from sulcus_panel.core.capture.harnesses.gemini.chats import hash_in, project_hash, read_chats
from sulcus_panel.core.capture.harnesses.gemini.live import Gemini
from sulcus_panel.core.capture.past.changed_files import ChangedFiles
from sulcus_panel.core.capture.past.entries import Importing, NoBackups, imported_run
from sulcus_panel.core.capture.past.importer import Wanted, every_file
from sulcus_panel.core.capture.past.into_ledger import ImportedRun
from sulcus_panel.core.capture.past.run_files import files_in, oldest_first

_FILES = ("session-*.json", "session-*.jsonl")


class GeminiRuns:
    """The importer for `gemini`."""

    harness = Gemini.harness
    files = "chat files (session-*.json or .jsonl) or their folder"

    def home(self, environment: Mapping[str, str]) -> Path:
        """`.gemini` below GEMINI_CLI_HOME, else below the person's home."""
        given = environment.get("GEMINI_CLI_HOME")
        return (Path(given) if given else Path(os.path.expanduser("~"))) / ".gemini"

    def find(self, home: Path, root: str, wanted: Wanted = every_file) -> tuple[Path, ...]:
        """The chats of all sessions that ran in `root`, oldest first. A folder below has another hash."""
        hashes = {project_hash(name) for name in dict.fromkeys((root, os.path.realpath(root)))}
        found = filter(wanted, files_in([home / "tmp"], *_FILES))
        return oldest_first(path for path in found if hash_in(path) in hashes)

    def growth(self, home: Path, root: str, since: datetime) -> ChangedFiles:
        """Watch these files as a whole."""
        return ChangedFiles(partial(self.find, home, root), since)

    def read(self, paths: Sequence[Path], importing: Importing, home: Path | None) -> ImportedRun:  # noqa: ARG002 - its shadow repositories are opt-in and not read
        """Read these chats."""
        return imported_run(read_chats(files_in(paths, *_FILES)), importing, NoBackups())
