import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from sulcus_panel.core.capture.harnesses.claude.transcript import read_heads, read_transcripts
from sulcus_panel.core.capture.past.json_lines import MAX_LINE
from sulcus_panel.core.capture.past.records import CommandCall, FileCall, ReadCall
from tests.support.claude_transcripts import CWD, Transcript

DATA = Path(__file__).parents[4] / "data" / "transcripts" / "claude-code"


def test_a_transcript_of_2025_is_read() -> None:
    read = read_transcripts([DATA / "edits_2025.jsonl"])
    assert [type(call) for call in read.calls] == [ReadCall, FileCall, FileCall, CommandCall, CommandCall]
    assert [prompt.text for prompt in read.prompts] == [
        "Make the colours green",
        "Now run the tests",
        "Find the tests",
    ]
    assert [prompt.number for prompt in read.prompts] == [1, 2, 1]
    assert [(one.session_id, one.parent) for one in read.sessions] == [("old-1", None), ("u11", "old-1")]


def test_a_transcript_of_2026_is_read_past_broken_lines_and_results_before_their_calls() -> None:
    read = read_transcripts([DATA / "writes_2026.jsonl"])
    assert [call.applied.call_id for call in read.calls if isinstance(call, FileCall)] == [
        "toolu_1",
        "toolu_2",
    ]
    assert [backup.path for backup in read.backups] == ["cart.py"]
    assert read.problems == (
        "writes_2026.jsonl, line 10: not a JSON object",
        "writes_2026.jsonl, line 11: not a JSON object",
    )


def test_records_of_a_resumed_session_are_read_once(tmp_path: Path) -> None:
    first = Transcript(tmp_path / "s-1.jsonl")
    first.prompt("do it")
    first.write(f"{CWD}/a.txt", "a\n")
    copied = first.path.read_text().replace('"sessionId": "s-1"', '"sessionId": "s-2"')
    second = tmp_path / "s-2.jsonl"
    second.write_text(copied)
    read = read_transcripts([first.path, second])
    assert [call.stamp.session for call in read.calls] == ["s-1"]
    assert len(read.prompts) == 1


def test_a_call_bears_the_model_that_asked_for_it(tmp_path: Path) -> None:
    run = Transcript(tmp_path / "s-1.jsonl")
    run.write(f"{CWD}/a.txt", "a\n")
    run.write(f"{CWD}/b.txt", "b\n")
    lines = [json.loads(line) for line in run.path.read_text().splitlines()]
    asked = [line for line in lines if line["type"] == "assistant"]
    for line, model in zip(asked, ("one", "<synthetic>"), strict=True):
        line["message"]["model"] = model
    run.path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert [call.stamp.model for call in read_transcripts([run.path]).calls] == ["one", ""]


def test_a_result_whose_call_is_missing_is_told_by_its_shape(tmp_path: Path) -> None:
    run = Transcript(tmp_path / "s-1.jsonl")
    run.edit(f"{CWD}/a.txt", "a", "b", "a\n")
    lines = run.path.read_text().splitlines()
    run.path.write_text(lines[1] + "\n")
    (call,) = read_transcripts([run.path]).calls
    assert isinstance(call, FileCall)
    assert (call.applied.tool, call.applied.edits[0].new) == ("Edit", "b")


def test_what_nobody_asked_is_no_prompt(tmp_path: Path) -> None:
    run = Transcript(tmp_path / "s-1.jsonl")
    run.prompt("context", isMeta=True)
    run.prompt("a summary", isCompactSummary=True)
    for text in (
        "[Request interrupted by user]",
        "<local-command-stdout>x</local-command-stdout>",
        "<bash-input>ls</bash-input>",
    ):
        run.prompt(text)
    run.prompt(
        "<command-message>fix</command-message>\n<command-name>/fix</command-name><command-args>it</command-args>"
    )
    run.prompt([{"type": "text", "text": "really\n<system-reminder>no</system-reminder>"}])  # type: ignore[arg-type] # blocks, as the harness also sends
    run.prompt("<task-notification>\ndone</task-notification>")
    assert [prompt.text for prompt in read_transcripts([run.path]).prompts] == ["/fix it", "really", ""]


def test_many_broken_lines_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text("{\n" * 30 + "{}\n" + '{"a": ' + "[" * 100_000)
    problems = read_transcripts([path]).problems
    assert problems[0] == "s.jsonl, line 1: not a JSON object"
    assert problems[-1] == "s.jsonl: 11 more lines could not be read"


def test_bytes_that_are_no_utf8_a_bom_and_deep_nesting_do_not_stop_the_reading(tmp_path: Path) -> None:
    run = Transcript(tmp_path / "s-1.jsonl")
    with run.path.open("wb") as file:
        file.write(b'{"type": "\xff"}\n' + b"[" * 100_000 + b"\n\n")
    run.write(f"{CWD}/a.txt", "a\n")
    read = read_transcripts([run.path])
    assert (len(read.calls), len(read.problems)) == (1, 2)


def test_a_line_too_long_to_be_held_is_skipped(tmp_path: Path) -> None:
    run = Transcript(tmp_path / "s-1.jsonl")
    with run.path.open("wb") as file:
        file.seek(MAX_LINE + 100)
        file.write(b"\n")
    run.write(f"{CWD}/a.txt", "a\n")
    read = read_transcripts([run.path])
    assert len(read.calls) == 1
    assert read.problems == (f"s-1.jsonl, line 1: longer than {MAX_LINE} bytes",)


def test_a_missing_file_is_a_problem(tmp_path: Path) -> None:
    assert read_transcripts([tmp_path / "gone.jsonl"]).problems == ("gone.jsonl: No such file or directory",)
    assert list(read_heads(tmp_path / "gone.jsonl")) == []


def changed(run: Transcript, old: str, new: str) -> Path:
    run.path.write_text(run.path.read_text().replace(old, new))
    return run.path


def test_calls_without_a_time_get_the_files_and_that_is_told(tmp_path: Path) -> None:
    run = Transcript(tmp_path / "s-1.jsonl")
    run.prompt("go")
    for name in "abc":
        run.write(f"{CWD}/{name}.txt", name)
    os.utime(changed(run, '"timestamp": "2026', '"timestamp": "-2026'), (1_700_000_000, 1_700_000_000))
    read = read_transcripts([run.path])
    assert [call.applied.path for call in read.calls if isinstance(call, FileCall)] == [
        f"{CWD}/{name}.txt" for name in "abc"
    ]
    assert {call.stamp.at.timestamp() for call in read.calls} == {1_700_000_000}
    assert read.problems == (
        "s-1.jsonl: 7 records have no time that can be read: a neighbour's or the file's was taken",
    )


def test_a_record_without_a_time_gets_that_of_the_one_beside_it(tmp_path: Path) -> None:
    run = Transcript(tmp_path / "s-1.jsonl")
    run.write(f"{CWD}/a.txt", "a")
    run.write(f"{CWD}/b.txt", "b")
    lines = run.path.read_text().split("\n")
    for at in (0, 1, 3):
        lines[at] = lines[at].replace("timestamp", "time")
    run.path.write_text("\n".join(lines))
    read = read_transcripts([run.path])
    third = datetime(2026, 5, 4, 9, 0, 3, tzinfo=UTC)
    assert [call.stamp.at for call in read.calls] == [third, third]
    assert read.problems[0].startswith("s-1.jsonl: 3 records have no time")


@pytest.mark.parametrize("odd", ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59-23:00", "NaN", ""])
def test_times_of_no_era_are_no_times(odd: str, tmp_path: Path) -> None:
    run = Transcript(tmp_path / "s-1.jsonl")
    run.message("user", "go", timestamp=odd)
    run.edit(f"{CWD}/a.txt", "a", "b", "a\n")
    read = read_transcripts([run.path])
    assert len(read.prompts) == len(read.calls) == 1
    assert read.problems[0].startswith("s-1.jsonl: 1 record has no time")


@pytest.mark.parametrize("data", [b"", b"\0\xff" * 5000, b"\x89PNG\r\n\x1a\n" * 99, b"plain text\n" * 99])
def test_what_is_no_transcript_is_told_in_one_line(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_bytes(data)
    assert read_transcripts([tmp_path / "x.jsonl"]).problems == (
        "x.jsonl: not a transcript, it holds no JSON record",
    )


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no FIFOs")
def test_only_regular_files_are_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo.jsonl")
    (tmp_path / "folder.jsonl").mkdir()
    (tmp_path / "link.jsonl").symlink_to("fifo.jsonl")
    paths = [tmp_path / name for name in ("fifo.jsonl", "folder.jsonl", "link.jsonl", "gone.jsonl")]
    read = read_transcripts(paths)
    assert read.problems == (
        *(f"{name}.jsonl: not a regular file" for name in ("fifo", "folder", "link")),
        "gone.jsonl: No such file or directory",
    )
    assert not [record for path in paths for record in read_heads(path)]
