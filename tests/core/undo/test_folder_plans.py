"""One folder's answer, for what real work in test_folders.py does not bring about at will."""

from collections.abc import Collection
from dataclasses import replace

import pytest

from sulcus_panel.core.model import ABSENT, Change, DiskFile, FileKind, FileState, LedgerPath
from sulcus_panel.core.undo.folder_plans import DEFAULT_MODE, is_folder, plan_folder
from sulcus_panel.core.undo.model import Outcome, PathPlan, Strategy
from sulcus_panel.core.undo.question import Question
from tests.support.ledgers import state

FOLDER = FileState(FileKind.DIRECTORY, mode=0o750)
OPEN = replace(FOLDER, mode=0o755)
BARE = FileState(FileKind.DIRECTORY)
SET_GROUP = replace(FOLDER, mode=0o2750)
FILE = state(b"x")
LINK = replace(FILE, kind=FileKind.SYMLINK, mode=None)
UNKNOWN = FileState(FileKind.UNKNOWN, reason="busy")


def ask(before: FileState, after: FileState, disk: FileState, refusal: str = "") -> Question:
    change = Change(LedgerPath("d"), before, after)
    return Question(change, 0, None, refusal, DiskFile(disk, None), (), {})


def plan(question: Question, names: Collection[str] | None = ()) -> PathPlan:
    return plan_folder(question, names).plan


@pytest.mark.parametrize("mode", [0o700, 0o755, None, 0o2750])
def test_a_removed_folder_comes_back_with_its_permissions_but_no_special_ones(mode: int | None) -> None:
    found = plan(ask(replace(FOLDER, mode=mode), ABSENT, ABSENT))
    wanted = DEFAULT_MODE if mode is None else mode & 0o777
    assert (found.outcome, found.strategy) == (Outcome.UNDONE, Strategy.PRE_IMAGE_RESTORE)
    assert found.result == FileState(FileKind.DIRECTORY, mode=wanted)


def test_a_made_folder_goes_only_where_it_is_known_to_be_empty() -> None:
    question = ask(ABSENT, FOLDER, OPEN)
    assert (plan(question).outcome, plan(question).result) == (Outcome.UNDONE, ABSENT)
    for names in (None, {"x"}):
        kept = plan(question, names)
        assert (kept.outcome, kept.reason) == (Outcome.NOTHING_TO_UNDO, "not empty, so it is kept")


@pytest.mark.parametrize(
    ("question", "outcome", "reason"),
    [
        (ask(FOLDER, ABSENT, ABSENT, refusal="no"), Outcome.REFUSED, "no"),
        (replace(ask(FOLDER, ABSENT, ABSENT), chosen=frozenset()), Outcome.NOTHING_TO_UNDO, ""),
        (ask(UNKNOWN, FOLDER, FOLDER), Outcome.UNAVAILABLE, "before_unknown"),
        (ask(FOLDER, UNKNOWN, ABSENT), Outcome.UNAVAILABLE, "not_kept"),
        (ask(FOLDER, UNKNOWN, FOLDER), Outcome.ALREADY_UNDONE, ""),
        (ask(FOLDER, ABSENT, UNKNOWN), Outcome.REFUSED, "the folder cannot be read: busy"),
        (
            ask(FILE, FOLDER, FOLDER),
            Outcome.REFUSED,
            "a folder and a file took each other's place, which is not taken back",
        ),
        (
            ask(FOLDER, LINK, LINK),
            Outcome.REFUSED,
            "a folder and a file took each other's place, which is not taken back",
        ),
        (ask(FOLDER, ABSENT, OPEN), Outcome.ALREADY_UNDONE, ""),
        (ask(ABSENT, FOLDER, ABSENT), Outcome.ALREADY_UNDONE, ""),
        (ask(FOLDER, ABSENT, FILE), Outcome.CONFLICT, "something else stands at this path now"),
        (ask(ABSENT, FOLDER, LINK), Outcome.CONFLICT, "something else stands at this path now"),
        (ask(FOLDER, FOLDER, OPEN), Outcome.NOTHING_TO_UNDO, ""),
        (ask(FOLDER, BARE, OPEN), Outcome.NOTHING_TO_UNDO, ""),
        (ask(FOLDER, OPEN, FOLDER), Outcome.ALREADY_UNDONE, ""),
        (ask(FOLDER, OPEN, ABSENT), Outcome.CONFLICT, "the folder was deleted since"),
        (ask(FOLDER, OPEN, FILE), Outcome.CONFLICT, "something else stands at this path now"),
        (
            ask(FOLDER, OPEN, replace(FOLDER, mode=0o700)),
            Outcome.CONFLICT,
            "its permissions were changed again",
        ),
        (ask(SET_GROUP, OPEN, OPEN), Outcome.REFUSED, "a set-user-id bit is never given back"),
    ],
)
def test_what_is_not_done_is_an_outcome_with_its_reason(
    question: Question, outcome: Outcome, reason: str
) -> None:
    found = plan(question)
    assert (found.outcome, found.reason, found.result) == (outcome, reason, question.file.state)
    assert found.strategy is None


def test_permissions_alone_go_back() -> None:
    found = plan(ask(FOLDER, OPEN, OPEN))
    assert (found.outcome, found.result) == (Outcome.UNDONE, FOLDER)


def test_a_folder_on_either_side_makes_a_change_one_of_a_folder() -> None:
    assert is_folder(Change(LedgerPath("d"), FILE, FOLDER))
    assert is_folder(Change(LedgerPath("d"), FOLDER, ABSENT))
    assert not is_folder(Change(LedgerPath("d"), FILE, ABSENT))
