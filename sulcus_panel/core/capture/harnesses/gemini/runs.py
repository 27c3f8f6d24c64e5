"""Past runs of Gemini CLI, from its chats."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from sulcus_panel.core.capture.harnesses.gemini.chats import hash_in, project_hash, read_chats
from sulcus_panel.core.capture.harnesses.gemini.live import Gemini
from sulcus_panel.core.capture.past.into_ledger import ImportedRun
from sulcus_panel.core.capture.past.run import Importing, NoBackups, imported_run


class GeminiRuns:
    """The importer for `gemini`."""

    harness = Gemini.harness
    files = "chat files (session-*.json or .jsonl) or their folder"

    def home(self, environment: Mapping[str, str]) -> Path:
        """`.gemini` below GEMINI_CLI_HOME, else below the person's home."""
        given = environment.get("GEMINI_CLI_HOME")
        return (Path(given) if given else Path(os.path.expanduser("~"))) / ".gemini"

    def find(self, home: Path, root: str) -> tuple[Path, ...]:
        """The chats of all sessions that ran in `root`, oldest first. A folder below has another hash."""
        wanted = {project_hash(name) for name in dict.fromkeys((root, os.path.realpath(root)))}
        found = [path for path in _chats_in([home / "tmp"]) if hash_in(path) in wanted]
        return tuple(sorted(found, key=_age))

    def read(self, paths: Sequence[Path], importing: Importing, home: Path | None) -> ImportedRun:  # noqa: ARG002 - its shadow repositories are opt-in and not read
        """Read these chats."""
        return imported_run(read_chats(_chats_in(paths)), importing, NoBackups())


def _chats_in(paths: Sequence[Path]) -> tuple[Path, ...]:
    """These files, folders replaced by the chats in them."""
    result: dict[Path, None] = {}
    for path in paths:
        own = (
            sorted([*path.rglob("session-*.json"), *path.rglob("session-*.jsonl")])
            if path.is_dir()
            else [path]
        )
        result.update(dict.fromkeys(own))
    return tuple(result)


def _age(path: Path) -> tuple[float, str]:
    try:
        return path.stat().st_mtime, path.name
    except OSError:
        return 0.0, path.name
