"""A workspace with a ledger that a builder fills."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sulcus_panel.service.operations import utc_now
from tests.support.clock import FakeClock
from tests.support.ledger_builder import LedgerBuilder


@pytest.fixture
def build(tmp_path: Path) -> Iterator[LedgerBuilder]:
    builder = LedgerBuilder.make(tmp_path, FakeClock(utc_now()))
    yield builder
    builder.ledger.close()
