"""MCP over streamable HTTP, behind the checks of the HTTP door. The first request loads the SDK."""

import asyncio
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from sulcus_panel.core.access import Scope
from sulcus_panel.service.guards import Refused
from sulcus_panel.service.requests.guest import LetIn
from sulcus_panel.service.requests.lanes import Lanes, beside

if TYPE_CHECKING:
    from sulcus_panel.service.mcp.streaming import Streaming

PATH = "/mcp"
SCOPES = frozenset({Scope.READ, Scope.RECORD, Scope.UNDO})


class OverHttp:
    """See requests/guest.py."""

    path = PATH
    scopes = SCOPES

    def __init__(self) -> None:
        self._lanes: Lanes | None = None
        self._log = Path()
        self._starting = asyncio.Lock()
        self._streaming: Streaming | None = None

    def begin(self, lanes: Lanes, log: Path) -> None:
        """Take the threads that work, and where bugs are written down."""
        self._lanes, self._log = lanes, log

    async def answer(self, request: LetIn) -> None:
        """Hand a request to the SDK. Raises Refused where it is not installed."""
        async with self._starting:
            if self._streaming is None:
                self._streaming = await self._started()
        await self._streaming.answer(request)

    async def end(self) -> None:
        """End every session."""
        if self._streaming is not None:
            await self._streaming.end()
            self._streaming = None

    async def _started(self) -> "Streaming":
        if find_spec("mcp") is None or self._lanes is None:
            raise Refused(404, "mcp_not_installed", "MCP needs one more package", hint=INSTALL)
        await beside(_load)
        from sulcus_panel.service.mcp.streaming import Streaming

        return await Streaming.start(self._lanes, self._log)


INSTALL = 'pip install "sulcus-panel[mcp]"'


def _load() -> None:
    """Import the SDK beside the loop: it takes many frames."""
    import sulcus_panel.service.mcp.streaming  # noqa: F401
