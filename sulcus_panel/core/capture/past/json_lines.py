"""JSON lines as harnesses leave them: still growing, cut off, damaged, or longer than anything that is known."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from sulcus_panel.core.capture.payload import JsonObject

MAX_LINE = 64 * 2**20
"""A longer line is no record of any known version: it is skipped and told, never held in memory."""
TOLD_LINES = 20


@dataclass(frozen=True, slots=True)
class JsonLine:
    """One line, counted from 1. `record` is None where it is no JSON object: then `trouble` says why."""

    number: int
    record: JsonObject | None
    trouble: str = ""


def json_lines(file: BinaryIO) -> Iterator[JsonLine]:
    """All lines from where the file stands; blank ones are skipped."""
    for number, line in _lines(file):
        record = _record(line)
        yield JsonLine(number, record, "" if record is not None else _trouble(line))


def told(name: str, bad: list[JsonLine]) -> tuple[str, ...]:
    """The lines of a file that could not be read as sentences for the person, the first of them one by one."""
    sentences = [f"{name}, line {line.number}: {line.trouble}" for line in bad[:TOLD_LINES]]
    if len(bad) > TOLD_LINES:
        sentences.append(f"{name}: {len(bad) - TOLD_LINES} more lines could not be read")
    return tuple(sentences)


def _lines(file: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
    """The lines with their numbers; None for one too long to be held."""
    number = 0
    while line := file.readline(MAX_LINE + 1):
        number += 1
        if len(line) <= MAX_LINE:
            if line.strip():
                yield number, line
            continue
        while line and not line.endswith(b"\n"):
            line = file.readline(MAX_LINE)
        yield number, None


def _record(line: bytes | None) -> JsonObject | None:
    try:
        value = json.loads(line) if line is not None else None
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _trouble(line: bytes | None) -> str:
    if line is None:
        return f"longer than {MAX_LINE} bytes"
    return "cut off" if not line.endswith(b"\n") else "not a JSON object"
