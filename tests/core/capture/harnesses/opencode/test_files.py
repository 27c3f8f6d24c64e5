"""Sessions in files: older storage, exports, rows of parts; what is damaged is told."""

import json
from pathlib import Path

import pytest

from sulcus_panel.core.capture.harnesses.opencode.files import folder_in, read_file, session_files


def put(path: Path, value: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def test_a_session_of_older_versions_lies_in_three_folders(tmp_path: Path) -> None:
    path = put(tmp_path / "session" / "p" / "ses_1.json", {"id": "ses_1", "directory": "/w"})
    put(tmp_path / "message" / "ses_1" / "msg_2.json", {"role": "assistant", "parentID": "msg_1"})
    put(tmp_path / "message" / "ses_1" / "msg_1.json", {"role": "user"})
    put(tmp_path / "part" / "msg_1" / "prt_1.json", {"type": "text", "text": "go"})
    (tmp_path / "part" / "msg_1" / "prt_2.json").write_bytes(b'{"type": "te')
    session, problems = read_file(path)
    assert session is not None
    assert [(one.key, len(one.parts)) for one in session.messages] == [("msg_1", 1), ("msg_2", 0)]
    assert problems == ["session ses_1: 1 files could not be read"]
    assert (session_files(tmp_path), folder_in(path)) == ((path,), "/w")


def test_a_session_that_names_another_folder_is_not_followed_there(tmp_path: Path) -> None:
    path = put(tmp_path / "session" / "p" / "x.json", {"id": "../../etc", "directory": "/w"})
    session, _ = read_file(path)
    assert session is not None
    assert session.messages == []


@pytest.mark.parametrize(
    ("name", "data", "trouble"),
    [
        ("x.json", b"[1]", "x.json: no JSON object"),
        ("x.json", b'{"id"', "x.json: no whole JSON object"),
        ("x.json", b"{}", "x.json: not a session, it names no folder"),
        ("x.jsonl", b'{"a": 1}\n', "x.jsonl: not a session, it holds no part of one"),
    ],
)
def test_a_file_that_is_no_session_is_told(tmp_path: Path, name: str, data: bytes, trouble: str) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    assert read_file(path) == (None, [trouble])


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    for name in ("gone.json", "gone.jsonl"):
        session, problems = read_file(tmp_path / name)
        assert (session, len(problems)) == (None, 1)


def test_rows_are_read_up_to_the_one_that_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(b'{"type": "text", "text": "go", "_role": "user", "_cwd": "/w"}\n{"type": "to')
    session, problems = read_file(path)
    assert session is not None
    assert (session.key, len(session.messages), problems) == ("s", 1, ["s.jsonl, line 2: cut off"])
