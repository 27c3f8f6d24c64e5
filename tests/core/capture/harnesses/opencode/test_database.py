"""OpenCode's database is read, and nothing in its folder changes."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from sulcus_panel.core.capture.harnesses.opencode.database import read_database, session_folders
from tests.support.opencode import made


def listing(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_sessions_that_are_wanted_are_read(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    made(path).close()
    everything, _ = read_database(path, None)
    (one,), problems = read_database(path, frozenset(["ses_1"]))
    assert [session.key for session in everything] == ["ses_1", "ses_2"]
    assert (one.key, one.directory, one.messages[0].parts[0]["text"], problems) == ("ses_1", "/w", "go", [])
    assert session_folders(path) == {"ses_1": "/w", "ses_2": "/other"}


def test_nothing_is_left_beside_a_database_that_nobody_has_open(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    made(path, wal=True).close()
    before = listing(tmp_path)
    assert len(read_database(path, None)[0]) == 2
    assert listing(tmp_path) == before


def test_what_a_running_opencode_has_not_yet_moved_out_of_its_log_is_read(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    with closing(made(path, wal=True)):
        assert len(read_database(path, None)[0]) == 2


def test_a_database_that_was_left_with_its_log_is_read_from_a_copy(tmp_path: Path) -> None:
    path, left = tmp_path / "opencode.db", tmp_path / "left"
    left.mkdir()
    with closing(made(path, wal=True)):
        for end in ("", "-wal"):
            shutil.copyfile(f"{path}{end}", left / f"opencode.db{end}")
    before = listing(left)
    assert len(read_database(left / "opencode.db", None)[0]) == 2
    assert listing(left) == before


def test_damaged_rows_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    with closing(made(path)) as connection:
        connection.execute("INSERT INTO part VALUES ('p1', 'msg_ses_1', 'ses_1', 2, '{\"type\":')")
        connection.execute("INSERT INTO part VALUES ('p2', 'msg_ses_1', 'ses_1', 2, ?)", (b"\xff\xfe",))
        connection.execute("INSERT INTO part VALUES ('p3', 'msg_gone', 'ses_1', 2, '{}')")
        connection.commit()
    (one,), problems = read_database(path, frozenset(["ses_1"]))
    assert len(one.messages[0].parts) == 1
    assert problems == ["opencode.db, session ses_1: 3 rows could not be read"]


def test_another_database_and_another_file_are_told(tmp_path: Path) -> None:
    other, text = tmp_path / "opencode.db", tmp_path / "text.db"
    with closing(sqlite3.connect(other)) as connection:
        connection.executescript("CREATE TABLE x (y); CREATE VIEW session AS SELECT * FROM x")
    text.write_bytes(b"hello")
    assert read_database(other, None) == (
        [],
        ["opencode.db: not OpenCode's database: it has no table session, message, part"],
    )
    assert read_database(text, None) == ([], ["text.db: not a database"])
    assert (session_folders(other), session_folders(text), session_folders(tmp_path / "gone.db")) == (
        {},
        {},
        {},
    )


def test_a_database_that_is_cut_off_is_told(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    made(path).close()
    path.write_bytes(path.read_bytes()[:5000])
    sessions, problems = read_database(path, None)
    assert (sessions, len(problems)) == ([], 1)
