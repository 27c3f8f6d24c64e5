"""What kind of work a task is, and that the way back of the way back is the way."""

from dataclasses import replace

import pytest

from sulcus_panel.core.model import ABSENT, FileKind, FileState, LedgerPath
from sulcus_panel.core.undo.task import Task, backwards, overtaken
from tests.support.ledgers import state

FOLDER = FileState(FileKind.DIRECTORY, mode=0o755)
LINK = replace(state(b"new"), kind=FileKind.SYMLINK, mode=None)
EDIT = Task(LedgerPath("a"), state(b"old"), state(b"new"), b"new", ".t", displaced=b"old")


@pytest.mark.parametrize(
    ("task", "said"),
    [
        (EDIT, {"displaces"}),
        (replace(EDIT, after=ABSENT), {"displaces"}),
        (replace(EDIT, after=LINK), {"displaces"}),
        (replace(EDIT, before=LINK), {"displaces"}),
        (replace(EDIT, before=ABSENT), set()),
        (replace(EDIT, after=state(b"old", mode=0o600)), {"only_mode"}),
        (replace(EDIT, in_place=True), {"rewrites"}),
        (replace(EDIT, in_place=True, after=ABSENT), {"displaces"}),
        (replace(EDIT, in_place=True, after=state(b"old", mode=0o600)), {"only_mode"}),
        (Task(LedgerPath("a"), ABSENT, FOLDER, None, ".t"), {"is_folder", "makes_folder"}),
        (Task(LedgerPath("a"), FOLDER, ABSENT, None, ".t"), {"is_folder", "removes_folder"}),
        (Task(LedgerPath("a"), FOLDER, replace(FOLDER, mode=0o700), None, ".t"), {"is_folder"}),
    ],
)
def test_a_task_knows_its_kind(task: Task, said: set[str]) -> None:
    kinds = ("only_mode", "rewrites", "is_folder", "makes_folder", "removes_folder", "displaces")
    assert {kind for kind in kinds if getattr(task, kind)} == said


def test_the_way_back_of_the_way_back_is_the_way() -> None:
    assert backwards(backwards(EDIT)) == EDIT
    assert backwards(EDIT).content == b"old"
    assert backwards(replace(EDIT, like=LedgerPath("b"))).like is None


def test_a_strange_name_is_told_harmlessly() -> None:
    assert str(overtaken("a\n\x1b[31m", "by two")) == "a\\n\\x1b[31m has changed meanwhile: by two"
