"""Where Claude Code keeps the transcripts of a folder's runs."""

import os
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from sulcus_panel.core.capture.harnesses.claude.transcript import read_heads
from sulcus_panel.core.capture.past.importer import Wanted, every_file
from sulcus_panel.core.capture.past.path_map import is_among, names_of
from sulcus_panel.core.capture.past.run_files import oldest_first
from sulcus_panel.core.capture.payload import text_of

MAX_KEY = 200
"""Claude Code cuts a project folder's name here and adds a hash."""


def project_key(root: str) -> str:
    """The name of a project's folder: every UTF-16 unit that is no ASCII letter or digit becomes `-`."""
    return "".join(
        char if char.isascii() and char.isalnum() else "-" * (2 if ord(char) > 0xFFFF else 1) for char in root
    )


def find_transcripts(config_dir: Path, root: str, wanted: Wanted = every_file) -> tuple[Path, ...]:
    """The transcripts of all sessions that ran at or below `root`, subagents included, oldest file first.

    Folders are found by name and believed by the cwd inside the records; where no folder has the name (it
    can be overridden), all are looked into. Of sessions that are not wanted nothing is opened.
    """
    projects = config_dir / "projects"
    try:
        folders = sorted(folder for folder in projects.iterdir() if folder.is_dir())
    except OSError:
        return ()
    roots = tuple(dict.fromkeys((root, os.path.realpath(root))))
    keys = {project_key(name)[:MAX_KEY] for spelled in roots for name in (spelled, "/private" + spelled)}
    named = [folder for folder in folders if any(_has_key(folder.name, key) for key in keys)]
    names = names_of(root)
    found = [path for folder in named for path in _sessions_in(folder, names, wanted)]
    if not found and (not named or wanted is every_file):
        found = [path for folder in folders for path in _sessions_in(folder, names, wanted)]
    return with_subagents(oldest_first(found))


def with_subagents(paths: Sequence[Path]) -> tuple[Path, ...]:
    """These files, folders replaced by the transcripts in them, each session followed by its subagents'."""
    result: dict[Path, None] = {}
    for path in paths:
        own = sorted(path.rglob("*.jsonl")) if path.is_dir() else [path]
        for one in own:
            result[one] = None
            result.update(dict.fromkeys(sorted((one.parent / one.stem / "subagents").glob("*.jsonl"))))
    return tuple(result)


def main_of(path: Path) -> Path:
    """The transcript of the session to which this one, perhaps a subagent's, belongs."""
    return path.parents[1].with_suffix(".jsonl") if path.parent.name == "subagents" else path


def config_of(paths: Sequence[Path]) -> Path | None:
    """The config folder in which these transcripts lie, None where they lie elsewhere."""
    for path in paths:
        for parent in path.resolve().parents:
            if parent.name == "projects":
                return parent.parent
    return None


def _has_key(name: str, key: str) -> bool:
    return name == key or name.startswith(key + "-") or (len(key) == MAX_KEY and name.startswith(key))


def _sessions_in(folder: Path, roots: Sequence[str], wanted: Wanted) -> Iterator[Path]:
    for path in filter(wanted, sorted(folder.glob("*.jsonl"))):
        cwd = next((cwd for record in islice(read_heads(path), 200) if (cwd := text_of(record, "cwd"))), "")
        if is_among(cwd, roots):
            yield path
