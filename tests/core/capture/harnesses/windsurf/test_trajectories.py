"""Trajectories become one transcript."""

import json
from pathlib import Path

from sulcus_panel.core.capture.harnesses.windsurf.trajectories import (
    NO_TIMES,
    folder_in,
    read_trajectories,
)
from sulcus_panel.core.capture.past.records import CommandCall, FileCall


def put(folder: Path, *steps: object) -> Path:
    path = folder / "t.jsonl"
    path.write_text("".join(json.dumps(step) + "\n" for step in steps), encoding="utf-8")
    return path


def step(kind: str, status: str = "done", **told: object) -> dict[str, object]:
    return {"type": kind, "status": status, kind: told}


def change(**told: object) -> dict[str, object]:
    return step("code_action", "done", path="file:///w/a", new_content="y", **told)


def test_a_change_tells_both_texts_but_no_file_is_not_an_empty_one(tmp_path: Path) -> None:
    path = put(tmp_path, change(original_content="x"), change(original_content=""), change())
    known, empty, untold = (one for one in read_trajectories([path]).calls if isinstance(one, FileCall))
    assert (known.original, known.applied.content, known.applied.call_id) == ("x", "y", "@t.1")
    assert (empty.original, len(empty.applied.edits), untold.original, untold.applied.edits) == (
        None,
        1,
        None,
        (),
    )


def test_what_was_refused_or_did_not_end_is_no_change(tmp_path: Path) -> None:
    refused = change(acknowledgement_type="ACKNOWLEDGEMENT_TYPE_REJECT")
    denied = step("run_command", command="ls", cwd="/w", user_rejected=True)
    path = put(tmp_path, refused, step("code_action", "error", path="/w/a", new_content="y"), denied)
    assert read_trajectories([path]).calls == ()


def test_a_command_has_its_own_folder_and_code(tmp_path: Path) -> None:
    path = put(
        tmp_path,
        step("run_command", command="a", cwd="/w", exit_code=0),
        step("run_command", command="b", cwd="/w/sub", exit_code=2),
        step("run_command", command="c", cwd="/w"),
    )
    found = [
        (one.stamp.cwd, one.exit_code)
        for one in read_trajectories([path]).calls
        if isinstance(one, CommandCall)
    ]
    assert found == [("/w", 0), ("/w/sub", 2), ("/w", None)]
    assert folder_in(path) == "/w"


def test_the_folder_is_told_by_a_listing_or_by_what_was_changed(tmp_path: Path) -> None:
    assert folder_in(put(tmp_path, change(), step("list_directory", path="file:///w/x"))) == "/w/x"
    assert folder_in(put(tmp_path, change())) == "/w"
    assert folder_in(put(tmp_path, step("user_input", user_response="hi"))) == ""


def test_a_file_says_that_it_has_no_times_and_what_is_damaged(tmp_path: Path) -> None:
    path = put(tmp_path, change())
    with path.open("ab") as file:
        file.write(b'[1]\n{"type": "code_ac')
    problems = ["t.jsonl, line 2: not a JSON object", "t.jsonl, line 3: cut off", f"t.jsonl: {NO_TIMES}"]
    assert list(read_trajectories([path]).problems) == problems


def test_a_file_that_is_no_trajectory_or_gone_is_told(tmp_path: Path) -> None:
    path = put(tmp_path, {"x": 1})
    assert read_trajectories([path]).problems == ("t.jsonl: not a trajectory, it holds no step",)
    assert len(read_trajectories([tmp_path / "gone.jsonl"]).problems) == 1
