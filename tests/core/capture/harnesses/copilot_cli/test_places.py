import json
import os
from pathlib import Path

from sulcus_panel.core.capture.harnesses.copilot_cli.places import find_sessions, sessions_in


def session(path: Path, cwd: str, age: int) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    start = {"type": "session.start", "data": {"context": {"cwd": cwd}}}
    path.write_text(json.dumps({"type": "session.info", "data": {}}) + "\n" + json.dumps(start) + "\n")
    os.utime(path, (age, age))
    return path


def test_the_sessions_of_a_folder_and_of_those_below_are_found(tmp_path: Path) -> None:
    kept, root = tmp_path / "session-state", str(tmp_path / "shop")
    newest = session(kept / "1" / "events.jsonl", root, 300)
    below = session(kept / "2" / "events.jsonl", root + "/sub", 100)
    flat = session(kept / "3.jsonl", root, 200)
    session(kept / "4" / "events.jsonl", root + "-two", 400)
    (kept / "5").mkdir()
    (kept / "5" / "events.jsonl").write_text("{")
    assert find_sessions(tmp_path, root) == (below, flat, newest)
    assert find_sessions(tmp_path / "nowhere", root) == ()


def test_a_sessions_other_files_are_no_sessions(tmp_path: Path) -> None:
    events = session(tmp_path / "1" / "events.jsonl", "/w", 100)
    (tmp_path / "1" / "other.jsonl").write_text("")
    assert sessions_in([tmp_path / "1"]) == (events,)
    assert sessions_in([tmp_path, events]) == (events,)
