"""Transcripts are read on as they grow: which sessions tell of calls that nobody knows."""

from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from sulcus_panel.core.capture.harnesses.claude.places import find_transcripts
from sulcus_panel.core.capture.harnesses.claude.tails import TranscriptTails
from sulcus_panel.core.model import Origin
from tests.support.claude_transcripts import CWD, Transcript, read_run

NOW = datetime.now(UTC)
EPOCH = datetime.fromtimestamp(0, UTC)
ROOT = Path(__file__).parents[5]
KEPT = sorted(
    path
    for folder in (
        ROOT / "tests/data/transcripts/claude-code",
        ROOT.parent / "shared/samples/claude-transcripts",
    )
    for path in folder.glob("*.jsonl")
)
MINUTE = timedelta(minutes=1)
SINCE = NOW - 60 * MINUTE


@pytest.fixture
def transcript(tmp_path: Path) -> Transcript:
    return Transcript(tmp_path / "projects" / "x" / "s-1.jsonl", start=NOW - 5 * MINUTE)


@pytest.fixture
def tails(tmp_path: Path) -> TranscriptTails:
    return TranscriptTails(partial(find_transcripts, tmp_path, CWD), SINCE)


def look(tails: TranscriptTails, *known: str, ripe: datetime = NOW) -> list[Path]:
    return list(tails.suspects(known.__contains__, ripe))


def test_a_session_is_suspect_until_it_is_settled(transcript: Transcript, tails: TranscriptTails) -> None:
    transcript.bash("make")
    assert look(tails) == look(tails) == [transcript.path]
    tails.settle([transcript.path])
    assert look(tails) == []
    transcript.bash("make again")
    assert look(tails) == [transcript.path]


def test_known_calls_failed_ones_and_reads_make_none(transcript: Transcript, tails: TranscriptTails) -> None:
    call = transcript.bash("make")
    transcript.read(f"{CWD}/a.txt", "a\n")
    transcript.call("Edit", {"file_path": f"{CWD}/a.txt"}, "Error: not found", failed=True)
    assert look(tails, f"claude-code:s-1:{call}") == []


def test_a_young_call_is_asked_for_when_it_is_ripe(transcript: Transcript, tails: TranscriptTails) -> None:
    transcript.bash("make")
    assert look(tails, ripe=transcript.now - MINUTE) == []
    assert look(tails, ripe=transcript.now) == [transcript.path]


def test_half_a_line_waits_for_its_other_half(transcript: Transcript, tails: TranscriptTails) -> None:
    transcript.bash("make")
    data = transcript.path.read_bytes()
    transcript.path.write_bytes(data[:-20])
    assert look(tails) == []
    transcript.path.write_bytes(data)
    assert look(tails) == [transcript.path]


def test_a_subagents_call_names_the_session_that_waits_for_it(
    transcript: Transcript, tails: TranscriptTails
) -> None:
    transcript.prompt("go")
    folder = transcript.path.with_suffix("") / "subagents"
    agent = Transcript(folder / "agent-1.jsonl", agent="a1", start=transcript.now)
    assert look(tails) == []
    call = agent.bash("make")
    assert look(tails, f"claude-code:s-1/a1:{call}") == []
    agent.bash("make again")
    assert look(tails) == [transcript.path]


def test_what_is_too_old_and_what_ran_elsewhere_is_left_alone(tmp_path: Path, tails: TranscriptTails) -> None:
    folder = tmp_path / "projects" / "x"
    Transcript(folder / "s-2.jsonl", session="s-2", cwd="/elsewhere", start=NOW - MINUTE).bash("make")
    Transcript(folder / "s-3.jsonl", session="s-3", start=SINCE - MINUTE).bash("make")
    assert look(tails) == []


def test_a_transcript_that_goes_away_does_no_harm(transcript: Transcript, tails: TranscriptTails) -> None:
    transcript.prompt("go")
    assert look(tails) == []
    transcript.path.unlink()
    assert look(tails) == []


def test_nothing_that_was_answered_stays_in_memory(transcript: Transcript, tails: TranscriptTails) -> None:
    transcript.bash("make")
    transcript.message("assistant", [{"type": "tool_use", "id": "open", "name": "Bash", "input": {}}])
    look(tails)
    (tail,) = tails._tails.values()
    assert set(tail.reader._uses) == {"open"}
    assert not tail.reader._results


@pytest.mark.parametrize("kept", KEPT, ids=lambda path: path.name)
def test_what_is_read_on_line_by_line_tells_of_the_calls_that_the_whole_tells(
    kept: Path, tmp_path: Path
) -> None:
    path, asked = tmp_path / "projects" / "x" / kept.name, set[str]()
    path.parent.mkdir(parents=True)
    tails = TranscriptTails(lambda _wanted: (path,), EPOCH)

    def is_known(uid: str) -> bool:
        asked.add(uid)
        return True

    for line in kept.read_bytes().split(b"\n"):
        with path.open("ab") as file:
            file.write(line + b"\n")
        assert tails.suspects(is_known, NOW) == ()
    run = read_run([kept], config_dir=None, root="/elsewhere")
    assert asked == {one.entry.uid for one in run.entries if one.entry.origin is Origin.AGENT}
