"""The version of Claude Code as its transcripts tell it."""

import os
from pathlib import Path

import pytest

from sulcus_panel.core.capture.harnesses.claude.version import newest_version


def transcript(config: Path, name: str, text: str, age: int) -> Path:
    path = config / "projects" / "-w" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    os.utime(path, (1_000_000 - age, 1_000_000 - age))
    return path


def test_the_last_record_of_the_newest_transcript_tells_it(tmp_path: Path) -> None:
    transcript(tmp_path, "new.jsonl", '{"version": "2.1.98"}\n{"version": "2.1.200"}\n{"type": "mode"}\n', 1)
    transcript(tmp_path, "old.jsonl", '{"version": "2.1.300"}\n', 9)
    assert newest_version(tmp_path) == "2.1.200"


@pytest.mark.parametrize("text", ["", '{"version": 7}\n', '{"version": "x"}\n', '{"version', '["version"]\n'])
def test_a_transcript_that_does_not_tell_it_is_passed_over(tmp_path: Path, text: str) -> None:
    transcript(tmp_path, "new.jsonl", text, 1)
    assert newest_version(tmp_path) == ""
    transcript(tmp_path, "old.jsonl", '{"version": "2.1.139"}\n', 9)
    assert newest_version(tmp_path) == "2.1.139"


def test_what_is_no_file_is_passed_over(tmp_path: Path) -> None:
    os.mkfifo(transcript(tmp_path, "x", "", 0).parent / "pipe.jsonl")
    (tmp_path / "projects" / "-w" / "gone.jsonl").symlink_to("nowhere")
    assert newest_version(tmp_path) == ""
    assert newest_version(tmp_path / "none") == ""
