"""Tells whoever waits for a hold that the person has decided; looks only while somebody waits."""

from collections.abc import Awaitable, Callable
from functools import partial

import anyio

from sulcus_panel.core.errors import NotFound, SulcusError
from sulcus_panel.core.holds import HoldState
from sulcus_panel.service.operations import Operations
from sulcus_panel.service.requests.lanes import Lane

LOOK_SECONDS = 0.5
MOST = 1000
"""So many are watched at once; whoever asks for more asks again later."""


class Decisions:
    """The holds waited for. Use it on the loop's thread; `run` ends when it is cancelled."""

    def __init__(self, lane: Lane, tell: Callable[[int], Awaitable[None]]) -> None:
        self._lane = lane
        self._tell = tell
        self._waiting: set[int] = set()
        self._something = anyio.Event()

    def watch(self, hold_id: int) -> None:
        """Tell once it is decided; at once where it was."""
        if len(self._waiting) < MOST:
            self._waiting.add(hold_id)
            self._something.set()

    async def run(self) -> None:
        """Look until there is no more need to."""
        while True:
            await self._something.wait()
            for hold_id in await self._decided():
                self._waiting.discard(hold_id)
                await self._tell(hold_id)
            if self._waiting:
                await anyio.sleep(LOOK_SECONDS)
            else:
                self._something = anyio.Event()

    async def _decided(self) -> tuple[int, ...]:
        try:
            return await self._lane.do(partial(_decided, tuple(sorted(self._waiting))))
        except SulcusError:  # busy, say: the next look finds it
            return ()


def _decided(hold_ids: tuple[int, ...], operations: Operations) -> tuple[int, ...]:
    return tuple(hold_id for hold_id in hold_ids if not _waits(hold_id, operations))


def _waits(hold_id: int, operations: Operations) -> bool:
    try:
        return operations.holds.get(hold_id).state is HoldState.WAITING
    except NotFound:
        return False
