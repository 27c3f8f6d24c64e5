"""A started call as bytes for the ledger's own store, and back.

What may not be kept (safety.py, outside the workspace) is not kept here either: hash and size stay.
"""

import base64
import dataclasses
import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sulcus_panel.core.capture.adapter import Scene, TextEdit, ToolCall, ToolKind, ToolStarted
from sulcus_panel.core.capture.spool import Sighting
from sulcus_panel.core.model import DiskFile, FileKind, FileState


def encode_started(started: ToolStarted) -> bytes:
    """The call and what was seen, as JSON."""
    return json.dumps(dataclasses.asdict(started), default=_plain).encode("ascii")


def decode_started(data: bytes) -> ToolStarted | None:
    """What encode_started made; None for what another version of the program wrote differently."""
    try:
        stored = json.loads(data)
        scene = {**stored["scene"], "at": datetime.fromisoformat(stored["scene"]["at"])}
        call = stored["call"]
        edits = tuple(TextEdit(**edit) for edit in call["edits"])
        return ToolStarted(
            Scene(**scene),
            ToolCall(**{**call, "kind": ToolKind(call["kind"]), "edits": edits}),
            _sighting(stored["sighting"]),
            _sighting(stored.get("moved")),
            stored.get("look", ""),
        )
    except (KeyError, TypeError, ValueError):
        return None


def without_contents(started: ToolStarted) -> ToolStarted:
    """The same with no word of the file's contents."""
    call = dataclasses.replace(started.call, content=None, edits=(), given="")
    return ToolStarted(started.scene, call, _bare(started.sighting), _bare(started.moved), started.look)


def _bare(seen: Sighting | None) -> Sighting | None:
    if seen is None:
        return None
    behind = None if seen.behind is None else DiskFile(seen.behind.state, None)
    own = seen.own if seen.own.state.kind is FileKind.SYMLINK else DiskFile(seen.own.state, None)
    return Sighting(seen.path, own, behind)


def _plain(value: object) -> str:
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(type(value).__name__)


def _sighting(stored: Mapping[str, Any] | None) -> Sighting | None:
    if stored is None:
        return None
    return Sighting(stored["path"], _required(stored["own"]), _side(stored["behind"]))


def _side(stored: Mapping[str, Any] | None) -> DiskFile | None:
    return None if stored is None else _required(stored)


def _required(stored: Mapping[str, Any]) -> DiskFile:
    state = FileState(**{**stored["state"], "kind": FileKind(stored["state"]["kind"])})
    content = stored["content"]
    return DiskFile(state, None if content is None else base64.b64decode(content))
