"""Past runs of OpenCode, from its database, its older files, and sessions that were exported."""

import os
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

from sulcus_panel.core.capture.harnesses.opencode.database import read_database, session_folders
from sulcus_panel.core.capture.harnesses.opencode.files import folder_in, read_file, session_files
from sulcus_panel.core.capture.harnesses.opencode.kept import Session
from sulcus_panel.core.capture.harnesses.opencode.live import OpenCode
from sulcus_panel.core.capture.harnesses.opencode.sessions import transcript_of
from sulcus_panel.core.capture.past.changed_files import ChangedFiles
from sulcus_panel.core.capture.past.entries import Importing, NoBackups, imported_run
from sulcus_panel.core.capture.past.importer import Wanted, every_file
from sulcus_panel.core.capture.past.into_ledger import ImportedRun
from sulcus_panel.core.capture.past.path_map import is_among, names_of
from sulcus_panel.core.capture.past.run_files import oldest_first
from sulcus_panel.core.safety import plain


class OpenCodeRuns:
    """The importer for `opencode`."""

    harness = OpenCode.harness
    files = "opencode.db, session files or exports (.json), or their folder"

    def home(self, environment: Mapping[str, str]) -> Path:
        """`opencode` in the person's data folder."""
        given = environment.get("XDG_DATA_HOME")
        return (Path(given) if given else Path(os.path.expanduser("~")) / ".local" / "share") / "opencode"

    def find(self, home: Path, root: str, wanted: Wanted = every_file) -> tuple[Path, ...]:
        """The database, where sessions of it ran at or below `root`, and the older files of those that did."""
        names = names_of(root)
        stored = filter(wanted, session_files(home / "storage"))
        files = oldest_first(path for path in stored if is_among(folder_in(path), names))
        databases = [
            path
            for path in filter(wanted, _databases_in(home))
            if any(is_among(folder, names) for folder in session_folders(path).values())
        ]
        return (*files, *databases)

    def growth(self, home: Path, root: str, since: datetime) -> ChangedFiles:
        """Watch these files as a whole."""
        return ChangedFiles(partial(self.find, home, root), since)

    def read(self, paths: Sequence[Path], importing: Importing, home: Path | None) -> ImportedRun:  # noqa: ARG002 - its snapshots are not trusted
        """Read these; of a database only what ran at or below the recorded root, where one is given."""
        sessions: dict[str, Session] = {}
        problems: list[str] = []
        names = names_of(importing.recorded_root) if importing.recorded_root else ()
        for path in _files_in(paths):
            if path.suffix != ".db":
                one, trouble = read_file(path)
                found = [one] if one is not None else []
            else:
                found, trouble = read_database(path, _wanted(path, names))
                if not found and not trouble:
                    trouble = [f"{plain(path.name)}: no session of this folder"]
            problems += trouble
            sessions.update((session.key, session) for session in found)
        return imported_run(transcript_of(list(sessions.values()), problems), importing, NoBackups())


def _wanted(path: Path, names: Sequence[str]) -> frozenset[str] | None:
    if not names:
        return None
    folders = session_folders(path)
    return frozenset(key for key, folder in folders.items() if is_among(folder, names)) if folders else None


def _files_in(paths: Sequence[Path]) -> tuple[Path, ...]:
    """These files, folders replaced by what is in them, a database last: it has the newer of two."""
    result: dict[Path, None] = {}
    for path in paths:
        own = [path]
        if path.is_dir():
            own = [
                *session_files(path / "storage"),
                *session_files(path),
                *sorted(path.glob("*.jsonl")),
                *sorted(path.glob("*.json")),
                *_databases_in(path),
            ]
        result.update(dict.fromkeys(own))
    return tuple(sorted(result, key=lambda path: path.suffix == ".db"))


def _databases_in(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("opencode*.db") if path.is_file())
