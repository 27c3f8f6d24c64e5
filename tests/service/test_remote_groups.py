"""Holds, rules and keys over a link are those of the ledger there."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from sulcus_panel.core.access import Caller, Scope
from sulcus_panel.core.holds import HoldState
from sulcus_panel.core.model import Actor, ActorKind
from sulcus_panel.core.triggers import Rule, TriggerAction
from sulcus_panel.core.undo.model import UndoRequest
from sulcus_panel.service.asking import Ask
from sulcus_panel.service.bus import ChangeBus
from sulcus_panel.service.operations import Operations, Selection
from sulcus_panel.service.remote import RemoteOperations
from tests.support.clock import FakeClock
from tests.support.far_link import a_link
from tests.support.far_machine import far_machine
from tests.support.ledger_builder import LedgerBuilder

RULE = Rule("look at it", "entry.recorded", TriggerAction.NOTIFY)


@pytest.fixture
def build(tmp_path: Path) -> Iterator[LedgerBuilder]:
    """A story that happens now, so that nothing of it is too old to be kept."""
    build = LedgerBuilder.make(tmp_path, FakeClock(datetime.now(UTC)))
    yield build
    build.ledger.close()


@pytest.fixture
def both(build: LedgerBuilder) -> Iterator[tuple[RemoteOperations, Operations]]:
    with (
        far_machine(build.home) as (_, port),
        RemoteOperations(a_link(build.home, port), ChangeBus()) as far,
        Operations.open(build.home, clock=build.clock) as near,
    ):
        yield far, near


def test_a_hold_is_seen_and_answered(build: LedgerBuilder, both: tuple[RemoteOperations, Operations]) -> None:
    far, near = both
    entry = build.write("a", "1\n")
    stranger = Caller(Actor("another", ActorKind.AGENT), frozenset({Scope.UNDO}))
    answer = near.asking.ask(stranger, build.workspace.id, Ask(Selection((entry.seq_id,))))
    assert answer.hold is not None
    assert far.holds.find(build.workspace.id) == (answer.hold,)
    assert far.holds.request(answer.hold.id) == UndoRequest((entry.seq_id,))
    assert far.holds.reject(answer.hold.id).state is HoldState.REJECTED
    assert near.holds.get(answer.hold.id) == far.holds.get(answer.hold.id)


def test_a_rule_is_made_changed_and_dropped(
    build: LedgerBuilder, both: tuple[RemoteOperations, Operations]
) -> None:
    far, near = both
    build.write("a", "1\n")
    made = far.triggers.add(build.workspace.id, RULE)
    assert far.triggers.all() == near.triggers.all() == (made,)
    assert not far.triggers.switch(made.id, enabled=False).rule.enabled
    assert far.triggers.change(made.id, RULE).rule == RULE
    assert far.triggers.change(made.id, RULE, moves=True).workspace_id is None
    back = far.triggers.change(made.id, RULE, moves=True, workspace_id=build.workspace.id)
    assert near.triggers.all() == (back,)
    assert far.triggers.dry_run(build.workspace.id, RULE) == near.triggers.dry_run(build.workspace.id, RULE)
    assert (far.triggers.firings(), far.triggers.dead()) == ((), ())
    far.triggers.drop(made.id)
    assert near.triggers.all() == ()


def test_marks_are_put_on_entries_there(
    build: LedgerBuilder, both: tuple[RemoteOperations, Operations]
) -> None:
    far, near = both
    entry = build.write("a", "1\n")
    far.marks.pin((entry.seq_id,), pinned=True)
    far.marks.label((entry.seq_id,), ("later",))
    assert near.entry(entry.seq_id).labels == ("later",)
    assert "pin" in far.entry(entry.seq_id).marks
    far.marks.looked((entry.seq_id,))


def test_a_key_is_made_and_revoked(both: tuple[RemoteOperations, Operations]) -> None:
    far, near = both
    key, token = far.tokens.make("bot", ActorKind.AGENT, {Scope.READ, Scope.RECORD})
    caller = near.tokens.caller(key)
    assert caller is not None
    assert caller.scopes == {Scope.READ, Scope.RECORD}
    assert token in far.tokens.all()
    assert not far.tokens.revoke(token.id).in_force
    assert near.tokens.caller(key) is None
