"""The table: every rule has examples on both sides, and a rule whose examples do not hold is not used."""

from sulcus_panel.core.safety.guard import judge, rules
from tests.support.guard_rows import wrong_classes, wrong_tables


def test_every_rule_has_examples_that_hold_and_bad_ones_are_seen() -> None:
    assert not list(wrong_tables(rules))
    assert all(rule.like and rule.not_like for rule in rules.RULES)


def test_no_answer_and_no_rule_can_be_changed() -> None:
    assert not list(wrong_classes(judge, rules))
