"""The questions that can be put to the ledger, and what comes back where it is more than entries."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from sulcus_panel.core.model import ActionType, EntryState, Origin, SeqId


class SortKey(StrEnum):
    """What a list can be ordered by; entries that are equal in it follow their seq_id."""

    SEQ = "seq"
    TIME = "time"
    HARNESS = "harness"
    ACTION = "action"
    TARGET = "target"
    PLUS = "plus"
    MINUS = "minus"
    INTENT = "intent"
    STATE = "state"
    DRIFT = "drift"
    ACTOR = "actor"
    SUMMARY = "summary"
    TOOL = "tool"
    SESSION = "session"


@dataclass(frozen=True, slots=True)
class LedgerQuery:
    """Which entries are meant. None and "" do not filter.

    `text` is a case-insensitive substring of path, command, summary, intent or tool. `path` is a file, or a
    folder and all below it, `path_text` a case-insensitive part of a path. `states` means any of these.
    `before` and `after` are exclusive.
    `limit` counts for `Ledger.find` alone.
    """

    workspace_id: int | None = None
    text: str = ""
    path: str | None = None
    path_text: str = ""
    harness: str | None = None
    session_id: str | None = None
    turn_id: str | None = None
    action_type: ActionType | None = None
    state: EntryState | None = None
    states: tuple[EntryState, ...] = ()
    origin: Origin | None = None
    actor: str = ""
    drifted: bool | None = None
    before: SeqId | None = None
    after: SeqId | None = None
    limit: int = 20
    sort: SortKey = SortKey.SEQ
    descending: bool = True


@dataclass(frozen=True, slots=True)
class Facets:
    """How many entries a query finds, in all and by each value; `drifted` counts those with known drift."""

    total: int
    harness: Mapping[str, int]
    action_type: Mapping[ActionType, int]
    state: Mapping[EntryState, int]
    drifted: int


@dataclass(frozen=True, slots=True)
class TurnRun:
    """One turn of a session: its prompt, its beginning, what its entries changed. `files` counts paths."""

    turn_id: str
    intent: str
    at: datetime
    entries: int
    files: int
    plus: int
    minus: int


@dataclass(frozen=True, slots=True)
class Run:
    """One session with its turns, oldest first. `parent` is the session of which this is a subagent."""

    harness: str
    session_id: str
    parent: str | None
    transcript: str | None
    first: datetime
    last: datetime
    ended: bool
    entries: int
    files: int
    plus: int
    minus: int
    turns: tuple[TurnRun, ...]
