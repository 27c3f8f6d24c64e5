"""Past runs of Cline: the command line's sessions and tasks, and the tasks of its extension in an editor."""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from sulcus_panel.core.capture.harnesses.cline.history import folder_of, read_histories, read_talk
from sulcus_panel.core.capture.harnesses.cline.live import Cline
from sulcus_panel.core.capture.past.into_ledger import ImportedRun
from sulcus_panel.core.capture.past.path_map import comparable, is_below
from sulcus_panel.core.capture.past.run import Importing, NoBackups, imported_run

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

    def find(self, home: Path, root: str) -> tuple[Path, ...]:
        """The conversations that took place at or below `root`, oldest first."""
        names = [comparable(name) for name in (root, os.path.realpath(root))]
        tasks = [home.parent / place / editor / _EXTENSION for place in _SETTINGS for editor in _EDITORS]
        found = [path for folder in (home / "data", *tasks) for path in _talks_in(folder)]
        return tuple(sorted((path for path in found if _is_of(path, names)), key=_age))

    def read(self, paths: Sequence[Path], importing: Importing, home: Path | None) -> ImportedRun:  # noqa: ARG002 - its shadow repositories are not read
        """Read these conversations."""
        given: dict[Path, None] = {}
        for path in paths:
            given.update(dict.fromkeys(_talks_in(path) if path.is_dir() else [path]))
        return imported_run(read_histories(list(given)), importing, NoBackups())


def _talks_in(folder: Path) -> Iterator[Path]:
    yield from sorted([*folder.rglob(MESSAGES), *folder.rglob(TASK)])


def _is_of(path: Path, names: Sequence[str]) -> bool:
    talk, _ = read_talk(path)
    folder = folder_of(talk) if talk is not None else ""
    return bool(folder) and any(is_below(comparable(folder), name) for name in names)


def _age(path: Path) -> tuple[float, str]:
    try:
        return path.stat().st_mtime, str(path)
    except OSError:
        return 0.0, str(path)
