"""A following thread outlives every trouble of the ledger, tells it once, and ends at once when it is asked to."""

import threading
import time
from collections.abc import Callable, Iterator

import pytest

from sulcus_panel.core.errors import LedgerBusy, LedgerCorrupt, LedgerFull, SulcusError
from sulcus_panel.service import follower
from sulcus_panel.service.bus import ChangeBus
from sulcus_panel.service.changes import Changes
from sulcus_panel.service.follower import Follower
from sulcus_panel.service.operations import Operations
from tests.support.heard import Heard
from tests.support.ledger_builder import LedgerBuilder

TROUBLES = [LedgerBusy("Busy"), LedgerFull("Full"), LedgerCorrupt("Torn"), OSError(5, "Input/output error")]


class Troubled(Follower):
    """Meets a trouble three times, then says that all is well until the next one."""

    def __init__(self, opened: Callable[[], Operations], bus: ChangeBus, trouble: Exception) -> None:
        super().__init__("troubled", opened, bus)
        self._rounds = iter([trouble, trouble, trouble, None, trouble, trouble])
        self._bus = bus

    def run_round(self, operations: Operations) -> None:
        trouble = next(self._rounds, None)
        if trouble is not None:
            raise trouble
        self._bus.publish(Changes(workspace_id=operations.ledger.newest_seq()))
        self.stopping.wait(0.01)


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follower, "RETRY_SECONDS", 0.01)


@pytest.fixture
def bus() -> ChangeBus:
    return ChangeBus()


def notices(heard: Heard) -> list[str]:
    return [changes.notice for changes in heard.all if changes.notice]


@pytest.mark.parametrize("trouble", TROUBLES)
def test_each_stretch_of_trouble_is_told_once_and_ends(
    build: LedgerBuilder, bus: ChangeBus, trouble: Exception
) -> None:
    heard = Heard(bus)
    following = Troubled(lambda: Operations.open(build.home, clock=build.clock), bus, trouble)
    following.start()
    assert heard.wait(lambda _: [changes.workspace_id for changes in heard.all].count(0) >= 3)
    following.stop()
    words = str(trouble) if isinstance(trouble, SulcusError) else "Input/output error"
    assert notices(heard) == [f"{words}. It is tried again until it succeeds."] * 2


def test_a_ledger_that_cannot_be_opened_is_opened_later(build: LedgerBuilder, bus: ChangeBus) -> None:
    heard = Heard(bus)
    refusals: Iterator[SulcusError] = iter([LedgerBusy("Busy"), LedgerFull("Full")])

    def opened() -> Operations:
        for refusal in refusals:
            raise refusal
        return Operations.open(build.home, clock=build.clock)

    following = Troubled(opened, bus, LedgerBusy("Busy"))
    following.start()
    assert heard.wait(lambda changes: changes.workspace_id == 0)
    following.stop()
    assert notices(heard)[0] == "Busy. It is tried again until it succeeds."
    assert not any("Full" in notice for notice in notices(heard))


def test_it_ends_at_once_in_the_midst_of_trouble(
    build: LedgerBuilder, bus: ChangeBus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follower, "RETRY_SECONDS", 600.0)
    heard = Heard(bus)
    following = Troubled(lambda: Operations.open(build.home, clock=build.clock), bus, LedgerBusy("Busy"))
    following.start()
    assert heard.wait(lambda changes: bool(changes.notice))
    began = time.monotonic()
    following.stop()
    assert time.monotonic() - began < 1.0


def test_a_thread_that_ends_by_a_mistake_of_ours_says_so(
    build: LedgerBuilder, bus: ChangeBus, monkeypatch: pytest.MonkeyPatch
) -> None:
    reported: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", reported.append)
    heard = Heard(bus)
    following = Troubled(lambda: Operations.open(build.home, clock=build.clock), bus, ZeroDivisionError())
    following.start()
    assert heard.wait(lambda changes: "open the window again" in changes.notice)
    following.stop()
    assert [args.exc_type for args in reported] == [ZeroDivisionError]
