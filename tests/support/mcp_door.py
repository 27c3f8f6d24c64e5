"""The program's MCP door, opened by the SDK's own client: a real process, a real ledger."""

import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp_types import Implementation

from tests.support.ledger_builder import LedgerBuilder
from tests.support.terminal import environment

SECONDS = 60.0


def parameters(build: LedgerBuilder, *words: str, cwd: Path | None = None) -> StdioServerParameters:
    """How a host starts the server for the builder's workspace."""
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "sulcus_panel", "mcp", *words],
        env=dict(environment(build.home.root)),
        cwd=cwd or build.root,
    )


@asynccontextmanager
async def connected(server: Any, *, name: str = "tester", **more: Any) -> AsyncIterator[Client]:
    """A client that has said hello."""
    info = Implementation(name=name, version="1")
    with anyio.fail_after(SECONDS):
        async with Client(server, client_info=info, read_timeout_seconds=SECONDS, **more) as client:
            yield client


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """Call a tool; its answer with `is_error` added."""
    result = await client.call_tool(tool, arguments)
    body: dict[str, Any] = result.structured_content
    return body | {"is_error": result.is_error}


def talk(server: Any, speech: Callable[[Client], Awaitable[None]], **more: Any) -> None:
    """Have one conversation with a server."""

    async def conversation() -> None:
        async with connected(server, **more) as client:
            await speech(client)

    anyio.run(conversation)
