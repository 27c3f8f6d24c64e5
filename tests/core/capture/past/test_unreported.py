"""Which of a transcript's calls no hook told of: better to miss one than to record one twice."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from sulcus_panel.core.capture.past.into_ledger import ImportedEntry
from sulcus_panel.core.capture.past.unreported import Span, unreported
from sulcus_panel.core.model import LedgerPath, NewEntry, Provenance
from tests.support.ledger_builder import LedgerBuilder
from tests.support.ledgers import appended

SECOND = timedelta(seconds=1)


@pytest.fixture
def build(tmp_path: Path) -> Iterator[LedgerBuilder]:
    made = LedgerBuilder.make(tmp_path)
    yield made
    made.ledger.close()


def deed(build: LedgerBuilder, text: str = "1\n") -> NewEntry:
    """A change of a file by session "s", of which the ledger knows nothing."""
    return replace(build.write("a.txt", text).record, session_id="s")


def told(record: NewEntry, call: str, seconds: float = 0) -> ImportedEntry:
    """What a transcript says of this call, under its own id."""
    uid = f"{record.harness}:{record.session_id}:{call}"
    at = record.at + seconds * SECOND
    return ImportedEntry(replace(record, uid=uid, at=at, provenance=Provenance.IMPORTED), {})


def missing(build: LedgerBuilder, *calls: ImportedEntry, span: Span | None = None) -> list[str]:
    span = span or Span(build.clock() - timedelta(hours=1), build.clock() + timedelta(hours=1))
    return [
        one.entry.uid.rpartition(":")[2] for one in unreported(build.ledger, build.workspace, calls, span)
    ]


def recorded(build: LedgerBuilder, record: NewEntry, uid: str) -> None:
    appended(build.ledger, build.workspace.id, replace(record, uid=uid), contents={})


def test_a_hook_without_an_id_answers_for_the_nearest_call_and_for_no_other(build: LedgerBuilder) -> None:
    record = deed(build)
    recorded(build, record, "claude-code:spool:1")
    calls = [told(record, "c1", -30), told(record, "c2", 1), told(record, "c3", 60)]
    assert missing(build, *calls) == ["c1", "c3"]
    assert missing(build, told(record, "c4", 301)) == ["c4"], "too long after it"


def test_a_call_is_asked_for_in_its_time_alone(build: LedgerBuilder) -> None:
    record = deed(build)
    calls = [told(record, "c1", -1), told(record, "c2"), told(record, "c3", 1)]
    assert missing(build, *calls, span=Span(record.at, record.at)) == ["c2"]


def test_another_harness_that_told_of_the_session_answers_too(build: LedgerBuilder) -> None:
    record = deed(build)
    recorded(build, record, "cursor:s:other")
    assert missing(build, told(record, "c1")) == []


def test_a_call_that_changed_nothing_is_no_gap(build: LedgerBuilder) -> None:
    build.write("a.txt", "1\n")
    assert missing(build, told(deed(build), "c1")) == []


def test_a_call_without_an_id_or_time_counts_only_where_hooks_told_nothing(build: LedgerBuilder) -> None:
    record = deed(build)
    assert missing(build, told(record, "@t.1")) == ["@t.1"]
    recorded(build, replace(record, target_path=LedgerPath("b.txt")), "claude-code:s:c1")
    assert missing(build, told(record, "@t.1")) == []


def test_what_an_editor_told_that_ran_the_agent_is_told(build: LedgerBuilder) -> None:
    record = deed(build)
    recorded(build, replace(record, harness="acp", session_id="zed-1"), "acp:zed-1:c1")
    ran = replace(build.command("make").record, session_id="s")
    recorded(build, replace(ran, harness="acp", session_id="zed-1"), "acp:zed-1:c2")
    later = deed(build, "2\n")
    calls = (told(record, "c1"), told(ran, "c2"), told(ran, "c3"), told(later, "c4"))
    assert missing(build, *calls) == ["c3", "c4"]


def test_a_subagents_call_may_be_told_under_its_parents_session(build: LedgerBuilder) -> None:
    record = deed(build)
    recorded(build, record, "claude-code:s:c1")
    of_agent = replace(told(record, "c1").entry, uid="claude-code:s/a1:c1", session_id="a1")
    assert missing(build, ImportedEntry(of_agent, {})) == []
