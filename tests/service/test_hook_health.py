"""One source says of each harness when its hooks fired, what none of them told, and what to do about it."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from sulcus_panel.core.capture.fired import FIRED
from sulcus_panel.core.capture.silence import Silence, note_silence
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.service.hook_health import HookHealth, HooksHeard, hook_health, hooks_heard
from sulcus_panel.service.hooks import Hooks
from sulcus_panel.service.operations import Operations
from tests.support.ledger_builder import LedgerBuilder

NOW = datetime(2026, 5, 4, 14, 30, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


@pytest.fixture
def data_home(tmp_path: Path) -> DataHome:
    return DataHome(tmp_path / "data")


def silence(session: str, calls: int, heard: datetime | None, workspace: int = 1) -> Silence:
    return Silence(workspace, "claude-code", session, NOW - MINUTE, calls, heard)


def the(home: DataHome, heard: HooksHeard) -> HookHealth:
    (health,) = hook_health(home, heard)
    return health


def test_where_nothing_is_used_nothing_is_said(data_home: DataHome) -> None:
    assert hook_health(data_home, HooksHeard({})) == ()


def test_a_harness_that_fired_says_when(data_home: DataHome) -> None:
    health = the(data_home, HooksHeard({"claude-code": NOW}))
    assert (health.name, health.fired, health.warning(NOW)) == ("Claude Code", NOW, "")


def test_what_no_hook_told_is_counted_over_all_sessions_since_the_last_that_fired(
    data_home: DataHome,
) -> None:
    early, late = NOW - 28 * MINUTE, NOW - 5 * MINUTE
    health = the(data_home, HooksHeard({}, (silence("s-1", 2, late), silence("s-2", 1, early))))
    assert health.warning(NOW) == (
        "3 changes were found in its transcript that no hook reported since 14:02, and recorded from it."
    )
    assert health.warning(NOW + timedelta(days=1)).count("since 2026-05-04 14:02") == 1
    never = the(data_home, HooksHeard({}, (silence("s-1", 1, None), silence("s-2", 0, early))))
    assert never.warning(NOW).startswith(
        "1 change was found in its transcript that no hook reported, and recorded"
    )


def test_the_advice_is_to_install_what_is_missing_or_to_start_anew(data_home: DataHome) -> None:
    heard = HooksHeard({}, (silence("s-1", 1, None),))
    assert the(data_home, heard).advice == (
        "Run “sulcus-panel hooks install claude-code” in a terminal, then start Claude Code anew."
    )
    with Operations.open(data_home) as operations:
        hooks = Hooks(data_home, "claude-code")
        hooks.apply(hooks.install_plan(), operations, installing=True)
    assert "start Claude Code anew" in the(data_home, heard).advice
    assert "hooks install" not in the(data_home, heard).advice
    hooks.path.write_text("{", encoding="utf-8")
    assert the(data_home, heard).advice.startswith(the(data_home, heard).status.problem)


def test_a_workspace_hears_of_its_own_silences_and_of_every_hook(
    build: LedgerBuilder, operations: Operations
) -> None:
    own, other = silence("s-1", 1, None, build.workspace.id), silence("s-2", 1, None, 99)
    with operations.ledger.write():
        note_silence(operations.ledger, own)
        note_silence(operations.ledger, other)
        operations.ledger.put_pending(f"{FIRED}:codex", FIRED, NOW, b"")
    assert hooks_heard(operations, NOW, build.workspace.id) == HooksHeard({"codex": NOW}, (own,))
    assert hooks_heard(operations, NOW) == HooksHeard({"codex": NOW}, (own, other))
