"""A tree's files as the ledger knows them, by the names that the tree gives them."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from sulcus_panel.core.capture.adapter import Scene
from sulcus_panel.core.capture.chains import Chains
from sulcus_panel.core.capture.changes import ABSENT_SIDE, build_change, file_side
from sulcus_panel.core.capture.drafts import outside_entry
from sulcus_panel.core.capture.place import Place
from sulcus_panel.core.capture.shell.desk import Desk
from sulcus_panel.core.capture.sides import Sides
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import LedgerPath, Settings
from tests.support.ledgers import entries

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
ONE, TWO = file_side(b"one\n"), file_side(b"two\n")


@pytest.fixture
def desk(ledger: Ledger) -> Desk:
    """A tree in `/w/tree` whose file `a` the ledger saw at noon."""
    workspace = ledger.add_workspace("/w")
    desk = Desk(
        Chains(ledger),
        Scene("2-2", NOON + timedelta(minutes=2), "claude-code", "s", "/w/tree"),
        workspace,
        Settings(),
        "/w/tree",
        Path("/data"),
    )
    change, contents = build_change(LedgerPath("tree/a"), ABSENT_SIDE, ONE, Settings())
    with ledger.write():
        desk.chains.append(workspace, outside_entry("1-1", NOON, change), contents)
    return desk


def test_a_path_is_known_by_its_name_in_the_tree(desk: Desk) -> None:
    assert desk.named("a") == "tree/a"
    known = desk.known("a")
    assert known is not None
    assert (known[0].content, known[1]) == (b"one\n", NOON)
    assert desk.known("b") is None


def test_what_somebody_else_did_is_an_entry_of_its_own(ledger: Ledger, desk: Desk) -> None:
    place = Place(desk.workspace, desk.named("a"))
    with ledger.write():
        desk.record_outside(place, Sides(ONE, TWO), NOON + timedelta(minutes=1))
    entry = entries(ledger)[-1].record
    assert (entry.uid, entry.at) == ("outside:2-2+:tree/a", NOON + timedelta(minutes=1))
    assert [change.path for change in entry.changes] == ["tree/a"]


def test_what_the_ledger_has_already_is_not_recorded_again(ledger: Ledger, desk: Desk) -> None:
    place = Place(desk.workspace, desk.named("a"))
    with ledger.write():
        desk.record_outside(place, Sides(ABSENT_SIDE, ONE), NOON - timedelta(minutes=1))
    assert len(entries(ledger)) == 1
