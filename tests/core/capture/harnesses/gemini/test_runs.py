"""Past runs of Gemini CLI become entries: what is known of every call, and nothing that is not."""

import json
from pathlib import Path

import pytest

from sulcus_panel.core.capture.harnesses.gemini.chats import project_hash
from sulcus_panel.core.capture.harnesses.gemini.live import Gemini
from sulcus_panel.core.capture.harnesses.gemini.runs import GeminiRuns
from sulcus_panel.core.capture.past.entries import Importing
from sulcus_panel.core.capture.past.into_ledger import ImportedRun
from sulcus_panel.core.model import FileKind, NewEntry

ROOT = Path(__file__).parents[5]
DATA = ROOT / "tests" / "data" / "transcripts" / "gemini"
SAMPLES = ROOT.parent / "shared" / "samples" / "gemini"


def imported(paths: list[Path], recorded_root: str | None = None) -> ImportedRun:
    return GeminiRuns().read(paths, Importing(Gemini(), "/elsewhere/ws", recorded_root), None)


def entries(run: ImportedRun) -> list[NewEntry]:
    return [one.entry for one in run.entries]


def test_a_run_of_2025_becomes_entries_with_turns_and_intents() -> None:
    run = imported([DATA / "session-2025.json"])
    found = [(one.action_type.value, one.target_path, one.intent) for one in entries(run)]
    assert found == [
        ("file_create", "hello.py", "Write a greeting"),
        ("file_edit", "hello.py", "Make it louder"),
        ("run_command", "", "Make it louder"),
        ("run_command", "", "Make it louder"),
    ]
    contents = {data for one in run.entries for data in one.contents.values()}
    assert contents == {b'print("hello")\n', b'print("HELLO")\n'}


def test_a_run_of_2026_has_the_texts_that_the_diffs_tell() -> None:
    edit, create = entries(imported([DATA]))[-2:]
    assert (edit.target_path, edit.changes[0].before.kind) == ("total.py", FileKind.FILE)
    assert (create.target_path, create.changes[0].before.kind) == ("note.md", FileKind.ABSENT)


def test_the_runs_of_a_folder_are_found_by_its_hash(tmp_path: Path) -> None:
    chats = tmp_path / ".gemini" / "tmp" / "x" / "chats"
    chats.mkdir(parents=True)
    for name, folder in (("session-1.json", tmp_path), ("session-2.json", tmp_path / "other")):
        body = {"sessionId": name, "projectHash": project_hash(str(folder)), "messages": []}
        (chats / name).write_text(json.dumps(body), encoding="utf-8")
    runs = GeminiRuns()
    home = runs.home({"GEMINI_CLI_HOME": str(tmp_path)})
    assert runs.find(home, str(tmp_path)) == (chats / "session-1.json",)


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the recordings are not here")
def test_the_recordings_of_others_are_read() -> None:
    run = imported([SAMPLES / "agentcmd_session-2025-10-27T19-55-981c87cb.json"])
    assert [(one.action_type.value, one.target_path, one.exit_code) for one in entries(run)] == [
        ("file_create", "main.py", None),
        ("run_command", "", 127),
        ("run_command", "", 1),
        ("run_command", "", 0),
        ("run_command", "", 0),
        ("file_write", "main.py", None),
    ]
    assert run.problems == ()
    rewound = imported([SAMPLES / "irr_1-6_rewind.jsonl"])
    assert (rewound.entries, rewound.problems) == ((), ())
