"""Fixtures of the dialogs."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from pytestqt.qtbot import QtBot

if TYPE_CHECKING:
    from tests.support.shown_sheet import Shown


@pytest.fixture
def shown(qtbot: QtBot) -> "Iterator[Shown]":
    """An undo sheet that is open and has the keyboard."""
    from sulcus_panel.ui.dialogs.undo_sheet import UndoSheet
    from tests.support.shown_sheet import Shown

    sheet = UndoSheet()
    qtbot.addWidget(sheet)
    sheet.show()
    sheet.activateWindow()
    qtbot.waitActive(sheet)
    yield Shown(sheet)
    sheet.close()
