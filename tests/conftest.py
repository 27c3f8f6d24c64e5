"""What every test stands on: a home of its own, one locale and time zone, no screen, nothing left on it.

The environment is set while this file is imported, which pytest does before pytest-qt imports Qt. Qt
objects are collected on the GUI thread only (collection elsewhere can crash it), and a process has one loop.
"""

import asyncio
import gc
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication, QWidget

FIXED = {"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
IDENTITY = {"NAME": "Tess Ter", "EMAIL": "tess@example.org"}
FOREIGN = (
    "LANGUAGE",
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_CONFIG_GLOBAL",
    "CLAUDE_PROJECT_DIR",
)

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.update(FIXED)
if hasattr(time, "tzset"):
    time.tzset()

settings.register_profile("sulcus", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("sulcus")


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home for this test and its child processes; the person's own is never read or written."""
    root = tmp_path_factory.mktemp("home")
    places = {
        "HOME": root,
        "USERPROFILE": root,
        "APPDATA": root / "AppData",
        "LOCALAPPDATA": root / "AppData",
        "XDG_CONFIG_HOME": root / ".config",
        "XDG_CACHE_HOME": root / ".cache",
        "XDG_DATA_HOME": root / ".local/share",
        "XDG_STATE_HOME": root / ".local/state",
        "SULCUS_HOME": root / "sulcus",
        "CLAUDE_CONFIG_DIR": root / ".claude",
    }
    for name, place in places.items():
        monkeypatch.setenv(name, str(place))
    for role in ("AUTHOR", "COMMITTER"):
        for part, value in IDENTITY.items():
            monkeypatch.setenv(f"GIT_{role}_{part}", value)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    for name in FOREIGN:
        monkeypatch.delenv(name, raising=False)
    return root


@pytest.fixture(autouse=True)
def _nothing_left_on_screen() -> Iterator[None]:
    """Fail a test that leaves a dialog or menu open, and collect its Qt objects here, on the GUI thread."""
    yield
    app = running_app()
    if app is None:
        return
    left = visible_windows(app)
    for window in left:
        window.close()
    named = [f"{type(window).__name__} {window.objectName() or window.windowTitle()!r}" for window in left]
    left.clear()
    gc.collect()
    assert not named, f"left on the screen: {', '.join(named)}"


def running_app() -> "QApplication | None":
    """The QApplication, when a test has made one. Never imports Qt itself."""
    widgets = sys.modules.get("PySide6.QtWidgets")
    return None if widgets is None else widgets.QApplication.instance()


def visible_windows(app: "QApplication") -> "list[QWidget]":
    from PySide6.QtWidgets import QDialog, QMenu

    return [w for w in app.topLevelWidgets() if isinstance(w, QDialog | QMenu) and w.isVisible()]


@pytest.fixture(scope="session")
def qapp(qapp: "QApplication") -> "QApplication":
    """pytest-qt's application, collected by hand and not ended by its last window."""
    from PySide6.QtCore import QStandardPaths

    QStandardPaths.setTestModeEnabled(True)
    qapp.setQuitOnLastWindowClosed(False)
    gc.collect()
    gc.freeze()
    gc.disable()
    return qapp


@pytest.fixture(scope="session")
def qt_loop(qapp: "QApplication") -> Iterator[asyncio.AbstractEventLoop]:
    """The one asyncio loop on top of Qt; drive coroutines by `qt_loop.run_until_complete(...)`."""
    import qasync

    loop = qasync.QEventLoop(qapp)
    asyncio.set_event_loop(loop)
    yield loop
    asyncio.set_event_loop(None)
    loop.close()
