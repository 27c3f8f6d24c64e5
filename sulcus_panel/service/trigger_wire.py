"""Rules, their firings and the calls that were given up as JSON, one form for every door; never a secret."""

from typing import Any

from sulcus_panel.core.ledger.encoding import from_micros
from sulcus_panel.core.ledger.rules import Delivery
from sulcus_panel.core.safety import escaped
from sulcus_panel.core.triggers import Firing, Trigger
from sulcus_panel.service.wire import time_text


def trigger_json(trigger: Trigger) -> dict[str, Any]:
    """A rule as it stands; `namespace` is null where it is for all workspaces, `signed` where it has a secret."""
    rule, wanted = trigger.rule, trigger.rule.filter
    return {
        "trigger_id": trigger.id,
        "namespace": trigger.namespace,
        "name": escaped(rule.name),
        "event": rule.event,
        "filter": {
            "action_types": list(wanted.action_types),
            "path": escaped(wanted.path),
            "harness": escaped(wanted.harness),
            "session_id": escaped(wanted.session_id),
            "min_bytes": wanted.min_bytes,
        },
        "action": rule.action,
        "label": escaped(rule.label),
        "url": escaped(rule.url),
        "signed": bool(rule.secret),
        "cooldown_seconds": rule.cooldown_seconds,
        "max_fires": rule.max_fires,
        "enabled": rule.enabled,
        "made_at": time_text(trigger.made_at),
        "fires": trigger.fires,
        "last_fired_at": None if trigger.last_fired_at is None else time_text(trigger.last_fired_at),
    }


def firing_json(firing: Firing) -> dict[str, Any]:
    """One time that a rule fired."""
    return {
        "firing_id": firing.id,
        "trigger_id": firing.trigger_id,
        "at": time_text(firing.at),
        "event_id": firing.event_id,
        "told": escaped(firing.told),
    }


def delivery_json(delivery: Delivery) -> dict[str, Any]:
    """One call of a webhook; `at` is when it was given up, or is made next."""
    return {
        "delivery_id": delivery.id,
        "trigger_id": delivery.trigger_id,
        "event_id": delivery.event_id,
        "at": time_text(from_micros(delivery.next_at)),
        "state": delivery.state,
        "attempts": delivery.attempts,
        "error": escaped(delivery.error),
    }
