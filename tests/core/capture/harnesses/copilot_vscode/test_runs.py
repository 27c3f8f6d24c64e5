"""Past runs in VS Code become entries: what is known of every call, and nothing that is not."""

from pathlib import Path

import pytest

from sulcus_panel.core.capture.harnesses.copilot_vscode.live import CopilotInVsCode
from sulcus_panel.core.capture.harnesses.copilot_vscode.runs import CopilotInVsCodeRuns
from sulcus_panel.core.capture.past.entries import Importing
from sulcus_panel.core.capture.past.into_ledger import ImportedRun
from sulcus_panel.core.model import FileKind

ROOT = Path(__file__).parents[5]
DATA = ROOT / "tests" / "data" / "transcripts" / "copilot-vscode"
SAMPLES = ROOT.parent / "shared" / "samples" / "copilot-vscode"


def imported(path: Path) -> ImportedRun:
    return CopilotInVsCodeRuns().read([path], Importing(CopilotInVsCode(), "/elsewhere/ws", None), None)


def test_a_session_becomes_entries_with_the_texts_that_follow_from_its_calls() -> None:
    run = imported(DATA)
    known = [one for one in run.entries if all(c.after.kind is FileKind.FILE for c in one.entry.changes)]
    assert [(one.entry.action_type.value, one.entry.target_path) for one in known if one.entry.changes] == [
        ("file_create", "app.ts"),
        ("file_edit", "app.ts"),
        ("file_edit", "app.ts"),
        ("file_create", "new.ts"),
        ("file_edit", "app.ts"),
        ("file_edit", "new.ts"),
    ]
    contents = {data for one in run.entries for data in one.contents.values()}
    assert contents == {b"one\n", b"two\n", b"three\n", b"four\n", b"n\n", b"m\n"}


def test_what_only_the_editor_tells_is_unknown_with_why() -> None:
    run = imported(DATA)
    (entry,) = [one.entry for one in run.entries if one.entry.target_path == "by_hand.ts"]
    (change,) = entry.changes
    assert (change.before.kind, change.after.kind) == (FileKind.UNKNOWN, FileKind.UNKNOWN)
    assert change.after.reason == "the transcript does not hold the file as it was after"
    assert (entry.turn_id, entry.intent) == ("c0ffee#1", "Count on")


def test_its_home_is_told_by_the_environment(tmp_path: Path) -> None:
    runs = CopilotInVsCodeRuns()
    assert runs.home({"VSCODE_PORTABLE": str(tmp_path)}) == tmp_path / "user-data" / "User"
    assert runs.find(tmp_path, "/w") == ()


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the recordings are not here")
def test_the_recordings_of_others_are_read() -> None:
    run = imported(SAMPLES / "gitai_copilot_session_simple.jsonl")
    (one,) = run.entries
    assert one.entry.model == "copilot/claude-sonnet-4"
    (change,) = one.entry.changes
    assert (one.entry.action_type.value, one.entry.target_path, one.entry.tool_name) == (
        "file_edit",
        "index.ts",
        "replace_string_in_file",
    )
    assert (one.entry.intent, one.entry.turn_id[-2:]) == ("Change Bonjour World to hello world", "#2")
    assert (change.before.kind, change.after.kind) == (FileKind.UNKNOWN, FileKind.UNKNOWN)
    assert [(one.session_id, one.cwds) for one in run.sessions] == [
        ("331fed7f-cfd6-409c-8502-06a56322b636", ("/Users/dev/projects/testing-git",))
    ]
    assert run.problems == ()
