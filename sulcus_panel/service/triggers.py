"""Rules at work: what happened since they last looked, and what they do about it. They watch, and never block.

What a rule does to the ledger is done in the transaction that notes how far the rules have read, so that whichever
processes run them, each event is seen once.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from urllib.parse import urlsplit

from sulcus_panel.core.errors import BadRequest
from sulcus_panel.core.events import Event, EventKind
from sulcus_panel.core.ledger.encoding import to_micros
from sulcus_panel.core.ledger.rules import Delivery
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import LABEL, LOOK, PIN, Actor, LedgerPath
from sulcus_panel.core.safety import plain
from sulcus_panel.core.triggers import (
    EVENT_PATTERNS,
    Firing,
    Rule,
    Trigger,
    TriggerAction,
    entries_of,
    may_fire,
    means,
    paths_of,
    sentence,
)
from sulcus_panel.service.bus import ChangeBus
from sulcus_panel.service.changes import Changes

PAGE = 500
MOST_COOLDOWN = 30 * 86_400
LISTENABLE = frozenset(EVENT_PATTERNS) | {
    kind.value for kind in EventKind if kind.value.startswith(("undo.", "rewind."))
}


class Triggers:
    """The rules of one ledger; `actor` is who makes and changes them."""

    def __init__(self, ledger: Ledger, bus: ChangeBus, clock: Callable[[], datetime], actor: Actor) -> None:
        self._ledger = ledger
        self._bus = bus
        self._clock = clock
        self._actor = actor

    def all(self) -> tuple[Trigger, ...]:
        """Return every rule, oldest first, those that are off too."""
        return self._ledger.rules.all()

    def get(self, trigger_id: int) -> Trigger:
        """Return one. Raises NotFound."""
        return self._ledger.rules.by_id(trigger_id)

    def dead(self, *, limit: int = 50) -> tuple[Delivery, ...]:
        """Return the calls of webhooks that were given up, newest first."""
        return self._ledger.rules.dead(limit)

    def firings(
        self, trigger_id: int | None = None, *, limit: int = 50, before: int | None = None
    ) -> tuple[Firing, ...]:
        """Return when it fired, newest first; of all rules where none is named."""
        return self._ledger.rules.firings(trigger_id, limit=limit, before=before)

    def add(self, workspace_id: int | None, rule: Rule) -> Trigger:
        """Make a rule, which sees what happens from now on. Raises BadRequest naming the field."""
        check(rule)
        with self._ledger.write():
            if self._ledger.rules.position is None or not self.all():
                self._ledger.rules.move_to(self._ledger.events.newest)
            made = self._ledger.rules.add(workspace_id, rule, to_micros(self._clock()))
            self._tell("trigger.made", made)
        return made

    def change(
        self, trigger_id: int, rule: Rule, *, moves: bool = False, workspace_id: int | None = None
    ) -> Trigger:
        """Put another rule in its place; how often it fired stays. Raises BadRequest, NotFound.

        With `moves` it holds in this workspace from now on, in all of them for None; else where it did.
        """
        check(rule)
        with self._ledger.write():
            changed = self._ledger.rules.change(trigger_id, rule)
            if moves:
                if workspace_id is not None:
                    self._ledger.workspace(workspace_id)
                changed = self._ledger.rules.move(trigger_id, workspace_id)
            self._tell("trigger.changed", changed)
        return changed

    def switch(self, trigger_id: int, *, enabled: bool) -> Trigger:
        """Turn a rule on or off; off, it stays listed. Raises NotFound."""
        return self.change(trigger_id, replace(self.get(trigger_id).rule, enabled=enabled))

    def drop(self, trigger_id: int) -> None:
        """Let go of a rule and its history. Raises NotFound."""
        with self._ledger.write():
            self._tell("trigger.dropped", self._ledger.rules.by_id(trigger_id))
            self._ledger.rules.drop(trigger_id)

    def dry_run(self, workspace_id: int | None, rule: Rule, *, limit: int = 50) -> tuple[Event, ...]:
        """Return the newest events, as far as they are kept, at which the rule would have fired, newest first.

        Its rests and its most fires count as they would have. Raises BadRequest.
        """
        check(rule)
        trigger = Trigger(0, workspace_id, None, rule, self._clock())
        found: list[Event] = []
        position = 0
        while events := self._ledger.events.after(position, workspace_id=workspace_id, limit=PAGE):
            position = events[-1].id
            for event in events:
                if means(rule, event) and may_fire(trigger, event.at):
                    trigger = replace(trigger, fires=trigger.fires + 1, last_fired_at=event.at)
                    found.append(event)
        return tuple(found[-limit:][::-1]) if limit > 0 else ()

    def run(self) -> int:
        """Let the rules see what happened since they last looked; how often one fired.

        Raises LedgerBusy, LedgerFull: then they have seen none of it.
        """
        rules = self._ledger.rules
        if rules.position == self._ledger.events.newest or not self.all():
            return 0  # where there are no rules, following along is no reason to write
        fired: list[tuple[Trigger, Event]] = []
        with self._ledger.write():
            position = rules.position
            if position is None:
                rules.move_to(self._ledger.events.newest)
                return 0
            while events := self._ledger.events.after(position, limit=PAGE):
                position = events[-1].id
                fired += self._seen(events)
            rules.move_to(max(position, self._ledger.events.newest))
        for trigger, event in fired:
            if trigger.rule.action is TriggerAction.NOTIFY:
                self._bus.publish(
                    Changes(notice=f"{plain(trigger.rule.name, 100)}: {plain(sentence(event), 300)}")
                )
        if fired:
            self._bus.publish(Changes(touched=None))
        return len(fired)

    def _seen(self, events: tuple[Event, ...]) -> list[tuple[Trigger, Event]]:
        fired = []
        triggers = list(self.all())
        for event in events:
            for at, trigger in enumerate(triggers):
                if trigger.namespace not in {None, event.namespace} or not means(trigger.rule, event):
                    continue
                now = self._clock()
                if may_fire(trigger, now):
                    self._act(trigger, event, to_micros(now))
                    fired.append((trigger, event))
                    triggers[at] = replace(trigger, fires=trigger.fires + 1, last_fired_at=now)
        return fired

    def _act(self, trigger: Trigger, event: Event, now: int) -> None:
        rules, rule = self._ledger.rules, trigger.rule
        rules.fired(trigger.id, event.id, sentence(event), now)
        match rule.action:
            case TriggerAction.PIN:
                rules.mark(self._entries(event), PIN)
            case TriggerAction.LABEL:
                rules.mark(self._entries(event), LABEL + rule.label)
            case TriggerAction.HOLD:
                rules.mark(self._entries(event), LOOK + rule.name)
            case TriggerAction.WEBHOOK:
                rules.send(trigger.id, event.id, now)
            case TriggerAction.NOTIFY:
                pass  # said on the bus, once all of it is on disk

    def _entries(self, event: Event) -> tuple[int, ...]:
        """Return the entries that an event is about; of drift, the newest one on the file."""
        if named := entries_of(event.body):
            return named
        workspaces = [one for one in self._ledger.workspaces() if one.namespace == event.namespace]
        steps = [
            self._ledger.timeline(workspace.id, LedgerPath(path))
            for workspace in workspaces
            for path in paths_of(event.body)
        ]
        return tuple(timeline[-1].seq_id for timeline in steps if timeline)

    def _tell(self, kind: str, trigger: Trigger) -> None:
        rule = trigger.rule
        where = f" in {trigger.namespace}" if trigger.namespace else ""
        summary = f"Trigger {trigger.id} “{plain(rule.name, 100)}”: {rule.event}{where} → {rule.action}"
        self._ledger.record_governance(trigger.workspace_id, self._actor, kind, summary)
        self._bus.publish(Changes(workspace_id=trigger.workspace_id, governance=True, rules=True))


def check(rule: Rule) -> None:
    """Refuse a rule that cannot be meant. Raises BadRequest naming the field."""
    if not 1 <= len(rule.name.strip()) <= 200 or not rule.name.isprintable():
        raise BadRequest("A trigger needs a name of 1 to 200 characters", field="name")
    if rule.event not in LISTENABLE:
        raise BadRequest(
            f"No trigger can listen to {plain(rule.event, 60)}",
            "One of: " + ", ".join(sorted(LISTENABLE)),
            field="event",
        )
    if len(rule.filter.path) > 500 or rule.filter.min_bytes < 0:
        raise BadRequest("A filter is a glob of at most 500 characters and a size from 0", field="filter")
    if not 0 <= rule.cooldown_seconds <= MOST_COOLDOWN:
        raise BadRequest(f"A trigger rests from 0 to {MOST_COOLDOWN} seconds", field="cooldown_seconds")
    if rule.max_fires is not None and not 1 <= rule.max_fires <= 1_000_000:
        raise BadRequest("A trigger fires 1 to 1000000 times, or without limit", field="max_fires")
    _check_action(rule)


def _check_action(rule: Rule) -> None:
    if rule.action is TriggerAction.LABEL and not (1 <= len(rule.label) <= 60 and rule.label.isprintable()):
        raise BadRequest("A label is a word of 1 to 60 characters", field="label")
    if rule.action is not TriggerAction.WEBHOOK:
        return
    if not _is_address(rule.url):
        raise BadRequest("A webhook needs an address that begins with http:// or https://", field="url")
    if urlsplit(rule.url).username or urlsplit(rule.url).password:
        raise BadRequest("An address cannot hold a password", "Use the secret: it signs.", field="url")
    try:
        rule.secret.encode()
    except UnicodeEncodeError:
        raise BadRequest("A secret is a text in UTF-8", field="secret") from None


def _is_address(url: str) -> bool:
    """Whether a webhook can be called there; a name that nobody could look up must not reach who calls."""
    import httpx  # here, for only a webhook needs it

    try:
        parts = urlsplit(url)
        host = httpx.URL(url).host
        host.encode("idna")
        has_port = parts.port is None or parts.port > 0
    except (ValueError, httpx.InvalidURL):
        return False
    return parts.scheme in {"http", "https"} and bool(parts.hostname) and url.isprintable() and has_port
