"""A bounded part of the fuzzing that benchmarks/http.py does at length."""

import sys

import pytest

from sulcus_panel.service.requests.lanes import READERS
from tests.support.fuzz_http import Fuzz, size_of
from tests.support.http_door import Door

NUMBER = 1_000


@pytest.mark.skipif(sys.platform != "linux", reason="a process's size is read from /proc")
def test_whatever_is_sent_is_answered_and_nothing_grows(door: Door, key: str) -> None:
    fuzz = Fuzz(door, key, seed=1)
    fuzz.run(NUMBER)
    threads, memory = size_of(door.process.pid)
    fuzz.run(NUMBER)
    assert size_of(door.process.pid)[0] <= threads + READERS
    assert size_of(door.process.pid)[1] - memory < 20 * 1024
    assert fuzz.counts["answered 201"]
    assert fuzz.counts["answered 400"]
    assert fuzz.counts["ended without an answer"] < NUMBER / 10, fuzz.counts
    assert not door.home.log.exists()
    assert door.process.poll() is None
