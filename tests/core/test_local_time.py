import time
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from sulcus_panel.core.local_time import local_time


@pytest.fixture(params=["UTC", "Pacific/Auckland", "America/Los_Angeles"])
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    name: str = request.param
    with monkeypatch.context() as changed:
        changed.setenv("TZ", name)
        time.tzset()
        yield name
    time.tzset()


@pytest.mark.usefixtures("zone")
@pytest.mark.parametrize(
    "at",
    [datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC), datetime(1969, 12, 31, tzinfo=UTC)],
)
def test_the_first_and_the_last_moment_have_a_time_everywhere(at: datetime) -> None:
    assert local_time(at) == at
    assert local_time(at).strftime("%H:%M:%S")


def test_a_moment_of_our_days_is_shown_by_the_clock_here(zone: str) -> None:
    hours = {"UTC": 12, "Pacific/Auckland": 1, "America/Los_Angeles": 4}
    assert local_time(datetime(2026, 11, 30, 12, tzinfo=UTC)).hour == hours[zone]
