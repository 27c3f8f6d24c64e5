from collections.abc import Iterator
from pathlib import Path

import pytest

from sulcus_panel.core.errors import NotFound
from sulcus_panel.core.model import SeqId
from sulcus_panel.core.undo.model import UndoRequest
from sulcus_panel.service.operations import Operations
from sulcus_panel.ui.models.entry_details import load_details
from sulcus_panel.ui.models.verdict import verdict
from tests.support.ledger_builder import LedgerBuilder


@pytest.fixture
def build(tmp_path: Path) -> Iterator[LedgerBuilder]:
    builder = LedgerBuilder.make(tmp_path)
    builder.session()
    builder.turn("Harden it")
    yield builder
    builder.ledger.close()


@pytest.fixture
def operations(build: LedgerBuilder) -> Iterator[Operations]:
    with Operations.open(build.home, clock=build.clock) as opened:
        yield opened


def test_details_name_later_changes_and_readers(build: LedgerBuilder, operations: Operations) -> None:
    first = build.write("a.txt", "one\ntwo\nthree\n")
    later = build.write("a.txt", "one\ntwo\nthree\nfour\n")
    build.reads("a.txt")
    reader = build.write("b.txt", "x\n")
    details = load_details(operations, first.seq_id)
    assert [entry.seq_id for entry in details.later] == [later.seq_id]
    assert [entry.seq_id for entry in details.readers] == [reader.seq_id]


def test_the_verdict_on_a_clean_change_tells_what_will_happen(
    build: LedgerBuilder, operations: Operations
) -> None:
    build.write("a.txt", "one\ntwo\nthree\n")
    edit = build.write("a.txt", "one\n2\nthree\n")
    build.write("a.txt", "one\n2\nthree\nfour\n")
    said = verdict(load_details(operations, edit.seq_id))
    assert said.title == "Can be undone fully."
    assert said.text
    assert said.is_good
    assert said.button.enabled


def test_the_verdict_names_who_stands_in_the_way(build: LedgerBuilder, operations: Operations) -> None:
    build.write("a.txt", "one\n")
    edit = build.write("a.txt", "two\n")
    later = build.write("a.txt", "three\n")
    said = verdict(load_details(operations, edit.seq_id))
    assert not said.is_good
    assert f"#{later.seq_id}" in said.text


def test_an_undone_change_needs_no_plan(build: LedgerBuilder, operations: Operations) -> None:
    edit = build.write("a.txt", "one\n")
    operations.apply(operations.plan(UndoRequest((edit.seq_id,))))
    details = load_details(operations, edit.seq_id)
    assert details.plan is None
    said = verdict(details)
    assert (said.title, said.button.is_redo) == ("Undone.", True)


def test_an_unknown_entry_is_named(operations: Operations) -> None:
    with pytest.raises(NotFound):
        load_details(operations, SeqId(99))
