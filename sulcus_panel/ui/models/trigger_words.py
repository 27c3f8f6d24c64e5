"""Rules on events in plain words: when, what then, how often, and what came of it. No Qt."""

from collections.abc import Sequence
from datetime import datetime

from sulcus_panel.core.events import Event
from sulcus_panel.core.ledger.encoding import from_micros
from sulcus_panel.core.ledger.rules import Delivery
from sulcus_panel.core.model import ActionType
from sulcus_panel.core.safety import plain
from sulcus_panel.core.triggers import Firing, Rule, Trigger, TriggerAction, sentence
from sulcus_panel.ui.models.text_rows import TextRow
from sulcus_panel.ui.models.wording import count_of, day_and_time, harness_name, size_words

WHEN = {
    "entry.recorded": "a change is recorded",
    "drift.detected": "a file is changed outside the agents",
    "undo.held": "an agent asks for an undo and has to wait",
    "undo.done": "a change was undone",
    "undo.failed": "an undo came to nothing",
    "rewind.*": "files are written by an undo, begun or ended",
    "undo.*": "anything happens to an undo",
    "undo.recorded": "an undo is recorded",
    "rewind.started": "an undo begins to write files",
    "rewind.completed": "an undo has written its files",
    "rewind.failed": "an undo could not write its files",
}
"""What can be listened to, the most useful first."""
HAPPENED = {
    "entry.recorded": "recorded",
    "drift.detected": "changed outside",
    "undo.held": "asked for, and waits",
    "undo.done": "undone",
    "undo.failed": "not undone",
    "undo.recorded": "undo recorded",
    "rewind.started": "undo began",
    "rewind.completed": "undo written",
    "rewind.failed": "undo not written",
}
THEN = {
    TriggerAction.NOTIFY: "tell me in this window",
    TriggerAction.PIN: "keep the change however full the ledger is",
    TriggerAction.LABEL: "put a label on the change",
    TriggerAction.HOLD: "ask me to look before it is undone",
    TriggerAction.WEBHOOK: "call a web address",
}
KINDS = {
    ActionType.FILE_EDIT: "edited a file",
    ActionType.FILE_WRITE: "wrote a file",
    ActionType.FILE_CREATE: "created a file",
    ActionType.FILE_DELETE: "deleted a file",
    ActionType.RUN_COMMAND: "ran a command",
    ActionType.MCP_MUTATION: "used an MCP tool",
}
BY_PATH = (
    "entry.recorded",
    "drift.detected",
    "rewind.*",
    "rewind.started",
    "rewind.completed",
    "rewind.failed",
)
"""What names files."""
BY_ALL = ("entry.recorded",)
"""What can be told apart by kind, agent, session and size, too."""


def kinds(actions: Sequence[ActionType]) -> str:
    """Return `edited a file or ran a command`; `did anything` for none."""
    return " or ".join(KINDS[action] for action in actions) or "did anything"


def when(rule: Rule) -> str:
    """Say what a rule waits for, with what narrows it."""
    wanted = rule.filter
    parts = [
        kinds(wanted.action_types) if wanted.action_types else "",
        plain(wanted.path, 80),
        harness_name(wanted.harness) if wanted.harness else "",
        f"session {plain(wanted.session_id, 40)}" if wanted.session_id else "",
        f"at least {size_words(wanted.min_bytes)}" if wanted.min_bytes else "",
    ]
    narrowed = "; ".join(part for part in parts if part)
    said = WHEN.get(rule.event) or plain(rule.event, 60)
    return f"{said} ({narrowed})" if narrowed else said


def then(rule: Rule) -> str:
    """Say what a rule does."""
    match rule.action:
        case TriggerAction.LABEL:
            return f"label it “{plain(rule.label, 60)}”"
        case TriggerAction.WEBHOOK:
            return f"call {plain(rule.url, 120)}"
        case _:
            return THEN[rule.action]


def fired(trigger: Trigger, now: datetime) -> str:
    """Say how often it fired and when last."""
    if trigger.last_fired_at is None:
        return "not yet"
    return f"{count_of(trigger.fires, 'time')}, {day_and_time(trigger.last_fired_at, now)}"


def trigger_row(trigger: Trigger, now: datetime) -> TextRow:
    """Return the row of a rule."""
    rule = trigger.rule
    where = plain(trigger.namespace or "all workspaces", 60)
    said = f"When {when(rule)}: {then(rule)}"
    state = "on" if rule.enabled else "off"
    return TextRow(trigger.id, (state, plain(rule.name, 200), fired(trigger, now), where, said))


def firing_row(firing: Firing, now: datetime) -> TextRow:
    """Return the row of one time that a rule fired."""
    return TextRow(firing.id, (day_and_time(firing.at, now), told(firing.told)))


def event_row(event: Event, now: datetime) -> TextRow:
    """Return the row of an event at which a rule would have fired."""
    return TextRow(event.id, (day_and_time(event.at, now), told(sentence(event))))


def call_row(call: Delivery, names: dict[int, str], now: datetime) -> TextRow:
    """Return the row of a call that was given up; `names` are the rules' by id."""
    rule = plain(names.get(call.trigger_id, ""), 60) or f"trigger {call.trigger_id}"
    tried = count_of(call.attempts, "try", "tries")
    why = plain(call.error, 300)
    return TextRow(call.id, (day_and_time(from_micros(call.next_at), now), rule, f"{tried}: {why}"))


def told(sentence_: str) -> str:
    """Return what was told of an event, with its name in plain words."""
    kind, _, rest = plain(sentence_, 400).partition(" ")
    return f"{rest} {HAPPENED[kind]}".strip() if kind in HAPPENED else f"{kind} {rest}".strip()


def would_have_fired(count: int, limit: int) -> str:
    """Say what a dry run found."""
    if not count:
        return "It would not have fired at anything that is still known."
    most = f"at least {limit:,}" if count >= limit else f"{count:,}"
    return f"It would have fired {most} {'time' if count == 1 else 'times'}. Nothing was done now."
