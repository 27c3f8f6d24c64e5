"""The window says when hooks fired last, and warns in a banner as long as they are silent."""

import asyncio
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pytestqt.qtbot import QtBot

from sulcus_panel.core.capture.fired import FIRED
from sulcus_panel.core.capture.silence import Silence, note_silence
from sulcus_panel.service import silence_watch
from sulcus_panel.service.changes import Changes
from sulcus_panel.ui.views.painted_button import PaintedButton
from tests.support.claude_transcripts import Transcript

if TYPE_CHECKING:
    from tests.support.desk import Desk
    from tests.support.ledger_builder import LedgerBuilder

MINUTE = timedelta(minutes=1)


def fire(desk: "Desk", at: datetime, harness: str = "claude-code") -> None:
    desk.build.ledger.put_pending(f"{FIRED}:{harness}", FIRED, at, b"")
    hear(desk)


def fall_silent(desk: "Desk", newest: datetime, calls: int, heard: datetime | None = None) -> None:
    workspace_id = desk.build.workspace.id
    with desk.build.ledger.write():
        note_silence(desk.build.ledger, Silence(workspace_id, "claude-code", "s-1", newest, calls, heard))
    hear(desk)


def hear(desk: "Desk") -> None:
    desk.window.hook_news.follow(Changes(workspace_id=desk.build.workspace.id, hooks=True))
    desk.settle()


def test_the_status_line_says_which_hooks_fired_last_and_its_tooltip_of_each(desk: "Desk") -> None:
    status = desk.window.parts.status
    assert "hook" not in status.accessibleName()
    now = datetime.now(UTC)
    fire(desk, now)
    said = f"last hook: Claude Code {now:%H:%M}"
    assert said in status.accessibleName()
    fire(desk, now - 3 * 24 * 60 * MINUTE, "codex")
    fire(desk, now - 4 * 24 * 60 * MINUTE, "gemini")
    assert f"{said}, Codex " in status.accessibleName()
    assert "Gemini" not in status.accessibleName()
    told = status._hooks.accessibleDescription().split("\n")
    assert [line.partition(":")[0] for line in told] == ["Claude Code", "Codex", "Gemini CLI"]
    assert told[0] == f"Claude Code: a hook fired last today {now:%H:%M}"
    assert status._hooks.toolTip()


def test_silent_hooks_are_warned_of_until_they_fire_again(desk: "Desk") -> None:
    banner = desk.window.parts.silence
    assert banner.isHidden()
    newest = datetime.now(UTC)
    fall_silent(desk, newest, 3)
    assert banner.isVisible()
    assert banner.accessibleName() == (
        "Claude Code's hooks are silent: 3 changes were found in its transcript that no hook reported, and "
        "recorded from it. Run “sulcus-panel hooks install claude-code” in a terminal, then start Claude Code "
        "anew."
    )
    assert desk.window.parts.status._hooks.text() == "no hook has fired yet"
    fire(desk, newest + timedelta(seconds=1))
    assert banner.isHidden()


def test_a_dismissed_warning_comes_back_with_the_next_silence_only(desk: "Desk") -> None:
    banner = desk.window.parts.silence
    newest = datetime.now(UTC) - 9 * MINUTE
    fall_silent(desk, newest, 3)
    (button,) = banner.findChildren(PaintedButton)
    button.click()
    assert banner.isHidden()
    fall_silent(desk, newest + MINUTE, 1)
    assert banner.isHidden()
    fire(desk, newest + 2 * MINUTE)
    fall_silent(desk, newest + 3 * MINUTE, 1, newest + 2 * MINUTE)
    assert banner.isVisible()
    assert f"since {newest + 2 * MINUTE:%H:%M}" in banner.accessibleName()


def test_several_silent_harnesses_are_named_each(desk: "Desk") -> None:
    now = datetime.now(UTC)
    with desk.build.ledger.write():
        note_silence(desk.build.ledger, Silence(desk.build.workspace.id, "gemini", "g-1", now, 1, None))
    fall_silent(desk, now, 2)
    said = desk.window.parts.silence.accessibleName()
    assert said.startswith("Hooks are silent: Claude Code: 2 changes were found")
    assert "Gemini CLI: 1 change was found" in said


def test_another_workspaces_news_is_none_here(desk: "Desk") -> None:
    fall_silent(desk, datetime.now(UTC), 1)
    with desk.build.ledger.write():
        desk.build.ledger.put_pending(f"{FIRED}:claude-code", FIRED, datetime.now(UTC), b"")
    desk.window.hook_news.follow(Changes(workspace_id=99, hooks=True))
    desk.settle()
    assert desk.window.parts.silence.isVisible()


def test_a_live_window_finds_what_no_hook_told_and_warns(
    live_build: "LedgerBuilder",
    qt_loop: asyncio.AbstractEventLoop,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from tests.support.desk import open_desk

    for name in ("FIRST_SECONDS", "LOOK_SECONDS"):
        monkeypatch.setattr(silence_watch, name, 0.1)
    path = Path(os.environ["CLAUDE_CONFIG_DIR"]) / "projects" / "x" / "s-9.jsonl"
    with open_desk(live_build, qt_loop, qtbot, live=True) as desk:
        began = datetime.now(UTC) - 5 * MINUTE
        Transcript(path, session="s-9", cwd=str(live_build.root), start=began).bash("make dist")
        desk.until(desk.window.parts.silence.isVisible)
        desk.until(lambda: desk.window.model.rowCount() == len(desk.entries) + 1)
        assert "1 change was found in its transcript" in desk.window.parts.silence.accessibleName()
