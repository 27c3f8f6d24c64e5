"""Past runs of Cline become entries: what is known of every call, and nothing that is not."""

import json
from pathlib import Path

import pytest

from sulcus_panel.core.capture.harnesses.cline.live import Cline
from sulcus_panel.core.capture.harnesses.cline.runs import ClineRuns
from sulcus_panel.core.capture.past.entries import Importing
from sulcus_panel.core.capture.past.into_ledger import ImportedRun
from sulcus_panel.core.model import FileKind, NewEntry

ROOT = Path(__file__).parents[5]
DATA = ROOT / "tests" / "data" / "transcripts" / "cline"
SAMPLES = ROOT.parent / "shared" / "samples" / "cline"


def imported(*paths: Path) -> ImportedRun:
    return ClineRuns().read(paths, Importing(Cline(), "/elsewhere/ws"), None)


def entries(run: ImportedRun) -> list[NewEntry]:
    return [one.entry for one in run.entries]


def test_a_session_becomes_entries_with_their_texts() -> None:
    run = imported(DATA)
    edit, create, command = entries(run)
    assert (edit.action_type.value, edit.target_path) == ("file_edit", "hello.py")
    assert edit.uid == "cline:1780300800000_abcde:toolu_1"
    assert (create.action_type.value, create.target_path) == ("file_create", "note.md")
    assert (command.command, command.exit_code, command.cwd) == ("python hello.py", 0, "/home/me/proj")
    assert {one.intent for one in entries(run)} == {"Make the greeting in @hello.py louder, and keep a note"}
    contents = {data for one in run.entries for data in one.contents.values()}
    assert contents == {b'print("hello")\n', b'print("HELLO")\n', b"# Note\n"}
    assert run.problems == ()


def test_the_tasks_of_the_command_line_and_of_an_editor_are_found(tmp_path: Path) -> None:
    details = "<environment_details>\n# Current Working Directory (/w/sub) Files\n</environment_details>"
    messages = [{"role": "user", "content": [{"type": "text", "text": details}]}]
    extension = tmp_path / ".config" / "Code" / "User" / "globalStorage" / "saoudrizwan.claude-dev"
    for place in (tmp_path / ".cline" / "data" / "tasks" / "1", extension / "tasks" / "2"):
        place.mkdir(parents=True)
        (place / "api_conversation_history.json").write_text(json.dumps(messages), encoding="utf-8")
    runs = ClineRuns()
    found = runs.find(tmp_path / ".cline", "/w")
    assert sorted(path.parent.name for path in found) == ["1", "2"]
    assert runs.find(tmp_path / ".cline", "/other") == ()
    assert runs.home({"CLINE_DIR": "/d"}) == Path("/d")


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the recordings are not here")
def test_the_recordings_of_others_are_read() -> None:
    run = imported(SAMPLES / "session.messages.json")
    path = "apps/examples/desktop-app/webview/components/agent-sidebar.tsx"
    assert [(one.action_type.value, one.target_path, one.exit_code) for one in entries(run)] == [
        ("file_edit", path, None),
        ("file_edit", path, None),
        ("run_command", "", 0),
        ("file_edit", path, None),
        ("file_edit", path, None),
    ]
    sides = [side for one in entries(run) for each in one.changes for side in (each.before, each.after)]
    assert [side.kind for side in sides] == [FileKind.FILE] * 8
    assert [one.sha256 for one in sides[1:-1:2]] == [one.sha256 for one in sides[2::2]]
    assert run.problems == ()
