"""Spool files: read whole, or said to be bad and why."""

from contextlib import suppress
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sulcus_panel.core.capture.changes import file_side
from sulcus_panel.core.capture.hook import spool_data
from sulcus_panel.core.capture.spool import Sighting, SpoolEvent, parse_spool
from sulcus_panel.core.errors import BadPayload
from sulcus_panel.core.model import FileKind

HEADER = {"at": "1796039698852348472", "harness": "claude-code", "kind": "file", "mode": "420", "size": "3"}
SECTIONS = {"payload": b'{"a": 1}', "path": b"/x\n\xff", "link": b"", "content": b"\n\n\0"}
WHOLE = spool_data(HEADER, SECTIONS)


def test_what_the_hook_wrote_is_read_back() -> None:
    event = parse_spool("n", WHOLE)
    assert (event.name, event.harness, event.payload) == ("n", "claude-code", {"a": 1})
    assert event.sighting is not None
    assert (event.sighting.path, event.sighting.own.content) == ("/x\n\udcff", b"\n\n\0")
    assert event.sighting.own.state.mode == 0o644


@given(st.integers(0, len(WHOLE) - 1))
def test_a_file_cut_anywhere_is_bad(length: int) -> None:
    with pytest.raises(BadPayload):
        parse_spool("n", WHOLE[:length])


@given(st.binary(max_size=200), st.integers(0, len(WHOLE)))
def test_any_bytes_are_an_event_or_a_message(data: bytes, at: int) -> None:
    for spoiled in (data, WHOLE[:at] + data, WHOLE[:at] + data + WHOLE[at + len(data) :]):
        with suppress(BadPayload):
            parse_spool("n", spoiled)


@pytest.mark.parametrize("value", ["1" * 5000, "[" * 50_000, "\\u0000", "[]", "7"])
def test_hostile_json_is_bad(value: str) -> None:
    with pytest.raises(BadPayload):
        parse_spool("n", spool_data(HEADER, {**SECTIONS, "payload": value.encode()}))


def test_a_file_without_its_bytes_is_unknown_and_says_why() -> None:
    sections = {key: data for key, data in SECTIONS.items() if key != "content"}
    event = parse_spool("n", spool_data({**HEADER, "without_content": "1"}, sections))
    assert event.sighting is not None
    assert (event.sighting.own.state.kind, event.sighting.own.state.reason) == (
        FileKind.UNKNOWN,
        "no room to keep the bytes",
    )


def test_a_file_of_the_same_name_further_below_is_another() -> None:
    paths = ("/w/pkg/src/a.py", "/w/src/a.py", "/elsewhere/src/a.py", "/w/top/b.py")
    seen = [Sighting(path, file_side(path.encode())) for path in paths]
    event = SpoolEvent(
        "1-1", "codex", datetime(2026, 1, 1, tzinfo=UTC), {"cwd": "/w"}, seen[0], None, tuple(seen[1:])
    )
    found = {
        path: event.seen_at(path) for path in ("src/a.py", "./pkg/src/a.py", "/elsewhere/src/a.py", "b.py")
    }
    assert {path: one and one.path for path, one in found.items()} == {
        "src/a.py": "/w/src/a.py",
        "./pkg/src/a.py": "/w/pkg/src/a.py",
        "/elsewhere/src/a.py": "/elsewhere/src/a.py",
        "b.py": "/w/top/b.py",
    }
    assert event.seen_at("c.py") is None
    assert event.seen_at("") is None


def test_where_a_call_ran_elsewhere_the_nearest_file_is_meant() -> None:
    seen = [Sighting(path, file_side(b"")) for path in ("/r/web/pkg/src/a.py", "/r/web/src/a.py")]
    event = SpoolEvent(
        "1-1", "codex", datetime(2026, 1, 1, tzinfo=UTC), {"cwd": "/r"}, seen[0], None, (seen[1],)
    )
    assert event.seen_at("src/a.py") is seen[1]
