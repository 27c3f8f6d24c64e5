from datetime import timedelta
from pathlib import Path

from sulcus_panel.core.ledger.activity import Activity
from sulcus_panel.core.ledger.sessions import SessionSeen
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import Origin, Workspace
from tests.support.clock import NOON
from tests.support.ledgers import change, record

MINUTE = timedelta(minutes=1)


def test_a_session_is_active_from_its_last_event_until_it_ends(ledger: Ledger, workspace: Workspace) -> None:
    ledger.touch_session(workspace.id, SessionSeen("codex", "a", NOON))
    ledger.touch_session(workspace.id, SessionSeen("codex", "b", NOON - MINUTE))
    ledger.touch_session(workspace.id, SessionSeen("codex", "c", NOON, activity=Activity.ENDED))
    assert ledger.active_sessions(workspace.id, NOON) == {"a"}
    assert ledger.active_sessions(workspace.id, NOON - MINUTE) == {"a", "b"}
    ledger.touch_session(workspace.id, SessionSeen("codex", "c", NOON + MINUTE))
    assert ledger.active_sessions(workspace.id, NOON) == {"a", "c"}


def test_a_session_that_waits_for_the_person_is_not_active_and_not_ended(
    ledger: Ledger, workspace: Workspace
) -> None:
    ledger.touch_session(workspace.id, SessionSeen("codex", "a", NOON, activity=Activity.RESTING))
    assert ledger.active_sessions(workspace.id, NOON) == set()
    assert not ledger.runs(workspace.id)[0].ended
    ledger.touch_session(workspace.id, SessionSeen("codex", "a", NOON + MINUTE))
    assert ledger.active_sessions(workspace.id, NOON) == {"a"}


def test_an_end_holds_in_every_workspace_and_for_every_subagent(
    ledger: Ledger, workspace: Workspace, tmp_path: Path
) -> None:
    other = ledger.add_workspace(str(tmp_path))
    ledger.touch_session(other.id, SessionSeen("codex", "a", NOON))
    ledger.touch_session(other.id, SessionSeen("codex", "helper", NOON, parent="a"))
    ledger.touch_session(other.id, SessionSeen("claude-code", "a", NOON))
    ledger.touch_session(workspace.id, SessionSeen("codex", "a", NOON, activity=Activity.RESTING))
    assert ledger.active_sessions(other.id, NOON) == {"helper", "a"}  # the other harness's session of that id
    ledger.touch_session(workspace.id, SessionSeen("codex", "a", NOON, activity=Activity.ENDED))
    ledger.touch_session(other.id, SessionSeen("claude-code", "a", NOON, activity=Activity.ENDED))
    assert ledger.active_sessions(other.id, NOON) == set()
    ledger.touch_session(other.id, SessionSeen("codex", "helper", NOON + MINUTE, parent="a"))
    assert ledger.active_sessions(other.id, NOON) == {"helper"}


def test_events_may_come_in_any_order(ledger: Ledger, workspace: Workspace) -> None:
    ledger.touch_session(workspace.id, SessionSeen("codex", "a", NOON, activity=Activity.ENDED, parent="p"))
    ledger.touch_session(workspace.id, SessionSeen("codex", "a", NOON - MINUTE, transcript="/t.jsonl"))
    (run,) = ledger.runs(workspace.id)
    assert (run.first, run.last, run.ended) == (NOON - MINUTE, NOON, True)
    assert (run.parent, run.transcript, run.turns) == ("p", "/t.jsonl", ())


def test_runs_have_their_turns_and_count_their_files_once(ledger: Ledger, workspace: Workspace) -> None:
    for number, (turn, path) in enumerate([("t1", "f"), ("t1", "g"), ("t1", "f"), ("t2", "f")]):
        ledger.append(
            workspace.id,
            record(
                f"{number}", change(path, b"a", b"b"), turn_id=turn, intent=turn, at=NOON + number * MINUTE
            ),
        )
    ledger.append(workspace.id, record("undo", change("f", b"b", b"a"), origin=Origin.UNDO))
    ledger.append(workspace.id, record("later", session_id="session-2", at=NOON + 9 * MINUTE))
    later, earlier = ledger.runs(workspace.id)
    assert (later.session_id, later.entries, later.files) == ("session-2", 1, 0)
    assert (earlier.entries, earlier.files, earlier.plus, earlier.minus) == (4, 2, 4, 4)
    assert [(turn.turn_id, turn.intent, turn.entries, turn.files) for turn in earlier.turns] == [
        ("t1", "t1", 3, 2),
        ("t2", "t2", 1, 1),
    ]
    assert earlier.turns[1].at == NOON + 3 * MINUTE
