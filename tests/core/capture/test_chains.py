"""The ends of chains: every change goes on from what was seen last, and what lies between is told."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from sulcus_panel.core.capture.adapter import Scene
from sulcus_panel.core.capture.chains import Chains, Named
from sulcus_panel.core.capture.changes import ABSENT_SIDE, build_change, file_side, unknown_side
from sulcus_panel.core.capture.drafts import OUTSIDE_HARNESS, outside_entry
from sulcus_panel.core.capture.place import Place
from sulcus_panel.core.capture.sides import Sides
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import DiskFile, LedgerPath, Origin, Settings, Workspace
from tests.support.ledgers import entries

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
ONE, TWO, THREE = (file_side(text) for text in (b"one\n", b"two\n", b"three\n"))


@pytest.fixture
def workspace(ledger: Ledger) -> Workspace:
    return ledger.add_workspace("/w")


class Chain:
    """One path, recorded minute by minute."""

    def __init__(self, ledger: Ledger, workspace: Workspace, path: str = "a.py") -> None:
        self.ledger, self.workspace = ledger, workspace
        self.place = Place(workspace, LedgerPath(path))
        self.chains = Chains(ledger)

    def at(self, minute: float) -> datetime:
        return NOON + timedelta(minutes=minute)

    def record(self, minute: float, before: DiskFile, after: DiskFile, uid: str = "") -> None:
        change, contents = build_change(self.place.path, before, after, Settings())
        entry = replace(outside_entry(str(minute), self.at(minute), change), origin=Origin.AGENT)
        if uid:
            entry = replace(entry, uid=uid)
        self.chains.append(self.workspace, entry, contents)

    def join(self, minute: float, sides: Sides, since: float) -> Sides | None:
        scene = Scene(f"scene-{minute}", self.at(minute), "claude-code", "s", "/w")
        return self.chains.join(scene, Named(self.place, ()), sides, self.at(since))

    def outside(self) -> list[tuple[bytes | None, bytes | None]]:
        """Both sides of each entry that closes a hole."""
        found = []
        for entry in entries(self.ledger):
            if entry.record.harness == OUTSIDE_HARNESS and entry.record.origin is Origin.OUTSIDE:
                (change,) = entry.record.changes
                found.append((self.chains.content(change.before), self.chains.content(change.after)))
        return found


@pytest.fixture
def chain(ledger: Ledger, workspace: Workspace) -> Chain:
    return Chain(ledger, workspace)


def test_of_a_path_never_seen_the_sides_stay_as_they_are(ledger: Ledger, chain: Chain) -> None:
    with ledger.write():
        assert chain.join(1, Sides(ONE, TWO), 0) == Sides(ONE, TWO)
    assert chain.outside() == []


def test_what_fits_goes_on_without_a_word(ledger: Ledger, chain: Chain) -> None:
    with ledger.write():
        chain.record(1, ABSENT_SIDE, ONE)
        assert chain.join(3, Sides(ONE, TWO), 2) == Sides(ONE, TWO)
    assert chain.outside() == []


def test_a_hole_between_two_sightings_is_closed_by_a_change_from_outside(
    ledger: Ledger, chain: Chain
) -> None:
    with ledger.write():
        chain.record(1, ABSENT_SIDE, ONE)
        assert chain.join(3, Sides(TWO, THREE), 2) == Sides(TWO, THREE)
    assert chain.outside() == [(b"one\n", b"two\n")]
    assert entries(ledger)[-1].record.at == chain.at(2), "when the other state was seen"


def test_what_came_after_the_first_look_is_what_a_call_began_from(ledger: Ledger, chain: Chain) -> None:
    with ledger.write():
        chain.record(2, ONE, TWO)
        joined = chain.join(3, Sides(ONE, THREE), 1)
    assert joined is not None
    assert (joined.before.content, joined.after) == (b"two\n", THREE)
    assert chain.outside() == []


def test_two_calls_at_once_that_left_one_state_are_one_entry_and_it_is_said(
    ledger: Ledger, chain: Chain
) -> None:
    with ledger.write():
        chain.record(2, ONE, TWO)
        assert chain.join(3, Sides(ONE, TWO), 1) is None
    assert chain.chains.messages == ["a.py: two calls at once, recorded together as #1"]


def test_a_side_that_nobody_saw_closes_nothing(ledger: Ledger, chain: Chain) -> None:
    blind = Sides(unknown_side("no state from before was seen"), TWO)
    with ledger.write():
        chain.record(1, ABSENT_SIDE, ONE)
        assert chain.join(3, blind, 2) == blind
    assert chain.outside() == []


def test_a_clock_set_back_makes_no_hole(ledger: Ledger, chain: Chain) -> None:
    with ledger.write():
        chain.record(1, ABSENT_SIDE, ONE)
        chain.record(9, ONE, TWO)
        assert chain.join(3, Sides(TWO, THREE), 2) == Sides(TWO, THREE)
    assert chain.outside() == []


def test_the_newest_state_up_to_a_moment_is_what_was_seen(ledger: Ledger, chain: Chain) -> None:
    with ledger.write():
        chain.record(1, ABSENT_SIDE, ONE)
        chain.record(3, ONE, TWO)
        assert chain.chains.last_seen(chain.place, chain.at(0)) is None
        early, late = (chain.chains.last_seen(chain.place, chain.at(minute)) for minute in (2, 4))
    assert early is not None
    assert late is not None
    assert [chain.chains.content(seen.after) for seen in (early, late)] == [b"one\n", b"two\n"]


def test_an_entry_that_the_ledger_has_moves_nothing(ledger: Ledger, chain: Chain) -> None:
    with ledger.write():
        chain.record(1, ABSENT_SIDE, ONE, uid="call")
        chain.record(2, ONE, TWO, uid="call")
        seen = chain.chains.last_seen(chain.place, chain.at(3))
    assert seen is not None
    assert chain.chains.content(seen.after) == b"one\n"
    assert chain.chains.recorded == [1]


def test_a_change_of_what_agents_obey_stands_on_governance(ledger: Ledger, workspace: Workspace) -> None:
    chain = Chain(ledger, workspace, "CLAUDE.md")
    with ledger.write():
        chain.record(1, ABSENT_SIDE, ONE)
    [row] = ledger.governance(workspace.id, kind_prefix="agent.")
    assert (row.kind, row.seq_ids) == ("agent.instructions", (1,))
