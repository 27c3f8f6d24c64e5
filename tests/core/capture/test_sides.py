"""Before and after of a call, from what was seen."""

from datetime import UTC, datetime

from sulcus_panel.core.capture.adapter import Scene, TextEdit, ToolCall, ToolFailed, ToolFinished, ToolKind
from sulcus_panel.core.capture.changes import ABSENT_SIDE, file_side, symlink_side, unknown_side
from sulcus_panel.core.capture.sides import (
    Sides,
    is_change,
    is_result,
    is_unwritten,
    sides_between,
    sides_of_answer,
)
from sulcus_panel.core.capture.spool import Sighting
from sulcus_panel.core.model import FileKind, Provenance

SCENE = Scene("1-1", datetime(2026, 1, 1, tzinfo=UTC), "claude-code", "s", "/w")
EDIT = ToolCall("Edit", ToolKind.EDIT, path="/w/a", edits=(TextEdit("1", "2"),))
WRITE = ToolCall("Write", ToolKind.WRITE, path="/w/a", content="2")
ONE, TWO = file_side(b"1", 0o644), file_side(b"2", 0o644)


def test_the_same_link_at_both_moments_is_followed_and_another_is_not() -> None:
    start = Sighting("/w/a", symlink_side(b"t"), ONE)
    assert sides_between(start, Sighting("/w/a", symlink_side(b"t"), TWO)) == Sides(ONE, TWO, "t")
    moved = sides_between(start, Sighting("/w/a", symlink_side(b"u"), TWO))
    assert (moved.before.content, moved.after.content, moved.link) == (b"t", b"u", "")


def test_a_moment_that_nobody_saw_is_unknown() -> None:
    assert sides_between(None, Sighting("/w/a", ONE)).before.state.kind is FileKind.UNKNOWN
    assert sides_between(Sighting("/w/a", ONE), None).after.state.kind is FileKind.UNKNOWN
    assert sides_between(None, None).after.state.kind is FileKind.UNKNOWN


def test_how_sure_the_bytes_before_are_depends_on_who_proves_them() -> None:
    end = Sighting("/w/a", TWO)
    edited = sides_of_answer(ToolFinished(SCENE, EDIT, end, original="1"))
    written = sides_of_answer(ToolFinished(SCENE, WRITE, end, original="anything"))
    assert (edited.before.content, edited.provenance) == (b"1", Provenance.OBSERVED)
    assert (written.before.content, written.provenance) == (b"anything", Provenance.IMPORTED)


def test_only_a_proven_difference_of_a_failed_call_is_a_change() -> None:
    done, failed = ToolFinished(SCENE, EDIT, None), ToolFailed(SCENE, EDIT, None)
    unseen, special = unknown_side("no state from before was seen"), unknown_side("not a regular file")
    executable = file_side(b"1", 0o755)
    for sides, finished, broken in (
        (Sides(ONE, TWO), True, True),
        (Sides(ONE, ONE), False, False),
        (Sides(ONE, executable), True, True),
        (Sides(unseen, TWO), True, False),
        (Sides(special, special), False, False),
        (Sides(ABSENT_SIDE, ABSENT_SIDE), False, False),
    ):
        assert (is_change(sides, done), is_change(sides, failed)) == (finished, broken)


def test_a_result_is_exactly_what_the_call_makes() -> None:
    assert is_result(EDIT, ONE, TWO)
    assert is_result(WRITE, ABSENT_SIDE, TWO)
    assert not is_result(EDIT, ONE, file_side(b"2 and more"))
    assert not is_result(EDIT, unknown_side("x"), TWO)
    assert not is_result(EDIT, ONE, ABSENT_SIDE)


def test_a_call_that_should_have_changed_the_file_and_has_not_is_unwritten() -> None:
    for call, side, late in (
        (EDIT, ONE, True),
        (EDIT, TWO, False),
        (WRITE, ONE, True),
        (WRITE, TWO, False),
        (WRITE, ABSENT_SIDE, True),
        (ToolCall("x", ToolKind.EDIT, path="/w/a"), ONE, True),  # what it does is not told
        (ToolCall("x", ToolKind.DELETE, path="/w/a"), ONE, True),
        (ToolCall("x", ToolKind.DELETE, path="/w/a"), ABSENT_SIDE, False),
        (EDIT, unknown_side("x"), False),
    ):
        assert is_unwritten(Sides(side, side), ToolFinished(SCENE, call, None)) is late
    assert not is_unwritten(Sides(ONE, ONE), ToolFailed(SCENE, EDIT, None))
    assert not is_unwritten(Sides(ONE, TWO), ToolFinished(SCENE, EDIT, None))
