from pathlib import Path

import pytest

from sulcus_panel.core.capture.draining import TOLD, is_quiet
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.ledger.store import Ledger
from tests.support.clock import NOON


def test_an_empty_spool_is_quiet(ledger: Ledger, data_home: DataHome) -> None:
    assert is_quiet(ledger, data_home)


@pytest.mark.parametrize("left", ["new/1", "tmp/1", "bad/1", "dropped"])
def test_whatever_a_hook_or_a_drain_left_is_a_reason_to_drain(
    ledger: Ledger, data_home: DataHome, left: str
) -> None:
    (data_home.spool / left).write_bytes(b"")
    assert not is_quiet(ledger, data_home)


def test_where_lost_events_were_told_the_drain_keeps_the_count(ledger: Ledger, data_home: DataHome) -> None:
    ledger.put_pending(TOLD, TOLD, NOON, b"3")
    assert not is_quiet(ledger, data_home)


def test_a_spool_that_cannot_be_listed_is_not_called_quiet(ledger: Ledger, data_home: DataHome) -> None:
    folder = Path(data_home.spool_new)
    folder.rmdir()
    assert not is_quiet(ledger, data_home)
    folder.write_bytes(b"")
    assert not is_quiet(ledger, data_home)
