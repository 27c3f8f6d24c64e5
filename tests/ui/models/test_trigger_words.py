"""Rules are said in plain words, whatever they hold."""

from datetime import UTC, datetime

from sulcus_panel.core.ledger.rules import Delivery
from sulcus_panel.core.model import ActionType, Namespace
from sulcus_panel.core.triggers import Firing, Rule, Trigger, TriggerAction, TriggerFilter
from sulcus_panel.service.triggers import LISTENABLE
from sulcus_panel.ui.models.trigger_words import (
    THEN,
    WHEN,
    call_row,
    firing_row,
    told,
    trigger_row,
    would_have_fired,
)

NOW = datetime(2026, 11, 30, 14, 3, tzinfo=UTC)
FILTER = TriggerFilter((ActionType.FILE_EDIT,), "src/*.py", "codex", "s1", 40_000)


def test_all_that_a_rule_can_listen_to_and_do_has_words() -> None:
    assert set(WHEN) == LISTENABLE
    assert set(THEN) == set(TriggerAction)


def test_a_rule_is_one_sentence() -> None:
    rule = Rule("Mine", "entry.recorded", TriggerAction.LABEL, FILTER, label="review", enabled=False)
    row = trigger_row(Trigger(3, 1, Namespace("work"), rule, NOW), NOW)
    assert row.key == 3
    assert row.cells == (
        "off",
        "Mine",
        "not yet",
        "work",
        "When a change is recorded (edited a file; src/*.py; Codex; session s1; at least 40 KB):"
        " label it “review”",
    )


def test_what_happened_loses_its_programmers_name() -> None:
    assert told("entry.recorded #2 a.txt") == "#2 a.txt recorded"
    assert told("something.new #2") == "something.new #2"
    assert firing_row(Firing(1, 3, NOW, 9, "undo.done #4"), NOW).cells[1] == "#4 undone"


def test_a_call_that_was_given_up_says_why() -> None:
    call = Delivery(1, 3, 9, "dead", 6, 0, "answered with 500")
    assert call_row(call, {3: "Hook"}, NOW).cells[1:] == ("Hook", "6 tries: answered with 500")
    assert call_row(call, {}, NOW).cells[1] == "trigger 3"


def test_a_trial_says_when_it_was_cut_short() -> None:
    assert would_have_fired(0, 50).startswith("It would not have fired")
    assert would_have_fired(1, 50) == "It would have fired 1 time. Nothing was done now."
    assert "at least 50 times" in would_have_fired(50, 50)
