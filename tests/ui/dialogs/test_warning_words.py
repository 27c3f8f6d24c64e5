"""The gravest is read first, and a hundred of one kind are not a wall."""

from dataclasses import replace

from sulcus_panel.core.undo.model import Warning
from sulcus_panel.ui.dialogs.warning_words import MOST_OF_A_KIND, news, told
from tests.support import hard_plans, undo_plans


def test_the_gravest_kind_comes_first_and_the_quiet_last() -> None:
    kinds = told(hard_plans.warned_plan())
    assert [kind.heading for kind in kinds] == [
        "Still at work",
        "More than one name",
        "Later work stays",
        "Also look at",
    ]
    assert [kind.grave for kind in kinds] == [True, True, False, False]


def test_of_many_of_a_kind_the_first_are_told_and_the_rest_counted() -> None:
    sentences = told(hard_plans.warned_plan())[-1].sentences
    assert len(sentences) == MOST_OF_A_KIND + 1
    assert sentences[-1] == "And 9 more of this kind."


def test_a_kind_that_is_not_known_here_is_told_before_what_is_only_good_to_know() -> None:
    warnings = (*hard_plans.WARNINGS, Warning("brand_new", "Something else"))
    kinds = told(replace(undo_plans.clean_plan(), warnings=warnings))
    assert [kind.heading for kind in kinds].index("Please note") == 2
    assert kinds[2].grave


def test_what_the_sheet_says_elsewhere_is_not_said_twice() -> None:
    warnings = (Warning("drift", "a.py was changed outside the agents"), Warning("deletes", "deleted: a.py"))
    assert told(replace(undo_plans.clean_plan(), warnings=warnings)) == ()


def test_after_the_yes_only_what_is_new_is_told() -> None:
    fresh = Warning("late_write", "What was there is kept as a.py.1")
    assert [kind.sentences for kind in news((*hard_plans.WARNINGS, fresh), hard_plans.WARNINGS)] == [
        ("What was there is kept as a.py.1.",)
    ]


def test_every_sentence_ends_and_is_plain() -> None:
    plan = replace(undo_plans.clean_plan(), warnings=(Warning("x", "<b>bold</b>\x1b[31m"),))
    assert told(plan)[0].sentences == ("<b>bold</b>\\x1b[31m.",)
