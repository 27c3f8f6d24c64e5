import json
from pathlib import Path

import pytest

from sulcus_panel.core.capture.harnesses.copilot_vscode.places import (
    chats_in,
    find_chats,
    folder_of,
    user_folder,
)


def storage(user: Path, name: str, note: object, *sessions: str) -> list[Path]:
    chats = user / "workspaceStorage" / name / "chatSessions"
    chats.mkdir(parents=True)
    (chats.parent / "workspace.json").write_text(json.dumps(note))
    found = [chats / one for one in sessions]
    for path in found:
        path.write_text("{}")
    return found


def test_the_sessions_of_a_folders_workspaces_are_found_in_all_editions(tmp_path: Path) -> None:
    user = tmp_path / "Code" / "User"
    root = tmp_path / "my shop"
    uri = root.as_uri()
    found = storage(user, "1", {"folder": uri}, "a.jsonl", "b.json")
    found += storage(user, "2", {"workspace": f"{uri}/sub/x.code-workspace"}, "c.json")
    found += storage(tmp_path / "VSCodium" / "User", "3", {"folder": f"{uri}/sub"}, "d.jsonl")
    storage(user, "4", {"folder": f"{uri}-two"}, "e.json")
    storage(user, "5", ["no note"], "f.json")
    assert set(find_chats(user, str(root))) == set(found)
    assert find_chats(tmp_path / "nowhere", str(root)) == ()


def test_of_a_session_in_both_forms_the_newer_form_is_read(tmp_path: Path) -> None:
    grown, _, alone = storage(tmp_path, "1", {}, "a.jsonl", "a.json", "b.json")
    assert chats_in([tmp_path]) == chats_in([grown.parent]) == chats_in([grown.parents[1]]) == (grown, alone)
    assert chats_in([alone]) == (alone,)


@pytest.mark.parametrize("note", ["", "{", "[]", '{"folder": 7}', '{"folder": "file://["}'])
def test_a_note_that_tells_nothing_is_no_error(note: str, tmp_path: Path) -> None:
    (tmp_path / "workspace.json").write_text(note)
    assert folder_of(tmp_path / "chatSessions") == ""
    assert folder_of(tmp_path / "no" / "chatSessions") == ""


def test_each_system_keeps_it_elsewhere(tmp_path: Path) -> None:
    assert user_folder({"XDG_CONFIG_HOME": "/c"}, "linux") == Path("/c/Code/User")
    assert user_folder({"APPDATA": "/r"}, "win32") == Path("/r/Code/User")
    assert user_folder({}, "darwin").parts[-4:] == ("Library", "Application Support", "Code", "User")
    assert user_folder({"VSCODE_PORTABLE": str(tmp_path)}, "linux") == tmp_path / "user-data" / "User"
