"""A workspace with a ledger, in which agents work and a test undoes."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.bench import Bench


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    yield made
    made.close()
