"""OpenCode's sessions in files: `storage/` of versions until 2026, an exported session, and rows of parts."""

import json
from collections.abc import Iterator
from pathlib import Path

from sulcus_panel.core.capture.harnesses.opencode.kept import (
    Session,
    exported,
    from_rows,
    message_of,
    session_of,
)
from sulcus_panel.core.capture.past.json_lines import json_lines, told
from sulcus_panel.core.capture.payload import JsonObject, text_of
from sulcus_panel.core.capture.plain_file import open_plain
from sulcus_panel.core.safety import plain

MAX_FILE = 256 * 2**20
MAX_LISTED = 200_000


def read_file(path: Path) -> tuple[Session | None, list[str]]:
    """The session that a file tells of, and what could not be read."""
    if path.suffix == ".jsonl":
        return _read_rows(path)
    data, trouble = _object(path)
    if data is None:
        return None, [f"{plain(path.name)}: {trouble}"]
    session = exported(data, str(path))
    if session is not None:
        return session, []
    if not text_of(data, "id") or "directory" not in data:
        return None, [f"{plain(path.name)}: not a session, it names no folder"]
    problems: list[str] = []
    session = session_of(text_of(data, "id"), data, str(path))
    _add_messages(session, path.parent.parent.parent, problems)
    return session, problems


def session_files(storage: Path) -> tuple[Path, ...]:
    """The session files of a `storage` folder."""
    return tuple(_listed(storage / "session", "*/*.json"))


def folder_in(path: Path) -> str:
    """The folder in which a session file's session ran, empty where it does not tell."""
    data, _ = _object(path)
    return text_of(data, "directory") if data is not None else ""


def _add_messages(session: Session, storage: Path, problems: list[str]) -> None:
    """Messages and parts lie in folders of their own; their names rise with time."""
    bad = 0
    if "/" in session.key or session.key in ("", ".", ".."):
        return
    for path in _listed(storage / "message" / session.key, "*.json"):
        data, _ = _object(path)
        bad += data is None
        message = message_of(path.stem, data or {})
        for part in _listed(storage / "part" / path.stem, "*.json"):
            told, _ = _object(part)
            bad += told is None
            message.parts += [told] if told is not None else []
        session.messages.append(message)
    if bad:
        problems.append(f"session {plain(session.key)}: {bad} files could not be read")


def _read_rows(path: Path) -> tuple[Session | None, list[str]]:
    name = plain(path.name)
    try:
        with open_plain(path) as file:
            lines = list(json_lines(file))
    except OSError as error:
        return None, [f"{name}: {error.strerror or error}"]
    rows = [line.record for line in lines if line.record is not None and "type" in line.record]
    problems = list(told(name, [line for line in lines if line.record is None]))
    if not any("_role" in row for row in rows):
        return None, [*problems, f"{name}: not a session, it holds no part of one"]
    return from_rows(path.stem, rows, str(path)), problems


def _object(path: Path) -> tuple[JsonObject | None, str]:
    try:
        with open_plain(path) as file:
            data = file.read(MAX_FILE + 1)
    except OSError as error:
        return None, error.strerror or str(error)
    if len(data) > MAX_FILE:
        return None, f"larger than {MAX_FILE:,} bytes"
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return None, "no whole JSON object"
    return (value, "") if isinstance(value, dict) else (None, "no JSON object")


def _listed(folder: Path, pattern: str) -> Iterator[Path]:
    for number, path in enumerate(sorted(folder.glob(pattern))):
        if number >= MAX_LISTED:
            return
        yield path
