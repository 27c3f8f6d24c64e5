"""Rules as JSON: what was asked for, how often it fired, and never the secret."""

import json
from datetime import UTC, datetime

from sulcus_panel.core.ledger.rules import Delivery
from sulcus_panel.core.model import ActionType, Namespace
from sulcus_panel.core.triggers import Firing, Rule, Trigger, TriggerAction, TriggerFilter
from sulcus_panel.service.trigger_wire import delivery_json, firing_json, trigger_json

AT = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
SAID = "2026-05-04T12:00:00.000000Z"


def test_a_rule_tells_all_but_its_secret() -> None:
    wanted = TriggerFilter((ActionType.FILE_EDIT,), "src/*", "codex", "s1", 10)
    rule = Rule(
        "Tell", "entry.recorded", TriggerAction.WEBHOOK, wanted, url="https://h/x", secret="hush", max_fires=3
    )
    body = trigger_json(Trigger(7, 1, Namespace("work"), rule, AT, 2, AT))
    assert "hush" not in json.dumps(body)
    assert body == {
        "trigger_id": 7,
        "namespace": "work",
        "name": "Tell",
        "event": "entry.recorded",
        "filter": {
            "action_types": ["file_edit"],
            "path": "src/*",
            "harness": "codex",
            "session_id": "s1",
            "min_bytes": 10,
        },
        "action": "webhook",
        "label": "",
        "url": "https://h/x",
        "signed": True,
        "cooldown_seconds": 0,
        "max_fires": 3,
        "enabled": True,
        "made_at": SAID,
        "fires": 2,
        "last_fired_at": SAID,
    }


def test_a_rule_for_all_that_never_fired_says_so_by_null() -> None:
    body = trigger_json(Trigger(7, None, None, Rule("n", "undo.*", TriggerAction.NOTIFY), AT))
    assert (body["namespace"], body["last_fired_at"], body["max_fires"], body["signed"]) == (
        None,
        None,
        None,
        False,
    )


def test_a_firing_and_a_call_that_was_given_up() -> None:
    assert firing_json(Firing(3, 7, AT, 9, "entry.recorded #2 a.txt")) == {
        "firing_id": 3,
        "trigger_id": 7,
        "at": SAID,
        "event_id": 9,
        "told": "entry.recorded #2 a.txt",
    }
    call = Delivery(4, 7, 9, "dead", 6, 1_777_896_000_000_000, "answered with 500")
    assert delivery_json(call) == {
        "delivery_id": 4,
        "trigger_id": 7,
        "event_id": 9,
        "at": SAID,
        "state": "dead",
        "attempts": 6,
        "error": "answered with 500",
    }
