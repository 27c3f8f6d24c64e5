"""What stands on the disk is recorded against what the ledger last saw, and only if it has not moved since."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from sulcus_panel.core.capture.saves import record_saves
from sulcus_panel.core.disk import Fingerprint, fingerprint
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import LedgerPath, Origin, SeqId
from tests.support.ledger_builder import LedgerBuilder

A = LedgerPath("a.txt")


@pytest.fixture
def saved(tmp_path: Path) -> Iterator[LedgerBuilder]:
    build = LedgerBuilder.make(tmp_path)
    build.write(A, "1\n")
    build.outside(A, "2\n")
    build.clock.advance(60)
    yield build
    build.ledger.close()


def record(build: LedgerBuilder, *paths: LedgerPath) -> tuple[SeqId, ...]:
    ripe = {path: fingerprint(str(build.root), path) for path in paths}
    return record_saves(build.ledger, build.workspace, ripe, build.clock())


def test_a_save_goes_on_from_what_the_ledger_last_saw(saved: LedgerBuilder) -> None:
    [seq_id] = record(saved, A)
    record_ = saved.ledger.entry(seq_id).record
    steps = saved.ledger.timeline(saved.workspace.id, A)
    assert (record_.origin, record_.harness) == (Origin.OUTSIDE, "outside")
    assert record_.changes[0].before == steps[0].after
    assert steps[0].at < record_.at <= saved.clock()
    assert record(saved, A) == ()


def test_a_file_that_moved_since_it_was_quiet_is_not_recorded(saved: LedgerBuilder) -> None:
    seen = fingerprint(str(saved.root), A)
    saved.outside(A, "and on\n")
    assert record_saves(saved.ledger, saved.workspace, {A: seen}, saved.clock()) == ()


@pytest.mark.parametrize("path", ["never-heard-of", "../out", ".git/config", "/etc/hosts"])
def test_only_files_that_the_ledger_knows_are_recorded(saved: LedgerBuilder, path: str) -> None:
    assert record_saves(saved.ledger, saved.workspace, {LedgerPath(path): None}, saved.clock()) == ()


def test_a_time_that_cannot_be_is_not_believed(saved: LedgerBuilder) -> None:
    """A clock set back: the file's own time may be later than now, or earlier than what came before it."""
    early = saved.clock() - timedelta(days=9000)
    ripe = {A: fingerprint(str(saved.root), A)}
    [seq_id] = record_saves(saved.ledger, saved.workspace, ripe, early)
    assert saved.ledger.entry(seq_id).record.at == early


class InterruptedRipe(dict[LedgerPath, Fingerprint | None]):
    """Gives its paths; once all of them are compared, another panel records them first."""

    def __init__(self, build: LedgerBuilder, other: Ledger) -> None:
        super().__init__({A: fingerprint(str(build.root), A)})
        self.build = build
        self.other = other
        self.by_the_other: tuple[SeqId, ...] = ()

    def items(self) -> Any:
        yield from super().items()
        self.by_the_other = record_saves(self.other, self.build.workspace, dict(self), self.build.clock())


def test_what_another_panel_recorded_meanwhile_is_not_recorded_again(saved: LedgerBuilder) -> None:
    with Ledger.open(saved.home, clock=saved.clock) as other:
        ripe = InterruptedRipe(saved, other)
        assert record_saves(saved.ledger, saved.workspace, ripe, saved.clock()) == ()
        assert len(ripe.by_the_other) == 1
    assert len(saved.ledger.timeline(saved.workspace.id, A)) == 2
