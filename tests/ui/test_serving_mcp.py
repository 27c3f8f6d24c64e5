"""MCP through an open window: on the window's loop, behind its HTTP door, gone with the window."""

import asyncio
import threading
from pathlib import Path

import anyio
import httpx2
from mcp.client.streamable_http import streamable_http_client

from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.ui.serving import Serving
from tests.support.http_door import make_key
from tests.support.mcp_door import call, connected

RECORD = {
    "namespace": "payments-rails",
    "action_type": "run_command",
    "harness": "own",
    "command": "make",
    "exit_code": 0,
}


async def conversation(home: DataHome, port: int) -> list[str]:
    headers = {"Authorization": f"Bearer {make_key(home, 'bot')}"}
    async with httpx2.AsyncClient(headers=headers, trust_env=False, timeout=60) as http:
        transport = streamable_http_client(f"http://127.0.0.1:{port}/mcp", http_client=http)
        async with connected(transport) as client:
            await call(client, "record_activity", **RECORD)
            listed = await call(client, "list_activity_ledger", namespace="payments-rails")
    return [entry["actor"] for entry in listed["entries"]]


def test_an_agent_speaks_mcp_with_an_open_window(qt_loop: asyncio.AbstractEventLoop, tmp_path: Path) -> None:
    home, errors, found = DataHome(tmp_path / "home"), list[BaseException](), list[str]()
    before = set(threading.enumerate())
    serving = Serving(home, print, errors.append)

    async def run() -> None:
        serving.begin(qt_loop, lambda: True)
        while serving.port is None:
            await asyncio.sleep(0.02)
        port, done = serving.port, asyncio.Event()

        def work() -> None:
            found.extend(anyio.run(conversation, home, port))
            qt_loop.call_soon_threadsafe(done.set)

        thread = threading.Thread(target=work)
        thread.start()
        await done.wait()
        thread.join()
        await serving.end()

    qt_loop.run_until_complete(run())
    assert (found, errors) == (["bot"], [])
    assert not set(threading.enumerate()) - before
