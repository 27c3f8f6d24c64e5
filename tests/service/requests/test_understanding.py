"""Queries and bodies as words of known types; what does not fit is named."""

from collections.abc import Mapping

import pytest

from sulcus_panel.core.model import ActionType
from sulcus_panel.service.guards import Refused
from sulcus_panel.service.requests.understanding import understood, words_of_query
from sulcus_panel.service.requests.words import ConfigBody, ListQuery, Nothing, RecordBody


def test_a_query_becomes_numbers_and_switches() -> None:
    found = words_of_query(b"namespace=a%20b&limit=7&drifted=true&action_type=run_command&query=")
    words = understood(ListQuery, found, strict=False)
    assert (words.namespace, words.limit, words.drifted, words.query) == ("a b", 7, True, "")
    assert words.action_type is ActionType.RUN_COMMAND


@pytest.mark.parametrize(
    "query",
    [
        b"a=1&a=2",
        b"a=%ff",
        b"\xff=1",
        b"a=%00",
        b"%00=a",
        b"x" * 9_000,
        b"&".join(b"a%d=1" % n for n in range(60)),
    ],
)
def test_a_query_that_two_could_read_in_two_ways_is_refused(query: bytes) -> None:
    with pytest.raises(Refused) as refused:
        words_of_query(query)
    assert refused.value.status == 400


def refusal(kind: type, found: Mapping[str, object]) -> Refused:
    with pytest.raises(Refused) as refused:
        understood(kind, found)
    assert refused.value.status == 400
    return refused.value


def test_unknown_fields_are_all_named_and_the_known_ones_told() -> None:
    refused = refusal(ConfigBody, {"namespace": "x", "zeal": 1, "colour": 2})
    assert (refused.code, refused.title) == ("unknown_field", "Unknown: colour, zeal")
    assert "max_entries" in refused.detail
    assert refusal(Nothing, {"a": 1}).detail == ""
    inner = refusal(
        RecordBody, {"namespace": "x", "action_type": "file_edit", "pre_state": {"existed": True, "a": 1}}
    )
    assert (inner.code, inner.field) == ("unknown_field", "pre_state.a")


def test_a_number_out_of_its_range_is_told_the_range() -> None:
    for value in (49, 50_001, "100", None):
        refused = refusal(ConfigBody, {"namespace": "x", "max_entries": value})
        assert refused.field == "max_entries"
        assert refused.detail == "It takes a whole number from 50 to 50000."


def test_a_query_cannot_say_that_there_is_nothing() -> None:
    for name in ("drifted", "before", "state"):
        with pytest.raises(Refused) as refused:
            understood(ListQuery, words_of_query(f"namespace=x&{name}=null".encode()), strict=False)
        assert refused.value.field == name
    words = understood(ListQuery, words_of_query(b"namespace=null&harness=null"), strict=False)
    assert (words.namespace, words.harness) == ("null", "null")


def test_what_is_missing_is_named() -> None:
    assert refusal(RecordBody, {"namespace": "x"}).field == "action_type"
    hunks = [{"start_line": 1}, {}]
    missing = refusal(RecordBody, {"namespace": "x", "action_type": "file_edit", "diff_hunks": hunks})
    assert missing.field == "diff_hunks[1].start_line"


def test_a_time_says_its_zone() -> None:
    body = {"namespace": "x", "action_type": "file_edit", "at": "2026-01-01T00:00:00"}
    assert refusal(RecordBody, body).field == "at"
    assert understood(RecordBody, body | {"at": "2026-01-01T00:00:00+02:00"}).at is not None
