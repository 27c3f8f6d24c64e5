"""The panel is full on the first day: a past run is imported, and an old change of it is taken back."""

from pathlib import Path

import pytest

from sulcus_panel.core.ledger.home import DataHome
from tests.support.claude_transcripts import CWD, Transcript
from tests.support.hooks import Run
from tests.support.terminal import sulcus

START = "one\ntwo\nthree\nfour\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


def past_run(folder: Path) -> Path:
    """A transcript: a file written, then changed in line 2, then in line 4."""
    transcript = Transcript(folder / "past.jsonl")
    transcript.prompt("Make it louder")
    transcript.write(f"{CWD}/a.txt", START)
    transcript.edit(f"{CWD}/a.txt", "two", "TWO", START)
    transcript.edit(f"{CWD}/a.txt", "four", "FOUR", START.replace("two", "TWO"))
    return transcript.path


def test_an_old_change_of_a_past_run_goes_back_and_comes_again(project: Path, tmp_path: Path) -> None:
    file = project / "a.txt"
    file.write_text("one\nTWO\nthree\nFOUR\n")
    answer = sulcus("import", "claude-code", str(past_run(tmp_path)), "--workspace", str(project), "--json")
    assert answer.json() == {"recorded": 3, "already": 0, "problems": []}, answer.err

    undone = sulcus("ledger", "rollback", "2", "--json", stdin="y\n")
    assert undone.code == 0, undone.err
    assert undone.json()["results"][0]["strategy"] == "surgical_reverse_patch"
    assert file.read_text() == "one\ntwo\nthree\nFOUR\n"

    assert sulcus("ledger", "redo", "2", stdin="y\n").code == 0
    assert file.read_text() == "one\nTWO\nthree\nFOUR\n"


def test_an_import_after_newer_entries_knows_what_came_later(project: Path, tmp_path: Path) -> None:
    """The live change has the smaller seq_id, and still stands on the imported one's line."""
    file = project / "a.txt"
    file.write_text("one\nTWO\nthree\nFOUR\n")
    sulcus("ledger", "list", "--workspace", str(project))
    Run(project, DataHome.default().spool).edit("a.txt", "TWO", "zwei")
    sulcus("import", "claude-code", str(past_run(tmp_path)), "--workspace", str(project))
    listed = sulcus("ledger", "list", "--workspace", str(project), "--json").json()["entries"]
    imported = next(e["seq_id"] for e in listed if e["provenance"] == "imported" and "edited" in e["summary"])

    answer = sulcus("ledger", "rollback", str(imported), "--json", stdin="y\n")

    assert answer.code == 1
    assert answer.json()["results"][0]["conflicts"][0]["with_seq_ids"] == [1]
    assert file.read_text() == "one\nzwei\nthree\nFOUR\n"
    assert sulcus("ledger", "rollback", "1", str(imported), stdin="y\n").code == 0
    assert file.read_text() == "one\ntwo\nthree\nFOUR\n"
