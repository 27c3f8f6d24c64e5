"""What the sheet says, sentence by sentence."""

from dataclasses import replace

import pytest

from sulcus_panel.core.model import DriftKind, EntryState, LedgerPath, SeqId
from sulcus_panel.core.undo.model import HunkOutcome, Outcome
from sulcus_panel.ui.dialogs import undo_words as words
from sulcus_panel.ui.dialogs.status import Mood
from tests.support import hard_plans, undo_plans


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


def test_of_several_files_the_one_in_conflict_is_named() -> None:
    whole = replace(undo_plans.conflict(outside=True), lines=None)
    assert words.conflict_words(whole, named=True) == f"{undo_plans.PATH} was changed outside the agents"
    lines = words.conflict_words(undo_plans.conflict(), named=True)
    assert lines == f"#842 stands on lines of {undo_plans.PATH}"


@pytest.mark.parametrize("outcome", list(HunkOutcome))
def test_every_hunk_outcome_has_words(outcome: HunkOutcome) -> None:
    assert words.hunk_status(replace(undo_plans.clean_hunk(), outcome=outcome)).text


def test_a_hunk_that_is_not_certain_is_to_be_looked_at_and_says_why() -> None:
    status = words.hunk_status(hard_plans.review_hunk())
    assert status.text == "to be looked at: two places fit equally well"
    assert status.mood is Mood.CAUTION
    left_out = replace(hard_plans.review_hunk(), chosen=False)
    assert words.hunk_status(left_out).text == "stays as it is"


@pytest.mark.parametrize("kind", list(DriftKind))
def test_every_drift_has_words(kind: DriftKind) -> None:
    said = words.drift_words(undo_plans.PATH, kind, undo_plans.clean_plan())
    assert said.startswith("services/billing/webhook_verifier.rb ")


def test_of_a_long_path_the_beginning_and_the_name_are_told() -> None:
    said = words.path_text("apps/shop/" + "deep/" * 200 + "Card.tsx")
    assert said.startswith("apps/shop/deep/")
    assert said.endswith("/Card.tsx")
    assert len(said) < 200


def test_why_not_is_empty_only_where_it_can_be_done() -> None:
    assert words.why_not(undo_plans.clean_plan()) == ""
    assert words.why_not(hard_plans.review_plan()) == ""
    assert words.why_not(undo_plans.conflict_plan()) == (
        "Not possible: #842 stands on these lines. Untick what stays to take back the rest."
    )
    empty = replace(undo_plans.clean_plan(), writes=(), outcome=Outcome.NOTHING_TO_UNDO)
    assert "nothing to write" in words.why_not(empty)


def test_what_is_gone_already_can_be_marked_and_only_once() -> None:
    plan = hard_plans.gone_plan()
    assert (words.why_not(plan), words.wording(plan).accept) == ("", "Mark as undone")
    marked = replace(plan.entries[0], entry=replace(plan.entries[0].entry, state=EntryState.UNDONE))
    again = replace(plan, entries=(marked,))
    assert words.why_not(again) == "There is nothing left to do: this is undone already."
    assert words.wording(again).accept == "Undo this change"


def test_of_a_batch_the_one_that_stands_in_the_way_is_named() -> None:
    assert words.why_not(hard_plans.twelve_plan()).startswith("#853: this path may not be written: ")


def test_of_a_command_the_file_that_stands_in_the_way_is_named() -> None:
    plan = hard_plans.folder_plan()
    item = plan.entries[0]
    bad = replace(item.paths[0], outcome=Outcome.REFUSED, reason="a folder stands there now")
    entry = replace(item, outcome=Outcome.REFUSED, paths=(*item.paths[1:], bad))
    said = words.why_not(replace(plan, entries=(entry,), writes=(), outcome=Outcome.REFUSED))
    assert said == "#860: pkg/api/routes.py: this path may not be written: a folder stands there now."


def test_the_reason_why_an_entry_cannot_be_undone_is_said_in_words() -> None:
    plan = undo_plans.clean_plan()
    item = replace(plan.entries[0], outcome=Outcome.UNAVAILABLE, reason="snapshot_expired")
    plan = replace(plan, entries=(item,), writes=(), outcome=Outcome.UNAVAILABLE)
    assert words.why_not(plan) == "#840: cannot be undone: what was there before is no longer kept."


@pytest.mark.parametrize(
    ("safe", "said"),
    [
        ((842,), "#842 stands on these lines."),
        ((851, 842), "#851 and #842 stand on these lines."),
        (tuple(range(900, 910)), "#900, #901, #902, #903 and 6 more stand on these lines."),
    ],
)
def test_who_would_have_to_go_too_is_named_newest_first(safe: tuple[int, ...], said: str) -> None:
    assert words.stands_in_the_way(hard_plans.blocked_plan(safe=safe)) == said


def test_a_note_of_a_result_says_what_was_asked_what_came_of_it_and_why() -> None:
    plan = undo_plans.clean_plan()
    done = words.result_note(hard_plans.result_of(Outcome.UNDONE), plan)
    assert done == "Undo change #840: undone, and verified on disk."
    held = words.result_note(hard_plans.result_of(Outcome.HELD, "why"), plan)
    assert held == "Undo change #840: nothing was written: it waits for your own yes (why)."


def test_a_command_is_named_by_its_words_and_not_by_the_first_file_that_it_changed() -> None:
    plan = undo_plans.clean_plan()
    [item] = plan.entries
    record = replace(item.entry.record, command="sed -i s/a/b/ *.py\nrm x", target_path=LedgerPath("a.py"))
    ran = replace(plan, entries=(replace(item, entry=replace(item.entry, record=record)),))
    assert words.wording(ran).subtitle == "sed -i s/a/b/ *.py\\nrm x"
    assert words.entry_line(ran.entries[0]).endswith("sed -i s/a/b/ *.py\\nrm x")
