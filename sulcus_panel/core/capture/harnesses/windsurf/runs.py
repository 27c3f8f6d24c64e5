"""Past runs of Windsurf, from the trajectories that Cascade keeps."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from sulcus_panel.core.capture.harnesses.windsurf.live import Windsurf
from sulcus_panel.core.capture.harnesses.windsurf.trajectories import folder_in, read_trajectories
from sulcus_panel.core.capture.past.into_ledger import ImportedRun
from sulcus_panel.core.capture.past.path_map import comparable, is_below
from sulcus_panel.core.capture.past.run import Importing, NoBackups, imported_run


class WindsurfRuns:
    """The importer for `windsurf`."""

    harness = Windsurf.harness
    files = "trajectories (.jsonl) or their folder"

    def home(self, environment: Mapping[str, str]) -> Path:  # noqa: ARG002 - no variable moves it
        """`~/.windsurf`."""
        return Path(os.path.expanduser("~")) / ".windsurf"

    def find(self, home: Path, root: str) -> tuple[Path, ...]:
        """The trajectories that took place at or below `root`, oldest first."""
        names = [comparable(name) for name in (root, os.path.realpath(root))]
        found = [path for path in _files_in([home / "transcripts"]) if _is_of(path, names)]
        return tuple(sorted(found, key=_age))

    def read(self, paths: Sequence[Path], importing: Importing, home: Path | None) -> ImportedRun:  # noqa: ARG002 - it keeps no backups
        """Read these trajectories."""
        return imported_run(read_trajectories(_files_in(paths)), importing, NoBackups())


def _files_in(paths: Sequence[Path]) -> tuple[Path, ...]:
    """These files, folders replaced by the trajectories in them."""
    result: dict[Path, None] = {}
    for path in paths:
        result.update(dict.fromkeys(sorted(path.rglob("*.jsonl")) if path.is_dir() else [path]))
    return tuple(path for path in result if path.suffix == ".jsonl" or path.is_file())


def _is_of(path: Path, names: Sequence[str]) -> bool:
    folder = folder_in(path)
    return bool(folder) and any(is_below(comparable(folder), name) for name in names)


def _age(path: Path) -> tuple[float, str]:
    try:
        return path.stat().st_mtime, path.name
    except OSError:
        return 0.0, path.name
