"""Past runs of Cursor become entries: what was asked for, the rest unknown and why."""

import shutil
from pathlib import Path

import pytest

from sulcus_panel.core.capture.harnesses.cursor.live import Cursor
from sulcus_panel.core.capture.harnesses.cursor.runs import CursorRuns
from sulcus_panel.core.capture.harnesses.cursor.transcripts import WEAK
from sulcus_panel.core.capture.past.entries import Importing
from sulcus_panel.core.capture.past.into_ledger import ImportedRun
from sulcus_panel.core.model import FileKind, NewEntry

ROOT = Path(__file__).parents[5]
DATA = ROOT / "tests" / "data" / "transcripts" / "cursor"
SAMPLES = ROOT.parent / "shared" / "samples" / "cursor"


def imported(*paths: Path) -> ImportedRun:
    return CursorRuns().read(paths, Importing(Cursor(), "/elsewhere/ws"), None)


def entries(run: ImportedRun) -> list[NewEntry]:
    return [one.entry for one in run.entries]


def test_a_transcript_becomes_entries_and_says_how_weak_it_is() -> None:
    run = imported(DATA)
    write, edit, command = entries(run)
    assert (write.target_path, write.changes[0].before.kind) == ("hello.py", FileKind.UNKNOWN)
    assert write.changes[0].before.reason == "the transcript does not hold the file as it was before"
    assert edit.changes[0].before.sha256 == write.changes[0].after.sha256
    assert (command.command, command.exit_code) == ("python hello.py", None)
    assert {one.intent for one in entries(run)} == {"Make the greeting louder"}
    assert write.derived_from == ("style.md",)
    assert run.problems == (f"greeting.jsonl: {WEAK}",)


def test_the_transcripts_of_a_folder_are_found_by_its_name(tmp_path: Path) -> None:
    for key in ("home-me-proj", "home-me-project"):
        kept = tmp_path / "projects" / key / "agent-transcripts" / "greeting"
        kept.mkdir(parents=True)
        shutil.copy(DATA / "greeting.jsonl", kept)
    own = tmp_path / "projects" / "home-me-proj" / "agent-transcripts" / "greeting" / "greeting.jsonl"
    runs = CursorRuns()
    assert runs.find(tmp_path, "/home/me/proj") == (own,)
    assert own in runs.find(tmp_path, "/home/me")
    assert runs.find(tmp_path, "/home/you") == ()
    assert runs.home({}).name == ".cursor"


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the recordings are not here")
def test_the_recordings_of_others_are_read() -> None:
    run = imported(SAMPLES / "gitai_cursor-session-simple.jsonl")
    (entry,) = entries(run)
    assert (entry.action_type.value, entry.target_path) == ("file_write", "hbo-shows-1990s.txt")
    assert entry.intent == "Generate a file with all the HBO shows from the 90's in it"
    assert "pbs-shows-1990s.txt" in entry.derived_from
