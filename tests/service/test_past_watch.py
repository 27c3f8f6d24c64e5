"""What an agent does without a word to hooks shows by itself, from the file that its harness writes meanwhile."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest

from sulcus_panel.core.model import Provenance
from sulcus_panel.core.undo.model import Outcome, UndoRequest
from sulcus_panel.service import past_watch
from sulcus_panel.service.bus import ChangeBus
from sulcus_panel.service.operations import LedgerQuery, Operations
from sulcus_panel.service.past_watch import PastWatch
from tests.support.aider_project import HISTORY, ChatFile, Repo
from tests.support.codex_rollouts import TURN, Rollout
from tests.support.heard import Heard, until
from tests.support.ledger_builder import LedgerBuilder

CHILD = "0197d510-0000-7000-8000-000000000002"


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(past_watch, "POLL_SECONDS", 0.02)


@pytest.fixture
def rollout(build: LedgerBuilder, tmp_path: Path) -> Rollout:
    return Rollout(tmp_path / "codex", build.root, start=datetime.now(UTC) - timedelta(hours=1))


@pytest.fixture
def bus() -> ChangeBus:
    return ChangeBus()


@pytest.fixture
def heard(bus: ChangeBus) -> Heard:
    return Heard(bus)


@pytest.fixture
def watch(build: LedgerBuilder, tmp_path: Path, bus: ChangeBus) -> Iterator[Callable[[], PastWatch]]:
    started: list[PastWatch] = []

    def start() -> PastWatch:
        one = PastWatch(
            lambda: Operations.open(build.home, bus=bus, clock=build.clock),
            build.workspace,
            bus,
            {"CODEX_HOME": str(tmp_path / "codex")},
        )
        one.start()
        started.append(one)
        return one

    yield start
    for one in started:
        one.stop()


def summaries(build: LedgerBuilder) -> list[str]:
    query = LedgerQuery(workspace_id=build.workspace.id, descending=False, limit=1000)
    return [entry.record.summary for entry in build.ledger.find(query)]


def test_a_run_in_code_mode_shows_while_it_goes_on(
    build: LedgerBuilder, rollout: Rollout, watch: Callable[[], PastWatch], heard: Heard
) -> None:
    rollout.prompt("Write a poem")
    watch()
    rollout.add("poem.txt", "roses\nviolets\n")
    assert until(lambda: summaries(build) == ["created poem.txt"])
    rollout.update("poem.txt", "@@ -2 +2 @@\n-violets\n+tulips\n")
    rollout.ran("wc poem.txt")
    assert until(lambda: summaries(build)[1:] == ["edited poem.txt", "ran: wc poem.txt"])
    assert heard.wait(lambda changes: len(changes.new_entries) > 0)
    newest = build.ledger.find(LedgerQuery(workspace_id=build.workspace.id))[0].record
    assert (newest.provenance, newest.turn_id, newest.intent) == (Provenance.IMPORTED, TURN, "Write a poem")


def test_what_it_found_in_the_workspace_goes_back(
    build: LedgerBuilder, operations: Operations, rollout: Rollout, watch: Callable[[], PastWatch]
) -> None:
    (build.root / "a.txt").write_bytes(b"one\nzwei\n")
    rollout.update("a.txt", "@@ -2 +2 @@\n-two\n+zwei\n")
    watch()
    assert until(lambda: len(summaries(build)) == 1)
    (entry,) = operations.find(LedgerQuery(workspace_id=build.workspace.id))
    result = operations.apply(operations.plan(UndoRequest((entry.seq_id,))))
    assert result.outcome is Outcome.UNDONE
    assert (build.root / "a.txt").read_bytes() == b"one\ntwo\n"


def test_half_a_line_and_a_new_thread_do_no_harm(
    build: LedgerBuilder, rollout: Rollout, watch: Callable[[], PastWatch], tmp_path: Path
) -> None:
    watch()
    rollout.text('{"timestamp": ')
    rollout.text('"2026')
    child = Rollout(tmp_path / "codex", build.root, start=rollout.now, thread=CHILD)
    child.add("b.txt", "b\n")
    assert until(lambda: summaries(build) == ["created b.txt"])
    rollout.text("\n")
    rollout.add("a.txt", "a\n")
    assert until(lambda: summaries(build) == ["created b.txt", "created a.txt"])


def test_what_a_hook_may_still_tell_waits_for_it(
    build: LedgerBuilder, rollout: Rollout, watch: Callable[[], PastWatch], monkeypatch: pytest.MonkeyPatch
) -> None:
    rollout.now = datetime.now(UTC) + timedelta(seconds=30)
    rollout.ran("later")
    rollout.now = datetime.now(UTC) - timedelta(minutes=1)
    rollout.ran("earlier")
    watch()
    assert until(lambda: summaries(build) == ["ran: earlier"])
    monkeypatch.setattr(past_watch, "HOOKS_FIRST", timedelta(seconds=-60))
    assert until(lambda: sorted(summaries(build)) == ["ran: earlier", "ran: later"])


def test_what_a_hook_told_is_not_told_again(
    build: LedgerBuilder, rollout: Rollout, watch: Callable[[], PastWatch]
) -> None:
    (build.root / "a.txt").write_bytes(b"a\n")
    call = rollout.add("a.txt", "a\n")
    rollout.ran("ls")
    patch = "*** Begin Patch\n*** Add File: a.txt\n+a\n*** End Patch"
    for number, name in enumerate(("PreToolUse", "PostToolUse")):
        payload = {
            "hook_event_name": name,
            "session_id": rollout.thread,
            "cwd": str(build.root),
            "tool_name": "apply_patch",
            "tool_use_id": call,
            "tool_input": {"command": patch},
            "tool_response": "Success. Updated the following files:\nA a.txt\n",
        }
        spool(build.home.spool_new, number, rollout.now, json.dumps(payload).encode())
    watch()
    assert until(lambda: "ran: ls" in summaries(build))
    entries = build.ledger.find(LedgerQuery(workspace_id=build.workspace.id, descending=False))
    assert sorted(entry.record.tool_name for entry in entries) == ["Bash", "apply_patch"]
    assert {entry.record.tool_name: entry.record.provenance for entry in entries}["apply_patch"] is (
        Provenance.OBSERVED
    )


def test_a_full_ledger_takes_what_happens_now_and_not_what_came_before(
    build: LedgerBuilder,
    operations: Operations,
    rollout: Rollout,
    watch: Callable[[], PastWatch],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(past_watch, "HOOKS_FIRST", timedelta(minutes=-1))
    operations.set_setting(build.workspace.id, "max_entries", 50)
    for number in range(50):
        build.write("full.txt", f"{number}\n")
    rollout.ran("long ago")
    watch()
    rollout.now = datetime.now(UTC) + timedelta(seconds=1)
    rollout.ran("now")
    assert until(lambda: summaries(build)[-1] == "ran: now")
    assert "ran: long ago" not in summaries(build)


def test_nothing_is_followed_while_recording_is_off(
    build: LedgerBuilder, operations: Operations, rollout: Rollout, watch: Callable[[], PastWatch]
) -> None:
    operations.set_setting(build.workspace.id, "enabled", False)
    rollout.ran("ls")
    watch()
    assert not until_soon(lambda: bool(summaries(build)))
    operations.set_setting(build.workspace.id, "enabled", True)
    assert until(lambda: summaries(build) == ["ran: ls"])


def spool(folder: Path, number: int, at: datetime, payload: bytes) -> None:
    """An event as the hook leaves it, that saw no file."""
    moment = int(at.timestamp() * 1e9) + number
    folder.mkdir(parents=True, exist_ok=True)
    head = f"sulcus-spool 1\nat {moment}\nharness codex\npayload_bytes {len(payload)}\n\n"
    (folder / f"{moment}-1-0000000{number}").write_bytes(head.encode() + payload)


def until_soon(condition: Callable[[], bool]) -> bool:
    """Ask some rounds long."""
    pause = threading.Event()
    return any(condition() or pause.wait(0.02) for _ in range(20))


def test_aiders_commits_show_while_it_works_each_once_and_by_the_chat_that_made_them(
    build: LedgerBuilder, watch: Callable[[], PastWatch]
) -> None:
    repo, chat = Repo(build.root), ChatFile(build.root / HISTORY)
    repo.now = int(time.time()) - 60
    repo.commit({"a.py": b"x = 1\n"}, "first")
    watch()
    chat.start(time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(repo.now)))
    for number in (1, 2):
        chat.ask(f"count on {number}")
        chat.block("a.py", f"x = {number}\n", f"x = {number + 1}\n")
        chat.applied("a.py")
        repo.now = int(time.time()) - 30
        chat.committed(repo.aider({"a.py": f"x = {number + 1}\n".encode()}, "feat: on"), "feat: on")
        assert until(partial(_holds, build, number))
    query = LedgerQuery(workspace_id=build.workspace.id, descending=False)
    found = [entry.record for entry in build.ledger.find(query)]
    assert [one.intent for one in found] == ["count on 1", "count on 2"]
    left = found[1].changes[0].after.sha256
    assert left is not None
    assert build.ledger.blobs.get(left) == b"x = 3\n"


def _holds(build: LedgerBuilder, number: int) -> bool:
    return len(summaries(build)) == number
