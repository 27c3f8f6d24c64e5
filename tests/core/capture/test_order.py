"""A session's events in the order in which they happened, whatever was done to the clock."""

from datetime import UTC, datetime, timedelta

from sulcus_panel.core.capture.adapter import Ignored, Scene
from sulcus_panel.core.capture.order import Waiting, in_order

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


def event(name: str, clock: int, uptime: int | None, session: str = "s") -> Waiting:
    scene = Scene(name, NOON + timedelta(seconds=clock), "claude-code", session, "/w")
    up = None if uptime is None else timedelta(seconds=uptime)
    return Waiting(name, (Ignored(scene, "x"),), up)


def names(*batch: Waiting) -> str:
    return "".join(one.name for one in in_order(batch))


def test_a_clock_that_goes_forward_decides() -> None:
    assert names(event("a", 1, 901), event("b", 2, 902), event("c", 3600, 903)) == "abc"


def test_where_the_clock_was_set_back_the_uptime_decides() -> None:
    assert (
        names(event("c", 1, 1003), event("d", 2, 1004), event("a", 60, 1001), event("b", 61, 1002)) == "abcd"
    )


def test_after_a_restart_of_the_machine_the_clock_decides() -> None:
    assert names(event("a", 1, 90_000), event("b", 600, 20), event("c", 700, 120)) == "abc"


def test_other_sessions_and_events_without_an_uptime_keep_their_places() -> None:
    batch = (
        event("b", 1, 1002),
        event("x", 2, 5, "other"),
        event("y", 3, None),
        event("a", 60, 1001),
    )
    assert names(*batch) == "axyb"
