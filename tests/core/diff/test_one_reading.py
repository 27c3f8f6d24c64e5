"""Two runs of lines: what can be read in one way only, and what cannot."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sulcus_panel.core.diff import diff_hunks
from sulcus_panel.core.diff.alignments import Edit, holds
from sulcus_panel.core.diff.one_reading import read_run, with_certainty
from sulcus_panel.core.model import Hunk


def lines(text: str) -> list[bytes]:
    """One letter a line."""
    return [letter.encode() + b"\n" for letter in text]


@pytest.mark.parametrize(
    ("old", "new", "edits"),
    [
        ("ab", "axb", [(1, 1, 1, 2)]),
        ("axb", "ab", [(1, 2, 1, 1)]),
        ("a.b.c", "a.x.c", [(2, 3, 2, 3)]),
        ("..", ".x.", [(1, 1, 1, 2)]),
        ("abc", "aXbcY", [(1, 1, 1, 2), (3, 3, 4, 5)]),
        (".a.", ".b.", [(1, 2, 1, 2)]),
        ("...", ".x.", [(1, 2, 1, 2)]),
        ("", "ab", [(0, 0, 0, 2)]),
        ("ab", "ba", [(0, 2, 0, 2)]),
    ],
)
def test_what_can_be_read_in_one_way_is_exact(
    old: str, new: str, edits: list[tuple[int, int, int, int]]
) -> None:
    assert list(read_run(lines(old), lines(new))) == [Edit(*edit, exact=True) for edit in edits]


@pytest.mark.parametrize(
    ("old", "new"), [("f.", "f.g."), ("...", "...."), ("ab", "abab"), ("....", "..."), ("f.g.", "f.")]
)
def test_what_may_stand_further_up_or_down_is_not(old: str, new: str) -> None:
    (edit,) = read_run(lines(old), lines(new))
    assert not edit.exact
    assert (edit.a0 == edit.a1) != (edit.b0 == edit.b1)


@pytest.mark.parametrize(
    ("old", "new"), [("ar", "br.cr"), ("ra", "rc.rb"), ("br.cr", "ar"), ("a.r", "b.r.c.r"), ("rc.rb", "ra")]
)
def test_a_change_with_a_line_in_it_that_stays_beside_it_may_be_two_around_that_line(
    old: str, new: str
) -> None:
    (edit,) = read_run(lines(old), lines(new))
    assert not edit.exact


RUN = st.text("ab.{}", max_size=12)


@given(RUN, RUN)
def test_a_run_is_read_so_that_it_holds(old: str, new: str) -> None:
    assert holds(read_run(lines(old), lines(new)), lines(old), lines(new))


@given(RUN, RUN, st.text("ab.{}", min_size=1, max_size=4))
def test_an_insertion_that_is_certain_has_no_other_place(above: str, below: str, put: str) -> None:
    old, new = lines(above + below), lines(above + put + below)
    found = with_certainty(diff_hunks(b"".join(old), b"".join(new)), old, new)
    if all(hunk.exact for hunk in found):
        assert found == (Hunk(len(above), 0, len(above), len(put), exact=True),)


def test_hunks_found_by_comparing_are_certain_among_lines_that_stand_once() -> None:
    old, new = lines("abcdefg"), lines("abXdeg")
    hunks = diff_hunks(b"".join(old), b"".join(new))
    assert [hunk.exact for hunk in with_certainty(hunks, old, new)] == [True, True]


def test_hunks_among_equal_lines_and_lines_that_changed_their_order_are_not() -> None:
    for before, after in (("a.b", "a..b"), ("abcdef", "defabc"), ("xabcy", "xabcabcy")):
        old, new = lines(before), lines(after)
        hunks = diff_hunks(b"".join(old), b"".join(new))
        assert not any(hunk.exact for hunk in with_certainty(hunks, old, new))
