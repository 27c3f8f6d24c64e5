"""Rules on events: when something of that kind happens, do this. Data, and whether a rule means an event. Pure.

Rules watch; they never block an agent, and nothing waits for them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from fnmatch import fnmatchcase

from sulcus_panel.core.events import Event
from sulcus_panel.core.model import ActionType, Namespace

EVENT_PATTERNS = ("entry.recorded", "drift.detected", "undo.*", "rewind.*")
"""What a rule may listen to. What rules cause themselves is not among it, so that none can feed itself."""


class TriggerAction(StrEnum):
    """What is done when a rule fires."""

    NOTIFY = "notify"
    """The window says it."""
    PIN = "pin"
    """The entry is not let go of by retention."""
    LABEL = "label"
    """The entry bears a word of the person's."""
    WEBHOOK = "webhook"
    """An address of the person's is told."""
    HOLD = "hold"
    """The person is asked to look before the next undo of the entry."""


@dataclass(frozen=True, slots=True)
class TriggerFilter:
    """Which events of a kind are meant; empty fields mean any."""

    action_types: tuple[ActionType, ...] = ()
    path: str = ""
    """A glob over the whole path; `*` crosses folders. Upper and lower case do not differ."""
    harness: str = ""
    session_id: str = ""
    min_bytes: int = 0
    """The largest file after the action has at least so many."""


@dataclass(frozen=True, slots=True)
class Rule:
    """What the person asked for."""

    name: str
    event: str
    action: TriggerAction
    filter: TriggerFilter = TriggerFilter()
    label: str = ""
    """The word of `label`."""
    url: str = ""
    """The address of `webhook`."""
    secret: str = ""
    """What `webhook` signs with; shown to nobody."""
    cooldown_seconds: int = 0
    max_fires: int | None = None
    enabled: bool = True


@dataclass(frozen=True, slots=True)
class Trigger:
    """A rule as it stands, and how often it has fired. No namespace: it is for all workspaces."""

    id: int
    workspace_id: int | None
    namespace: Namespace | None
    rule: Rule
    made_at: datetime
    fires: int = 0
    last_fired_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Firing:
    """One time that a rule fired."""

    id: int
    trigger_id: int
    at: datetime
    event_id: int
    told: str
    """What happened, in one plain sentence."""


def means(rule: Rule, event: Event) -> bool:
    """Whether an event is of the kind and passes the filter."""
    wanted, body = rule.filter, event.body
    return (
        fnmatchcase(event.kind, rule.event)
        and (not wanted.action_types or body.get("action_type") in wanted.action_types)
        and (not wanted.harness or body.get("harness") == wanted.harness)
        and (not wanted.session_id or body.get("session_id") == wanted.session_id)
        and (not wanted.path or any(_matches(path, wanted.path) for path in paths_of(body)))
        and _size(body) >= wanted.min_bytes
    )


def may_fire(trigger: Trigger, now: datetime) -> bool:
    """Whether a rule is on, has fires left, and has rested long enough.

    A last time that has not come yet is of a clock that was put back: it holds nobody up.
    """
    rule, last = trigger.rule, trigger.last_fired_at
    rested = last is None or not timedelta(0) <= now - last < timedelta(seconds=rule.cooldown_seconds)
    return rule.enabled and rested and (rule.max_fires is None or trigger.fires < rule.max_fires)


def paths_of(body: Mapping[str, object]) -> tuple[str, ...]:
    """Return the files that an event names."""
    several, one = body.get("paths"), body.get("path")
    named = several if isinstance(several, list) else [one]
    return tuple(path for path in named if isinstance(path, str))


def entries_of(body: Mapping[str, object]) -> tuple[int, ...]:
    """Return the entries that an event names."""
    several = body.get("seq_ids")
    named = several if isinstance(several, list) else [body.get("seq_id", body.get("id"))]
    return tuple(seq_id for seq_id in named if isinstance(seq_id, int))


def sentence(event: Event) -> str:
    """Say what happened in one plain sentence."""
    numbers = ", ".join(f"#{seq_id}" for seq_id in entries_of(event.body))
    paths = paths_of(event.body)
    shown = ", ".join(paths[:3]) + (f" and {len(paths) - 3} more" if len(paths) > 3 else "")
    return " ".join(part for part in (event.kind.value, numbers, shown) if part)


def _matches(path: str, glob: str) -> bool:
    return fnmatchcase(path.casefold(), glob.casefold())


def _size(body: Mapping[str, object]) -> int:
    size = body.get("size_bytes")
    return size if isinstance(size, int) else 0
