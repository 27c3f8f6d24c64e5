"""The window's own HTTP door: on the window's loop, told where it cannot be had, gone with the window."""

import asyncio
import threading
from pathlib import Path

import httpx

from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.service.http import runtime
from sulcus_panel.ui.serving import Serving
from tests.support.http_door import LEDGER, an_edit, make_key


def record(home: DataHome, port: int, number: int) -> list[int]:
    headers = {"authorization": f"Bearer {make_key(home)}"}
    with httpx.Client(
        base_url=f"http://127.0.0.1:{port}", headers=headers, timeout=60, trust_env=False
    ) as client:
        return [client.post(f"{LEDGER}/record", json=an_edit()).status_code for _ in range(number)]


async def begun(serving: Serving, loop: asyncio.AbstractEventLoop) -> int:
    serving.begin(loop, lambda: True)
    while serving.port is None:
        await asyncio.sleep(0.02)
    return serving.port


def test_agents_come_in_through_the_windows_loop(qt_loop: asyncio.AbstractEventLoop, tmp_path: Path) -> None:
    home, errors = DataHome(tmp_path / "home"), list[BaseException]()
    before = set(threading.enumerate())
    serving = Serving(home, print, errors.append)

    async def run() -> list[int]:
        port = await begun(serving, qt_loop)
        agent = asyncio.Event()
        found: list[int] = []

        def work() -> None:
            found.extend(record(home, port, 20))
            qt_loop.call_soon_threadsafe(agent.set)

        thread = threading.Thread(target=work)
        thread.start()
        await agent.wait()
        thread.join()
        told = runtime.read(home)
        assert told is not None
        assert told.port == port
        await serving.end()
        return found

    assert qt_loop.run_until_complete(run()) == [201] * 20
    assert errors == []
    assert runtime.read(home) is None
    assert not set(threading.enumerate()) - before


def test_a_ledger_that_cannot_be_served_is_a_note_and_no_crash(
    qt_loop: asyncio.AbstractEventLoop, tmp_path: Path
) -> None:
    (tmp_path / "home").write_text("no folder")
    notes, errors = list[str](), list[BaseException]()
    serving = Serving(DataHome(tmp_path / "home"), notes.append, errors.append)

    async def run() -> None:
        serving.begin(qt_loop, lambda: True)
        while not notes:
            await asyncio.sleep(0.02)
        await serving.end()

    qt_loop.run_until_complete(run())
    assert "cannot come over HTTP" in notes[0]
    assert (serving.port, errors) == (None, [])


def test_a_window_that_closes_before_it_serves_leaves_nothing(
    qt_loop: asyncio.AbstractEventLoop, tmp_path: Path
) -> None:
    serving = Serving(DataHome(tmp_path / "home"), print, print)

    async def run() -> None:
        serving.begin(qt_loop, lambda: False)
        await asyncio.sleep(0)
        await serving.end()
        await Serving(DataHome(tmp_path / "home"), print, print).end()

    qt_loop.run_until_complete(run())
    assert serving.port is None
