"""MCP on stdin and stdout: one client, one process. Ends when the client closes its side."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

import anyio
from mcp.server.stdio import stdio_server

from sulcus_panel.core.access import Caller, Scope
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.model import Actor, ActorKind
from sulcus_panel.core.safety import plain
from sulcus_panel.service.mcp.calls import Calls
from sulcus_panel.service.mcp.holds import Context
from sulcus_panel.service.mcp.server import Door
from sulcus_panel.service.operations import Operations
from sulcus_panel.service.requests.lanes import Lanes

SCOPES = frozenset({Scope.READ, Scope.RECORD, Scope.UNDO})
NAME_LIMIT = 100


@dataclass(frozen=True, slots=True)
class Client:
    """Who is at the other end: the name given to us when we were started, else the one that the client gives."""

    actor: str | None

    def caller(self, context: Context) -> Caller:
        """Return who asks: an agent, whatever it is called."""
        return Caller(Actor(self.actor or client_name(context), ActorKind.AGENT), SCOPES)


def client_name(context: Context) -> str:
    """Return what the client calls itself, with a mark: it is no harness's name by accident."""
    params = context.session.client_params
    said = "" if params is None else plain(params.client_info.name, NAME_LIMIT).strip()
    return f"mcp:{said}" if said else "mcp"


def serve(home: DataHome, folder: Path, actor: str | None) -> None:
    """Serve until stdin ends."""
    lanes = Lanes(partial(Operations.open, home))
    try:
        anyio.run(_serve, Door(Calls(lanes, folder), Client(actor).caller, home.log))
    finally:
        lanes.close()


async def _serve(door: Door) -> None:
    server = door.server()
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())
