"""Files whose harness says "done" too early are looked at again at the turn's end, each session's own."""

import os
from pathlib import Path

import pytest

from sulcus_panel.core.capture.hook_late import paths_to_look_at
from sulcus_panel.core.capture.spool import SpoolEvent, parse_spool
from tests.support.hooks import run_hook, spooled


def event(name: str, session: object = "s") -> dict[str, object]:
    return {"hook_event_name": name, "session_id": session}


def looked(folder: Path, name: str, named: list[str], session: object = "s", harness: str = "x") -> list[str]:
    return paths_to_look_at(str(folder), harness, event(name, session), named)


def test_a_turns_end_looks_at_the_files_of_its_calls_once(tmp_path: Path) -> None:
    (tmp_path / "late").mkdir()
    odd = os.fsdecode(b"/\xff\n")
    assert looked(tmp_path / "late", "PreToolUse", ["/z"]) == ["/z"]
    assert looked(tmp_path / "late", "PostToolUse", ["/a", odd]) == ["/a", odd]
    assert looked(tmp_path / "late", "PostToolUse", ["/a"]) == ["/a"]
    assert looked(tmp_path / "late", "Stop", [], session="other") == []
    assert looked(tmp_path / "late", "Stop", [], harness="other") == []
    assert looked(tmp_path / "late", "Stop", []) == ["/a", odd]
    assert looked(tmp_path / "late", "Stop", []) == []
    assert os.listdir(tmp_path / "late") == []


def test_a_subagents_end_looks_and_leaves_the_files_to_the_turns_end(tmp_path: Path) -> None:
    (tmp_path / "late").mkdir()
    looked(tmp_path / "late", "PostToolUse", ["/a"])
    assert looked(tmp_path / "late", "SubagentStop", []) == ["/a"]
    assert looked(tmp_path / "late", "Stop", []) == ["/a"]
    assert looked(tmp_path / "late", "Stop", []) == []


@pytest.mark.parametrize("session", ["../../up", "a/b", "", "x" * 5000, None, 7, "\0"])
def test_no_session_id_leads_out_of_the_folder(tmp_path: Path, session: object) -> None:
    folder = tmp_path / "one" / "late"
    folder.mkdir(parents=True)
    looked(folder, "PostToolUse", ["/a"], session=session)
    assert os.listdir(tmp_path) == ["one"]
    assert os.listdir(tmp_path / "one") == ["late"]


def test_where_nothing_can_be_remembered_the_call_is_looked_at_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "late").write_bytes(b"no folder")
    assert looked(tmp_path / "late", "PostToolUse", ["/a"]) == ["/a"]
    assert looked(tmp_path / "late", "Stop", ["/b"]) == ["/b"]
    (tmp_path / "linked").mkdir()
    (tmp_path / "elsewhere").write_bytes(b"")
    (tmp_path / "linked" / "x-s").symlink_to(tmp_path / "elsewhere")
    assert looked(tmp_path / "linked", "PostToolUse", ["/a"]) == ["/a"]
    assert (tmp_path / "elsewhere").read_bytes() == b""


def test_vs_codes_stop_carries_what_was_written_after_its_post(tmp_path: Path) -> None:
    file, spool = tmp_path / "a", tmp_path / "home" / "spool"
    call = {"tool_name": "create_file", "tool_input": {"filePath": str(file), "content": "x"}}

    def spool_event(name: str, **fields: object) -> SpoolEvent:
        run_hook({**event(name), "cwd": str(tmp_path), **fields}, spool, harness="copilot-vscode")
        newest = spooled(spool)[-1]
        return parse_spool(newest.name, newest.read_bytes())

    early = spool_event("PostToolUse", **call).sighting
    file.write_bytes(b"x")
    late = spool_event("Stop").sighting
    assert early is not None
    assert late is not None
    assert (early.own.content, late.own.content, late.path) == (None, b"x", str(file))
    assert spool_event("Stop").sighting is None
