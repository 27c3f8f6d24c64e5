"""The verdict is read as sentences: nothing twice, and no path with another letter than it has."""

from dataclasses import replace

import pytest

from sulcus_panel.core.model import DriftKind, LedgerPath, Undoability
from sulcus_panel.core.undo.model import Outcome, UndoPlan, Warning
from sulcus_panel.ui.models.entry_details import EntryDetails
from sulcus_panel.ui.models.verdict import verdict
from tests.support import hard_plans, undo_plans
from tests.support.entries import make_entry


def text_of(plan: UndoPlan) -> str:
    return verdict(EntryDetails(plan.entries[0].entry, plan=plan)).text


def with_warning(text: str, code: str = "read_by") -> UndoPlan:
    return replace(undo_plans.clean_plan(), warnings=(Warning(code, text),))


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("billing/journal.py was read", "billing/journal.py was read."),
        ("journal.py is deleted", "journal.py is deleted."),
        ("the agent is at work", "The agent is at work."),
        ("#4 was read", "#4 was read."),
    ],
)
def test_a_sentence_begins_with_a_capital_but_a_path_keeps_its_own(said: str, shown: str) -> None:
    assert shown in text_of(with_warning(said))


def test_a_file_whose_name_is_a_word_keeps_its_letters() -> None:
    plan = with_warning("notes was read")
    (item,) = plan.entries
    entry = make_entry(840, "notes")
    plan = replace(plan, entries=(replace(item, entry=entry),))
    assert "notes was read." in text_of(plan)


def test_drift_is_said_once_with_what_it_means() -> None:
    path = LedgerPath("billing/journal.py")
    plan = with_warning("billing/journal.py was changed outside the agents", code="drift")
    text = text_of(replace(plan, drift={path: DriftKind.CHANGED}))
    assert "billing/journal.py" not in text
    assert "What was changed outside the agents stays." in text


PARTLY = make_entry(840, undoability=Undoability.PARTLY, undo_reason="1 of 2 files cannot be undone")


def test_of_a_change_that_goes_back_in_part_it_is_said_why_and_not_that_it_cannot() -> None:
    plan = hard_plans.folder_plan()
    (item,) = plan.entries
    good = undo_plans.path_plan(undo_plans.clean_hunk())
    bad = replace(good, outcome=Outcome.REFUSED, hunks=(), reason="may hold a secret")
    blocked = replace(item, outcome=Outcome.REFUSED, paths=(good, bad))
    shown = verdict(
        EntryDetails(PARTLY, plan=replace(plan, entries=(blocked,), writes=(), outcome=Outcome.REFUSED))
    )
    assert shown.title == "Can be undone in part."
    assert shown.text == "1 of 2 files cannot be undone. The rest can go back alone."
    assert shown.button.enabled
    assert not shown.is_good


def test_what_rests_on_recorded_lines_only_goes_as_it_stands_and_says_so() -> None:
    shown = verdict(EntryDetails(PARTLY, plan=undo_plans.clean_plan()))
    assert shown.title == "Can be undone as it stands."
    assert "1 of 2 files cannot be undone." in shown.text


def test_a_conflict_says_with_whom_it_would_go() -> None:
    assert "With #851 and #842 undone too, it goes." in text_of(hard_plans.blocked_plan())


def test_what_is_not_certain_can_be_undone_after_a_look_and_is_not_shown_as_good() -> None:
    shown = verdict(EntryDetails(make_entry(840), plan=hard_plans.review_plan()))
    assert shown.title == "Can be undone after a look."
    assert not shown.is_good


def test_a_conflict_says_its_reason_once() -> None:
    shown = verdict(EntryDetails(make_entry(840), plan=undo_plans.conflict_plan()))
    whole = f"{shown.title} {shown.text}".casefold()
    assert whole.count("later work stands on these lines") == 1
