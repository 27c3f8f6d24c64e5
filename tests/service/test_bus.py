"""Everyone who listens hears every Changes, and nobody after he has left."""

from collections.abc import Callable

from sulcus_panel.service.bus import ChangeBus
from sulcus_panel.service.changes import Changes

NEWS = Changes(notice="news")


def test_all_hear_in_the_order_in_which_they_came() -> None:
    bus, heard = ChangeBus(), list[tuple[str, Changes]]()
    bus.subscribe(lambda changes: heard.append(("first", changes)))
    bus.subscribe(lambda changes: heard.append(("second", changes)))
    bus.publish(NEWS)
    assert heard == [("first", NEWS), ("second", NEWS)]


def test_who_leaves_hears_no_more_and_may_leave_twice() -> None:
    bus, heard = ChangeBus(), list[Changes]()
    leave = bus.subscribe(heard.append)
    leave()
    leave()
    bus.publish(NEWS)
    assert heard == []


def test_who_leaves_while_he_is_told_keeps_the_news_from_nobody() -> None:
    bus, heard, ways_out = ChangeBus(), list[Changes](), list[Callable[[], None]]()
    ways_out.append(bus.subscribe(lambda _: ways_out[0]()))
    bus.subscribe(heard.append)
    bus.publish(NEWS)
    bus.publish(NEWS)
    assert heard == [NEWS, NEWS]


def test_who_comes_while_news_is_told_hears_the_next() -> None:
    bus, heard = ChangeBus(), list[Changes]()

    def come(_: Changes) -> None:
        leave()
        bus.subscribe(heard.append)

    leave = bus.subscribe(come)
    bus.publish(Changes(notice="old"))
    bus.publish(NEWS)
    assert heard == [NEWS]
