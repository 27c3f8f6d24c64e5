"""One `serve` for all tests of a file, and a key that may do everything."""

from collections.abc import Iterator

import httpx
import pytest

from tests.support.http_door import Door, serving


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Door]:
    with serving(tmp_path_factory.mktemp("served")) as served:
        yield served


@pytest.fixture(scope="module")
def key(door: Door) -> str:
    return door.key()


@pytest.fixture
def client(door: Door, key: str) -> Iterator[httpx.Client]:
    with door.client(key) as opened:
        yield opened
