"""VS Code says that a call ended before it has written: what a hook sees later counts, and nothing else."""

from itertools import pairwise
from pathlib import Path

import pytest

from sulcus_panel.core.capture.adapter import (
    TextEdit,
    ToolCall,
    ToolFinished,
    ToolKind,
    ToolStarted,
    TurnEnded,
)
from sulcus_panel.core.capture.changes import ABSENT_SIDE, file_side
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import Origin
from tests.support.events import Events


@pytest.fixture
def events(ledger: Ledger, project: Path) -> Events:
    found = Events(ledger, project)
    found.caller = "copilot-vscode"
    return found


def edit_of(events: Events, call_id: str, old: str, new: str) -> ToolCall:
    return ToolCall("edit", ToolKind.EDIT, call_id, str(events.folder / "a"), edits=(TextEdit(old, new),))


def test_a_file_written_after_its_post_is_recorded_by_what_the_stop_saw(events: Events) -> None:
    one, two = file_side(b"1"), file_side(b"2")
    call = edit_of(events, "c1", "1", "2")
    events.take(
        ToolStarted(events.scene(), call, events.sight("a", one)),
        ToolFinished(events.scene(), call, events.sight("a", one)),
    )
    assert events.rows() == ()
    (events.folder / "a").write_bytes(b"by somebody, before this was drained")
    stop = TurnEnded(events.scene(), seen=(events.sight("a", two),))
    events.take(stop)
    (row,) = events.rows()
    (change,) = row.record.changes
    assert (change.before.sha256, change.after.sha256) == (one.state.sha256, two.state.sha256)
    assert (row.record.at, row.record.tool_name) == (stop.scene.at, "edit")


def test_two_late_writes_of_one_file_stay_two(events: Events) -> None:
    sides = [file_side(b"1"), file_side(b"2"), file_side(b"3")]
    first, second = edit_of(events, "c1", "1", "2"), edit_of(events, "c2", "2", "3")
    for call, side in ((first, sides[0]), (second, sides[1])):
        events.take(ToolStarted(events.scene(), call, events.sight("a", side)))
        events.take(ToolFinished(events.scene(), call, events.sight("a", side)))
    events.take(TurnEnded(events.scene(), seen=(events.sight("a", sides[2]),)))
    changes = [row.record.changes[0] for row in events.rows()]
    assert [(one.before.sha256, one.after.sha256) for one in changes] == [
        (one.state.sha256, two.state.sha256) for one, two in pairwise(sides)
    ]
    assert {row.record.origin for row in events.rows()} == {Origin.AGENT}


def test_a_late_write_is_recorded_though_the_call_does_not_tell_what_it_writes(events: Events) -> None:
    blind = ToolCall("insert_edit_into_file", ToolKind.EDIT, "c1", str(events.folder / "a"))
    gone = ToolCall("apply_patch", ToolKind.DELETE, "c2", str(events.folder / "b"))
    seen = {"a": file_side(b"1"), "b": file_side(b"b")}
    for call, name in ((blind, "a"), (gone, "b")):
        events.take(ToolStarted(events.scene(), call, events.sight(name, seen[name])))
        events.take(ToolFinished(events.scene(), call, events.sight(name, seen[name])))
    late = (events.sight("a", file_side(b"2")), events.sight("b", ABSENT_SIDE))
    events.take(TurnEnded(events.scene(), seen=late))
    assert [(row.record.tool_name, row.record.action_type.value) for row in events.rows()] == [
        ("insert_edit_into_file", "file_edit"),
        ("apply_patch", "file_delete"),
    ]


def test_a_late_write_that_a_formatter_changed_too_is_recorded_by_what_the_stop_saw(events: Events) -> None:
    one, call = file_side(b"1"), edit_of(events, "c1", "1", "2")
    for end in (ToolStarted, ToolFinished):
        events.take(end(events.scene(), call, events.sight("a", one)))
    events.take(TurnEnded(events.scene(), seen=(events.sight("a", file_side(b"2\n")),)))
    (row,) = events.rows()
    assert row.record.changes[0].after.sha256 == file_side(b"2\n").state.sha256


def test_a_call_stays_open_until_its_write_was_seen(events: Events) -> None:
    """The next call on the file begins before the first one's write."""
    one, both = file_side(b"1 a"), file_side(b"2 b")
    calls = (edit_of(events, "c1", "1", "2"), edit_of(events, "c2", "a", "b"))
    for call in calls:
        events.take(ToolStarted(events.scene(), call, events.sight("a", one)))
        events.take(ToolFinished(events.scene(), call, events.sight("a", one)))
    events.take(TurnEnded(events.scene(), seen=(events.sight("a", both),)))
    (row,) = events.rows()
    (change,) = row.record.changes
    assert (change.before.sha256, change.after.sha256) == (one.state.sha256, both.state.sha256)
    assert events.messages == ["a: two calls at once, recorded together as #1"]


def test_what_was_never_written_is_never_recorded(events: Events) -> None:
    one, call = file_side(b"1"), edit_of(events, "c1", "1", "2")
    (events.folder / "a").write_bytes(b"1")
    events.take(
        ToolStarted(events.scene(), call, events.sight("a", one)),
        ToolFinished(events.scene(), call, events.sight("a", one)),
        TurnEnded(events.scene(), seen=(events.sight("a", one),)),
    )
    assert events.rows() == ()
