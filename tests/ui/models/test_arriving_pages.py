"""Rows over a link: asked for once, the last looked at first, and shown until newer ones are here."""

from array import array
from datetime import UTC, datetime

from sulcus_panel.core.model import Entry
from sulcus_panel.ui.models.arriving_pages import MOST_ASKED, ArrivingPages
from sulcus_panel.ui.models.entry_pages import PAGE
from sulcus_panel.ui.models.ledger_row import LedgerRow, ledger_row
from tests.support.entries import make_entry

IDS = array("q", range(50_000, 0, -1))
NOW = datetime(2026, 1, 1, tzinfo=UTC)


def make_row(entry: Entry, undone_at: datetime | None) -> LedgerRow:
    return ledger_row(entry, NOW, undone_at)


class Reader:
    def __init__(self) -> None:
        self.wanted = 0
        self.pages = ArrivingPages(self.want, make_row)

    def want(self) -> None:
        self.wanted += 1

    def answer(self) -> tuple[int, ...]:
        asked = self.pages.next_wanted()
        self.pages.take(asked, [make_entry(seq_id=seq_id) for seq_id in asked], {})
        return asked


def test_a_row_is_blank_until_its_page_is_here() -> None:
    reader = Reader()
    assert reader.pages.row(IDS, 40) is None
    assert set(reader.answer()) == set(IDS[PAGE : 2 * PAGE])
    row = reader.pages.row(IDS, 40)
    assert row is not None
    assert row.seq_id == IDS[40]


def test_who_scrolls_through_all_rows_waits_for_the_last_only() -> None:
    reader = Reader()
    reader.pages.row(IDS, 0)
    first = reader.pages.next_wanted()
    for index in range(0, len(IDS), 7):
        assert reader.pages.row(IDS, index) is None or index < PAGE
    assert reader.pages.next_wanted() == ()
    reader.pages.take(first, [], {})
    last = reader.answer()
    assert len(last) == MOST_ASKED
    assert IDS[-1] in last
    assert reader.pages.next_wanted() == ()


def test_outdated_rows_stay_in_sight_and_are_asked_for_again() -> None:
    reader = Reader()
    reader.pages.row(IDS, 0)
    reader.answer()
    assert len(reader.pages.forget()) == PAGE
    wanted = reader.wanted
    assert reader.pages.row(IDS, 0) is not None
    assert reader.wanted == wanted + 1
    assert IDS[0] in reader.answer()
    assert reader.pages.row(IDS, 0) is not None
    assert reader.pages.next_wanted() == ()


def test_what_changes_while_it_is_read_is_read_again() -> None:
    reader = Reader()
    reader.pages.row(IDS, 0)
    reader.answer()
    reader.pages.forget()
    reader.pages.row(IDS, 0)
    asked = reader.pages.next_wanted()
    reader.pages.forget()
    reader.pages.take(asked, [make_entry(seq_id=seq_id) for seq_id in asked], {})
    reader.pages.row(IDS, 0)
    assert IDS[0] in reader.pages.next_wanted()


def test_without_an_answer_they_are_asked_for_when_looked_at_again() -> None:
    reader = Reader()
    reader.pages.row(IDS, 0)
    asked = reader.pages.next_wanted()
    reader.pages.lose(asked)
    assert reader.pages.next_wanted() == ()
    reader.pages.row(IDS, 0)
    assert IDS[0] in reader.pages.next_wanted()


def test_an_entry_that_is_no_longer_kept_is_blank_and_not_asked_for_again() -> None:
    reader = Reader()
    reader.pages.row(IDS, 0)
    reader.pages.take(reader.pages.next_wanted(), [], {})
    assert reader.pages.row(IDS, 0) is None
    assert reader.pages.next_wanted() == ()


def test_a_bar_is_on_every_row_that_is_here_and_goes_again() -> None:
    reader = Reader()
    assert reader.pages.rows((3,)) == ()
    reader.answer()
    [before] = reader.pages.rows((3,))
    reader.pages.bar("the link is broken")
    [barred] = reader.pages.rows((3,))
    assert not barred.undo.enabled
    reader.pages.bar("")
    assert reader.pages.rows((3,)) == (before,)
