"""Who holds which key: asked of the ledger, and then taken as known for a blink.

A busy client would have the loop wait for the ledger at every request otherwise. A key that is revoked opens
nothing a hundredth of a second later.
"""

import time
from collections.abc import Callable

from sulcus_panel.core.access import Caller

FRESH_SECONDS = 0.01
MOST = 256


class Keys:
    """The keys that were right a moment ago; wrong ones are never remembered."""

    def __init__(
        self, ask: Callable[[str], Caller | None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._ask = ask
        self._clock = clock
        self._known: dict[str, tuple[Caller, float]] = {}

    def caller(self, key: str) -> Caller | None:
        """Say who holds this key; None where nobody does."""
        now = self._clock()
        known = self._known.get(key)
        if known is not None and now - known[1] < FRESH_SECONDS:
            return known[0]
        caller = self._ask(key)
        self._known.pop(key, None)
        if caller is not None:
            if len(self._known) >= MOST:
                self._known.clear()
            self._known[key] = (caller, now)
        return caller
