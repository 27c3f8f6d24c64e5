from pathlib import Path

from sulcus_panel.core.capture.claude_records import CommandCall, FileCall, ReadCall
from sulcus_panel.core.capture.claude_transcript import MAX_LINE, read_heads, read_transcripts
from tests.support.claude_transcripts import CWD, Transcript

DATA = Path(__file__).parents[2] / "data" / "transcripts" / "claude-code"


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
    assert [call.call_id for call in read.calls] == ["toolu_1", "toolu_2"]
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


def test_a_result_whose_call_is_missing_is_told_by_its_shape(tmp_path: Path) -> None:
    run = Transcript(tmp_path / "s-1.jsonl")
    run.edit(f"{CWD}/a.txt", "a", "b", "a\n")
    lines = run.path.read_text().splitlines()
    run.path.write_text(lines[1] + "\n")
    (call,) = read_transcripts([run.path]).calls
    assert isinstance(call, FileCall)
    assert (call.tool, call.edits[0].new) == ("Edit", "b")


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
    path.write_text("{\n" * 30 + '{"a": ' + "[" * 100_000)
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
