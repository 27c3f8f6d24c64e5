"""What HTTP lets in for another protocol, at a path of its own, checked as every request is."""

from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from sulcus_panel.core.access import Caller
from sulcus_panel.core.access import Scope as Right
from sulcus_panel.service.requests.lanes import Lanes

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class LetIn:
    """A request that may be seen: who comes, and the whole body, None where none belongs."""

    caller: Caller
    body: bytes | None
    scope: Scope
    receive: Receive
    send: Send


class Guest(Protocol):
    """The application of another protocol. Use it on one loop."""

    @property
    def path(self) -> str:
        """Where it is found."""

    @property
    def scopes(self) -> frozenset[Right]:
        """Of these a token needs one to be let in."""

    def begin(self, lanes: Lanes, log: Path) -> None:
        """Take the threads that work, and where bugs are written down."""

    async def answer(self, request: LetIn) -> None:
        """Answer one request. Raises SulcusError."""

    async def end(self) -> None:
        """Let nobody wait any longer."""
