"""The foot of the window: a sum that adds up, and nothing said that is not known."""

import pytest
from pytestqt.qtbot import QtBot

from sulcus_panel.ui.views.status_line import StatusLine


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        (0, "0 of 50 changes · 0 B kept"),
        (50, "50 of 50 changes · 0 B kept"),
        (56, "56 changes, the newest 50 stay · 0 B kept"),
    ],
)
def test_more_changes_than_are_kept_are_not_so_many_of_fewer(qtbot: QtBot, entries: int, said: str) -> None:
    """The oldest are let go of now and then, and undos stay longer: there may be more for a while."""
    status = StatusLine()
    qtbot.addWidget(status)
    status.show_totals(entries, 50, 0)
    assert status.accessibleName() == f"Status: {said}"
