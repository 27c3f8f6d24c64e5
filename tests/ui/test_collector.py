"""Garbage goes, on the GUI thread; and the window is not held up by a look at everything each time."""

import gc
import weakref
from collections.abc import Iterator

import pytest

from sulcus_panel.ui.collector import ALL_EVERY, Collector


class Ring:
    """Something that only a collection can let go of."""

    def __init__(self) -> None:
        self.me = self


@pytest.fixture
def collector() -> Iterator[Collector]:
    collector = Collector()
    yield collector
    collector.stop()
    gc.freeze()  # as the tests' own application leaves it
    gc.disable()


@pytest.mark.usefixtures("qtbot")
def test_python_collects_nothing_by_itself_until_it_is_stopped(collector: Collector) -> None:
    assert not gc.isenabled()
    collector.stop()
    assert gc.isenabled()


@pytest.mark.usefixtures("qtbot")
def test_what_stands_with_the_window_is_looked_at_once(collector: Collector) -> None:
    collector.collect()
    assert gc.get_freeze_count() > 10_000
    assert len(gc.get_objects()) < gc.get_freeze_count()


@pytest.mark.usefixtures("qtbot")
def test_young_garbage_goes_at_once_and_old_garbage_in_time(collector: Collector) -> None:
    collector.collect()
    young, old = weakref.ref(Ring()), Ring()
    collector.collect()
    assert young() is None
    collector.collect()
    gone = weakref.ref(old)
    del old
    for _ in range(ALL_EVERY):
        collector.collect()
    assert gone() is None
