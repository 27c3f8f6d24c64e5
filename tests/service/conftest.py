"""A workspace with a ledger that a builder fills, and the operations over it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sulcus_panel.service.operations import Operations
from tests.support.ledger_builder import LedgerBuilder


@pytest.fixture
def build(tmp_path: Path) -> Iterator[LedgerBuilder]:
    builder = LedgerBuilder.make(tmp_path)
    yield builder
    builder.ledger.close()


@pytest.fixture
def operations(build: LedgerBuilder) -> Iterator[Operations]:
    with Operations.open(build.home, clock=build.clock) as opened:
        yield opened
