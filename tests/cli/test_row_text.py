"""One entry as lines for a terminal."""

from dataclasses import replace

from sulcus_panel.cli.row_text import details, row
from sulcus_panel.core.model import ActionType, Entry, Provenance
from tests.support.entries import make_entry


def call() -> Entry:
    entry = make_entry(3, "", action=ActionType.MCP_MUTATION)
    record = replace(entry.record, summary="called close_issue of tracker", input='{"id": 17}', changes=())
    return replace(entry, record=record)


def test_a_call_of_another_server_is_named_by_what_was_called() -> None:
    assert row(call()).endswith("called    close_issue of tracker")
    assert '  input        {"id": 17}' in details(call()).split("\n")


def test_how_an_entry_is_known_is_said_in_words() -> None:
    entry = make_entry(1)
    told = replace(entry, record=replace(entry.record, provenance=Provenance.IMPORTED))
    assert "  how known    observed: its bytes were seen" in details(entry).split("\n")
    assert "  how known    told by the harness, not all of it seen here" in details(told).split("\n")
