"""Which model asked for a call, where the hook's payload does not tell: the transcript's own line of the call does.

Claude Code tells hooks the model at a session's start alone, and the person may switch it at any time after that.
"""

import json
import os
from pathlib import Path

from sulcus_panel.core.capture.payload import model_of, object_of
from sulcus_panel.core.capture.plain_file import open_plain

TAIL = 1 << 20
"""A call is recorded soon after it was written down, so its line is looked for no further from the end."""


class ToldModels:
    """The ends of transcripts, each read once while it stays as it is."""

    def __init__(self) -> None:
        self._tails: dict[str, bytes] = {}

    def of_call(self, transcript: str, call_id: str) -> str:
        """The model, empty where the transcript does not tell it, or cannot be read."""
        if not transcript or not call_id or not call_id.isascii():
            return ""
        if transcript not in self._tails:
            self._tails[transcript] = _tail(transcript)
        tail, sign = self._tails[transcript], json.dumps(call_id).encode("ascii")
        at = tail.find(sign)
        while at >= 0:
            start, end = tail.rfind(b"\n", 0, at) + 1, tail.find(b"\n", at)
            if found := _model(tail[start : end if end >= 0 else len(tail)]):
                return found
            at = tail.find(sign, at + 1)
        return ""


def _model(line: bytes) -> str:
    if b'"assistant"' not in line:
        return ""
    try:
        record: object = json.loads(line)
    except (ValueError, RecursionError):
        return ""
    is_spoken = isinstance(record, dict) and record.get("type") == "assistant"
    return model_of(object_of(record, "message")) if isinstance(record, dict) and is_spoken else ""


def _tail(transcript: str) -> bytes:
    try:
        with open_plain(Path(transcript)) as file:
            file.seek(max(os.fstat(file.fileno()).st_size - TAIL, 0))
            return file.read(TAIL)
    except (OSError, ValueError):
        return b""
