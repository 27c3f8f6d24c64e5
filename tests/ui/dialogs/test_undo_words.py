"""What the sheet says, sentence by sentence."""

from dataclasses import replace

import pytest

from sulcus_panel.core.model import ABSENT, DriftKind, FileKind, FileState, SeqId
from sulcus_panel.core.undo.model import HunkOutcome, Outcome
from sulcus_panel.ui.dialogs import undo_words as words
from tests.support import undo_plans


@pytest.mark.parametrize(
    ("lines", "title"),
    [((41, 43), "Lines 42–43"), ((41, 42), "Line 42"), ((41, 41), "Before line 42"), (None, "Part 1")],
)
def test_lines_are_counted_from_one(lines: tuple[int, int] | None, title: str) -> None:
    assert words.hunk_title(replace(undo_plans.clean_hunk(), disk_lines=lines)) == title


def test_a_conflict_names_every_entry_that_stands_there() -> None:
    conflict = undo_plans.conflict()
    assert words.conflict_words(conflict) == "#842 stands on these lines"
    two = replace(conflict, with_seq_ids=(SeqId(842), SeqId(850)), outside=True)
    assert words.conflict_words(two) == "#842 and #850 and a change outside the agents stand on these lines"
    whole = replace(undo_plans.conflict(outside=True), lines=None)
    assert words.conflict_words(whole) == "This file was changed outside the agents"


@pytest.mark.parametrize("outcome", list(Outcome))
def test_every_outcome_has_words(outcome: Outcome) -> None:
    assert words.outcome_status(outcome).text
    assert words.result_title(replace(undo_plans.result(), outcome=outcome), redo=False).text


@pytest.mark.parametrize("outcome", list(HunkOutcome))
def test_every_hunk_outcome_has_words(outcome: HunkOutcome) -> None:
    assert words.hunk_status(replace(undo_plans.clean_hunk(), outcome=outcome)).text


@pytest.mark.parametrize("kind", list(DriftKind))
def test_every_drift_has_words(kind: DriftKind) -> None:
    said = words.drift_words(undo_plans.PATH, kind, undo_plans.clean_plan())
    assert said.startswith("services/billing/webhook_verifier.rb ")


def test_only_a_result_that_was_verified_says_so() -> None:
    for outcome in Outcome:
        said = words.result_title(replace(undo_plans.result(), outcome=outcome), redo=False)
        is_done = outcome in (Outcome.UNDONE, Outcome.PARTLY_UNDONE)
        assert ("verified" in said.text) == is_done
        assert (said.mood is words.Mood.GOOD) == is_done


def test_a_plain_single_undo_asks_for_no_tick_and_drift_deletion_and_batch_do() -> None:
    assert words.consequences(undo_plans.clean_plan()) == ()
    assert len(words.consequences(undo_plans.drifted_plan())) == 1
    assert len(words.consequences(undo_plans.delete_plan())) == 1
    assert len(words.consequences(undo_plans.turn_plan())) == 2


def test_why_not_is_empty_only_where_it_can_be_done() -> None:
    assert words.why_not(undo_plans.clean_plan()) == ""
    assert words.why_not(undo_plans.conflict_plan()) == (
        "Not possible: #842 stands on these lines. Untick them to take back the rest."
    )
    empty = replace(undo_plans.clean_plan(), writes=())
    assert "nothing to write" in words.why_not(empty)


def test_the_reason_why_an_entry_cannot_be_undone_is_said_in_words() -> None:
    plan = undo_plans.clean_plan()
    item = replace(plan.entries[0], outcome=Outcome.UNAVAILABLE, reason="snapshot_expired")
    plan = replace(plan, entries=(item,), writes=(), outcome=Outcome.UNAVAILABLE)
    assert words.why_not(plan) == "#840: cannot be undone: the earlier contents are no longer kept."


def test_absent_empty_and_unknown_are_three_states() -> None:
    assert words.state_words(ABSENT) == "no file"
    assert words.state_words(undo_plans.file_state(b"")).startswith("0 bytes (")
    assert words.state_words(FileState(FileKind.UNKNOWN, reason="busy")) == "not known (busy)"
