"""An outside save shows as drift by itself; what the panel or an agent's tool writes does not."""

import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sulcus_panel.core.model import DriftKind, LedgerPath, Origin
from sulcus_panel.core.undo.lock import undo_lock
from sulcus_panel.core.undo.model import UndoRequest
from sulcus_panel.service import follower, outside_saves, watched_folders
from sulcus_panel.service.bus import ChangeBus
from sulcus_panel.service.changes import Changes
from sulcus_panel.service.operations import Operations
from sulcus_panel.service.watcher import WorkspaceWatcher
from tests.support.heard import Heard, until
from tests.support.hooks import Run
from tests.support.ledger_builder import LedgerBuilder

A = LedgerPath("src/a.txt")


@pytest.fixture
def build(tmp_path: Path) -> Iterator[LedgerBuilder]:
    builder = LedgerBuilder.make(tmp_path)
    builder.write(A, "1\n")
    yield builder
    builder.ledger.close()


@pytest.fixture
def bus() -> ChangeBus:
    return ChangeBus()


@pytest.fixture
def watcher(build: LedgerBuilder, bus: ChangeBus) -> Iterator[WorkspaceWatcher]:
    watcher = WorkspaceWatcher(
        lambda: Operations.open(build.home, bus=bus, clock=build.clock), build.workspace, bus
    )
    watcher.start()
    assert watcher.wait_until_watching(10)
    yield watcher
    watcher.stop()


def is_drift(changes: Changes) -> bool:
    return changes.drift


@pytest.mark.usefixtures("watcher")
def test_an_outside_save_is_drift_within_a_second(build: LedgerBuilder, bus: ChangeBus) -> None:
    heard = Heard(bus)
    began = time.monotonic()
    build.outside(A, "mine\n")
    assert heard.wait(is_drift)
    assert time.monotonic() - began < 1.0
    assert build.ledger.drift(build.workspace.id) == {A: DriftKind.CHANGED}


@pytest.mark.usefixtures("watcher")
@pytest.mark.parametrize(
    ("put", "kind"),
    [
        (lambda _: None, DriftKind.MISSING),
        (Path.mkdir, DriftKind.TYPE_CHANGED),
        (lambda path: path.symlink_to("elsewhere"), DriftKind.TYPE_CHANGED),
        (os.mkfifo, DriftKind.UNREADABLE),
    ],
)
def test_each_way_of_drifting_has_its_name(
    build: LedgerBuilder, bus: ChangeBus, put: Callable[[Path], None], kind: DriftKind
) -> None:
    heard = Heard(bus)
    (build.root / A).unlink()
    put(build.root / A)
    assert heard.wait(lambda _: build.ledger.drift(build.workspace.id) == {A: kind})


@pytest.mark.usefixtures("watcher")
def test_a_file_in_a_folder_that_came_later_is_watched_too(build: LedgerBuilder, bus: ChangeBus) -> None:
    heard = Heard(bus)
    build.write("later/b.txt", "1\n")
    bus.publish(Changes(new_entries=(build.ledger.newest_seq(),)))
    build.outside("later/b.txt", "2\n")
    assert heard.wait(lambda _: LedgerPath("later/b.txt") in build.ledger.drift(build.workspace.id))


@pytest.mark.usefixtures("watcher")
def test_the_panels_own_undo_and_an_agents_write_are_no_drift(build: LedgerBuilder, bus: ChangeBus) -> None:
    marks: list[object] = []
    bus.subscribe(lambda changes: marks.append(changes) if changes.drift else None)
    heard = Heard(bus)
    entry = build.write("src/b.txt", "1\n")
    with Operations.open(build.home, bus=bus, clock=build.clock) as operations:
        operations.apply(operations.plan(UndoRequest((entry.seq_id,))))
    Run(build.root, build.home.spool).write(A, b"2\n")
    build.outside("src/probe.txt", "seen\n")
    assert heard.wait(lambda changes: bool(changes.new_entries))

    build.outside(A, "outside\n")
    assert heard.wait(is_drift)
    assert build.ledger.drift(build.workspace.id) == {A: DriftKind.CHANGED}
    assert len(marks) == 1


def test_what_had_drifted_before_is_found_as_soon_as_an_undo_is_over(
    build: LedgerBuilder, bus: ChangeBus, watcher: WorkspaceWatcher
) -> None:
    heard = Heard(bus)
    watcher.stop()
    build.outside(A, "mine\n")
    later = WorkspaceWatcher(
        lambda: Operations.open(build.home, bus=bus, clock=build.clock), build.workspace, bus
    )
    with undo_lock(build.ledger, 0):
        later.start()
        assert later.wait_until_watching(10)
        assert not build.ledger.drift(build.workspace.id)
    assert heard.wait(is_drift)
    later.stop()
    assert build.ledger.drift(build.workspace.id) == {A: DriftKind.CHANGED}


def test_a_ledger_that_is_busy_costs_no_look(
    build: LedgerBuilder, bus: ChangeBus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follower, "RETRY_SECONDS", 0.05)
    monkeypatch.setattr(follower, "PATIENCE_MS", 10)
    heard = Heard(bus)
    build.outside(A, "mine\n")
    watcher = WorkspaceWatcher(
        lambda: Operations.open(build.home, bus=bus, clock=build.clock), build.workspace, bus
    )
    with build.ledger.write():
        watcher.start()
        assert heard.wait(lambda changes: "busy" in changes.notice)
    assert heard.wait(is_drift)
    watcher.stop()
    assert sum(bool(changes.notice) for changes in heard.all) == 1


def test_f122_paths_beyond_the_watched_folders_are_found_too(
    build: LedgerBuilder, bus: ChangeBus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watched_folders, "MOST_FOLDERS", 1)
    build.write("newer/b.txt", "1\n")
    heard = Heard(bus)
    watcher = WorkspaceWatcher(
        lambda: Operations.open(build.home, bus=bus, clock=build.clock), build.workspace, bus
    )
    watcher.start()
    assert watcher.wait_until_watching(10)
    assert watcher.status == "Watching 1 of 2 files, checking the others every 2 s"
    build.outside(A, "mine\n")
    assert heard.wait(is_drift)
    watcher.stop()
    assert build.ledger.drift(build.workspace.id) == {A: DriftKind.CHANGED}


@pytest.mark.usefixtures("watcher")
def test_f124_a_file_that_is_replaced_a_thousand_times_is_looked_at_a_few_times(
    build: LedgerBuilder, bus: ChangeBus
) -> None:
    heard = Heard(bus)
    for number in range(1000):
        beside = build.root / "src/beside"
        beside.write_bytes(b"%d\n" % number)
        beside.replace(build.root / A)
    assert heard.wait(is_drift)
    assert sum(map(is_drift, heard.all)) <= 10
    assert build.ledger.drift(build.workspace.id) == {A: DriftKind.CHANGED}


@pytest.mark.parametrize("away", [lambda root: root.rename(root.parent / "away"), shutil.rmtree])
def test_a_workspace_whose_folder_is_gone_says_so_and_comes_back(
    build: LedgerBuilder, bus: ChangeBus, watcher: WorkspaceWatcher, away: Callable[[Path], object]
) -> None:
    heard = Heard(bus)
    assert watcher.status == "Watching 1 file"
    away(build.root)
    assert until(lambda: watcher.status == "The folder is not there; waiting for it")
    build.outside(A, "mine\n")
    assert heard.wait(lambda _: build.ledger.drift(build.workspace.id) == {A: DriftKind.CHANGED})
    assert until(lambda: watcher.status == "Watching 1 file")
    build.outside(A, "1\n")
    assert heard.wait(lambda _: not build.ledger.drift(build.workspace.id))
    assert not any(changes.notice for changes in heard.all)


def test_a_save_becomes_an_entry_once_it_is_quiet_and_is_no_drift_any_more(
    build: LedgerBuilder, bus: ChangeBus, watcher: WorkspaceWatcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outside_saves, "QUIET_SECONDS", 0.2)
    heard = Heard(bus)
    build.outside(A, "mine\n")
    assert heard.wait(lambda changes: bool(changes.new_entries))
    [seq_id] = next(changes.new_entries for changes in heard.all if changes.new_entries)
    entry = build.ledger.entry(seq_id)
    assert (entry.record.origin, entry.paths) == (Origin.OUTSIDE, (A,))
    assert until(lambda: not build.ledger.drift(build.workspace.id))
    watcher.stop()
    assert build.ledger.newest_seq() == seq_id


def test_a_stopped_watcher_hears_nothing_more(bus: ChangeBus, watcher: WorkspaceWatcher) -> None:
    watcher.stop()
    assert bus._listeners == []
