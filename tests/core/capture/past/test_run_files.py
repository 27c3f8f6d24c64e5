"""Which files a person means, in which order they are read, and what one without times is worth."""

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from sulcus_panel.core.capture.past.run_files import NEVER, files_in, oldest_first, read_untimed


def written(path: Path, data: bytes = b"", at: int = 1_700_000_000) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    os.utime(path, (at, at))
    return path


def test_a_folder_stands_for_the_files_below_it_and_no_file_comes_twice(tmp_path: Path) -> None:
    deep, top = written(tmp_path / "b/c/1.jsonl"), written(tmp_path / "2.jsonl")
    odd = written(tmp_path / "notes.txt")
    assert files_in([tmp_path], "*.jsonl") == (top, deep)
    assert files_in([odd, deep, tmp_path], "*.jsonl") == (odd, deep, top)
    assert files_in([tmp_path], "*.txt", "1.*") == (deep, odd)


def test_files_are_read_from_the_oldest_on_and_one_that_is_gone_first(tmp_path: Path) -> None:
    new = written(tmp_path / "a", at=1_700_000_002)
    old, beside = written(tmp_path / "c"), written(tmp_path / "x/b")
    assert oldest_first([new, old, beside, tmp_path / "gone"]) == (tmp_path / "gone", beside, old, new)


def test_only_lines_that_say_something_are_kept_and_the_others_are_told(tmp_path: Path) -> None:
    path = written(tmp_path / "run.jsonl", b'{"role": "user"}\n{"other": 1}\nnot json\n{"role": "agent"}\n')
    found = read_untimed(path, "role", "nobody speaks in it")
    assert [line.number for line in found.lines] == [1, 4]
    assert found.at == datetime.fromtimestamp(1_700_000_000, UTC)
    assert found.problems == ("run.jsonl, line 3: not a JSON object",)


@pytest.mark.parametrize("data", [b"", b'{"other": 1}\n'])
def test_a_file_without_a_record_says_what_it_is_not(tmp_path: Path, data: bytes) -> None:
    found = read_untimed(written(tmp_path / "run.jsonl", data), "role", "nobody speaks in it")
    assert (found.lines, found.problems) == ((), ("run.jsonl: nobody speaks in it",))


def test_a_file_that_cannot_be_read_is_a_problem_and_no_error(tmp_path: Path) -> None:
    gone = read_untimed(tmp_path / "gone", "role", "x")
    assert (gone.lines, gone.at, gone.problems) == ((), NEVER, ("gone: No such file or directory",))
    (tmp_path / "folder").mkdir()
    assert read_untimed(tmp_path / "folder", "role", "x").problems == ("folder: not a regular file",)
