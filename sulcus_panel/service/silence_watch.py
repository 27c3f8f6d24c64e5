"""A thread that notices silent hooks while the window is open, fills the gap, and says when they fire again."""

import os
import time
from collections.abc import Callable, Mapping
from datetime import datetime

from sulcus_panel.core.model import Workspace
from sulcus_panel.service.bus import ChangeBus
from sulcus_panel.service.changes import Changes
from sulcus_panel.service.follower import Follower
from sulcus_panel.service.hook_health import HooksHeard, hooks_heard
from sulcus_panel.service.operations import Operations, utc_now
from sulcus_panel.service.silence_look import SilenceLook

FIRST_SECONDS = 1.0
LOOK_SECONDS = 10.0
REST = 20
"""A look that took long is followed by a rest that is so many times longer."""


class SilenceWatch(Follower):
    """Keeps one workspace's ledger whole where hooks are silent. `start()` once; `stop()` joins."""

    def __init__(
        self,
        open_operations: Callable[[], Operations],
        workspace: Workspace,
        bus: ChangeBus,
        environment: Mapping[str, str] = os.environ,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        super().__init__("silence-watch", open_operations, bus)
        self._bus = bus
        self._workspace = workspace
        self._environment = environment
        self._clock = clock
        self._pause = FIRST_SECONDS
        self._heard: HooksHeard | None = None
        self._look = SilenceLook(workspace, environment, clock)

    def begin(self, _operations: Operations) -> None:
        """Another ledger may not have what the one before had."""
        self._look = SilenceLook(self._workspace, self._environment, self._clock)
        self._heard = None

    def run_round(self, operations: Operations) -> None:
        """Look once, and say so where hooks fired, fell silent or were heard again."""
        if self.stopping.wait(self._pause):
            return
        began = time.monotonic()
        try:
            self._look.look(operations)
        finally:
            self._pause = max(LOOK_SECONDS, REST * (time.monotonic() - began))
        heard = hooks_heard(operations, self._clock(), self._workspace.id)
        if heard != self._heard:
            self._heard = heard
            self._bus.publish(Changes(workspace_id=self._workspace.id, hooks=True))
