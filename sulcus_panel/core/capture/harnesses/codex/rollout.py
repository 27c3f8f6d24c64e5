"""Codex's rollouts (JSON lines) -> one Transcript: files opened, lines counted, calls of several files told once.

A thread that was resumed goes on in its file; one that was forked begins with a copy of another's records, and an
archived file may lie beside the one it was: a call's id tells that it is the same.
"""

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import BinaryIO

from sulcus_panel.core.capture.harnesses.codex.thread import Thread
from sulcus_panel.core.capture.past.json_lines import JsonLine, json_lines, told
from sulcus_panel.core.capture.past.records import (
    Call,
    CommandCall,
    FileCall,
    Prompt,
    SessionFacts,
    Transcript,
)
from sulcus_panel.core.capture.payload import JsonObject, time_of
from sulcus_panel.core.capture.plain_file import open_plain
from sulcus_panel.core.safety import plain

COMPRESSED = ".zst"
ROOM = 10**9
"""More than a rollout has records: the orders of one file's never meet those of another's."""
NO_ZSTD = "it is compressed and this Python cannot read that: unpack it (zstd -d) and give the .jsonl"

_ID_IN_NAME = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


class CannotUnpack(OSError):
    """A compressed rollout where nothing is there to read it."""


def thread_id_of(path: str) -> str:
    """The thread's id in a rollout's name, empty where there is none."""
    found = _ID_IN_NAME.findall(path.replace("\\", "/").rpartition("/")[2])
    return found[-1].lower() if found else ""


@contextmanager
def open_rollout(path: Path) -> Iterator[BinaryIO]:
    """The file's lines, unpacked; OSError where it cannot be read."""
    with open_plain(path) as file:
        if path.suffix != COMPRESSED:
            yield file
            return
        try:
            zstd = import_module("compression.zstd")  # of Python 3.14
        except ImportError as error:
            raise CannotUnpack(0, NO_ZSTD) from error
        with zstd.open(file) as unpacked:
            try:
                yield unpacked
            except (zstd.ZstdError, EOFError) as error:
                raise CannotUnpack(0, "it is no whole zstd file") from error


def read_rollouts(paths: Sequence[Path]) -> Transcript:
    """Everything that these files say. What cannot be read is a problem, not an error."""
    threads = [new_thread(path, number) for number, path in enumerate(paths)]
    problems = [
        problem for path, thread in zip(paths, threads, strict=True) for problem in _read(path, thread)
    ]
    return transcript_of(threads, problems)


def new_thread(path: Path, number: int) -> Thread:
    """A thread of which nothing is read; `number` tells it from the others that are read with it."""
    return Thread(thread_id_of(path.name) or path.stem, str(path), order=number * ROOM)


def transcript_of(threads: Sequence[Thread], problems: Sequence[str] = ()) -> Transcript:
    """What these threads did together."""
    calls: list[Call] = []
    prompts: list[Prompt] = []
    sessions: dict[str, SessionFacts] = {}
    for thread in threads:
        calls += thread.calls()
        prompts += thread.prompts()
        facts = thread.facts()
        if facts is not None:
            sessions[facts.session_id] = _united(sessions.get(facts.session_id), facts)
    once = _once(sorted(calls, key=lambda call: call.stamp.moment))
    return Transcript.in_order(once, prompts, sessions.values(), problems)


def _read(path: Path, thread: Thread) -> tuple[str, ...]:
    """Take in one file; what could not be read of it."""
    name, bad, count = plain(path.name), list[JsonLine](), 0
    try:
        with open_rollout(path) as file:
            last = _time_of_file(path)
            for line in json_lines(file):
                if line.record is None:
                    bad.append(line)
                    continue
                count += 1
                last = time_of(line.record, "timestamp") or (
                    last if count > 1 else _head_time(line.record, last)
                )
                thread.take(line.record, last)
    except OSError as error:
        return (f"{name}: {error.strerror or error}",)
    if not count:
        return (f"{name}: not a rollout, it holds no JSON record",)
    return told(name, bad)


def _head_time(record: JsonObject, otherwise: datetime) -> datetime:
    payload = record.get("payload")
    return (time_of(payload, "timestamp") if isinstance(payload, dict) else None) or otherwise


def _time_of_file(path: Path) -> datetime:
    return datetime.fromtimestamp(os.stat(path).st_mtime, UTC)


def _united(known: SessionFacts | None, more: SessionFacts) -> SessionFacts:
    if known is None:
        return more
    cwds = tuple(dict.fromkeys((*known.cwds, *more.cwds)))
    return replace(known, first=min(known.first, more.first), last=max(known.last, more.last), cwds=cwds)


def _once(calls: Sequence[Call]) -> Iterator[Call]:
    """Each call once: the first that bears an id and does this."""
    seen: set[tuple[str, str, str]] = set()
    for call in calls:
        if isinstance(call, FileCall | CommandCall):
            deed = (call.applied.call_id, call.applied.path, call.applied.command)
            if call.applied.call_id and deed in seen:
                continue
            seen.add(deed)
        yield call
