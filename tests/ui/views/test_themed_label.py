import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from pytestqt.qtbot import QtBot

from sulcus_panel.ui.views.themed_label import ELLIPSIS, ThemedLabel, wrapped


@pytest.mark.parametrize("text", ["one two three four five six", "x" * 400, "<b>y</b> " * 30, "ש" * 90])
def test_no_line_is_wider_than_asked(qtbot: QtBot, text: str) -> None:
    label = ThemedLabel(text)
    qtbot.addWidget(label)
    metrics = QFontMetrics(label.font())
    lines = wrapped(text, label.font(), 120)
    assert len(lines) > 1
    assert all(metrics.horizontalAdvance(line) <= 121 for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


def test_too_many_lines_end_with_an_ellipsis(qtbot: QtBot) -> None:
    label = ThemedLabel("word " * 200, max_lines=3)
    qtbot.addWidget(label)
    lines = wrapped(label.text(), label.font(), 120, 3)
    assert len(lines) == 3
    assert lines[-1].endswith(ELLIPSIS)
    assert label.heightForWidth(120) == 3 * label.fontMetrics().lineSpacing()


def test_the_last_line_has_what_fits_of_the_rest_and_a_path_keeps_its_end(qtbot: QtBot) -> None:
    path = "very-long-folder-" + "x" * 400 + "/journal.py"
    label = ThemedLabel(path, max_lines=1, elide=Qt.TextElideMode.ElideMiddle)
    qtbot.addWidget(label)
    metrics = QFontMetrics(label.font())
    (line,) = wrapped(path, label.font(), 300, 1, Qt.TextElideMode.ElideMiddle)
    assert line.startswith("very-long")
    assert line.endswith("journal.py")
    assert 260 < metrics.horizontalAdvance(line) <= 300
    assert wrapped("one\ntwo", label.font(), 300, 1) == [f"one{ELLIPSIS}"]


def test_a_label_never_takes_its_text_for_markup(qtbot: QtBot) -> None:
    label = ThemedLabel("<b>x</b>")
    qtbot.addWidget(label)
    assert label.textFormat() is Qt.TextFormat.PlainText
    assert label.sizeHint().width() > QFontMetrics(label.font()).horizontalAdvance("<b>x</b>")
