"""When hooks fired last is known by harness, from one drain to the next, and never goes back."""

from datetime import UTC, datetime, timedelta

from sulcus_panel.core.capture.adapter import Ignored, Scene
from sulcus_panel.core.capture.fired import last_fired, note_fired
from sulcus_panel.core.capture.order import Waiting
from sulcus_panel.core.capture.recorder import Recorder
from sulcus_panel.core.ledger.store import Ledger
from tests.support.hooks import Run

NOW = datetime(2026, 1, 1, tzinfo=UTC)
HOUR = timedelta(hours=1)


def event(harness: str, at: datetime, caller: str = "", via: str = "") -> Waiting:
    return Waiting("1-1", (Ignored(Scene("1-1", at, harness, "s", "/w", caller=caller), "x"),), via=via)


def test_the_newest_of_each_counts_and_an_older_one_changes_nothing(ledger: Ledger) -> None:
    with ledger.write():
        note_fired(ledger, [event("codex", NOW), event("codex", NOW + HOUR), event("gemini", NOW)])
        note_fired(ledger, [event("codex", NOW - HOUR)])
    assert last_fired(ledger) == {"codex": NOW + HOUR, "gemini": NOW}


def test_anothers_hook_counts_for_whose_it_is_and_for_who_ran_it(ledger: Ledger) -> None:
    with ledger.write():
        note_fired(ledger, [event("cursor", NOW, via="claude-code")])
        note_fired(ledger, [event("claude-code", NOW, caller="copilot-cli", via="claude-code")])
    assert set(last_fired(ledger)) == {"cursor", "claude-code", "copilot-cli"}


def test_a_drain_keeps_it(run: Run, recorder: Recorder, ledger: Ledger) -> None:
    run.event("Notification")
    recorder.drain()
    assert set(last_fired(ledger)) == {"claude-code"}
