"""A file's steps with its absences filled by what happened where it was meanwhile."""

from collections.abc import Sequence

import pytest

from sulcus_panel.core.model import ABSENT, FileKind, FileState, LedgerPath, Origin, SeqId, Step
from sulcus_panel.core.undo.follow import comes, followed, leaves
from tests.support.clock import NOON
from tests.support.ledgers import state

HERE, THERE = LedgerPath("here"), LedgerPath("there")
ONE, TWO, THREE = state(b"1"), state(b"2"), state(b"3")
LINK = FileState(FileKind.SYMLINK, ONE.sha256, 1)
MOVED = {(SeqId(1), HERE): THERE}


def step(seq_id: int, before: FileState, after: FileState) -> Step:
    return Step(SeqId(seq_id), Origin.AGENT, NOON, before, after, ())


LEAVE, BACK = step(1, ONE, ABSENT), step(3, ABSENT, TWO)
AT_THERE = (step(1, ABSENT, ONE), step(2, ONE, TWO), step(3, TWO, ABSENT))


def follow(steps: Sequence[Step], there: Sequence[Step]) -> tuple[Step, ...]:
    return followed(HERE, steps, MOVED, {HERE: steps, THERE: there}.__getitem__)


def test_an_absence_gives_way_to_what_was_done_to_the_file_meanwhile() -> None:
    before, after = step(9, TWO, ONE), step(4, TWO, THREE)
    assert follow((before, LEAVE, BACK, after), AT_THERE) == (
        before,
        step(1, ONE, ONE),
        step(2, ONE, TWO),
        step(3, TWO, TWO),
        after,
    )


@pytest.mark.parametrize(
    "there",
    [
        (),
        AT_THERE[1:],
        AT_THERE[:2],
        (*AT_THERE[:2], step(7, TWO, ABSENT), step(8, ABSENT, TWO), AT_THERE[2]),
        (AT_THERE[0], step(2, ONE, LINK), step(5, LINK, TWO), AT_THERE[2]),
    ],
)
def test_an_absence_of_which_not_all_is_known_stays_one(there: Sequence[Step]) -> None:
    assert follow((LEAVE, BACK), there) == (LEAVE, BACK)


def test_a_file_that_did_not_come_back_or_was_not_moved_is_absent() -> None:
    assert follow((LEAVE,), AT_THERE) == (LEAVE,)
    deleted = step(6, ONE, ABSENT)
    assert follow((deleted, BACK), AT_THERE) == (deleted, BACK)
    assert follow((LEAVE, step(4, ABSENT, LINK)), AT_THERE)[0] == LEAVE


def test_coming_and_leaving_are_a_file_s() -> None:
    assert leaves(LEAVE)
    assert comes(BACK)
    assert not leaves(step(1, LINK, ABSENT))
    assert not comes(step(1, ABSENT, LINK))
