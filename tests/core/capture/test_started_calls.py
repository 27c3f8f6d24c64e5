"""Started calls through the ledger's own store and back."""

from datetime import UTC, datetime

from sulcus_panel.core.capture.adapter import Scene, TextEdit, ToolCall, ToolKind, ToolStarted
from sulcus_panel.core.capture.changes import ABSENT_SIDE, file_side, symlink_side
from sulcus_panel.core.capture.spool import Sighting
from sulcus_panel.core.capture.started_calls import decode_started, encode_started, without_contents

SCENE = Scene("1-1", datetime(2026, 1, 1, tzinfo=UTC), "claude-code", "s", "/w", agent_id="a")
CALL = ToolCall("Edit", ToolKind.EDIT, "c", "/w/\udcff", edits=(TextEdit("old", "new", every=True),))


def test_a_call_comes_back_as_it_was() -> None:
    for sighting in (
        None,
        Sighting("/w/\udcff", ABSENT_SIDE),
        Sighting("/w/a", symlink_side(b"t\xff"), file_side(b"\0\xff", 0o644)),
    ):
        started = ToolStarted(SCENE, CALL, sighting)
        assert decode_started(encode_started(started)) == started


def test_without_contents_nothing_of_them_is_left_but_hash_and_size() -> None:
    started = ToolStarted(SCENE, CALL, Sighting("/w/a", symlink_side(b"t"), file_side(b"secret")))
    bare = without_contents(started)
    assert bare.call.edits == ()
    assert bare.sighting is not None
    assert bare.sighting.behind is not None
    assert bare.sighting.behind.content is None
    assert bare.sighting.behind.state == file_side(b"secret").state
    assert bare.sighting.own.content == b"t"


def test_what_another_version_wrote_is_nothing() -> None:
    for data in (b"", b"{}", b"[]", b'{"scene": {"at": "x"}}', b'{"scene": {"at": "2026-01-01", "new": 1}}'):
        assert decode_started(data) is None
