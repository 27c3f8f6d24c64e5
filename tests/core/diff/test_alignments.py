"""Alignments: made of hunks and back, composed, and proven to hold."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from sulcus_panel.core.diff import diff_hunks, split_lines
from sulcus_panel.core.diff.alignments import (
    Edit,
    compose,
    compose_all,
    edits_of,
    holds,
    hunks_of,
    seen,
    shifted,
)
from sulcus_panel.core.model import Hunk

TEXT = st.builds(
    lambda lines, tail: b"".join(lines) + tail,
    st.lists(st.sampled_from([b"a\n", b"b\n", b"\n", b"c\r\n"]), max_size=12),
    st.sampled_from([b"", b"end"]),
)


@given(st.lists(TEXT, min_size=2, max_size=5))
def test_composed_alignments_hold(versions: list[bytes]) -> None:
    first = split_lines(versions[0])
    composed: tuple[Edit, ...] = ()
    steps: list[tuple[Edit, ...]] = []
    for old, new in pairwise(versions):
        steps.append(edits_of(diff_hunks(old, new)))
        composed = compose(composed, steps[-1])
        assert holds(composed, first, split_lines(new))
        assert holds(compose_all(steps), first, split_lines(new))


def test_an_insertion_that_was_taken_out_again_leaves_no_edit() -> None:
    assert compose((Edit(1, 1, 1, 4),), (Edit(1, 4, 1, 1),)) == ()


def test_edits_that_touch_keep_their_border_and_those_that_overlap_become_one() -> None:
    assert compose((Edit(1, 2, 1, 2),), (Edit(2, 2, 2, 3),)) == (Edit(1, 2, 1, 2), Edit(2, 2, 2, 3))
    assert compose((Edit(2, 2, 2, 3),), (Edit(1, 2, 1, 1),)) == (Edit(1, 2, 1, 1), Edit(2, 2, 1, 2))
    assert compose((Edit(1, 3, 1, 3),), (Edit(2, 4, 2, 2),)) == (Edit(1, 4, 1, 2),)
    assert compose((Edit(1, 3, 1, 1),), (Edit(1, 1, 1, 4),)) == (Edit(1, 3, 1, 4),)


def test_what_became_one_is_exact_only_if_all_of_it_was() -> None:
    one, other = Edit(1, 3, 1, 3), Edit(2, 4, 2, 2)
    assert compose(seen([one]), seen([other])) == (Edit(1, 4, 1, 2, exact=True),)
    assert compose(seen([one]), (other,)) == (Edit(1, 4, 1, 2),)
    assert compose(seen([one]), (Edit(5, 6, 5, 6),)) == (*seen([one]), Edit(5, 6, 5, 6))


def test_an_alignment_that_does_not_fit_is_found_out() -> None:
    assert not holds((), [b"a\n"], [b"b\n"])
    assert not holds((Edit(0, 5, 0, 1),), [b"a\n"], [b"b\n"])
    assert not holds((Edit(1, 1, 0, 0), Edit(0, 0, 0, 0)), [b"a\n"], [b"a\n"])


def test_hunks_and_edits_say_the_same() -> None:
    hunks = (Hunk(1, 2, 1, 0), Hunk(5, 0, 3, 1, exact=True))
    assert hunks_of(edits_of(hunks)) == hunks
    assert shifted(edits_of(hunks), 1, 2)[1] == Edit(6, 6, 5, 6, exact=True)
