"""Fixtures of the window. The window itself is imported only by the tests that open it."""

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pytestqt.qtbot import QtBot

from tests.support.clock import FakeClock

if TYPE_CHECKING:
    from tests.support.desk import Desk
    from tests.support.ledger_builder import LedgerBuilder


@pytest.fixture
def live_build(tmp_path: Path) -> "Iterator[LedgerBuilder]":
    """A builder whose story happens now, so that nothing of it is too old to be kept."""
    from tests.support.ledger_builder import LedgerBuilder

    build = LedgerBuilder.make(tmp_path, FakeClock(datetime.now(UTC)))
    yield build
    build.ledger.close()


@pytest.fixture
def desk(live_build: "LedgerBuilder", qt_loop: asyncio.AbstractEventLoop, qtbot: QtBot) -> "Iterator[Desk]":
    """The main window with three changes to one file."""
    from tests.support.desk import open_desk

    with open_desk(live_build, qt_loop, qtbot) as desk:
        yield desk
