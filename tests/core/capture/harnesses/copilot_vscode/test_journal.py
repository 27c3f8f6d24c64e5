"""The lines that made a session grow, one after the other; what speaks of nothing is told."""

import json
from pathlib import Path

import pytest

from sulcus_panel.core.capture.harnesses.copilot_vscode.journal import NOWHERE, read_kept, replayed
from sulcus_panel.core.capture.past.json_lines import JsonLine

STATE = '{"requests": [{"response": ["a", "b"]}], "title": "x"}'


def grown(*changes: dict[str, object]) -> tuple[object, tuple[str, ...]]:
    start = {"kind": 0, "v": json.loads(STATE)}
    kept = replayed("s", [JsonLine(number, line) for number, line in enumerate([start, *changes], 1)])
    return kept.state, kept.problems


def test_values_are_set_lists_cut_and_added_to_and_keys_taken_away() -> None:
    state, problems = grown(
        {"kind": 2, "k": ["requests", 0, "response"], "i": 1, "v": ["c", "d"]},
        {"kind": 2, "k": ["requests"], "v": [{"response": []}]},
        {"kind": 1, "k": ["requests", 1, "result"], "v": {"x": 1}},
        {"kind": 1, "k": ["requests", 0, "response", 0], "v": "A"},
        {"kind": 2, "k": ["requests", 1, "new"], "v": [1]},
        {"kind": 2, "k": ["requests", 0, "response"], "i": 2},
        {"kind": 3, "k": ["title"]},
    )
    assert state == {"requests": [{"response": ["A", "c"]}, {"response": [], "result": {"x": 1}, "new": [1]}]}
    assert problems == ()


def test_a_later_whole_state_is_the_state() -> None:
    assert grown({"kind": 0, "v": {"requests": []}}) == ({"requests": []}, ())


@pytest.mark.parametrize(
    "change",
    [
        {"kind": 1, "k": ["requests", 9, "x"], "v": 1},
        {"kind": 1, "k": ["requests", -1], "v": 1},
        {"kind": 1, "k": ["requests", "x"], "v": 1},
        {"kind": 1, "k": [], "v": 1},
        {"kind": 1, "k": "requests", "v": 1},
        {"kind": 2, "k": ["title"], "v": [1]},
        {"kind": 2, "k": ["no", "where"], "v": [1]},
        {"kind": 3, "k": ["requests", 0]},
        {"kind": 7, "k": ["title"]},
        {},
    ],
)
def test_what_speaks_of_no_place_is_left_out_and_told(change: dict[str, object]) -> None:
    state, problems = grown(change)
    assert (state, problems) == (json.loads(STATE), (f"s, line 2: {NOWHERE}",))


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"requests": 3}', "\0", '{"a": ' * 2_000])
@pytest.mark.parametrize("name", ["x.json", "x.jsonl"])
def test_what_is_no_session_is_a_problem_and_no_error(content: str, name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    kept = read_kept(path)
    assert not kept.state or kept.state == {"requests": 3}
    assert all(problem.startswith(name) for problem in kept.problems)


def test_a_file_that_is_not_there_is_a_problem(tmp_path: Path) -> None:
    assert read_kept(tmp_path / "x.json").problems == ("x.json: No such file or directory",)
