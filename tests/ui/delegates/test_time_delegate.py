from dataclasses import replace
from datetime import timedelta

import pytest

from sulcus_panel.ui.delegates.time_delegate import brief_of
from sulcus_panel.ui.models.ledger_row import ledger_row
from tests.support.clock import NOON
from tests.support.entries import make_entry


@pytest.mark.parametrize("days", [0, 40, 500])
def test_the_brief_time_is_no_longer_than_a_time_of_day_and_not_cut(days: int) -> None:
    entry = make_entry(1)
    at = NOON - timedelta(days=days)
    row = ledger_row(replace(entry, record=replace(entry.record, at=at)), NOON)
    local = at.astimezone()
    assert brief_of(row) == {0: f"{local:%H:%M:%S}", 40: f"{local:%d %b}", 500: f"{local:%Y-%m}"}[days]
    assert len(brief_of(row)) <= len("00:00:00")
