"""Past runs of Windsurf become entries: what is known of every step, and nothing that is not."""

import shutil
from pathlib import Path

import pytest

from sulcus_panel.core.capture.harnesses.windsurf.live import Windsurf
from sulcus_panel.core.capture.harnesses.windsurf.runs import WindsurfRuns
from sulcus_panel.core.capture.past.entries import Importing
from sulcus_panel.core.capture.past.into_ledger import ImportedRun
from sulcus_panel.core.model import NewEntry

ROOT = Path(__file__).parents[5]
DATA = ROOT / "tests" / "data" / "transcripts" / "windsurf"
SAMPLES = ROOT.parent / "shared" / "samples" / "windsurf"


def imported(*paths: Path) -> ImportedRun:
    return WindsurfRuns().read(paths, Importing(Windsurf(), "/elsewhere/ws"), None)


def entries(run: ImportedRun) -> list[NewEntry]:
    return [one.entry for one in run.entries]


def test_a_trajectory_becomes_entries_with_their_texts() -> None:
    run = imported(DATA)
    change, command = entries(run)
    assert (change.action_type.value, change.target_path, change.derived_from) == (
        "file_write",
        "hello.py",
        ("style.md",),
    )
    assert (command.command, command.exit_code) == ("python hello.py", 0)
    assert {one.intent for one in entries(run)} == {"Make the greeting louder"}
    contents = {data for one in run.entries for data in one.contents.values()}
    assert contents == {b'print("hello")\n', b'print("HELLO")\n'}
    assert run.problems == ("trajectory.jsonl: the steps bear no times, all have that of the file",)


def test_the_trajectories_of_a_folder_are_found(tmp_path: Path) -> None:
    kept = tmp_path / "transcripts"
    kept.mkdir()
    shutil.copy(DATA / "trajectory.jsonl", kept)
    runs = WindsurfRuns()
    assert runs.find(tmp_path, "/home/me") == (kept / "trajectory.jsonl",)
    assert runs.find(tmp_path, "/home/me/other") == ()
    assert runs.home({}).name == ".windsurf"


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the recordings are not here")
def test_the_recordings_of_others_are_read() -> None:
    found = entries(imported(SAMPLES / "gitai_windsurf-session-simple.jsonl"))
    assert [one.target_path or one.command for one in found] == [
        "xyz.md",
        "git commit -a",
        "clear",
        "xyz.md",
        "git-ai status",
        "git commit -a",
        "open ~/.windsurf/transcripts",
        "git log --oneline -5",
    ]
    assert [one.exit_code for one in found if one.command] == [0] * 6
    first, second = (one.changes[0] for one in found if one.changes)
    assert first.after.sha256 == second.before.sha256
