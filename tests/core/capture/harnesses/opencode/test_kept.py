"""One shape for a session, however it is kept."""

import pytest

from sulcus_panel.core.capture.harnesses.opencode.kept import exported, from_rows, moment, state_of


def test_an_export_is_a_session_with_its_messages() -> None:
    session = exported(
        {
            "info": {
                "id": "ses_1",
                "directory": "/w",
                "parentID": "ses_0",
                "time": {"created": 1_767_225_600_000},
            },
            "messages": [
                {"info": {"id": "m1", "role": "user"}, "parts": [{"type": "text", "text": "go"}, 7]},
                {"info": {"id": "m2", "role": "assistant", "parentID": "m1", "path": {"cwd": "/w/x"}}},
                "no message",
            ],
        },
        "x.json",
    )
    assert session is not None
    assert (session.key, session.directory, session.parent) == ("ses_1", "/w", "ses_0")
    assert [(one.key, one.role, one.parent, one.cwd, len(one.parts)) for one in session.messages] == [
        ("m1", "user", "", "", 1),
        ("m2", "assistant", "m1", "/w/x", 0),
    ]


@pytest.mark.parametrize("data", [{}, {"info": 1, "messages": []}, {"info": {}, "messages": {}}])
def test_something_else_is_no_export(data: dict[str, object]) -> None:
    assert exported(data, "x") is None


def test_rows_of_parts_are_messages_by_whose_they_are() -> None:
    rows: list[dict[str, object]] = [
        {"type": "text", "_role": "user", "_cwd": "/w", "_ts": 1_767_225_600_000},
        {"type": "tool", "_role": "assistant"},
        {"type": "tool", "_role": "assistant"},
        {"type": "text", "_role": "user"},
    ]
    session = from_rows("s", list(rows), "s.jsonl")
    assert [(one.role, len(one.parts)) for one in session.messages] == [
        ("user", 1),
        ("assistant", 2),
        ("user", 1),
    ]
    assert session.directory == "/w"


@pytest.mark.parametrize("told", [None, 0, -1, 10**18])
def test_a_time_of_no_era_is_none(told: int | None) -> None:
    assert moment(told) is None


def test_only_a_tools_part_has_a_state() -> None:
    assert state_of({"type": "tool", "state": {"status": "completed"}}) == {"status": "completed"}
    assert state_of({"type": "text", "state": {"status": "completed"}}) == {}
    assert state_of({"type": "tool", "state": 1}) == {}
