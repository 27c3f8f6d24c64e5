"""`runtime.json`: whole, private, and true of a server that lives."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.service.http.runtime import Announcement, Runtime, place, read


@pytest.fixture
def data_home(tmp_path: Path) -> DataHome:
    home = DataHome(tmp_path / "home")
    home.ensure()
    return home


def test_what_is_announced_is_read_and_taken_back(data_home: DataHome) -> None:
    here = Runtime(os.getpid(), "2026-01-01T00:00:00Z", 4203, None)
    announcement = Announcement(data_home, here)
    assert announcement.make()
    assert announcement.make()
    assert read(data_home) == here
    assert place(data_home).stat().st_mode & 0o777 == 0o600
    announcement.withdraw()
    assert read(data_home) is None
    assert not place(data_home).exists()


def test_the_second_server_waits_for_the_first_to_go(data_home: DataHome) -> None:
    first = Announcement(data_home, Runtime(os.getpid(), "first", 1, None))
    second = Announcement(data_home, Runtime(os.getpid(), "second", 2, None))
    assert (first.make(), second.make()) == (True, False)
    second.withdraw()
    found = read(data_home)
    assert found is not None
    assert found.started == "first"
    first.withdraw()
    assert second.make()
    second.withdraw()


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"pid": 1}', '{"pid": "x", "started": "", "port": 1, "socket": null}']
)
def test_a_file_that_is_none_says_nothing(data_home: DataHome, text: str) -> None:
    place(data_home).write_text(text)
    place(data_home).chmod(0o600)
    assert read(data_home) is None


def test_a_file_that_others_may_write_says_nothing(data_home: DataHome) -> None:
    told: dict[str, Any] = {"pid": os.getpid(), "started": "", "port": 1, "socket": None, "api": 1}
    place(data_home).write_text(json.dumps(told))
    place(data_home).chmod(0o666)
    assert read(data_home) is None
    place(data_home).chmod(0o600)
    assert read(data_home) == Runtime(**told)
