"""A line that was moved, split or joined, and changed at once, is not called gone."""

from itertools import pairwise

import pytest

from sulcus_panel.core.model import SeqId
from sulcus_panel.core.undo.blame import Passage
from sulcus_panel.core.undo.lines import edits_between
from sulcus_panel.core.undo.model import HunkOutcome
from sulcus_panel.core.undo.text import Answer, Turn, take_back

LINES = [b"line number %d here\n" % at for at in range(12)]
OWN = b"n7 p1 -> q2 ; r3\n"
BODY = [b"def load_rows(path):\n", b"    rows = read_rows(path)\n", b"    return sorted(rows)\n"]


def undo(before: list[bytes], *versions: list[bytes]) -> Answer:
    texts = [b"".join(lines) for lines in versions]
    turn = Turn.of(b"".join(before), texts[0], ())
    steps = [
        Passage(edits_between(old, new), (SeqId(at),), texts=(old, new))
        for at, (old, new) in enumerate(pairwise(texts), 2)
    ]
    return take_back(turn, texts[-1], steps, range(len(turn.hunks)))


def outcomes(answer: Answer) -> set[HunkOutcome]:
    return {verdict.outcome for verdict in answer.verdicts}


@pytest.mark.parametrize(
    "came",
    [
        [b"n7 p4 -> q5 ; r6\n"],
        [b"n7 p4 -> q5 ; r3\n", b"something else\n"],
        [b"n7 and all else is new about it\n"],
    ],
)
def test_a_line_that_was_moved_and_changed_in_three_words_or_more_still_stands(came: list[bytes]) -> None:
    answer = undo(LINES, [OWN, *LINES], [*LINES, *came])
    assert outcomes(answer) == {HunkOutcome.CONFLICT}
    assert answer.verdicts[0].who.seq_ids == (2,)


@pytest.mark.parametrize(
    "came",
    [
        pytest.param([b"    rows = read_rows(open(path))\n"], id="one line of three was kept"),
        pytest.param(
            [b"def load(path):\n", b"    rows =\n", b"    read_rows(path)\n", b"    return rows\n"],
            id="split",
        ),
        pytest.param([b"def load_and_save(path): return save(sorted(read_rows(path)))\n"], id="joined"),
        pytest.param(
            [
                b"def load_columns(path):\n",
                b"    return columns(path)\n",
                b"def load_all(path):\n",
                b"    both = read_rows(path), columns(path)\n",
                b"    return both\n",
            ],
            id="two functions in one of a new name",
        ),
        pytest.param([b"    rows = read_rows(a)\n", b"\n", b"    rows = read_rows(b)\n"], id="two heirs"),
    ],
)
def test_a_function_that_lives_on_in_other_lines_is_not_called_undone(came: list[bytes]) -> None:
    answer = undo(LINES, [*LINES[:3], *BODY, *LINES[3:]], [*LINES[:9], *came, *LINES[9:]])
    assert outcomes(answer) == {HunkOutcome.CONFLICT}


def test_a_line_whose_words_all_stood_before_lives_on_in_two_lines_like_it() -> None:
    before = [*LINES, b"first second third fourth fifth sixth\n"]
    own = b"sixth = fifth(fourth, third, second)\n"
    came = [b"sixth = fifth(fourth, first, second)\n", b"sixth = fifth(fourth, third, line)\n"]
    answer = undo(before, [own, *before], [*before, *came])
    assert outcomes(answer) == {HunkOutcome.CONFLICT}


def test_what_went_while_something_else_came_in_is_undone_already() -> None:
    answer = undo(LINES, [*LINES[:3], *BODY, *LINES[3:]], [*LINES, b"print(total)\n", b"}\n"])
    assert outcomes(answer) == {HunkOutcome.ALREADY_UNDONE}


def test_a_line_that_comes_of_another_that_went_is_no_heir() -> None:
    """The line that came is the person's own, reworded, though it has a word of the turn's in it."""
    theirs, own = b"total = count(apples, pears, plums)\n", b"report(figs)\n"
    turned = [own, *LINES, theirs]
    now = [*LINES, b"total = count(apples, pears, figs, plums)\n"]
    assert outcomes(undo([*LINES, theirs], turned, [*LINES, theirs])) == {HunkOutcome.ALREADY_UNDONE}
    assert outcomes(undo([*LINES, theirs], turned, now)) == {HunkOutcome.CONFLICT}
    kept = [*LINES, b"total = count(apples, pears, dates, plums)\n"]
    assert outcomes(undo([*LINES, theirs], turned, kept)) == {HunkOutcome.ALREADY_UNDONE}


def test_the_old_line_that_was_written_anew_is_no_heir_of_the_one_that_had_taken_its_place() -> None:
    old, own = b"    $ go get github.com/some/thing\n", b"    $ go get example.org/some/thing.v1\n"
    came = [b"$ go get github.com/some/thing\n", b"$ go get github.com/other/thing\n"]
    answer = undo([*LINES, old], [*LINES, own], [*came, *LINES, old])
    assert outcomes(answer) == {HunkOutcome.ALREADY_UNDONE}


def test_lines_of_which_a_name_lives_on_are_not_called_superseded() -> None:
    turned = [*LINES[:3], b"limit = read_limit(path)\n", *LINES[3:]]
    replaced = [*LINES[:2], b"everything is new\n", b"also this\n", *LINES[5:]]
    assert outcomes(undo(LINES, turned, replaced)) == {HunkOutcome.SUPERSEDED}
    kept = [*LINES[:2], b"everything is new\n", b"use(read_limit)\n", *LINES[5:]]
    assert outcomes(undo(LINES, turned, kept)) == {HunkOutcome.CONFLICT}
