import io
from pathlib import Path

from sulcus_panel.core.capture.past.json_lines import MAX_LINE, TOLD_LINES, JsonLine, json_lines, told


def read(data: bytes) -> list[JsonLine]:
    return list(json_lines(io.BytesIO(data)))


def test_each_object_comes_with_its_line() -> None:
    assert read(b'{"a": 1}\n\n{"b": 2}') == [JsonLine(1, {"a": 1}), JsonLine(3, {"b": 2})]


def test_what_is_no_object_says_why() -> None:
    lines = read(b"[1]\nnonsense\n\xff\n" + b"[" * 100_000 + b'\n{"cut": ')
    assert [line.record for line in lines] == [None] * 5
    assert [line.trouble for line in lines] == ["not a JSON object"] * 4 + ["cut off"]


def test_a_line_that_nobody_writes_is_passed_over_without_being_held(tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    with path.open("wb") as file:
        file.write(b'{"a": 1}\n')
        file.seek(MAX_LINE + 100, 1)
        file.write(b'\n{"b": 2}\n')
    with path.open("rb") as file:
        first, long, last = json_lines(file)
    assert (first.record, last.record) == ({"a": 1}, {"b": 2})
    assert (long.number, long.trouble) == (2, f"longer than {MAX_LINE} bytes")


def test_only_the_first_bad_lines_are_told_one_by_one() -> None:
    bad = [JsonLine(number, None, "cut off") for number in range(1, TOLD_LINES + 3)]
    assert told("x", bad)[0] == "x, line 1: cut off"
    assert told("x", bad)[-1] == "x: 2 more lines could not be read"
    assert len(told("x", bad)) == TOLD_LINES + 1
    assert told("x", []) == ()
