"""What an outcome, a state and a result are called: nothing is said to be on disk that was not read there."""

from dataclasses import replace

import pytest

from sulcus_panel.core.model import ABSENT, FileKind, FileState, SeqId
from sulcus_panel.core.undo.model import Outcome
from sulcus_panel.ui.dialogs import outcome_words as words
from sulcus_panel.ui.dialogs.status import Mood
from tests.support import hard_plans, undo_plans


@pytest.mark.parametrize("outcome", list(Outcome))
def test_every_outcome_has_words(outcome: Outcome) -> None:
    assert words.outcome_status(outcome).text
    assert words.result_title(replace(undo_plans.result(), outcome=outcome), redo=False).text


def test_only_a_result_that_was_verified_says_so() -> None:
    for outcome in Outcome:
        said = words.result_title(replace(undo_plans.result(), outcome=outcome), redo=False)
        is_done = outcome in (Outcome.UNDONE, Outcome.PARTLY_UNDONE, Outcome.COPY_SAVED)
        assert ("verified" in said.text) == is_done
        assert (said.mood is Mood.GOOD) == is_done


def test_only_what_was_surely_not_written_says_that_nothing_was() -> None:
    done = {Outcome.UNDONE, Outcome.PARTLY_UNDONE, Outcome.COPY_SAVED}
    unsure = {*done, Outcome.APPLIED_UNCONFIRMED, Outcome.FAILED}
    for outcome in Outcome:
        said = words.result_title(hard_plans.result_of(outcome), redo=False).text
        assert said.startswith("Nothing was written") == (outcome not in unsure)


def test_what_was_only_marked_is_not_said_to_be_verified_on_disk() -> None:
    closed = hard_plans.result_of(Outcome.ALREADY_UNDONE)
    marked = replace(closed, results=(replace(closed.results[0], undo_seq_id=SeqId(872)),))
    assert words.result_title(marked, redo=False).text == "Marked as undone; no file was written"
    assert words.result_title(marked, redo=True).text == "Marked as not undone; no file was written"
    cancelled_out = replace(marked, outcome=Outcome.UNDONE)
    assert words.result_title(cancelled_out, redo=False).text == "Marked as undone; no file was written"


def test_absent_empty_and_unknown_are_three_states() -> None:
    assert words.state_words(ABSENT) == "no file"
    assert words.state_words(undo_plans.file_state(b"")).startswith("0 bytes (")
    assert words.state_words(FileState(FileKind.UNKNOWN, reason="busy")) == "not known (busy)"


def test_a_folder_comes_goes_or_is_kept() -> None:
    gone, kept = hard_plans.folder_plan().entries[0].paths[1:4:2]
    assert words.path_status(gone).text == "the folder is empty by then and goes"
    assert (
        words.path_status(replace(gone, disk=gone.result, result=gone.disk)).text == "the folder comes back"
    )
    assert words.path_status(kept).text == "not empty, so it is kept"


def test_what_a_path_becomes_is_told_of_files_folders_and_permissions() -> None:
    file, folder = undo_plans.file_state(b"a"), hard_plans.FOLDER
    assert words.change_words(ABSENT, folder) == "no folder → a folder"
    assert words.change_words(folder, ABSENT) == "a folder → no folder"
    assert words.change_words(file, replace(file, mode=0o755)) == "permissions 0644 → 0755"
    assert words.change_words(file, ABSENT).endswith("→ no file")


def test_a_file_that_would_no_longer_parse_is_to_be_looked_at() -> None:
    path = replace(
        undo_plans.path_plan(undo_plans.clean_hunk()),
        outcome=Outcome.REVIEW,
        reason="the file would no longer parse",
    )
    assert words.path_status(path).text == "to be looked at: the file would no longer parse"
