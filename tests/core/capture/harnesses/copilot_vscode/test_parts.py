import pytest

from sulcus_panel.core.capture.adapter import ToolKind
from sulcus_panel.core.capture.harnesses.copilot_vscode.parts import (
    editor_calls,
    path_in_uri,
    path_of,
    terminal_runs,
)
from sulcus_panel.core.capture.payload import JsonObject


def file(path: str) -> JsonObject:
    return {"scheme": "file", "path": path, "fsPath": path}


@pytest.mark.parametrize(
    ("decided", "ran"),
    [
        ({"type": 0}, False),
        ({"type": 5}, False),
        ({"type": 4}, True),
        (False, False),
        (True, True),
        (None, True),
    ],
)
def test_a_command_that_was_not_allowed_did_not_run(decided: object, ran: bool) -> None:
    part = {
        "toolCallId": "c__vscode-1",
        "isConfirmed": decided,
        "toolSpecificData": {"kind": "terminal", "commandLine": {"original": "a", "toolEdited": "b"}},
    }
    (run,) = terminal_runs([part, {"toolSpecificData": {"kind": "todoList"}}, {}])
    assert (run.ran, run.asked, run.call.command, run.call.call_id) == (ran, "a", "b", "c")
    assert run.exit_code is None


def test_the_editor_tells_each_file_once() -> None:
    group = {"kind": "textEditGroup", "uri": file("/w/a"), "edits": [[{"text": "x"}], []]}
    calls = list(editor_calls("r", [group, group, {**group, "uri": file("/w/b"), "edits": [[], []]}]))
    assert [(call.path, call.kind, call.call_id) for call in calls] == [("/w/a", ToolKind.EDIT, "r//w/a")]


def test_the_editor_tells_which_files_came_went_and_moved() -> None:
    edits = [
        {"oldResource": file("/w/gone")},
        {"newResource": file("/w/new")},
        {"oldResource": file("/w/a"), "newResource": file("/w/b")},
        {},
    ]
    calls = list(editor_calls("r", [{"kind": "workspaceEdit", "edits": edits}]))
    assert [(call.kind, call.path, call.moved_to) for call in calls] == [
        (ToolKind.DELETE, "/w/gone", ""),
        (ToolKind.WRITE, "/w/new", ""),
        (ToolKind.EDIT, "/w/a", "/w/b"),
    ]


def test_only_a_files_uri_names_one() -> None:
    assert path_of({"scheme": "file", "path": "/c:/w/a", "fsPath": "c:\\w\\a"}) == "c:\\w\\a"
    assert path_of({"scheme": "untitled", "path": "Untitled-1"}) == ""
    assert path_of({}) == ""


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///home/dev/my%20shop", "/home/dev/my shop"),
        ("file:///c%3A/dev", "c:/dev"),
        ("vscode-remote://wsl%2Bubuntu/home/dev", "/home/dev"),
        ("file://[", ""),
        ("file:///caf%C3%A9", "/caf\u00e9"),
        ("file:///100%", "/100%"),
        ("file:///\ud800", "/\udced\udca0\udc80"),
        ("/home/dev", ""),
        ("", ""),
    ],
)
def test_the_path_in_a_uri(uri: str, path: str) -> None:
    assert path_in_uri(uri) == path
