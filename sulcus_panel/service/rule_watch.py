"""A thread that lets the rules see what happens and makes their calls, as long as a window or a server is open."""

from collections.abc import Callable

from sulcus_panel.service.bus import ChangeBus
from sulcus_panel.service.follower import Follower
from sulcus_panel.service.operations import Operations
from sulcus_panel.service.webhooks import Post, Webhooks, post_by_httpx

ROUND_SECONDS = 0.3


class RuleWatch(Follower):
    """`start()` once; `stop()` joins. `open_operations` gives it the bus on which it says what rules notify."""

    def __init__(
        self, open_operations: Callable[[], Operations], bus: ChangeBus, post: Post = post_by_httpx
    ) -> None:
        super().__init__("rules", open_operations, bus)
        self._post = post

    def run_round(self, operations: Operations) -> None:
        """Look once, and rest."""
        operations.triggers.run()
        Webhooks(operations.ledger, operations.clock, self._post).deliver()
        self.stopping.wait(ROUND_SECONDS)
