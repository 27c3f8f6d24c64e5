"""Silent hooks are noticed of every harness whose files tell what its hooks told."""

import json
import os
from collections.abc import Callable, Mapping
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from sulcus_panel.core.capture.harnesses.cursor.transcripts import project_key
from sulcus_panel.core.capture.harnesses.gemini.chats import project_hash
from sulcus_panel.core.capture.registry import TWICE_TOLD, WEAKLY_TOLD
from sulcus_panel.core.capture.silence import silences
from sulcus_panel.core.model import Provenance
from sulcus_panel.service.operations import LedgerQuery, Operations
from sulcus_panel.service.silence_look import SilenceLook
from tests.support.claude_transcripts import Transcript
from tests.support.ledger_builder import LedgerBuilder
from tests.support.opencode import add_write, made
from tests.support.spooled import spool

DATA = Path(__file__).parents[1] / "data" / "transcripts"
SOON = timedelta(minutes=2)
Put = Callable[[Path, Path], tuple[datetime, list[str]]]


def copied(kept: Path, path: Path, folder: str, root: Path, at: datetime) -> datetime:
    """A transcript of ours as if its run had been in `root`; the time at which it was last written to."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = kept.read_text(encoding="utf-8").replace("0" * 64, project_hash(str(root)))
    path.write_text(text.replace(folder, str(root)), encoding="utf-8")
    os.utime(path, (at.timestamp(), at.timestamp()))
    return at


def claude(home: Path, root: Path) -> tuple[datetime, list[str]]:
    at = datetime(2026, 5, 4, 9, tzinfo=UTC)
    path = home / ".claude" / "projects" / "x" / "s-1.jsonl"
    Transcript(path, cwd=str(root), start=at).write(str(root / "a.txt"), "a\n")
    return at + SOON, ["created a.txt"]


def gemini(home: Path, root: Path) -> tuple[datetime, list[str]]:
    path = home / ".gemini" / "tmp" / "x" / "chats" / "session-1.jsonl"
    at = datetime(2026, 6, 1, 8, 2, tzinfo=UTC)
    kept = DATA / "gemini" / "session-2026.jsonl"
    return copied(kept, path, "/home/dev/shop", root, at) + SOON, ["wrote total.py", "created note.md"]


def copilot(home: Path, root: Path) -> tuple[datetime, list[str]]:
    path = home / ".copilot" / "session-state" / "5e55-1" / "events.jsonl"
    at = datetime(2026, 8, 3, 8, 2, tzinfo=UTC)
    kept = DATA / "copilot-cli" / "5e55-1" / "events.jsonl"
    return copied(kept, path, "/home/dev/shop", root, at) + SOON, [
        "edited app.py",
        "created notes.md",
        "created sub.txt",
    ]


def cline(home: Path, root: Path) -> tuple[datetime, list[str]]:
    name = "1780300800000_abcde"
    path = home / ".cline" / "data" / "sessions" / name / f"{name}.messages.json"
    at = datetime.fromtimestamp(1780300900, UTC)
    kept = DATA / "cline" / f"{name}.messages.json"
    (path.parent).mkdir(parents=True)
    (path.parent / f"{name}.json").write_text(json.dumps({"cwd": str(root)}), encoding="utf-8")
    return copied(kept, path, "/home/me/proj", root, at) + SOON, ["edited hello.py", "created note.md"]


def windsurf(home: Path, root: Path) -> tuple[datetime, list[str]]:
    path = home / ".windsurf" / "transcripts" / "t-1.jsonl"
    at = datetime(2026, 7, 1, 8, 2, tzinfo=UTC)
    kept = DATA / "windsurf" / "trajectory.jsonl"
    return copied(kept, path, "/home/me/proj", root, at) + SOON, ["wrote hello.py", "ran: python hello.py"]


def opencode(home: Path, root: Path) -> tuple[datetime, list[str]]:
    path = home / ".local" / "share" / "opencode" / "opencode.db"
    path.parent.mkdir(parents=True)
    with closing(made(path)) as connection:
        connection.execute("UPDATE session SET directory = ? WHERE id = 'ses_1'", (str(root),))
        add_write(connection, "ses_1")
        add_write(connection, "ses_2")
        connection.commit()
    return datetime.fromtimestamp(1780300802, UTC) + SOON, ["created a.txt"]


def cursor(home: Path, root: Path) -> tuple[datetime, list[str]]:
    key = project_key(str(root))
    path = home / ".cursor" / "projects" / key / "agent-transcripts" / "greeting" / "greeting.jsonl"
    at = datetime(2026, 7, 1, 8, 2, tzinfo=UTC)
    kept = DATA / "cursor" / "greeting.jsonl"
    return copied(kept, path, "/home/me/proj", root, at) + SOON, [
        "wrote hello.py",
        "edited hello.py",
        "ran: python hello.py",
    ]


def vscode(home: Path, root: Path) -> tuple[datetime, list[str]]:
    storage = home / ".config" / "Code" / "User" / "workspaceStorage" / "0af"
    at = datetime.fromtimestamp(1759845400, UTC)
    kept = DATA / "copilot-vscode" / "workspaceStorage" / "0af" / "chatSessions" / "c0ffee.jsonl"
    path = storage / "chatSessions" / kept.name
    copied(kept, path, "/home/dev/my shop", root, at)
    (storage / "workspace.json").write_text(json.dumps({"folder": root.as_uri()}), encoding="utf-8")
    return at + SOON, ["created app.ts", "edited app.ts", "created new.ts"]


HARNESSES: Mapping[str, Put] = {
    "claude-code": claude,
    "gemini": gemini,
    "copilot-cli": copilot,
    "cline": cline,
    "windsurf": windsurf,
    "opencode": opencode,
    "cursor": cursor,
    "copilot-vscode": vscode,
}


@pytest.fixture
def look(build: LedgerBuilder) -> SilenceLook:
    return SilenceLook(build.workspace, {}, build.clock)


def summaries(operations: Operations) -> list[str]:
    found = operations.find(LedgerQuery(descending=False, limit=1_000))
    return [entry.record.summary for entry in found]


def test_none_is_left_out() -> None:
    assert HARNESSES.keys() == TWICE_TOLD.keys()


@pytest.mark.parametrize("harness", HARNESSES)
def test_what_no_hook_told_of_is_recorded_once(
    build: LedgerBuilder, operations: Operations, look: SilenceLook, home: Path, harness: str
) -> None:
    build.clock.now, expected = HARNESSES[harness](home, build.root)
    filled = look.look(operations)
    assert filled > 0
    assert set(expected) <= set(summaries(operations))
    assert {one.harness for one in silences(operations.ledger)} == {harness}
    assert [look.look(operations), SilenceLook(build.workspace, {}, build.clock).look(operations)] == [0, 0]
    assert len(summaries(operations)) == filled


GEMINI_EDIT = {"file_path": "total.py", "old_string": "total = 1", "new_string": "total = 2"}


def gemini_hook(build: LedgerBuilder, at: datetime) -> None:
    """The hook's end of the edit in the chat, which has no id there."""
    payload = {
        "hook_event_name": "AfterTool",
        "session_id": "33333333-aaaa-4bbb-8ccc-444444444444",
        "cwd": str(build.root),
        "timestamp": at.isoformat(),
        "tool_name": "replace",
        "tool_input": {**GEMINI_EDIT, "file_path": str(build.root / "total.py")},
        "tool_response": {"llmContent": "ok", "returnDisplay": {"fileDiff": "---"}},
    }
    spool(build.home.spool_new, at, payload, "gemini")


def test_a_hook_without_an_id_answers_for_its_call(
    build: LedgerBuilder, operations: Operations, look: SilenceLook, home: Path
) -> None:
    build.clock.now, _ = gemini(home, build.root)
    gemini_hook(build, datetime(2026, 6, 1, 8, 0, 16, tzinfo=UTC))
    look.look(operations)
    assert summaries(operations).count("edited total.py") == 1
    assert all("total.py" not in one for one in summaries(operations)[1:])


def test_a_hook_without_an_id_that_tells_late_is_not_recorded_again(
    build: LedgerBuilder, operations: Operations, look: SilenceLook, home: Path
) -> None:
    build.clock.now, _ = gemini(home, build.root)
    filled = look.look(operations)
    gemini_hook(build, datetime(2026, 6, 1, 8, 0, 16, tzinfo=UTC))
    operations.drain()
    assert len(summaries(operations)) == filled
    gemini_hook(build, datetime(2026, 6, 1, 8, 3, 0, tzinfo=UTC))
    operations.drain()
    assert len(summaries(operations)) == filled + 1, "a later call on the same file is another one"


def test_a_trajectory_without_times_fills_nothing_where_a_hook_told_anything(
    build: LedgerBuilder, operations: Operations, look: SilenceLook, home: Path
) -> None:
    build.clock.now, _ = windsurf(home, build.root)
    payload = {
        "agent_action_name": "post_run_command",
        "trajectory_id": "t-1",
        "execution_id": "e",
        "timestamp": "2026-07-01T08:01:00Z",
        "tool_info": {"command_line": "make", "cwd": str(build.root)},
    }
    spool(build.home.spool_new, datetime(2026, 7, 1, 8, 1, tzinfo=UTC), payload, "windsurf")
    assert look.look(operations) == 0
    assert summaries(operations) == ["ran: make"]


@pytest.mark.parametrize("harness", WEAKLY_TOLD)
def test_what_a_weak_file_tells_says_so_on_every_entry(
    build: LedgerBuilder, operations: Operations, look: SilenceLook, home: Path, harness: str
) -> None:
    build.clock.now, _ = HARNESSES[harness](home, build.root)
    look.look(operations)
    found = operations.find(LedgerQuery(limit=1_000))
    assert all(WEAKLY_TOLD[harness] in entry.record.notes for entry in found)
    assert {entry.record.provenance for entry in found} == {Provenance.IMPORTED}


@pytest.mark.parametrize("harness", WEAKLY_TOLD)
def test_a_weak_file_fills_nothing_where_a_hook_of_any_session_fired_lately(
    build: LedgerBuilder, operations: Operations, look: SilenceLook, home: Path, harness: str
) -> None:
    build.clock.now, _ = HARNESSES[harness](home, build.root)
    stopped(build, harness, timedelta(minutes=30))
    assert look.look(operations) == 0


@pytest.mark.parametrize("harness", WEAKLY_TOLD)
def test_a_weak_file_fills_the_gap_where_hooks_fired_long_before_it(
    build: LedgerBuilder, operations: Operations, look: SilenceLook, home: Path, harness: str
) -> None:
    build.clock.now, _ = HARNESSES[harness](home, build.root)
    stopped(build, harness, timedelta(hours=5))
    assert look.look(operations) > 0


def stopped(build: LedgerBuilder, harness: str, ago: timedelta) -> None:
    """A hook of another session fired so long ago."""
    payload = {"hook_event_name": "stop", "session_id": "another", "conversation_id": "another"}
    spool(build.home.spool_new, build.clock.now - ago, {**payload, "cwd": str(build.root)}, harness)


@pytest.mark.parametrize("harness", WEAKLY_TOLD)
def test_a_weak_file_that_is_being_written_to_waits(
    build: LedgerBuilder, operations: Operations, look: SilenceLook, home: Path, harness: str
) -> None:
    over, _ = HARNESSES[harness](home, build.root)
    build.clock.now = over - SOON + timedelta(seconds=30)
    assert look.look(operations) == 0
    build.clock.now = over
    assert look.look(operations) > 0
