import pytest

from sulcus_panel.core.errors import BadRequest
from sulcus_panel.core.ledger.retention import Pruned
from sulcus_panel.core.model import SeqId
from sulcus_panel.service.operations import Operations
from sulcus_panel.service.settings_preview import would_drop
from tests.support.ledger_builder import LedgerBuilder


@pytest.fixture
def full(build: LedgerBuilder) -> LedgerBuilder:
    build.session()
    build.turn("x")
    for number in range(60):
        build.write("a.txt", f"{number}\n")
    return build


def test_a_smaller_limit_tells_what_it_would_let_go_of_and_changes_nothing(full: LedgerBuilder) -> None:
    full.clock.advance(days=1)
    found = would_drop(full.ledger, full.workspace.id, "max_entries", "50")
    assert (found.entries, found.snapshots) == (10, 9)  # the tenth after is the eleventh before
    assert full.ledger.settings(full.workspace.id).max_entries == 1_000
    assert len(full.ledger.after(SeqId(0), limit=100)) == 60


def test_what_is_told_is_what_then_happens(full: LedgerBuilder, operations: Operations) -> None:
    full.clock.advance(days=1)
    told = would_drop(full.ledger, full.workspace.id, "max_entries", "50")
    before = full.ledger.blobs.total_bytes()
    operations.set_setting(full.workspace.id, "max_entries", "50")
    assert len(full.ledger.after(SeqId(0), limit=100)) == 60 - told.entries
    assert full.ledger.blobs.total_bytes() < before


def test_a_larger_limit_lets_go_of_nothing(full: LedgerBuilder) -> None:
    assert would_drop(full.ledger, full.workspace.id, "max_entries", "2000") == Pruned()


def test_a_value_out_of_its_range_is_refused(full: LedgerBuilder) -> None:
    with pytest.raises(BadRequest):
        would_drop(full.ledger, full.workspace.id, "max_entries", "2")
