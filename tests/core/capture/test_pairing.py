"""Starts and ends of calls find each other, over several drains, and never somebody else's."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from sulcus_panel.core.capture.adapter import Scene, ToolCall, ToolKind, ToolStarted
from sulcus_panel.core.capture.changes import file_side
from sulcus_panel.core.capture.draining import STARTED
from sulcus_panel.core.capture.pairing import FORGOTTEN_AFTER, Pairs
from sulcus_panel.core.capture.spool import Sighting
from sulcus_panel.core.ledger.store import Ledger

NOW = datetime(2026, 1, 1, tzinfo=UTC)
CALL = ToolCall("Write", ToolKind.WRITE, path="/w/a", content="secret")


def scene(name: str = "1", *, session: str = "s", agent: str = "", at: datetime = NOW) -> Scene:
    return Scene(name, at, "claude-code", session, "/w", agent_id=agent)


def started(name: str, call_id: str = "", *, agent: str = "", at: datetime = NOW) -> ToolStarted:
    seen = Sighting("/w/a", file_side(b"secret before"))
    return ToolStarted(scene(name, agent=agent, at=at), replace(CALL, call_id=call_id), seen)


@pytest.fixture
def pairs(ledger: Ledger) -> Pairs:
    return Pairs(ledger, NOW)


def test_a_call_with_an_id_is_known_by_what_it_does(pairs: Pairs) -> None:
    pairs.open(started("1", "c1"), withheld=False)
    pairs.open(started("2"), withheld=False)
    assert pairs.has_named(scene(), replace(CALL, tool="edit"))
    assert not pairs.has_named(scene(), replace(CALL, path="/w/b"))
    assert not pairs.has_named(scene(session="other"), CALL)
    pairs.close(scene(), replace(CALL, call_id="c1"))
    assert not pairs.has_named(scene(), CALL)


def test_a_call_is_found_by_its_id_in_any_order(pairs: Pairs) -> None:
    for name in ("1", "2"):
        pairs.open(started(name, f"c{name}"), withheld=False)
    assert pairs.close(scene(), replace(CALL, call_id="c2")) == started("2", "c2")
    assert pairs.close(scene(), replace(CALL, call_id="c2")) is None
    assert pairs.close(scene(), replace(CALL, call_id="c1")) == started("1", "c1")


def test_without_ids_the_first_in_is_the_first_out_of_the_same_tool_path_and_agent(pairs: Pairs) -> None:
    pairs.open(started("1"), withheld=False)
    pairs.open(started("2"), withheld=False)
    for stranger in (replace(CALL, tool="Edit"), replace(CALL, path="/w/b"), replace(CALL, call_id="c")):
        assert pairs.close(scene(), stranger) is None
    assert pairs.close(scene(agent="a"), CALL) is None
    assert pairs.close(scene(session="other"), CALL) is None
    assert pairs.close(scene(), CALL) == started("1")
    assert pairs.close(scene(), CALL) == started("2")


def test_without_ids_a_call_of_the_same_words_comes_first(pairs: Pairs) -> None:
    """A call that was not allowed has a start and no end."""
    refused, allowed = replace(CALL, content="refused"), replace(CALL, content="allowed")
    pairs.open(replace(started("1"), call=refused), withheld=False)
    pairs.open(replace(started("2"), call=allowed), withheld=False)
    assert pairs.close(scene(), allowed) == replace(started("2"), call=allowed)
    assert pairs.close(scene(), replace(CALL, content="changed on its way")) == replace(
        started("1"), call=refused
    )


def test_without_ids_a_command_is_only_itself(pairs: Pairs) -> None:
    make, test = (
        ToolCall("bash", ToolKind.COMMAND, command="make"),
        ToolCall("bash", ToolKind.COMMAND, command="test"),
    )
    pairs.open(ToolStarted(scene("1"), make, None), withheld=False)
    assert pairs.close(scene(), test) is None
    assert pairs.close(scene(), make) == ToolStarted(scene("1"), make, None)


def test_what_is_still_open_is_found_by_the_next_drain_in_its_order(ledger: Ledger, pairs: Pairs) -> None:
    for name in ("2", "1", "3"):
        pairs.open(started(name), withheld=False)
    pairs.keep()
    later = Pairs(ledger, NOW + timedelta(days=1))
    assert [later.close(scene(), CALL) for _ in range(3)] == [started("1"), started("2"), started("3")]
    assert ledger.pending(STARTED) == ()


def test_a_call_that_ended_in_the_same_drain_never_gets_into_the_ledger(ledger: Ledger, pairs: Pairs) -> None:
    pairs.open(started("1", "c"), withheld=False)
    pairs.close(scene(), replace(CALL, call_id="c"))
    pairs.keep()
    assert ledger.pending(STARTED) == ()


def test_keeping_twice_keeps_once(ledger: Ledger, pairs: Pairs) -> None:
    pairs.open(started("1"), withheld=False)
    pairs.keep()
    pairs.keep()
    assert [kept.key for kept in ledger.pending(STARTED)] == ["started:1"]


def test_of_a_withheld_file_no_word_gets_into_the_ledger(ledger: Ledger, pairs: Pairs) -> None:
    pairs.open(started("1"), withheld=True)
    pairs.keep()
    (kept,) = ledger.pending(STARTED)
    assert b"secret" not in kept.payload
    assert b"c2VjcmV0" not in kept.payload  # the same in base64
    found = Pairs(ledger, NOW).close(scene(), CALL)
    assert found is not None
    assert found.sighting is not None
    assert found.sighting.own.state == file_side(b"secret before").state


def test_what_nobody_ended_for_a_week_is_let_go(ledger: Ledger, pairs: Pairs) -> None:
    pairs.open(started("1"), withheld=False)
    pairs.keep()
    Pairs(ledger, NOW + FORGOTTEN_AFTER)
    assert len(ledger.pending(STARTED)) == 1
    assert Pairs(ledger, NOW + FORGOTTEN_AFTER + timedelta(seconds=1)).close(scene(), CALL) is None
    assert ledger.pending(STARTED) == ()


def test_what_another_version_kept_is_let_go(ledger: Ledger) -> None:
    ledger.put_pending("started:1", STARTED, NOW, b"{}")
    assert Pairs(ledger, NOW).close(scene(), CALL) is None
    assert ledger.pending(STARTED) == ()


def test_a_turn_takes_its_own_agents_calls_and_a_session_all_of_them(pairs: Pairs) -> None:
    pairs.open(started("1"), withheld=False)
    pairs.open(started("2", agent="a"), withheld=False)
    pairs.open(started("3", agent="b"), withheld=False)
    assert pairs.close_all(scene(session="other"), whole_session=True) == ()
    assert pairs.close_all(scene(agent="a"), whole_session=False) == (started("2", agent="a"),)
    assert pairs.close_all(scene(), whole_session=True) == (started("1"), started("3", agent="b"))
    assert pairs.close_all(scene(), whole_session=True) == ()


def test_an_ended_call_of_which_nothing_was_written_waits_for_its_path_alone(
    ledger: Ledger, pairs: Pairs
) -> None:
    pairs.open(started("1"), withheld=False, unwritten=True)
    pairs.keep()
    later = Pairs(ledger, NOW)
    assert later.close(scene(), CALL) is None
    assert later.close_unwritten(scene(), "/w/b") == ()
    assert later.close_unwritten(scene(agent="a"), "/w/a") == ()
    assert later.close_unwritten(scene(), "/w/a") == (started("1"),)
    assert ledger.pending(STARTED) == ()
    pairs.open(started("2"), withheld=False, unwritten=True)
    assert started("2") in pairs.close_all(scene(), whole_session=False)
