"""Where Copilot CLI keeps its sessions: `session-state/<id>/events.jsonl`, once `session-state/<id>.jsonl`."""

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from sulcus_panel.core.capture.harnesses.copilot_cli.events import EVENTS, Session, session_name
from sulcus_panel.core.capture.past.importer import Wanted, every_file
from sulcus_panel.core.capture.past.json_lines import json_lines
from sulcus_panel.core.capture.past.path_map import is_among, names_of
from sulcus_panel.core.capture.past.run_files import oldest_first
from sulcus_panel.core.capture.plain_file import open_plain

FOLDER = "session-state"
HEAD_LINES = 8
"""The folder stands in the first record."""


def find_sessions(home: Path, root: str, wanted: Wanted = every_file) -> tuple[Path, ...]:
    """The sessions that began at or below `root`, oldest file first."""
    roots = names_of(root)
    found = filter(wanted, sessions_in([home / FOLDER]))
    return oldest_first(path for path in found if is_among(_began_in(path), roots))


def sessions_in(paths: Sequence[Path]) -> tuple[Path, ...]:
    """These files, folders replaced by the session files in them; a session keeps others beside its events."""
    result: dict[Path, None] = {}
    for path in paths:
        if not path.is_dir():
            result[path] = None
            continue
        flat = (
            [path / EVENTS]
            if (path / EVENTS).is_file()
            else [*path.glob("*.jsonl"), *path.glob(f"*/{EVENTS}")]
        )
        result.update(dict.fromkeys(sorted(flat)))
    return tuple(result)


def _began_in(path: Path) -> str:
    session = Session(session_name(path), str(path))
    try:
        with open_plain(path) as file:
            for line in islice(json_lines(file), HEAD_LINES):
                if line.record is not None:
                    session.take(line.record)
                if session.cwd:
                    break
    except OSError:
        return ""
    return session.cwd
