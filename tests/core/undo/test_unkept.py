"""Changes whose file was too large to keep: their own text leads back, or nothing is written."""

from collections.abc import Sequence
from dataclasses import replace

from sulcus_panel.core.diff import carry_texts, diff_hunks
from sulcus_panel.core.model import Change, DiskFile, Hunk, LedgerPath, Origin, SeqId, Step
from sulcus_panel.core.undo.model import Outcome, PathPlan
from sulcus_panel.core.undo.paths import plan_path
from sulcus_panel.core.undo.question import Question
from sulcus_panel.core.undo.unkept import PLACE_UNKNOWN, derived
from tests.support.bench import L10, edited
from tests.support.clock import NOON
from tests.support.ledgers import state

AFTER = edited(L10, _3="by the turn")
LATER = b"above\n" + edited(AFTER, _8="later")
REASON = "larger than 10 bytes"


def hunks(old: bytes, new: bytes, *, exact: bool = True, text: bool = True) -> tuple[Hunk, ...]:
    found = tuple(replace(hunk, exact=exact) for hunk in diff_hunks(old, new))
    return carry_texts(found, old, new) if text else found


def step(number: int, old: bytes, new: bytes, own: Sequence[Hunk]) -> Step:
    return Step(SeqId(number), Origin.AGENT, NOON, state(old), state(new), tuple(own))


def ask(disk: bytes, steps: Sequence[Step], own: tuple[Hunk, ...] = (), after: bytes = AFTER) -> Question:
    change = Change(
        LedgerPath("big.txt"),
        replace(state(L10), kept=False, reason=REASON),
        replace(state(after), kept=False, reason=REASON),
        own or hunks(L10, after),
    )
    return Question(change, 0, None, "", DiskFile(state(disk), disk), steps, {})


def plan(question: Question) -> PathPlan:
    return plan_path(question).plan


def test_versions_come_back_from_the_disk_through_later_hunks_that_carry_text() -> None:
    steps = [step(2, AFTER, LATER, hunks(AFTER, LATER)), step(3, LATER, L10, hunks(LATER, L10))]
    assert set(derived(ask(L10, steps)).values()) == {LATER, AFTER}
    answer = plan(ask(LATER, steps[:1]))
    assert (answer.outcome, answer.result_content) == (Outcome.UNDONE, b"above\n" + edited(L10, _8="later"))


def test_a_conflict_names_who_stands_on_the_lines_even_so() -> None:
    over = edited(AFTER, _3="by a later one")
    answer = plan(ask(over, [step(2, AFTER, over, hunks(AFTER, over))]))
    assert answer.outcome is Outcome.CONFLICT
    assert answer.conflicts[0].with_seq_ids == (2,)


def test_where_later_hunks_carry_no_text_the_steps_lead_to_the_hunk_s_own() -> None:
    steps = [step(2, AFTER, LATER, hunks(AFTER, LATER, text=False))]
    answer = plan_path(ask(LATER, steps))
    assert (answer.plan.outcome, answer.plan.result_content) == (
        Outcome.UNDONE,
        b"above\n" + edited(L10, _8="later"),
    )
    assert [(h.before_start, h.before_lines, h.after_start, h.after_lines) for h in answer.hunks] == [
        (3, 1, 3, 1)
    ]


def test_a_place_that_was_found_by_comparing_counts_only_if_the_text_stands_once() -> None:
    steps = [step(2, AFTER, LATER, hunks(AFTER, LATER, exact=False, text=False))]
    assert plan(ask(LATER, steps)).outcome is Outcome.UNDONE
    twice = LATER + b"by the turn\n"
    steps = [step(2, AFTER, twice, hunks(AFTER, twice, exact=False, text=False))]
    answer = plan(ask(twice, steps))
    assert (answer.outcome, answer.reason, answer.result_content) == (Outcome.CONFLICT, PLACE_UNKNOWN, twice)
    assert answer.conflicts[0].with_seq_ids == (2,)


def test_later_work_on_the_lines_and_work_that_nobody_saw_are_conflicts() -> None:
    over = b"above\n" + edited(AFTER, _3="x")
    steps = [step(2, AFTER, over, hunks(AFTER, over, text=False))]
    assert plan(ask(over, steps)).outcome is Outcome.CONFLICT
    unseen = plan(ask(LATER, []))
    assert (unseen.outcome, unseen.conflicts[0].outside) == (Outcome.CONFLICT, True)


def test_lines_that_went_come_back_only_between_lines_that_were_seen() -> None:
    after = edited(L10)[: -len(b"line 10\n")]
    later = b"above\n" + edited(after, _1="x")
    for exact in (True, False):
        own = hunks(L10, after, exact=exact)
        answer = plan(ask(later, [step(2, after, later, hunks(after, later, text=False))], own, after))
        assert answer.outcome is (Outcome.UNDONE if exact else Outcome.CONFLICT)


def test_hunks_without_text_have_nothing_to_put_back() -> None:
    bare = hunks(L10, AFTER, text=False)
    answer = plan(ask(LATER, [step(2, AFTER, LATER, hunks(AFTER, LATER))], bare))
    assert (answer.outcome, answer.reason) == (Outcome.UNAVAILABLE, "not_kept")
