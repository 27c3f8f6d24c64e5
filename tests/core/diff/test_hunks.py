"""The line differ is exact: applying its hunks gives the other side, whatever the bytes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sulcus_panel.core.diff import (
    apply_hunks,
    carry_texts,
    count_lines,
    diff_hunks,
    is_binary,
    lines_in,
    split_lines,
)
from sulcus_panel.core.diff.hunks import MOST_KNOWN
from sulcus_panel.core.model import Hunk

LINES = st.lists(st.sampled_from([b"a", b"b", b"c", b"", b"\r", b"x\ry", b"\0", b"\xff\xfe"]), max_size=12)
TEXTS = st.builds(lambda lines, end: b"\n".join(lines) + end, LINES, st.sampled_from([b"", b"\n", b"\r\n"]))


@given(TEXTS | st.binary(max_size=80))
def test_the_split_lines_join_to_the_same_bytes(data: bytes) -> None:
    assert b"".join(split_lines(data)) == data
    assert all(b"\n" not in line[:-1] for line in split_lines(data))
    assert lines_in(data) == len(split_lines(data))


@given(TEXTS, TEXTS, st.booleans())
def test_applying_the_hunks_to_old_gives_new(old: bytes, new: bytes, patience: bool) -> None:
    hunks = carry_texts(diff_hunks(old, new, patience=patience), old, new)
    assert apply_hunks(old, hunks) == new


@given(TEXTS, TEXTS)
def test_the_hunks_are_apart_and_in_order_on_both_sides(old: bytes, new: bytes) -> None:
    before, after = split_lines(old), split_lines(new)
    at_old = at_new = 0
    for hunk in diff_hunks(old, new):
        assert before[at_old : hunk.before_start] == after[at_new : hunk.after_start]
        at_old = hunk.before_start + hunk.before_lines
        at_new = hunk.after_start + hunk.after_lines
    assert before[at_old:] == after[at_new:]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (b"", b"", ()),
        (b"a\n", b"a\n", ()),
        (b"", b"a", (Hunk(0, 0, 0, 1),)),
        (b"a\nb\n", b"", (Hunk(0, 2, 0, 0),)),
        (b"a", b"a\n", (Hunk(0, 1, 0, 1),)),
        (b"a\r\nb\n", b"a\nb\n", (Hunk(0, 1, 0, 1),)),
        (b"a\nb\nc\n", b"a\nc\n", (Hunk(1, 1, 1, 0),)),
        (b"a\nb\n", b"a\nb\nc", (Hunk(2, 0, 2, 1),)),
    ],
)
def test_known_pairs_give_these_hunks(old: bytes, new: bytes, expected: tuple[Hunk, ...]) -> None:
    assert diff_hunks(old, new) == expected


def test_binary_bytes_are_compared_line_by_line_like_any_others() -> None:
    assert diff_hunks(b"\0\n1\n", b"\0\n2\n") == (Hunk(1, 1, 1, 1),)


def test_one_huge_line_is_one_hunk() -> None:
    assert diff_hunks(b"x" * 2_000_000, b"y" * 2_000_000) == (Hunk(0, 1, 0, 1),)


def test_a_nul_near_the_start_makes_a_file_binary() -> None:
    assert is_binary(b"PNG\0rest")
    assert not is_binary(b"text\n" * 4000 + b"\0")
    assert not is_binary(b"")


def test_added_and_removed_lines_are_counted() -> None:
    assert count_lines(diff_hunks(b"a\nb\nc\n", b"a\nx\ny\nc\nd\n")) == (3, 1)


def test_a_hunk_without_its_text_cannot_be_applied() -> None:
    with pytest.raises(ValueError, match="without its text"):
        apply_hunks(b"a\n", (Hunk(0, 1, 0, 1),))


def test_lines_that_were_asked_for_before_are_given_to_each_as_his_own() -> None:
    data = b"one\r\ntwo\n\nlast"
    first = split_lines(data)
    first.clear()
    assert split_lines(data) == [b"one\r\n", b"two\n", b"\n", b"last"]
    long = data * (MOST_KNOWN // len(data) + 1)
    assert b"".join(split_lines(long)) == long
    assert split_lines(b"") == []
