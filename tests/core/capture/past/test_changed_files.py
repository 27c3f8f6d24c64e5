"""A file that has to be read as a whole is a suspect when it has changed, and until it is at rest and settled."""

import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from sulcus_panel.core.capture.past.changed_files import ChangedFiles
from sulcus_panel.core.capture.past.importer import Wanted

NOW = datetime(2026, 5, 4, 9, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.json"


def write(path: Path, text: str, at: datetime) -> None:
    path.write_text(text, encoding="utf-8")
    os.utime(path, (at.timestamp(), at.timestamp()))


def watched(*paths: Path, since: datetime = NOW - 60 * MINUTE) -> Callable[[datetime], list[Path]]:
    """What is suspected up to a time, and settled at once."""

    def find(wanted: Wanted) -> tuple[Path, ...]:
        return tuple(filter(wanted, paths))

    changed = ChangedFiles(find, since)

    def look(ripe: datetime) -> list[Path]:
        found = changed.suspects(lambda _uid: False, ripe)
        changed.settle(found)
        return list(found)

    return look


def test_a_file_at_rest_is_read_once_and_again_when_it_changes(path: Path) -> None:
    write(path, "1", NOW)
    look = watched(path)
    assert [look(NOW + MINUTE), look(NOW + 2 * MINUTE)] == [[path], []]
    write(path, "12", NOW + 3 * MINUTE)
    assert [look(NOW + 4 * MINUTE), look(NOW + 5 * MINUTE)] == [[path], []]


def test_one_that_may_tell_of_a_young_call_is_read_again(path: Path) -> None:
    write(path, "1", NOW)
    look = watched(path)
    assert [look(NOW - MINUTE), look(NOW + MINUTE), look(NOW + MINUTE)] == [[path], [path], []]


def test_what_is_not_settled_is_named_again(path: Path) -> None:
    write(path, "1", NOW)
    changed = ChangedFiles(lambda wanted: tuple(filter(wanted, [path])), NOW)
    assert changed.suspects(bool, NOW) == changed.suspects(bool, NOW) == (path,)


def test_old_files_and_files_that_are_gone_are_not_opened(path: Path) -> None:
    write(path, "1", NOW - 61 * MINUTE)
    assert watched(path, path.with_name("gone"))(NOW) == []


def test_a_database_has_changed_with_its_log(path: Path) -> None:
    write(path, "1", NOW - 500 * MINUTE)
    look = watched(path)
    assert look(NOW) == []
    write(path.with_name("a.json-wal"), "1", NOW)
    assert look(NOW) == [path]


def test_one_that_is_only_read_at_rest_waits_until_it_is(path: Path) -> None:
    write(path, "1", NOW)
    changed = ChangedFiles(lambda wanted: tuple(filter(wanted, [path])), NOW, at_rest=True)
    assert changed.suspects(bool, NOW - MINUTE) == ()
    assert changed.suspects(bool, NOW) == (path,)
