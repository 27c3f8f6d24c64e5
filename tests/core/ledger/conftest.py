"""A fresh ledger on disk with one workspace and a clock that the test moves."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import Workspace
from tests.support.clock import FakeClock


@pytest.fixture
def data_home(tmp_path: Path) -> DataHome:
    return DataHome(tmp_path / "data")


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def ledger(data_home: DataHome, clock: FakeClock) -> Iterator[Ledger]:
    with Ledger.open(data_home, clock=clock) as opened:
        yield opened


@pytest.fixture
def workspace(ledger: Ledger, tmp_path: Path) -> Workspace:
    root = tmp_path / "project"
    root.mkdir()
    return ledger.add_workspace(str(root))
