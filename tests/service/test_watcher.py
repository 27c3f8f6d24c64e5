"""An outside save shows as drift by itself; what the panel or an agent's tool writes does not."""

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sulcus_panel.core.model import DriftKind, LedgerPath
from sulcus_panel.core.undo.model import UndoRequest
from sulcus_panel.service.bus import ChangeBus
from sulcus_panel.service.changes import Changes
from sulcus_panel.service.operations import Operations
from sulcus_panel.service.watcher import WorkspaceWatcher
from tests.support.heard import Heard
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
