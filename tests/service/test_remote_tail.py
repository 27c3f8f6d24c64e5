"""What happens there is heard here; a link that comes back brings what was missed, and what was owed."""

import queue
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from sulcus_panel.core.undo.model import Outcome, UndoRequest
from sulcus_panel.service.bus import ChangeBus
from sulcus_panel.service.changes import Changes
from sulcus_panel.service.link import Link
from sulcus_panel.service.remote import RemoteOperations
from sulcus_panel.service.remote_tail import RemoteTail, _event, _is_id, _new_entry
from tests.support.clock import FakeClock
from tests.support.far_link import a_link
from tests.support.far_machine import Wire, far_machine
from tests.support.ledger_builder import LedgerBuilder

SECONDS = 20


@pytest.fixture
def build(tmp_path: Path) -> Iterator[LedgerBuilder]:
    """A story that happens now, so that nothing of it is too old to be kept."""
    build = LedgerBuilder.make(tmp_path, FakeClock(datetime.now(UTC)))
    yield build
    build.ledger.close()


class Listening:
    def __init__(self, build: LedgerBuilder, link: Link, wire: Wire) -> None:
        self.link, self.wire, self.bus = link, wire, ChangeBus()
        self._told: queue.Queue[Changes] = queue.Queue()
        self.bus.subscribe(self._told.put)
        self.tail = RemoteTail(link, build.workspace, self.bus)

    def until(self, wanted: Callable[[Changes], object]) -> Changes:
        while True:
            changes = self._told.get(timeout=SECONDS)
            if wanted(changes):
                return changes


@contextmanager
def listening(build: LedgerBuilder) -> Iterator[Listening]:
    with far_machine(build.home) as (_, port):
        wire = Wire(port)
        link = a_link(build.home, wire.port)
        one = Listening(build, link, wire)
        one.tail.start()
        try:
            one.until(lambda changes: changes.touched is None)
            yield one
        finally:
            link.close()
            one.tail.stop()
            wire.close()


def test_rows_of_others_are_told_by_their_ids(build: LedgerBuilder) -> None:
    with listening(build) as one:
        entry = build.write("a", "1\n")
        assert one.until(lambda changes: changes.new_entries).new_entries == (entry.seq_id,)


def test_after_a_cut_everything_is_read_anew_and_events_go_on(build: LedgerBuilder) -> None:
    with listening(build) as one:
        heard = build.write("a", "0\n")
        one.until(lambda changes: heard.seq_id in changes.new_entries)
        one.wire.cut()
        with RemoteOperations(one.link, one.bus) as far:
            while not one.link.state.broken:
                one.tail.stopping.wait(0.01)
            missed = build.write("a", "1\n")
            one.wire.mend()
            one.until(lambda changes: missed.seq_id in changes.new_entries)
            assert far.entry(missed.seq_id) == build.ledger.entry(missed.seq_id)


def test_a_yes_that_reached_nobody_is_told_as_not_carried_out(build: LedgerBuilder) -> None:
    entry = build.write("a", "1\n")
    with listening(build) as one:
        with RemoteOperations(one.link, one.bus) as far:
            plan = far.plan(UndoRequest((entry.seq_id,)))
            one.wire.swallow = True
            result = far.apply(plan)
        assert result.outcome is Outcome.APPLIED_UNCONFIRMED
        one.wire.swallow = False
        one.wire.mend()
        told = one.until(lambda changes: changes.notice).notice
        assert told.endswith("answers again: what you said yes to for #1 was not carried out.")
        assert not one.link.owed
    assert (build.root / "a").read_text() == "1\n"


def test_an_event_is_read_line_by_line() -> None:
    event = _event(b'id: 4\nevent: entry.recorded\ndata: {"seq_id": 7}')
    assert (event["id"], _new_entry(event)) == ("4", 7)
    assert _event(b": still here") == {}
    assert _new_entry(_event(b"event: gap\ndata: {}")) == 0


def test_an_event_of_a_liar_names_no_entry_and_no_place_to_go_on_from() -> None:
    for number in ("true", "-1", "1e3", str(2**63)):
        assert _new_entry(_event(b'event: entry.recorded\ndata: {"seq_id": %s}' % number.encode())) == 0
    assert [_is_id(text) for text in ("17", "", "1\r2", "\u0661", "9" * 20)] == [True, *([False] * 4)]
