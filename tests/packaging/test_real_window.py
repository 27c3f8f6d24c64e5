"""On a real X server, Xvfb: the preflight tells the truth, and a window opens, is pressed and goes."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sulcus_panel.ui.preflight import System, check

ROOT = Path(__file__).resolve().parents[2]
BAD_WORDS = ("QObject::", "QThread: Destroyed", "Traceback", "Fatal")
pytestmark = [
    pytest.mark.real_window,
    pytest.mark.skipif(not shutil.which("Xvfb"), reason="Xvfb is not installed"),
    pytest.mark.skipif(
        bool(check(System.here({"QT_QPA_PLATFORM": "xcb"})).missing), reason="no X11 libraries"
    ),
]


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    """The name of an X server of our own; the server itself says when it is ready."""
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x800x24", "-nolisten", "tcp"],
        pass_fds=[writing],
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    with os.fdopen(reading) as said:
        number = said.readline().strip()
    yield f":{number}"
    server.terminate()
    server.wait(timeout=10)


def on(display: str, *command: str) -> "subprocess.CompletedProcess[str]":
    environ = {key: value for key, value in os.environ.items() if key != "QT_QPA_PLATFORM"}
    return subprocess.run(
        [sys.executable, *command],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env=environ | {"DISPLAY": display},
        timeout=60,
    )


def test_the_preflight_sees_the_display(display: str) -> None:
    found = check(System.here({"DISPLAY": display}))
    assert (found.platform, found.ok, found.note) == ("xcb", True, "")


def test_the_window_opens_and_an_undo_by_its_buttons_reaches_the_disk(display: str) -> None:
    done = on(display, "-m", "tests.support.press_undo")
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "xcb True"
    assert not [word for word in BAD_WORDS if word in done.stderr], done.stderr
