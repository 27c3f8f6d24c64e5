"""One scene for each scenario: a folder, a ledger, an agent with hooks."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sulcus_panel.core.ledger.home import DataHome
from tests.support.scene import Scene


@pytest.fixture
def scene(tmp_path: Path, home: Path) -> Iterator[Scene]:
    made = Scene.make(tmp_path, DataHome(home / "sulcus"))
    yield made
    made.operations.close()
