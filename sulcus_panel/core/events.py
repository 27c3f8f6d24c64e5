"""What happened, for those who follow along: names and forms that are fixed for clients. Data only."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from sulcus_panel.core.model import Namespace


class EventKind(StrEnum):
    """Every event there is. `rewind.started` is followed by exactly one of the next two, a crash included."""

    ENTRY_RECORDED = "entry.recorded"
    DRIFT_DETECTED = "drift.detected"
    DRIFT_CLEARED = "drift.cleared"
    REWIND_STARTED = "rewind.started"
    REWIND_COMPLETED = "rewind.completed"
    REWIND_FAILED = "rewind.failed"
    UNDO_RECORDED = "undo.recorded"
    UNDO_DONE = "undo.done"
    UNDO_FAILED = "undo.failed"
    UNDO_HELD = "undo.held"
    CONFIG_CHANGED = "config.changed"
    GOVERNANCE_RECORDED = "governance.recorded"


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened. `id` rises and is never given twice; `body` is JSON without any content."""

    id: int
    at: datetime
    namespace: Namespace | None
    kind: EventKind
    body: Mapping[str, object]
