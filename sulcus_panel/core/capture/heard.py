"""Calls that hooks told of and that made no entry: nothing was changed, or another call's entry holds the change.

A transcript tells of such a call too. Without this it would look as if no hook had.
"""

import json
from dataclasses import dataclass
from datetime import datetime

from sulcus_panel.core.capture.adapter import CaptureEvent, ToolCall, ToolFinished, ToolKind
from sulcus_panel.core.capture.mcp import only_reads
from sulcus_panel.core.capture.place import locate
from sulcus_panel.core.errors import UnsafePath
from sulcus_panel.core.ledger.store import Ledger

HEARD = "heard"


@dataclass(frozen=True, slots=True)
class Heard:
    """One such call. `call_id` is empty where its harness gave none; `deed` is its command or its absolute path."""

    at: datetime
    session_id: str
    call_id: str
    deed: str


def note_heard(ledger: Ledger, event: CaptureEvent, number: int) -> None:
    """Remember a call's end that made no entry; `number` tells the events of one hook apart. Inside `write()`."""
    if not isinstance(event, ToolFinished) or event.echo:
        return
    scene, call = event.scene, event.call
    if call.kind is ToolKind.MCP and only_reads(call.tool):
        return
    workspace = ledger.workspace_above(scene.cwd) if scene.cwd else None
    if workspace is not None and not ledger.settings(workspace.id).enabled:
        return
    said = json.dumps([scene.agent_id or scene.session_id, call.call_id, _deed(call, scene.cwd)])
    ledger.put_pending(f"{HEARD}:{scene.spool_name}:{number}", HEARD, scene.at, said.encode("ascii"))


def heard_calls(ledger: Ledger) -> tuple[Heard, ...]:
    """All that are remembered, oldest first."""
    return tuple(Heard(kept.at, *map(str, json.loads(kept.payload))) for kept in ledger.pending(HEARD))


def _deed(call: ToolCall, cwd: str) -> str:
    if call.kind is ToolKind.COMMAND:
        return call.command
    try:
        return locate(call.path, cwd) if call.path else call.tool
    except UnsafePath:
        return call.path
