"""Past runs of Cursor, from its agent transcripts: little is in them, and the import says so."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from sulcus_panel.core.capture.harnesses.cursor.live import Cursor
from sulcus_panel.core.capture.harnesses.cursor.transcripts import folder_in, project_key, read_transcripts
from sulcus_panel.core.capture.past.into_ledger import ImportedRun
from sulcus_panel.core.capture.past.path_map import comparable, is_below
from sulcus_panel.core.capture.past.run import Importing, NoBackups, imported_run


class CursorRuns:
    """The importer for `cursor`."""

    harness = Cursor.harness
    files = "agent transcripts (.jsonl) or their folder"

    def home(self, environment: Mapping[str, str]) -> Path:  # noqa: ARG002 - no variable moves it
        """`~/.cursor`."""
        return Path(os.path.expanduser("~")) / ".cursor"

    def find(self, home: Path, root: str) -> tuple[Path, ...]:
        """The transcripts of all runs at or below `root`, oldest first."""
        roots = tuple(dict.fromkeys((root, os.path.realpath(root))))
        keys = [project_key(name) for name in roots]
        names = [comparable(name) for name in roots]
        found = [
            path
            for folder in sorted((home / "projects").glob("*/agent-transcripts"))
            if any(folder.parent.name == key or folder.parent.name.startswith(f"{key}-") for key in keys)
            for path in _files_in([folder])
            if folder.parent.name in keys or _is_of(path, names)
        ]
        return tuple(sorted(found, key=_age))

    def read(self, paths: Sequence[Path], importing: Importing, home: Path | None) -> ImportedRun:  # noqa: ARG002 - it keeps no backups
        """Read these transcripts."""
        return imported_run(read_transcripts(_files_in(paths)), importing, NoBackups())


def _files_in(paths: Sequence[Path]) -> tuple[Path, ...]:
    """These files, folders replaced by the transcripts in them."""
    result: dict[Path, None] = {}
    for path in paths:
        result.update(dict.fromkeys(sorted(path.rglob("*.jsonl")) if path.is_dir() else [path]))
    return tuple(result)


def _is_of(path: Path, names: Sequence[str]) -> bool:
    folder = folder_in(path)
    return bool(folder) and any(is_below(comparable(folder), name) for name in names)


def _age(path: Path) -> tuple[float, str]:
    try:
        return path.stat().st_mtime, path.name
    except OSError:
        return 0.0, path.name
