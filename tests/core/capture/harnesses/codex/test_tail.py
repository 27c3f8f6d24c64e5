from datetime import UTC, datetime
from pathlib import Path

import pytest

from sulcus_panel.core.capture.harnesses.codex import tail
from sulcus_panel.core.capture.harnesses.codex.live import Codex
from sulcus_panel.core.capture.harnesses.codex.runs import CodexRuns
from sulcus_panel.core.capture.harnesses.codex.tail import RolloutTail
from sulcus_panel.core.capture.past import growing_file
from sulcus_panel.core.capture.past.entries import Importing
from tests.support.codex_rollouts import Rollout

START = datetime(2026, 5, 4, 9, tzinfo=UTC)
CHILD = "0197d510-0000-7000-8000-000000000002"


@pytest.fixture
def rollout(tmp_path: Path) -> Rollout:
    return Rollout(tmp_path, "/w", start=START)


@pytest.fixture
def followed(tmp_path: Path) -> RolloutTail:
    return CodexRuns().follow(tmp_path, "/w", 0.0)


def summaries(followed: RolloutTail, known: frozenset[str] = frozenset()) -> list[str]:
    return [one.entry.summary for one in followed.run(Importing(Codex(), "/w", "/w", known=known)).entries]


def test_what_was_written_is_read_once(rollout: Rollout, followed: RolloutTail) -> None:
    rollout.ran("ls")
    assert followed.read_on()
    assert not followed.read_on()
    rollout.add("a.txt", "one\n")
    assert followed.read_on()
    assert summaries(followed) == ["ran: ls", "created a.txt"]


def test_half_a_line_waits_for_its_other_half(rollout: Rollout, followed: RolloutTail) -> None:
    whole = rollout.path.read_bytes()
    rollout.ran("ls")
    line = rollout.path.read_bytes()[len(whole) :]
    rollout.path.write_bytes(whole + line[:40])
    assert followed.read_on()
    assert summaries(followed) == []
    rollout.path.write_bytes(whole + line[:-1])
    assert not followed.read_on()
    rollout.path.write_bytes(whole + line)
    assert followed.read_on()
    assert summaries(followed) == ["ran: ls"]


def test_what_came_before_tells_what_a_later_patch_made(rollout: Rollout, followed: RolloutTail) -> None:
    rollout.add("a.txt", "one\ntwo\n")
    followed.read_on()
    first = frozenset(one.entry.uid for one in followed.run(Importing(Codex(), "/w", "/w")).entries)
    rollout.update("a.txt", "@@ -2 +2 @@\n-two\n+zwei\n")
    followed.read_on()
    (later,) = followed.run(Importing(Codex(), "/w", "/w", known=first)).entries
    assert set(later.contents.values()) == {b"one\ntwo\n", b"one\nzwei\n"}


def test_a_new_thread_is_found_and_read_with_the_others(
    rollout: Rollout, followed: RolloutTail, tmp_path: Path
) -> None:
    rollout.add("a.txt", "one\ntwo\n")
    followed.read_on()
    child = Rollout(tmp_path, "/w", start=START, thread=CHILD)
    child.update("a.txt", "@@ -2 +2 @@\n-two\n+zwei\n")
    assert any(followed.read_on() for _ in range(tail.FIND_EVERY))
    assert summaries(followed) == ["created a.txt", "edited a.txt"]
    rollout.ran("ls")
    assert followed.read_on()
    assert len(summaries(followed)) == 3


def test_a_file_that_is_written_anew_is_read_anew(rollout: Rollout, followed: RolloutTail) -> None:
    head = rollout.path.read_bytes()
    rollout.ran("ls")
    followed.read_on()
    rollout.path.write_bytes(head)
    assert followed.read_on()
    assert summaries(followed) == []


def test_a_file_that_goes_away_tells_nothing_more(rollout: Rollout, followed: RolloutTail) -> None:
    rollout.ran("ls")
    followed.read_on()
    rollout.path.unlink()
    assert not followed.read_on()
    assert summaries(followed) == ["ran: ls"]


def test_a_line_that_nobody_writes_is_passed_over(
    rollout: Rollout, followed: RolloutTail, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(growing_file, "MAX_LINE", 1000)
    rollout.text("x" * 2500)
    followed.read_on()
    rollout.text("x" * 500 + "\n")
    rollout.ran("ls")
    assert followed.read_on()
    assert summaries(followed) == ["ran: ls"]


def test_many_lines_at_once_are_read_piece_by_piece(
    rollout: Rollout, followed: RolloutTail, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(growing_file, "MAX_LINE", 1000)
    for number in range(20):
        rollout.ran(f"ls {number}")
    assert followed.read_on()
    assert len(summaries(followed)) == 20
