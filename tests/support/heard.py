"""Waiting for what a bus says, by condition and never by time alone."""

import threading
from collections.abc import Callable

from sulcus_panel.service.bus import ChangeBus
from sulcus_panel.service.changes import Changes


class Heard:
    """Keeps every Changes of a bus; `wait` returns once one of them fits."""

    def __init__(self, bus: ChangeBus) -> None:
        self._condition = threading.Condition()
        self.all: list[Changes] = []
        bus.subscribe(self._hear)

    def _hear(self, changes: Changes) -> None:
        with self._condition:
            self.all.append(changes)
            self._condition.notify_all()

    def wait(self, fits: Callable[[Changes], bool], seconds: float = 10.0) -> bool:
        """Say whether some Changes fits, now or within so many seconds."""
        with self._condition:
            return self._condition.wait_for(lambda: any(map(fits, self.all)), seconds)


def until(condition: Callable[[], bool]) -> bool:
    """Ask again until it is so, for ten seconds at most."""
    pause = threading.Event()
    return any(condition() or pause.wait(0.01) for _ in range(1_000))
