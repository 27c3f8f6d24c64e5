"""A ledger, a spool and a folder that is a workspace, for what is captured live."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sulcus_panel.core.capture.recorder import Recorder
from sulcus_panel.core.ledger.encoding import utc_now
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.ledger.store import Ledger
from tests.support.hooks import Run


@pytest.fixture
def data_home(tmp_path: Path) -> DataHome:
    made = DataHome(tmp_path / "data")
    made.ensure()
    return made


@pytest.fixture
def ledger(data_home: DataHome) -> Iterator[Ledger]:
    with Ledger.open(data_home) as opened:
        yield opened


@pytest.fixture
def recorder(ledger: Ledger, data_home: DataHome) -> Recorder:
    return Recorder(ledger, data_home, utc_now)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    return folder


@pytest.fixture
def run(project: Path, data_home: DataHome) -> Run:
    return Run(project, data_home.spool)
