"""The steps from an empty file to the tables of today, each done once. Opening and old files: test_opening.py."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlite_utils import Database

from sulcus_panel.core.ledger.folder_ids import encode_folder, folder_id
from sulcus_panel.core.ledger.migrations import migrate, migrations
from sulcus_panel.core.ledger.schema import APPLICATION_ID, VERSION


@pytest.fixture
def empty() -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    yield connection
    connection.close()


def number(connection: sqlite3.Connection, sql: str) -> int:
    (found,) = connection.execute(sql).fetchone()
    return int(found)


def test_every_version_has_one_step_and_the_header_says_which(empty: sqlite3.Connection) -> None:
    migrate(empty)
    steps = [row[0] for row in empty.execute("SELECT name FROM _sqlite_migrations ORDER BY name")]
    assert [step[:4] for step in steps] == [f"{version:04}" for version in range(1, VERSION + 1)]
    assert number(empty, "PRAGMA user_version") == VERSION
    assert number(empty, "PRAGMA application_id") == APPLICATION_ID


def test_done_again_nothing_is_lost_and_nothing_changes(empty: sqlite3.Connection) -> None:
    migrate(empty)
    empty.execute("INSERT INTO workspace (namespace, added_at) VALUES ('demo', 0)")
    tables = empty.execute("SELECT name, sql FROM sqlite_schema").fetchall()
    migrate(empty)
    assert empty.execute("SELECT name, sql FROM sqlite_schema").fetchall() == tables
    assert number(empty, "SELECT count(*) FROM workspace") == 1


def test_a_ledger_of_the_first_format_is_brought_to_ours(empty: sqlite3.Connection) -> None:
    migrations.apply(Database(empty, execute_plugins=False), stop_before="0002_upkeep_and_runs")
    empty.execute("INSERT INTO workspace (namespace, added_at) VALUES ('demo', 0)")
    migrate(empty)
    assert number(empty, "SELECT count(*) FROM workspace") == 1
    assert number(empty, "SELECT count(*) FROM upkeep") == 0


def test_f041_a_folder_that_was_recorded_before_anyone_looked_is_taken_as_it_is(
    empty: sqlite3.Connection, tmp_path: Path
) -> None:
    migrations.apply(Database(empty, execute_plugins=False), stop_before="0003_which_folder")
    for name, root in (("here", str(tmp_path)), ("gone", str(tmp_path / "gone")), ("none", None)):
        empty.execute("INSERT INTO workspace (namespace, root, added_at) VALUES (?, ?, 0)", (name, root))
    migrate(empty)
    seen = dict(empty.execute("SELECT namespace, folder FROM workspace").fetchall())
    assert seen == {"here": encode_folder(folder_id(str(tmp_path))), "gone": None, "none": None}


def test_what_belongs_to_an_entry_goes_with_it_and_an_id_is_never_used_again(
    empty: sqlite3.Connection,
) -> None:
    migrate(empty)
    empty.execute("PRAGMA foreign_keys = ON")
    empty.execute("INSERT INTO workspace (id, namespace, added_at) VALUES (1, 'demo', 0)")
    columns = [row[1] for row in empty.execute("PRAGMA table_info(entry)")]
    values = ", ".join("1" if name != "seq_id" else "NULL" for name in columns if name != "intent_id")
    names = ", ".join(name for name in columns if name != "intent_id")
    empty.execute(f"INSERT INTO entry ({names}) VALUES ({values})")
    empty.execute("INSERT INTO source (seq_id, idx, workspace_id, path, at) VALUES (1, 0, 1, 'a', 0)")
    empty.execute("INSERT INTO mark (seq_id, state, reversal, at) VALUES (1, 'deferred', '', 0)")

    empty.execute("DELETE FROM entry")

    assert number(empty, "SELECT (SELECT count(*) FROM source) + (SELECT count(*) FROM mark)") == 0
    empty.execute(f"INSERT INTO entry ({names}) VALUES ({values})")
    assert number(empty, "SELECT seq_id FROM entry") == 2
