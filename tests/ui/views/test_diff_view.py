"""The diff view under real keys and clicks: folds, differences, selection, place and speech."""

import time

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPalette
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from sulcus_panel.core.diff import DiffRows, DiffSide, RowKind
from sulcus_panel.ui.syntax import TokenClass, lex
from sulcus_panel.ui.theme import DARK, LIGHT, palette_of
from sulcus_panel.ui.views.diff_document import DiffDocument, build_document
from sulcus_panel.ui.views.diff_view import DiffView

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
CTRL = Qt.KeyboardModifier.ControlModifier
OLD = "".join(f"value_{i} = {i}\n" for i in range(1, 201))
NEW = OLD.replace("value_50 = 50\n", "value_50 = fifty\nextra = 1\n").replace("value_150 = 150\n", "")
LABELS = ("before #840", "after #840")


@pytest.fixture
def view(qtbot: QtBot) -> DiffView:
    made = DiffView()
    qtbot.addWidget(made)
    made.setPalette(palette_of(LIGHT))
    made.resize(800, 300)
    made.show()
    made.activateWindow()
    qtbot.waitActive(made)
    made.setFocus()
    made.show_diff(build_document("src/values.py", OLD.encode(), NEW.encode(), labels=LABELS))
    return made


def rows_of(view: DiffView) -> DiffRows:
    rows = view.rows
    assert rows is not None
    return rows


def kinds(view: DiffView) -> list[RowKind]:
    return [row.kind for row in rows_of(view)]


def point_of(view: DiffView, row: int, x: int = 300) -> QPoint:
    """The middle of a row in the viewport; the row must be in view."""
    y = view.row_area().top() + row * view.row_height() - view.verticalScrollBar().value()
    return QPoint(x, y + view.row_height() // 2)


def click(view: DiffView, row: int, x: int = 300, modifier: Qt.KeyboardModifier = NONE) -> None:
    QTest.mouseClick(view.viewport(), LEFT, modifier, point_of(view, row, x))


def drag(view: DiffView, start: QPoint, end: QPoint) -> None:
    QTest.mousePress(view.viewport(), LEFT, NONE, start)
    QTest.mouseMove(view.viewport(), end)
    QTest.mouseRelease(view.viewport(), LEFT, NONE, end)


def picture(view: DiffView) -> QImage:
    return view.viewport().grab().toImage()


def colours(image: QImage, area: QRect) -> set[str]:
    return {
        image.pixelColor(x, y).name()
        for x in range(area.left(), area.right())
        for y in range(area.top(), area.bottom())
    }


def row_colours(view: DiffView, row: int, left: int, right: int) -> set[str]:
    middle = point_of(view, row).y()
    return colours(picture(view), QRect(left, middle - 5, right - left, 10))


def test_a_click_opens_a_fold_where_it_stands(view: DiffView, qtbot: QtBot) -> None:
    assert kinds(view)[0] is RowKind.FOLD
    with qtbot.waitSignal(view.fold_toggled) as told:
        click(view, 0)
    assert told.args == [0, True]
    assert rows_of(view)[0].new_text == "value_1 = 1"


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Space])
def test_a_key_opens_the_fold_under_the_cursor(view: DiffView, key: Qt.Key) -> None:
    QTest.keyClick(view, key)
    assert rows_of(view)[0].kind is RowKind.CONTEXT


def test_dragging_over_a_fold_selects_it_and_leaves_it_closed(view: DiffView) -> None:
    drag(view, point_of(view, 0), point_of(view, 2))
    assert kinds(view)[0] is RowKind.FOLD


def test_all_folds_open_and_close_from_the_menu_with_the_place_kept(view: DiffView) -> None:
    actions = {action.text().replace("&", ""): action for action in view.actions()}
    QTest.keyClick(view, Qt.Key.Key_F7)
    line = rows_of(view)[view.look.cursor].old_no
    actions["Show All Unchanged Lines"].trigger()
    assert RowKind.FOLD not in kinds(view)
    assert rows_of(view)[view.look.cursor].old_no == line
    actions["Fold Unchanged Lines"].trigger()
    assert kinds(view).count(RowKind.FOLD) == 3


def test_f7_goes_forth_and_back_and_stops_at_the_ends(view: DiffView, qtbot: QtBot) -> None:
    view.open_all_folds()
    with qtbot.waitSignals([view.difference_shown, view.difference_shown]):
        QTest.keyClick(view, Qt.Key.Key_F7)
        QTest.keyClick(view, Qt.Key.Key_F7)
    assert view.look.difference == 1
    assert view.verticalScrollBar().value() > 0
    with qtbot.assertNotEmitted(view.difference_shown):
        QTest.keyClick(view, Qt.Key.Key_F7)
    QTest.keyClick(view, Qt.Key.Key_F7, SHIFT)
    assert view.look.difference == 0
    with qtbot.assertNotEmitted(view.difference_shown):
        QTest.keyClick(view, Qt.Key.Key_F7, SHIFT)


def test_a_difference_in_the_first_row_is_reached_by_the_first_f7(view: DiffView) -> None:
    view.show_diff(build_document("new.py", None, b"a\n"))
    QTest.keyClick(view, Qt.Key.Key_F7)
    assert view.look.difference == 0


def test_a_screen_reader_hears_the_counts_and_the_current_difference(view: DiffView) -> None:
    assert view.accessibleName() == "Differences in src/values.py"
    assert view.accessibleDescription() == "2 differences, 2 lines added, 2 removed."
    QTest.keyClick(view, Qt.Key.Key_F7)
    spoken = "Difference 1 of 2, line 50: 1 removed, 2 added."
    assert view.accessibleDescription().endswith(spoken)


def test_arrow_keys_move_the_cursor_and_keep_it_in_view(view: DiffView) -> None:
    view.open_all_folds()
    QTest.keyClick(view, Qt.Key.Key_End)
    assert view.look.cursor == len(rows_of(view)) - 1
    assert view.verticalScrollBar().value() == view.verticalScrollBar().maximum()
    QTest.keyClick(view, Qt.Key.Key_Home)
    QTest.keyClick(view, Qt.Key.Key_Down)
    QTest.keyClick(view, Qt.Key.Key_PageDown)
    QTest.keyClick(view, Qt.Key.Key_PageUp)
    QTest.keyClick(view, Qt.Key.Key_Up)
    assert (view.look.cursor, view.verticalScrollBar().value()) == (0, 0)


def test_everything_is_selected_and_copied_with_what_is_folded(view: DiffView) -> None:
    view.set_side_by_side(True)
    QTest.keyClick(view, Qt.Key.Key_A, CTRL)
    QTest.keyClick(view, Qt.Key.Key_C, CTRL)
    assert QGuiApplication.clipboard().text() == NEW


def test_a_drag_selects_the_lines_of_the_side_it_began_on(view: DiffView) -> None:
    view.set_side_by_side(True)
    drag(view, point_of(view, 3, x=100), point_of(view, 5, x=700))
    QTest.keyClick(view, Qt.Key.Key_C, CTRL)
    assert QGuiApplication.clipboard().text() == "value_49 = 49\nvalue_50 = 50\n"
    QTest.keyClick(view, Qt.Key.Key_Right, CTRL)
    QTest.keyClick(view, Qt.Key.Key_C, CTRL)
    assert QGuiApplication.clipboard().text() == "value_49 = 49\nvalue_50 = fifty\nextra = 1\n"


def test_shift_grows_the_selection_by_click_and_by_key(view: DiffView) -> None:
    click(view, 1)
    click(view, 2, modifier=SHIFT)
    QTest.keyClick(view, Qt.Key.Key_Down, SHIFT)
    assert view.look.selected == range(1, 4)
    click(view, 1)
    assert view.look.selected == range(0)


def test_a_double_click_selects_one_line(view: DiffView) -> None:
    QTest.mouseDClick(view.viewport(), LEFT, NONE, point_of(view, 4))
    assert view.look.selected == range(4, 5)


def test_a_drag_held_below_the_view_scrolls_on(view: DiffView, qtbot: QtBot) -> None:
    view.open_all_folds()
    below = QPoint(300, view.viewport().height() + 40)
    QTest.mousePress(view.viewport(), LEFT, NONE, point_of(view, 2))
    QTest.mouseMove(view.viewport(), below)
    qtbot.waitUntil(lambda: view.verticalScrollBar().value() > 2 * view.row_height(), timeout=5000)
    QTest.mouseRelease(view.viewport(), LEFT, NONE, below)
    assert view.look.selected.start == 2
    assert view.look.selected.stop > 12


def test_changing_the_layout_keeps_the_line_at_the_top(view: DiffView) -> None:
    view.open_all_folds()
    view.verticalScrollBar().setValue(120 * view.row_height())
    line = rows_of(view)[view.top_row()].new_no
    view.set_side_by_side(True)
    assert view.side_by_side
    assert rows_of(view)[view.top_row()].new_no == line
    view.set_side_by_side(False)
    assert rows_of(view)[view.top_row()].new_no == line


def test_colours_that_come_later_move_nothing(view: DiffView) -> None:
    view.open_all_folds()
    view.verticalScrollBar().setValue(1000)
    before = picture(view)
    view.set_syntax(DiffSide.NEW, lex("src/values.py", view.document.text(DiffSide.NEW)))
    view.set_syntax(DiffSide.OLD, lex("src/values.py", view.document.text(DiffSide.OLD)))
    assert view.verticalScrollBar().value() == 1000
    assert picture(view) != before
    assert LIGHT.token(TokenClass.NUMBER) in colours(picture(view), view.row_area())


def test_changed_lines_have_their_colour_and_a_missing_side_is_hatched(view: DiffView) -> None:
    view.set_side_by_side(True)
    middle = view.viewport().width() // 2
    assert LIGHT.removed in row_colours(view, 4, 0, middle)
    assert LIGHT.removed_mark in row_colours(view, 4, 0, middle)
    assert LIGHT.added in row_colours(view, 4, middle + 1, middle * 2)
    hatched = row_colours(view, 5, 0, middle)
    assert LIGHT.removed not in hatched
    assert len(hatched) > 2


def test_the_view_follows_a_dark_palette(view: DiffView) -> None:
    view.setPalette(palette_of(DARK))
    assert view.palette().color(QPalette.ColorRole.Base) == QColor(DARK.base)
    assert {DARK.base, DARK.added} <= colours(picture(view), view.row_area())


def test_the_focused_view_has_a_ring_and_the_other_has_none(view: DiffView, qtbot: QtBot) -> None:
    other = DiffView()
    qtbot.addWidget(other)
    other.setPalette(palette_of(LIGHT))
    other.show()
    assert picture(view).pixelColor(0, 0).name() == LIGHT.accent
    assert picture(other).pixelColor(0, 0).name() == LIGHT.base


def test_white_space_is_shown_when_asked(view: DiffView) -> None:
    before = picture(view)
    view.set_show_whitespace(True)
    assert picture(view) != before


def test_a_message_is_shown_in_place_of_rows(view: DiffView) -> None:
    view.show_diff(DiffDocument("a.py", message="The contents are not kept: <b>too large</b>."))
    assert view.rows is None
    assert view.accessibleDescription() == "The contents are not kept: <b>too large</b>."
    assert LIGHT.muted in colours(picture(view), view.viewport().rect())
    for key in (Qt.Key.Key_F7, Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Right):
        QTest.keyClick(view, key)
    QTest.keyClick(view, Qt.Key.Key_A, CTRL)
    click(view, 0)


def test_the_pointer_over_a_fold_is_a_hand(view: DiffView) -> None:
    QTest.mouseMove(view.viewport(), point_of(view, 0))
    assert view.viewport().cursor().shape() is Qt.CursorShape.PointingHandCursor
    QTest.mouseMove(view.viewport(), point_of(view, 2))
    assert view.viewport().cursor().shape() is Qt.CursorShape.ArrowCursor


def test_a_hundred_thousand_lines_open_and_scroll_without_a_freeze(view: DiffView) -> None:
    old = "".join(f"line {i}\n" for i in range(100_000)).encode()
    document = build_document("big.txt", old, old.replace(b"77\n", b"78\n"))
    start = time.perf_counter()
    view.show_diff(document)
    view.open_all_folds()
    view.viewport().repaint()
    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum())
    view.viewport().repaint()
    assert time.perf_counter() - start < 1.0
    assert rows_of(view)[-1].new_no == 100_000


def test_a_line_of_two_hundred_thousand_characters_never_freezes(view: DiffView) -> None:
    old = b"x=1;" * 50_000
    document = build_document("all.min.js", old, old + b"y=2;")
    start = time.perf_counter()
    view.show_diff(document)
    view.viewport().repaint()
    view.horizontalScrollBar().setValue(view.horizontalScrollBar().maximum())
    view.viewport().repaint()
    assert time.perf_counter() - start < 1.0
    assert rows_of(view)[2].new_text.endswith("y=2;")


def test_wide_tabbed_and_hostile_text_is_painted(view: DiffView) -> None:
    view.set_show_whitespace(True)
    text = "\tdef größe(x):\t# 漢字 🦆 \x1b[31m \u202e\n".encode()
    view.show_diff(build_document("a.py", text, text.replace("🦆".encode(), "🦆🦆".encode())))
    view.set_syntax(DiffSide.NEW, lex("a.py", view.document.text(DiffSide.NEW)))
    assert LIGHT.added_mark in row_colours(view, 1, 0, view.viewport().width())


def test_a_screen_reader_gets_a_hostile_path_escaped(view: DiffView) -> None:
    view.show_diff(build_document("a\n\x1b[31mb.py", None, b"a\n"))
    assert view.accessibleName() == "Differences in a\\n\\x1b[31mb.py"
