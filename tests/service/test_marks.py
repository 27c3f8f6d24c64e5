"""Pins, labels and looks by hand: told on governance once, and nothing done for nothing."""

import pytest

from sulcus_panel.core.errors import BadRequest, NotFound
from sulcus_panel.core.model import SeqId
from sulcus_panel.core.triggers import Rule, TriggerAction
from sulcus_panel.service.changes import Changes
from sulcus_panel.service.operations import Operations
from tests.support.ledger_builder import LedgerBuilder


def kinds(operations: Operations) -> list[str]:
    return [record.kind for record in operations.governance(None, kind_prefix="mark.")]


def test_a_pin_is_put_taken_and_told_once(operations: Operations, build: LedgerBuilder) -> None:
    heard: list[Changes] = []
    seq_id = build.write("a.txt", "1\n").seq_id
    operations.bus.subscribe(heard.append)
    for pinned in (True, True, False):
        operations.marks.pin([seq_id], pinned=pinned)
        assert ("pin" in operations.entry(seq_id).marks) is pinned
    assert kinds(operations) == ["mark.unpinned", "mark.pinned"]
    assert [change.touched for change in heard] == [(seq_id,), (seq_id,)]


def test_labels_are_added_and_taken_away_together(operations: Operations, build: LedgerBuilder) -> None:
    first, second = (build.write(name, "1\n").seq_id for name in ("a.txt", "b.txt"))
    operations.marks.label([first, second], [" review ", "later"])
    operations.marks.label([first], ["done"], ["review", "unknown"])
    assert operations.entry(first).labels == ("done", "later")
    assert operations.entry(second).labels == ("later", "review")
    newest = operations.governance(None, kind_prefix="mark.")[0]
    assert (newest.kind, newest.summary) == (
        "mark.labelled",
        f"Labels +done, -review, -unknown: #{first}",
    )


@pytest.mark.parametrize("word", ["", "  ", "x" * 61, "a\nb", "a\u202eb"])
def test_a_word_that_is_none_is_refused_and_nothing_changes(
    operations: Operations, build: LedgerBuilder, word: str
) -> None:
    seq_id = build.write("a.txt", "1\n").seq_id
    with pytest.raises(BadRequest) as refused:
        operations.marks.label([seq_id], ["good", word])
    assert refused.value.field == "label"
    assert operations.entry(seq_id).marks == ()


def test_what_a_rule_asks_to_be_looked_at_ends_with_the_look(
    operations: Operations, build: LedgerBuilder
) -> None:
    operations.triggers.add(None, Rule("Careful", "entry.recorded", TriggerAction.HOLD))
    seq_id = build.write("a.txt", "1\n").seq_id
    operations.triggers.run()
    assert operations.entry(seq_id).looks == ("Careful",)
    operations.marks.looked([seq_id])
    assert operations.entry(seq_id).looks == ()
    assert kinds(operations) == ["mark.looked"]


def test_of_entries_that_are_not_all_there_none_is_marked(
    operations: Operations, build: LedgerBuilder
) -> None:
    seq_id = build.write("a.txt", "1\n").seq_id
    with pytest.raises(NotFound, match="#77"):
        operations.marks.pin([seq_id, SeqId(77)], pinned=True)
    assert operations.entry(seq_id).marks == ()
