"""Alignments found by comparing, and the gaps in them that are none."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from sulcus_panel.core.diff import diff_hunks, split_lines
from sulcus_panel.core.diff.alignments import Edit, compose, edits_of, holds
from sulcus_panel.core.undo.lines import fill

TEXT = st.builds(
    lambda lines, tail: b"".join(lines) + tail,
    st.lists(st.sampled_from([b"a\n", b"b\n", b"\n", b"c\r\n"]), max_size=12),
    st.sampled_from([b"", b"end"]),
)


@given(st.lists(TEXT, min_size=2, max_size=5))
def test_filled_alignments_hold(versions: list[bytes]) -> None:
    first = split_lines(versions[0])
    composed: tuple[Edit, ...] = ()
    for old, new in pairwise(versions):
        composed = compose(composed, edits_of(diff_hunks(old, new)))
        assert holds(fill(composed, first, split_lines(new)), first, split_lines(new))


def test_lines_that_went_and_came_back_are_found_again() -> None:
    there_and_back = compose((Edit(2, 3, 2, 3),), (Edit(2, 3, 2, 3),))
    lines = [b"a\n", b"b\n", b"c\n"]
    assert there_and_back == (Edit(2, 3, 2, 3),)
    assert fill(there_and_back, lines, lines) == ()
