"""What is asked for tick by tick before a yes."""

from dataclasses import replace

from sulcus_panel.core.model import LedgerPath
from sulcus_panel.core.undo.model import Consent
from sulcus_panel.ui.dialogs.demands import consequences, demands, still_to_tick
from tests.support import hard_plans, undo_plans


def test_a_plain_single_undo_asks_for_no_tick_and_drift_deletion_and_batch_do() -> None:
    assert consequences(undo_plans.clean_plan()) == ()
    assert len(consequences(undo_plans.drifted_plan())) == 1
    assert len(consequences(undo_plans.delete_plan())) == 1
    assert len(consequences(undo_plans.turn_plan())) == 2


def test_the_plans_own_consents_come_first_and_hold_for_that_plan_only() -> None:
    plan = hard_plans.batch_review_plan()
    asked = demands(plan)
    assert [each.key for each in asked] == ["review:lib/support/clock_skew.rb", ""]
    assert [each.digest for each in asked] == [plan.digest, ""]


def test_a_file_is_called_by_the_letters_that_it_has() -> None:
    plan = hard_plans.review_plan()
    consent = Consent(
        "config", LedgerPath("package.json"), "package.json names commands that are run for you"
    )
    assert demands(replace(plan, consents=(consent,)))[0].text == consent.text


def test_a_plan_that_cannot_be_carried_out_asks_for_nothing() -> None:
    assert demands(replace(hard_plans.review_plan(), writes=())) == ()


def test_a_folder_that_goes_is_named_as_a_folder_and_a_file_that_moves_is_not_deleted() -> None:
    assert consequences(hard_plans.folder_plan()) == (
        "pkg/api/routes.py will be deleted",
        "The empty folders pkg/api and pkg will be removed",
    )
    assert consequences(hard_plans.move_plan()) == ("The empty folder lib/support/crypto will be removed",)


def test_what_is_still_to_be_ticked_is_counted() -> None:
    assert still_to_tick(2, 2) == ""
    assert still_to_tick(0, 1) == "Tick the line above first."
    assert still_to_tick(1, 3) == "Tick what stands above first: 2 of 3 still to go."
