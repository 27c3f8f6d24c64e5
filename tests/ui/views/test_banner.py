from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from sulcus_panel.ui.views.banner import Banner
from sulcus_panel.ui.views.painted_button import PaintedButton
from sulcus_panel.ui.views.themed_label import ThemedLabel, wrapped
from tests.support.stage import on_stage


def test_a_banner_is_hidden_until_it_has_something_to_say(qtbot: QtBot) -> None:
    banner = Banner()
    assert banner.isHidden()
    on_stage(qtbot, banner, 700, 40)
    banner.tell("Changed outside the agents", "Your line will be kept.")
    assert banner.isVisible()
    assert banner.accessibleName() == "Changed outside the agents: Your line will be kept."
    banner.clear()
    assert banner.isHidden()


def test_the_action_asks_to_be_shown_what_changed(qtbot: QtBot) -> None:
    banner = Banner()
    on_stage(qtbot, banner, 700, 40)
    banner.tell("Changed", "outside")
    button = banner.findChild(PaintedButton)
    assert button is not None
    with qtbot.waitSignal(banner.action_requested):
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_hostile_words_are_plain(qtbot: QtBot) -> None:
    banner = Banner()
    on_stage(qtbot, banner, 700, 40)
    banner.tell("<b>x</b>", "a\nb\u202e" + "y" * 5000, "")
    texts = [label.text() for label in banner.findChildren(QLabel)]
    assert texts[0] == "<b>x</b>"
    assert texts[1].isprintable()
    assert len(texts[1]) < 700


def test_two_sentences_that_each_end_with_a_way_out_are_whole_in_a_narrow_window(qtbot: QtBot) -> None:
    words = (
        "4 changes were found in its transcript that no hook reported. Run “sulcus-panel hooks install”. " * 3
    )
    banner = Banner()
    on_stage(qtbot, banner, 560, 120)
    banner.tell("Hooks are silent", words, "Dismiss")
    said = banner.findChildren(ThemedLabel)[1]
    lines = wrapped(said.text(), said.font(), said.width())
    assert len(lines) > 3
    assert said.heightForWidth(said.width()) == len(lines) * said.fontMetrics().lineSpacing()
