import pytest
from PySide6.QtCore import Qt

from sulcus_panel.core.model import ActionType
from sulcus_panel.ui.delegates.target_delegate import elide_of
from sulcus_panel.ui.models.ledger_row import ledger_row
from tests.support.clock import NOON
from tests.support.entries import make_entry


@pytest.mark.parametrize(
    ("action", "cut"),
    [
        (ActionType.RUN_COMMAND, Qt.TextElideMode.ElideRight),
        (ActionType.MCP_MUTATION, Qt.TextElideMode.ElideRight),
        (ActionType.FILE_EDIT, Qt.TextElideMode.ElideMiddle),
    ],
)
def test_a_command_keeps_its_beginning_and_a_file_its_end(action: ActionType, cut: Qt.TextElideMode) -> None:
    assert elide_of(ledger_row(make_entry(1, action=action), NOON)) is cut
