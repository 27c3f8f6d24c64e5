"""A chat session as VS Code keeps it: one JSON object, or the lines that made it grow.

A line is a whole state (kind 0), a value set at a place (1), a list shortened and added to (2) or a key taken away
(3); a place is a path of keys and numbers. What speaks of a place that is not there is told and left out.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sulcus_panel.core.capture.past.json_lines import JsonLine, json_lines, told
from sulcus_panel.core.capture.payload import NOTHING, JsonObject, number_of
from sulcus_panel.core.capture.plain_file import open_plain
from sulcus_panel.core.safety import plain

MAX_FILE = 256 * 2**20
WHOLE, SET, PUSH, DELETE = range(4)
NOWHERE = "speaks of a place that is not there"


@dataclass(frozen=True, slots=True)
class Kept:
    """A file's session, empty where it holds none, and what could not be read of it."""

    state: JsonObject
    problems: tuple[str, ...] = ()


def read_kept(path: Path) -> Kept:
    """The session in a file. What cannot be read is a problem, not an error."""
    name = plain(path.name)
    try:
        with open_plain(path) as file:
            if path.suffix == ".json":
                return _read_object(name, file.read(MAX_FILE + 1))
            return replayed(name, list(json_lines(file)))
    except OSError as error:
        return Kept(NOTHING, (f"{name}: {error.strerror or error}",))


def replayed(name: str, lines: Sequence[JsonLine]) -> Kept:
    """The state that these lines tell, one after the other."""
    state: object = None
    bad: list[JsonLine] = []
    for line in lines:
        if line.record is None:
            bad.append(line)
        elif "kind" not in line.record and "requests" in line.record:
            state = line.record  # the whole object of 2025 on one line
        elif number_of(line.record, "kind") == WHOLE:
            state = line.record.get("v")
        elif not _apply(state, line.record):
            bad.append(JsonLine(line.number, None, NOWHERE))
    if not isinstance(state, dict) or "requests" not in state:
        return Kept(NOTHING, (f"{name}: not a chat session, it holds no requests",))
    return Kept(state, told(name, bad))


def _read_object(name: str, data: bytes) -> Kept:
    if len(data) > MAX_FILE:
        return Kept(NOTHING, (f"{name}: larger than {MAX_FILE:,} bytes",))
    try:
        whole = json.loads(data)
    except (ValueError, RecursionError):
        return Kept(NOTHING, (f"{name}: not a chat session, it holds no whole JSON object",))
    if not isinstance(whole, dict) or not isinstance(whole.get("requests"), list):
        return Kept(NOTHING, (f"{name}: not a chat session, it holds no requests",))
    return Kept(whole)


def _apply(state: object, change: JsonObject) -> bool:
    """Change the state in place; False where there is no such place, or no such change."""
    path = change.get("k")
    if not isinstance(path, list) or not path:
        return False
    around: object = state
    for key in path[:-1]:
        around = _inside(around, key)
    match number_of(change, "kind"):
        case 1:
            return _set(around, path[-1], change.get("v"))
        case 2:
            return _push(around, path[-1], change)
        case 3:
            return _delete(around, path[-1])
    return False


def _inside(around: object, key: object) -> object:
    """What stands there, None where nothing does."""
    if isinstance(around, dict):
        return around.get(key) if isinstance(key, str) else None
    if isinstance(around, list) and isinstance(key, int) and 0 <= key < len(around):
        return around[key]
    return None


def _set(around: object, key: object, value: object) -> bool:
    if isinstance(around, dict) and isinstance(key, str):
        around[key] = value
        return True
    if not isinstance(around, list) or not isinstance(key, int) or not 0 <= key <= len(around):
        return False
    around[key : key + 1] = [value]
    return True


def _push(around: object, key: object, change: JsonObject) -> bool:
    """Add to a list, cut to `i` before where that is given; a list that is not there begins empty."""
    there = _inside(around, key)
    if there is None and not _set(around, key, there := []):
        return False
    if not isinstance(there, list):
        return False
    keep, added = number_of(change, "i"), change.get("v")
    if keep is not None:
        del there[max(keep, 0) :]
    there.extend(added if isinstance(added, list) else [])
    return True


def _delete(around: object, key: object) -> bool:
    if not isinstance(around, dict) or not isinstance(key, str):
        return False
    around.pop(key, None)
    return True
