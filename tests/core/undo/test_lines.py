"""Alignments: composing, filling, and the proof that they hold."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from sulcus_panel.core.diff import diff_hunks, split_lines
from sulcus_panel.core.undo.lines import Edit, compose, compose_all, edits_of, fill, holds

TEXT = st.builds(
    lambda lines, tail: b"".join(lines) + tail,
    st.lists(st.sampled_from([b"a\n", b"b\n", b"\n", b"c\r\n"]), max_size=12),
    st.sampled_from([b"", b"end"]),
)


@given(st.lists(TEXT, min_size=2, max_size=5))
def test_composed_and_filled_alignments_hold(versions: list[bytes]) -> None:
    first = split_lines(versions[0])
    composed: tuple[Edit, ...] = ()
    steps: list[tuple[Edit, ...]] = []
    for old, new in pairwise(versions):
        composed = compose(composed, edits_of(diff_hunks(old, new)))
        assert holds(composed, first, split_lines(new))
        steps.append(edits_of(diff_hunks(old, new)))
        assert holds(compose_all(steps), first, split_lines(new))
        assert holds(fill(composed, first, split_lines(new)), first, split_lines(new))


def test_lines_that_went_and_came_back_are_found_again() -> None:
    there_and_back = compose((Edit(2, 3, 2, 3),), (Edit(2, 3, 2, 3),))
    lines = [b"a\n", b"b\n", b"c\n"]
    assert there_and_back == (Edit(2, 3, 2, 3),)
    assert fill(there_and_back, lines, lines) == ()


def test_an_insertion_that_was_taken_out_again_leaves_no_edit() -> None:
    assert compose((Edit(1, 1, 1, 4),), (Edit(1, 4, 1, 1),)) == ()


def test_edits_that_touch_keep_their_border_and_those_that_overlap_become_one() -> None:
    assert compose((Edit(1, 2, 1, 2),), (Edit(2, 2, 2, 3),)) == (Edit(1, 2, 1, 2), Edit(2, 2, 2, 3))
    assert compose((Edit(2, 2, 2, 3),), (Edit(1, 2, 1, 1),)) == (Edit(1, 2, 1, 1), Edit(2, 2, 1, 2))
    assert compose((Edit(1, 3, 1, 3),), (Edit(2, 4, 2, 2),)) == (Edit(1, 4, 1, 2),)
    assert compose((Edit(1, 3, 1, 1),), (Edit(1, 1, 1, 4),)) == (Edit(1, 3, 1, 4),)


def test_an_alignment_that_does_not_fit_is_found_out() -> None:
    assert not holds((), [b"a\n"], [b"b\n"])
    assert not holds((Edit(0, 5, 0, 1),), [b"a\n"], [b"b\n"])
    assert not holds((Edit(1, 1, 0, 0), Edit(0, 0, 0, 0)), [b"a\n"], [b"a\n"])
