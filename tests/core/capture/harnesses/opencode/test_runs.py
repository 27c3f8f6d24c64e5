"""Past runs of OpenCode become entries: what is known of every call, and nothing that is not."""

import json
from contextlib import closing
from pathlib import Path

import pytest

from sulcus_panel.core.capture.harnesses.opencode.live import OpenCode
from sulcus_panel.core.capture.harnesses.opencode.runs import OpenCodeRuns
from sulcus_panel.core.capture.past.entries import Importing
from sulcus_panel.core.capture.past.into_ledger import ImportedRun
from sulcus_panel.core.model import FileKind, NewEntry
from tests.support.opencode import add_write, made

ROOT = Path(__file__).parents[5]
DATA = ROOT / "tests" / "data" / "transcripts" / "opencode"
SAMPLES = ROOT.parent / "shared" / "samples" / "opencode"


def imported(paths: list[Path], recorded_root: str | None = None) -> ImportedRun:
    return OpenCodeRuns().read(paths, Importing(OpenCode(), "/elsewhere/ws", recorded_root), None)


def entries(run: ImportedRun) -> list[NewEntry]:
    return [one.entry for one in run.entries]


def test_a_run_becomes_entries_with_turns_and_intents() -> None:
    run = imported([DATA])
    assert [(one.action_type.value, one.target_path, one.exit_code) for one in entries(run)] == [
        ("file_create", "hello.py", None),
        ("file_edit", "hello.py", None),
        ("run_command", "", 0),
    ]
    assert {one.intent for one in entries(run)} == {"Write a greeting, then make it louder"}
    assert entries(run)[1].derived_from == ("style.md",)
    contents = {data for one in run.entries for data in one.contents.values()}
    assert contents == {b'print("hello")\n', b'print("HELLO")\n'}
    assert run.problems == ()


def test_of_a_database_only_the_sessions_of_the_folder_are_taken(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    with closing(made(path)) as connection:
        add_write(connection, "ses_1")
        add_write(connection, "ses_2")
        connection.commit()
    runs = OpenCodeRuns()
    assert runs.home({"XDG_DATA_HOME": "/d"}) == Path("/d/opencode")
    assert (runs.find(tmp_path, "/w"), runs.find(tmp_path, "/x")) == ((path,), ())
    (entry,) = entries(imported([path], "/w"))
    assert (entry.uid, entry.turn_id, entry.intent) == ("opencode:ses_1:c", "msg_ses_1", "go")
    assert len(imported([path]).entries) == 2
    assert imported([path], "/x").problems == ("opencode.db: no session of this folder",)


def test_a_session_that_is_in_the_database_and_in_files_is_taken_once(tmp_path: Path) -> None:
    with closing(made(tmp_path / "opencode.db")) as connection:
        add_write(connection, "ses_1")
        connection.commit()
    old = tmp_path / "storage" / "session" / "p" / "ses_1.json"
    old.parent.mkdir(parents=True)
    old.write_text(json.dumps({"id": "ses_1", "directory": "/w"}), encoding="utf-8")
    assert OpenCodeRuns().find(tmp_path, "/w") == (old, tmp_path / "opencode.db")
    run = imported([tmp_path], "/w")
    assert (len(run.entries), len(run.sessions)) == (1, 1)


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the recordings are not here")
def test_the_recordings_of_others_are_read() -> None:
    run = imported([SAMPLES / "irr_2-4_write_read_edit.jsonl"])
    create, edit = entries(run)
    assert (create.action_type.value, create.target_path) == ("file_create", "calc.py")
    assert (edit.action_type.value, edit.target_path) == ("file_edit", "calc.py")
    assert create.changes[0].before.kind is FileKind.ABSENT
    contents = {data for one in run.entries for data in one.contents.values()}
    assert contents == {b"def add(a, b):\n    return a - b", b"def add(a, b):\n    return a + b"}
    assert run.problems == ()
