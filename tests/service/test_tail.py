"""Rows that others write reach this process: from another ledger connection, and from the spool."""

from collections.abc import Iterator

import pytest

from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.service import follower
from sulcus_panel.service.bus import ChangeBus
from sulcus_panel.service.operations import LedgerQuery, Operations
from sulcus_panel.service.tail import LedgerTail
from tests.support.heard import Heard
from tests.support.hooks import Run
from tests.support.ledger_builder import LedgerBuilder


@pytest.fixture
def heard(build: LedgerBuilder) -> Iterator[Heard]:
    """A running tail, and what its bus says."""
    bus = ChangeBus()
    heard = Heard(bus)
    tail = LedgerTail(lambda: Operations.open(build.home, clock=build.clock), bus)
    tail.start()
    assert heard.wait(lambda changes: changes.touched is None, 10)
    yield heard
    tail.stop()


def test_a_long_writer_holds_nothing_up_for_good_and_is_told_once(
    build: LedgerBuilder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follower, "RETRY_SECONDS", 0.05)
    monkeypatch.setattr(follower, "PATIENCE_MS", 10)
    bus = ChangeBus()
    heard = Heard(bus)
    tail = LedgerTail(lambda: Operations.open(build.home, clock=build.clock), bus)
    Run(build.root, build.home.spool).write("b.txt", b"2\n")
    with build.ledger.write():
        tail.start()
        assert heard.wait(lambda changes: "busy" in changes.notice)
    assert heard.wait(lambda changes: bool(changes.new_entries))
    tail.stop()
    assert sum(bool(changes.notice) for changes in heard.all) == 1


def test_rows_of_others_are_told_although_the_spool_could_not_be_read(
    build: LedgerBuilder, heard: Heard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follower, "RETRY_SECONDS", 0.05)
    spool, away = build.home.spool_new, build.home.root / "away"
    spool.rename(away)
    spool.write_bytes(b"no folder")
    assert heard.wait(lambda changes: "not a plain folder" in changes.notice)
    entry = build.write("a.txt", "1\n")
    spool.unlink()
    away.rename(spool)
    assert heard.wait(lambda changes: entry.seq_id in changes.new_entries)


def test_a_row_of_another_process_is_told(build: LedgerBuilder, heard: Heard) -> None:
    entry = build.write("a.txt", "1\n")
    assert heard.wait(lambda changes: entry.seq_id in changes.new_entries)


def test_what_a_hook_spooled_becomes_a_row_and_is_told(build: LedgerBuilder, heard: Heard) -> None:
    Run(build.root, build.home.spool).write("b.txt", b"2\n")
    assert heard.wait(lambda changes: bool(changes.new_entries))
    (entry,) = build.ledger.find(LedgerQuery(workspace_id=build.workspace.id))
    assert entry.paths == ("b.txt",)


def test_an_event_that_cannot_be_read_is_told(build: LedgerBuilder, heard: Heard) -> None:
    (build.home.spool_new / "1-1").write_bytes(b"no spool file")
    assert heard.wait(lambda changes: "1-1" in changes.notice)
    assert list(build.home.spool_bad.iterdir())


def test_what_comes_after_the_ledger_was_deleted_is_in_the_new_one(
    build: LedgerBuilder, heard: Heard
) -> None:
    for file in build.home.root.glob("ledger.db*"):
        file.unlink()
    Run(build.root, build.home.spool).write("b.txt", b"2\n")
    assert heard.wait(lambda changes: "removed or replaced" in changes.notice)
    assert heard.wait(lambda changes: bool(changes.new_entries))
    with Ledger.open(build.home, clock=build.clock) as fresh:
        (entry,) = fresh.find(LedgerQuery())
    assert entry.paths == ("b.txt",)
