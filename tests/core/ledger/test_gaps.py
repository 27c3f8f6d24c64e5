"""A gap is as wide as what is missing in one go, and never more. See test_recording.py too."""

from datetime import timedelta

from sulcus_panel.core.ledger.encoding import to_micros
from sulcus_panel.core.ledger.gaps import Gap, count_gap, read_gaps
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import Workspace
from tests.support.clock import NOON, FakeClock


def count(ledger: Ledger, workspace: Workspace, second: int, reason: str = "off", events: int = 1) -> None:
    with ledger.write():
        at = to_micros(NOON + timedelta(seconds=second))
        count_gap(ledger._db, workspace.id, at, reason, events)


def gap(reason: str, first: int, last: int, events: int) -> Gap:
    return Gap(reason, NOON + timedelta(seconds=first), NOON + timedelta(seconds=last), events)


def test_events_in_any_order_widen_one_gap(ledger: Ledger, workspace: Workspace) -> None:
    for second, events in ((10, 1), (30, 2), (5, 4)):
        count(ledger, workspace, second, events=events)
    assert read_gaps(ledger._db, workspace.id) == (gap("off", 5, 30, 7),)


def test_another_reason_is_another_gap_and_ends_the_one_before(ledger: Ledger, workspace: Workspace) -> None:
    for second, reason in enumerate(("off", "full", "off")):
        count(ledger, workspace, second, reason)
    assert ledger.gaps(workspace.id) == (gap("off", 0, 0, 1), gap("full", 1, 1, 1), gap("off", 2, 2, 1))


def test_a_gap_belongs_to_one_workspace(ledger: Ledger, workspace: Workspace) -> None:
    other = ledger.add_workspace(None, "other")
    count(ledger, workspace, 0)
    count(ledger, other, 1)
    count(ledger, workspace, 2)
    assert ledger.gaps(workspace.id) == (gap("off", 0, 2, 2),)
    assert ledger.gaps(other.id) == (gap("off", 1, 1, 1),)


def test_a_long_reason_still_widens_its_own_gap(
    ledger: Ledger, workspace: Workspace, clock: FakeClock
) -> None:
    for _ in range(2):
        count(ledger, workspace, 0, "x" * 9_999)
        clock.advance(1)
    (found,) = ledger.gaps(workspace.id)
    assert (len(found.reason), found.events) == (500, 2)
