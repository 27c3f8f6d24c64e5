"""Silent hooks are noticed while a window is open, and so it is when they are heard again."""

import threading
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from sulcus_panel.service import silence_watch
from sulcus_panel.service.bus import ChangeBus
from sulcus_panel.service.hook_health import hooks_heard
from sulcus_panel.service.operations import LedgerQuery, Operations
from sulcus_panel.service.silence_watch import SilenceWatch
from tests.support.claude_transcripts import Transcript
from tests.support.heard import Heard, until
from tests.support.ledger_builder import LedgerBuilder
from tests.support.spooled import spool


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("FIRST_SECONDS", "LOOK_SECONDS"):
        monkeypatch.setattr(silence_watch, name, 0.02)
    monkeypatch.setattr(silence_watch, "REST", 0)


@pytest.fixture
def bus() -> ChangeBus:
    return ChangeBus()


@pytest.fixture
def heard(bus: ChangeBus) -> Heard:
    return Heard(bus)


@pytest.fixture
def watch(build: LedgerBuilder, tmp_path: Path, bus: ChangeBus) -> Iterator[Callable[[], SilenceWatch]]:
    started: list[SilenceWatch] = []

    def start() -> SilenceWatch:
        environment = {"CLAUDE_CONFIG_DIR": str(tmp_path / "claude")}

        def open_operations() -> Operations:
            return Operations.open(build.home, bus=bus, clock=build.clock)

        one = SilenceWatch(open_operations, build.workspace, bus, environment, build.clock)
        one.start()
        started.append(one)
        return one

    yield start
    for one in started:
        one.stop()


def test_a_gap_is_filled_warned_of_and_over_when_a_hook_fires(
    build: LedgerBuilder,
    operations: Operations,
    watch: Callable[[], SilenceWatch],
    heard: Heard,
    tmp_path: Path,
) -> None:
    path = tmp_path / "claude" / "projects" / "x" / "s-1.jsonl"
    Transcript(path, cwd=str(build.root), start=build.clock() - timedelta(minutes=5)).bash("make")
    watch()
    assert heard.wait(lambda changes: bool(changes.new_entries))
    assert heard.wait(lambda changes: changes.hooks)
    assert until(lambda: bool(hooks_heard(operations, build.clock()).silent))
    before = len(heard.all)
    payload = {"hook_event_name": "Notification", "session_id": "s-1", "cwd": str(build.root)}
    spool(build.home.spool_new, build.clock(), payload)
    assert until(lambda: not hooks_heard(operations, build.clock()).silent)
    assert until(lambda: any(changes.hooks for changes in heard.all[before:]))
    assert operations.count(LedgerQuery(workspace_id=build.workspace.id)) == 1


def test_nothing_is_told_where_nothing_changes(watch: Callable[[], SilenceWatch], heard: Heard) -> None:
    watch()
    assert heard.wait(lambda changes: changes.hooks)
    pause = threading.Event()
    pause.wait(0.3)
    assert sum(changes.hooks for changes in heard.all) == 1
