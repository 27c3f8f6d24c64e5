"""Rows show every line of both texts once, in order, in either layout, with folds that open."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sulcus_panel.core.diff import DiffRows, DiffSide, RowKind, compare, diff_rows, split_lines

TEXTS = st.lists(st.sampled_from(["alpha beta", "alpha gamma", "x", "", "y = 1", "y = 2"]), max_size=25).map(
    lambda lines: "\n".join(lines).encode()
)


def numbered(count: int) -> bytes:
    return b"".join(b"line %d\n" % i for i in range(1, count + 1))


@given(TEXTS, TEXTS, st.booleans(), st.booleans())
def test_open_rows_show_each_line_of_both_sides_once_and_in_order(
    old: bytes, new: bytes, side_by_side: bool, ignore_whitespace: bool
) -> None:
    rows = DiffRows(compare(old, new, ignore_whitespace=ignore_whitespace), side_by_side=side_by_side)
    shown = rows.with_opened(rows.all_folds())[:]
    assert [row.old_no for row in shown if row.old_no] == list(range(1, len(split_lines(old)) + 1))
    assert [row.new_no for row in shown if row.new_no] == list(range(1, len(split_lines(new)) + 1))


@given(TEXTS, TEXTS, st.booleans())
def test_a_line_is_found_in_the_row_that_shows_it(old: bytes, new: bytes, side_by_side: bool) -> None:
    rows = DiffRows(compare(old, new), side_by_side=side_by_side)
    for index, row in enumerate(rows):
        if row.new_no:
            assert rows.find(DiffSide.NEW, row.new_no - 1) == index
        if row.old_no and row.kind is not RowKind.FOLD:
            assert rows.find(DiffSide.OLD, row.old_no - 1) == index


def test_a_changed_line_stands_below_its_old_text_when_unified() -> None:
    rows = diff_rows(b"a\nmax = 86_400\nb\n", b"a\nmax = 300\nb\n", side_by_side=False)
    assert [(row.kind, row.old_no, row.new_no) for row in rows] == [
        (RowKind.CONTEXT, 1, 1),
        (RowKind.REMOVED, 2, None),
        (RowKind.ADDED, None, 2),
        (RowKind.CONTEXT, 3, 3),
    ]
    assert (rows[1].old_text, rows[1].old_spans) == ("max = 86_400", ((6, 12),))
    assert (rows[2].new_text, rows[2].new_spans) == ("max = 300", ((6, 9),))


def test_a_changed_line_stands_beside_its_old_text_side_by_side() -> None:
    changed = diff_rows(b"a\nmax = 86_400\n", b"a\nmax = 300\n", side_by_side=True)[1]
    assert (changed.kind, changed.old_no, changed.new_no) == (RowKind.CHANGED, 2, 2)
    assert (changed.old_spans, changed.new_spans) == (((6, 12),), ((6, 9),))


def test_alike_lines_stand_beside_each_other_even_below_a_new_one() -> None:
    rows = diff_rows(b"limit = old_value\n", b"skew = clock.now()\nlimit = new_value\n", side_by_side=True)
    assert [(row.kind, row.old_no, row.new_no) for row in rows] == [
        (RowKind.ADDED, None, 1),
        (RowKind.CHANGED, 1, 2),
    ]


def test_far_unchanged_lines_are_folded_and_open_where_asked() -> None:
    old = numbered(40)
    rows = DiffRows(compare(old, old.replace(b"line 20\n", b"changed\n")), side_by_side=False)
    folds = [row for row in rows if row.kind is RowKind.FOLD]
    assert [(fold.old_no, fold.folded) for fold in folds] == [(1, 16), (24, 17)]
    opened = rows.with_opened(frozenset({rows.place(0).owner}))
    assert len(opened) == len(rows) + 15
    assert [row.folded for row in opened if row.kind is RowKind.FOLD] == [17]


def test_a_fold_is_never_made_for_fewer_than_four_lines() -> None:
    old = numbered(10)
    new = old.replace(b"line 1\n", b"one\n").replace(b"line 10\n", b"ten\n")
    assert RowKind.FOLD not in {row.kind for row in diff_rows(old, new, side_by_side=True)[1:5]}
    assert [row.kind for row in diff_rows(old, new, side_by_side=True)].count(RowKind.FOLD) == 0


def test_a_lost_final_newline_is_told_on_the_side_that_lost_it() -> None:
    rows = diff_rows(b"a\nb\n", b"a\nb", side_by_side=False)
    assert [row.kind for row in rows] == [RowKind.CONTEXT, RowKind.REMOVED, RowKind.ADDED, RowKind.NOTE]
    note = diff_rows(b"a\nb\n", b"a\nb", side_by_side=True)[-1]
    assert (note.kind, note.old_text, note.new_text) == (RowKind.NOTE, "", "\\ No newline at end of file")


def test_a_created_and_a_deleted_file_have_one_sided_rows() -> None:
    assert {row.kind for row in diff_rows(None, b"a\nb\n", side_by_side=True)} == {RowKind.ADDED}
    assert {row.kind for row in diff_rows(b"a\nb\n", None, side_by_side=True)} == {RowKind.REMOVED}
    assert diff_rows(None, b"", side_by_side=True) == ()


def test_ignored_white_space_makes_no_difference_but_both_texts_are_shown() -> None:
    rows = diff_rows(b"if x:\n", b"  if  x:\n", side_by_side=True, ignore_whitespace=True)
    assert [(row.kind, row.old_text, row.new_text) for row in rows] == [
        (RowKind.CONTEXT, "if x:", "  if  x:")
    ]


def test_changed_line_ends_are_visible_and_equal_ones_are_not() -> None:
    changed = diff_rows(b"a\r\nb\r\n", b"a\r\nb\n", side_by_side=True)
    assert [(row.old_text, row.new_text) for row in changed] == [("a␍", "a␍"), ("b␍", "b")]
    same = diff_rows(b"a\r\nb\r\n", b"a\r\nc\r\n", side_by_side=True)
    assert (same[1].old_text, same[1].new_text) == ("b", "c")


def test_a_byte_order_mark_is_visible_only_where_it_changed() -> None:
    gone = diff_rows(b"\xef\xbb\xbfa\n", b"a\n", side_by_side=True)[0]
    assert (gone.old_text, gone.new_text) == ("\\ufeffa", "a")
    kept = diff_rows(b"\xef\xbb\xbfa\n", b"\xef\xbb\xbfb\n", side_by_side=True)[0]
    assert (kept.old_text, kept.new_text) == ("a", "b")


def test_utf16_is_shown_as_the_text_it_is() -> None:
    row = diff_rows("grün\n".encode("utf-16"), "blau\n".encode("utf-16"), side_by_side=True)[0]
    assert (row.old_text, row.new_text) == ("grün", "blau")


def test_a_cut_line_still_shows_where_it_differs() -> None:
    old = b"a" * 150_000 + b" end " + b"b" * 50_000
    new = b"a" * 150_000 + b" END " + b"b" * 50_000
    row = diff_rows(old, new, side_by_side=True)[0]
    assert row.old_text.startswith("… 149,901 characters … a")
    assert " end b" in row.old_text
    assert " END b" in row.new_text
    assert row.new_text.endswith(" more characters")
    assert len(row.new_text) < 2_100


def test_no_words_are_marked_in_a_hunk_of_more_than_500_lines() -> None:
    old = b"".join(b"value = %d\n" % i for i in range(501))
    rows = diff_rows(old, old.replace(b"value", b"total"), side_by_side=True)
    assert {row.kind for row in rows} == {RowKind.CHANGED}
    assert all(not row.old_spans for row in rows)


def test_rows_of_a_hundred_thousand_lines_are_made_only_when_asked_for() -> None:
    old = numbered(100_000)
    comparison = compare(old, old.replace(b"line 50000\n", b"changed\n"))
    start = time.perf_counter()
    rows = DiffRows(comparison, side_by_side=True, opened=frozenset({0, 1}))
    row = rows[49_999]
    assert time.perf_counter() - start < 0.05
    assert (len(rows), row.old_text, row.new_text) == (100_000, "line 50000", "changed")


def test_a_row_beyond_the_end_is_an_index_error() -> None:
    rows = DiffRows(compare(b"a\n", b"b\n"), side_by_side=True)
    with pytest.raises(IndexError):
        rows.row(1)
