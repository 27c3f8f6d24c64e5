"""A hold: an undo that somebody who is not the person asked for, and that waits for the person. Data only."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from sulcus_panel.core.model import Actor, Namespace, SeqId


class HoldState(StrEnum):
    """What has become of it."""

    WAITING = "waiting"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    SETTLED = "settled"
    """The person has undone the entries meanwhile, or they are no longer there."""


@dataclass(frozen=True, slots=True)
class HoldRequest:
    """What was asked for: an undo, or the undo of undos (`redo`), of these entries or of chosen hunks of one."""

    seq_ids: tuple[SeqId, ...]
    hunks: tuple[int, ...] | None = None
    """Counted from 0; None for all."""
    redo: bool = False


@dataclass(frozen=True, slots=True)
class Hold:
    """One request that waits, or waited."""

    id: int
    at: datetime
    workspace_id: int
    namespace: Namespace
    actor: Actor
    request: HoldRequest
    reason: str
    """Why it was not done at once, in one plain sentence."""
    state: HoldState
    outcome: str = ""
    """Of an accepted one: what the undo came to."""
    decided_at: datetime | None = None
