"""Which Claude Code is used here, known without running it: its transcripts name the version that wrote them."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

from sulcus_panel.core.capture.payload import text_of
from sulcus_panel.core.capture.plain_file import open_plain

MOST_FILES = 5
"""Of the newest transcripts: one may hold nothing yet."""
MAX_TAIL = 2**20

_VERSION = re.compile(r"\d{1,9}(?:\.\d{1,9}){1,3}")


def newest_version(config_dir: Path) -> str:
    """The version that ran last, empty where no transcript in this config folder tells it."""
    newest = sorted(config_dir.glob("projects/*/*.jsonl"), key=_age, reverse=True)[:MOST_FILES]
    return next((version for path in newest for version in _versions(path)), "")


def _versions(path: Path) -> Iterator[str]:
    """The versions in the last records of a transcript, the newest first."""
    try:
        with open_plain(path) as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - MAX_TAIL))
            lines = file.read(MAX_TAIL).split(b"\n")
    except OSError:
        return
    for line in reversed(lines):
        try:
            record = json.loads(line) if b'"version"' in line else None
        except (ValueError, RecursionError):
            continue
        version = text_of(record, "version") if isinstance(record, dict) else ""
        if _VERSION.fullmatch(version):
            yield version


def _age(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
