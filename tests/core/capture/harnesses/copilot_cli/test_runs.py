"""Past runs of Copilot CLI become entries: what is known of every call, and nothing that is not."""

from pathlib import Path

import pytest

from sulcus_panel.core.capture.harnesses.copilot_cli.live import CopilotCli
from sulcus_panel.core.capture.harnesses.copilot_cli.runs import CopilotCliRuns
from sulcus_panel.core.capture.past.entries import WORKED_BACK, Importing
from sulcus_panel.core.capture.past.into_ledger import ImportedRun
from sulcus_panel.core.model import FileKind

ROOT = Path(__file__).parents[5]
DATA = ROOT / "tests" / "data" / "transcripts" / "copilot-cli"
SAMPLES = ROOT.parent / "shared" / "samples" / "copilot-cli"


def imported(path: Path, root: str = "/elsewhere/ws", recorded_root: str | None = None) -> ImportedRun:
    return CopilotCliRuns().read([path], Importing(CopilotCli(), root, recorded_root), None)


def test_a_run_becomes_entries_with_the_texts_that_it_tells() -> None:
    run = imported(DATA)
    found = [(one.entry.action_type.value, one.entry.target_path, one.entry.intent) for one in run.entries]
    assert found == [
        ("file_edit", "app.py", "Raise the price"),
        ("file_create", "notes.md", "Raise the price"),
        ("file_edit", "app.py", "Raise the price"),
        ("file_create", "lib.py", "Raise the price"),
        ("run_command", "", "Raise the price"),
        ("run_command", "", "Raise the price"),
        ("run_command", "", "Raise the price"),
        ("file_create", "sub.txt", "Raise the price"),
        ("run_command", "", "And now the tests"),
    ]
    contents = {data for one in run.entries for data in one.contents.values()}
    assert contents == {
        b"price = 1\ntax = 2\n",
        b"price = 5\ntax = 2\n",
        b"price = 5\ntax = 3\n",
        b"# Notes\n",
        b"x = 1\n",
        b"s",
    }
    assert [one.entry.session_id for one in run.entries if one.entry.target_path == "sub.txt"] == ["task-1"]


def test_an_edit_of_a_file_that_nobody_showed_follows_from_how_it_was_left(tmp_path: Path) -> None:
    lines = (DATA / "5e55-1" / "events.jsonl").read_bytes().split(b"\n")
    kept = [line for line in lines if b'"c1"' not in line and b'"c4"' not in line]
    (tmp_path / "s.jsonl").write_bytes(b"\n".join(kept))
    ws = tmp_path / "ws"
    ws.mkdir()
    (ws / "app.py").write_bytes(b"price = 5\ntax = 2\n")
    run = imported(tmp_path / "s.jsonl", str(ws), "/home/dev/shop")
    edit = run.entries[0]
    (change,) = edit.entry.changes
    assert (change.before.kind, change.after.kind) == (FileKind.FILE, FileKind.FILE)
    assert set(edit.contents.values()) == {b"price = 1\ntax = 2\n", b"price = 5\ntax = 2\n"}
    assert WORKED_BACK in edit.entry.notes
    (ws / "app.py").write_bytes(b"# moved down\nprice = 5\ntax = 2\n")
    (change,) = imported(tmp_path / "s.jsonl", str(ws), "/home/dev/shop").entries[0].entry.changes
    assert (change.before.kind, change.after.kind) == (FileKind.UNKNOWN, FileKind.UNKNOWN)


def test_its_home_is_told_by_the_environment(tmp_path: Path) -> None:
    runs = CopilotCliRuns()
    assert runs.home({"COPILOT_HOME": str(tmp_path)}) == tmp_path
    assert runs.home({}).name == ".copilot"
    assert runs.find(tmp_path, "/w") == ()


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the recordings are not here")
def test_the_recordings_of_others_are_read() -> None:
    run = imported(SAMPLES / "irr_2-4_bash_fail.jsonl")
    assert [(one.entry.command, one.entry.exit_code, one.entry.changes) for one in run.entries] == [
        ("false", 1, ()),
        ("echo recovered", 0, ()),
    ]
    assert {one.entry.intent[:43] for one in run.entries} == {"Using the bash tool, run the shell command "}
    assert [(one.session_id, one.parent) for one in run.sessions] == [
        ("60b69830-8c00-4153-9a18-23faeda93d22", None)
    ]
    assert run.problems == ()
