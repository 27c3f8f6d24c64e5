"""Two threads as long as a window or a server is open: rules see what happens, and the calls they ask for are made.

They are two, so that an address which does not answer keeps no rule from its work.
"""

from collections.abc import Callable
from functools import partial

from sulcus_panel.service.bus import ChangeBus
from sulcus_panel.service.follower import Follower
from sulcus_panel.service.operations import Operations
from sulcus_panel.service.webhooks import Post, Webhooks, post_by_httpx

ROUND_SECONDS = 0.3


class RuleWatch(Follower):
    """`start()` once; `stop()` joins. `open_operations` gives it the bus on which it says what rules notify."""

    def __init__(
        self, open_operations: Callable[[], Operations], bus: ChangeBus, post: Post | None = None
    ) -> None:
        super().__init__("rules", open_operations, bus)
        self._calls = CallWatch(open_operations, bus, post)

    def start(self) -> None:
        """Begin to look, and to call."""
        super().start()
        self._calls.start()

    def stop(self) -> None:
        """End both threads."""
        self._calls.stopping.set()
        super().stop()
        self._calls.stop()

    def run_round(self, operations: Operations) -> None:
        """Look once, and rest."""
        operations.triggers.run()
        self.stopping.wait(ROUND_SECONDS)


class CallWatch(Follower):
    """Makes the calls whose time has come."""

    def __init__(self, open_operations: Callable[[], Operations], bus: ChangeBus, post: Post | None) -> None:
        super().__init__("calls", open_operations, bus)
        self._post = post or partial(post_by_httpx, is_over=self.stopping.is_set)

    def run_round(self, operations: Operations) -> None:
        """Call whoever waits, and rest."""
        Webhooks(operations.ledger, operations.clock, self._post).deliver(self.stopping.is_set)
        self.stopping.wait(ROUND_SECONDS)
