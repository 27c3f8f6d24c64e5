"""The program's MCP door, opened by the SDK's own client: a real process, a real ledger."""

import json
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Protocol

import anyio
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp_types import Implementation

from sulcus_panel.core.ledger.home import DataHome
from tests.support.ledger_builder import LedgerBuilder
from tests.support.terminal import environment

SECONDS = 60.0


class Of(Protocol):
    """A ledger and the folder that it is about."""

    @property
    def home(self) -> DataHome: ...
    @property
    def root(self) -> Path: ...


def parameters(build: Of, *words: str, cwd: Path | None = None) -> StdioServerParameters:
    """How a host starts the server for a workspace."""
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


class RawServer:
    """The server without the SDK's client: lines that no client would send, and an end that no client expects."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self.process = process
        self._last = 0

    def sends(self, line: bytes) -> None:
        """Send one line as it is."""
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def asks(self, method: str, **words: Any) -> dict[str, Any]:
        """Ask, and return the answer to exactly that."""
        self._last += 1
        message = {"jsonrpc": "2.0", "id": self._last, "method": method, "params": words}
        self.sends(json.dumps(message).encode())
        return self.hears(self._last)

    def hears(self, number: int) -> dict[str, Any]:
        """The answer with this number; what comes before it is passed over. EOFError where the server has gone."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            answer: dict[str, Any] = json.loads(line)
            if answer.get("id") == number:
                return answer
        raise EOFError

    def greets(self) -> None:
        """Shake hands as the older protocol does."""
        info = {"name": "raw", "version": "1"}
        self.asks("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=info)
        self.sends(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}')

    def calls(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool; its answer."""
        answer = self.asks("tools/call", name=tool, arguments=arguments)
        found: dict[str, Any] = answer["result"]["structuredContent"]
        return found


@contextmanager
def raw_server(build: LedgerBuilder, *words: str) -> Iterator[RawServer]:
    """A server that is spoken to by lines; it ends when its stdin does."""
    command = [sys.executable, "-m", "sulcus_panel", "mcp", *words]
    with subprocess.Popen(
        command,
        cwd=build.root,
        env=environment(build.home.root),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        try:
            yield RawServer(process)
        finally:
            try:
                process.communicate(timeout=SECONDS)
            except (BrokenPipeError, ValueError):
                process.wait()
