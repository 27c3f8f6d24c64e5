from datetime import timedelta

import pytest

from sulcus_panel.core.events import Event, EventKind
from sulcus_panel.core.model import ActionType, Namespace
from sulcus_panel.core.triggers import (
    Rule,
    Trigger,
    TriggerAction,
    TriggerFilter,
    entries_of,
    may_fire,
    means,
    sentence,
)
from tests.support.clock import NOON

EDIT = Event(
    7,
    NOON,
    Namespace("shop"),
    EventKind.ENTRY_RECORDED,
    {
        "seq_id": 3,
        "harness": "codex",
        "session_id": "s",
        "action_type": "file_edit",
        "size_bytes": 100,
        "paths": ["src/App.py", "b.txt"],
    },
)


@pytest.mark.parametrize(
    ("event", "wanted", "expected"),
    [
        ("entry.recorded", TriggerFilter(), True),
        ("entry.*", TriggerFilter(), True),
        ("undo.*", TriggerFilter(), False),
        ("entry.recorded", TriggerFilter(action_types=(ActionType.FILE_EDIT,)), True),
        ("entry.recorded", TriggerFilter(action_types=(ActionType.RUN_COMMAND,)), False),
        ("entry.recorded", TriggerFilter(path="src/*.py"), True),
        ("entry.recorded", TriggerFilter(path="*APP*"), True),
        ("entry.recorded", TriggerFilter(path="*.md"), False),
        ("entry.recorded", TriggerFilter(harness="codex", session_id="s", min_bytes=100), True),
        ("entry.recorded", TriggerFilter(harness="claude-code"), False),
        ("entry.recorded", TriggerFilter(min_bytes=101), False),
    ],
)
def test_a_rule_means_an_event_of_its_kind_that_passes_every_filter(
    event: str, wanted: TriggerFilter, expected: bool
) -> None:
    assert means(Rule("r", event, TriggerAction.NOTIFY, wanted), EDIT) is expected


def test_what_an_event_does_not_say_passes_no_filter() -> None:
    drift = Event(8, NOON, None, EventKind.DRIFT_DETECTED, {"path": "a.txt"})
    assert means(Rule("r", "drift.detected", TriggerAction.NOTIFY, TriggerFilter(path="a.*")), drift)
    assert not means(Rule("r", "drift.detected", TriggerAction.NOTIFY, TriggerFilter(harness="x")), drift)


def test_a_rule_rests_and_ends() -> None:
    rule = Rule("r", "undo.*", TriggerAction.NOTIFY, cooldown_seconds=60, max_fires=3)
    fired = Trigger(1, None, None, rule, NOON, fires=2, last_fired_at=NOON)
    assert not may_fire(fired, NOON + timedelta(seconds=59))
    assert may_fire(fired, NOON + timedelta(seconds=60))
    assert not may_fire(Trigger(1, None, None, rule, NOON, fires=3), NOON)
    off = Rule("r", "undo.*", TriggerAction.NOTIFY, enabled=False)
    assert not may_fire(Trigger(1, None, None, off, NOON), NOON)


def test_a_clock_that_was_put_back_holds_no_rule_up() -> None:
    rule = Rule("r", "undo.*", TriggerAction.NOTIFY, cooldown_seconds=60)
    fired_later = Trigger(1, None, None, rule, NOON, fires=1, last_fired_at=NOON + timedelta(days=365))
    assert may_fire(fired_later, NOON)


def test_an_event_is_told_in_a_sentence() -> None:
    assert sentence(EDIT) == "entry.recorded #3 src/App.py, b.txt"
    assert entries_of({"seq_ids": [1, 2]}) == (1, 2)
    assert entries_of({"id": 4}) == (4,)
    assert entries_of({"path": "x"}) == ()
