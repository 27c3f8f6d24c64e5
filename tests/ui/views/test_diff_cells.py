"""Cells say in each pane what their row shows, and the clipboard gets the file's own lines."""

from sulcus_panel.core.diff import DiffRows, DiffSide, compare
from sulcus_panel.ui.views.diff_cells import MOST_MEASURED, Tone, cells_of, columns_shown, text_between

OLD = b"one\ntwo\nthree\n" + b"same\n" * 10
NEW = b"one\nTWO\nextra\nthree\n" + b"same\n" * 10


def rows(side_by_side: bool) -> DiffRows:
    return DiffRows(compare(OLD, NEW), side_by_side=side_by_side)


def tones(side_by_side: bool) -> list[tuple[Tone, ...]]:
    return [tuple(cell.tone for cell in cells_of(row, side_by_side)) for row in rows(side_by_side)]


def test_unified_rows_have_one_cell_with_a_sign_for_what_changed() -> None:
    assert tones(side_by_side=False)[:4] == [(Tone.PLAIN,), (Tone.REMOVED,), (Tone.ADDED,), (Tone.ADDED,)]
    signs = [cells_of(row, side_by_side=False)[0].sign for row in rows(side_by_side=False)]
    assert signs[:5] == ["", "-", "+", "+", ""]


def test_a_line_of_one_side_only_leaves_a_missing_place_on_the_other() -> None:
    assert tones(side_by_side=True)[1:3] == [(Tone.REMOVED, Tone.ADDED), (Tone.MISSING, Tone.ADDED)]


def test_a_fold_says_how_many_lines_it_hides() -> None:
    last = rows(side_by_side=False)[-1]
    assert cells_of(last, side_by_side=False)[0].text == "⋯  8 unchanged lines  ⋯"
    assert [cell.tone for cell in cells_of(last, side_by_side=True)] == [Tone.FOLD, Tone.FOLD]


def test_a_missing_final_newline_is_noted_beside_a_missing_place() -> None:
    made = DiffRows(compare(b"a", b"a\n"), side_by_side=True)
    assert [cell.tone for cell in cells_of(made[-1], side_by_side=True)] == [Tone.NOTE, Tone.MISSING]


def test_a_cell_knows_the_line_of_its_own_side() -> None:
    removed = cells_of(rows(side_by_side=False)[1], side_by_side=False)[0]
    assert (removed.side, removed.line, removed.numbers) == (DiffSide.OLD, 1, (2, None))
    missing = cells_of(rows(side_by_side=True)[2], side_by_side=True)[0]
    assert missing.line is None


def test_copied_rows_of_one_side_are_that_file_with_what_is_folded() -> None:
    made = rows(side_by_side=True)
    assert text_between(made, 0, len(made) - 1, DiffSide.OLD).encode() == OLD
    assert text_between(made, 0, len(made) - 1, DiffSide.NEW).encode() == NEW


def test_copied_unified_rows_hold_removed_and_added_lines() -> None:
    assert text_between(rows(side_by_side=False), 0, 3, DiffSide.NEW) == "one\ntwo\nTWO\nextra\n"


def test_a_copied_last_line_without_newline_stays_without_one() -> None:
    made = DiffRows(compare(b"a", b"b\nc"), side_by_side=False)
    assert text_between(made, 0, len(made) - 1, DiffSide.NEW) == "a\nb\nc"


def test_a_line_that_is_folded_away_needs_no_scroll_bar() -> None:
    old = b"short\n" * 10 + b"x" * 300 + b"\n"
    folded = DiffRows(compare(old, b"new\n" + old), side_by_side=True)
    assert columns_shown(folded) == len("short")
    assert columns_shown(folded.with_opened(folded.all_folds())) == 300


def test_of_many_rows_none_is_measured() -> None:
    many = DiffRows(compare(None, b"x\n" * (MOST_MEASURED + 1)), side_by_side=False)
    assert columns_shown(many) == many.comparison.columns
