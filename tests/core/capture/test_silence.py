"""A silence is kept until hooks fire again; where others fired all the while, for some time."""

from datetime import UTC, datetime, timedelta

from sulcus_panel.core.capture.silence import Silence, note_silence, silences, standing_silences
from sulcus_panel.core.ledger.store import Ledger

NOW = datetime(2026, 5, 4, 9, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def silence(minutes: int, calls: int, heard: datetime | None = None, *, alone: bool = False) -> Silence:
    return Silence(1, "claude-code", "s-1", NOW + minutes * MINUTE, calls, heard, alone)


def test_one_silence_counts_on_and_the_next_begins_anew(ledger: Ledger) -> None:
    with ledger.write():
        note_silence(ledger, silence(0, 2))
        note_silence(ledger, silence(1, 3))
    assert silences(ledger) == (silence(1, 5),)
    with ledger.write():
        note_silence(ledger, silence(9, 1, NOW + 5 * MINUTE))
    assert silences(ledger) == (silence(9, 1, NOW + 5 * MINUTE),)


def test_a_silence_beside_others_that_fire_is_another_one_and_goes_on_for_some_time(ledger: Ledger) -> None:
    for minutes, calls in ((0, 3), (1, 1), (5, 1), (60, 2)):
        with ledger.write():
            note_silence(ledger, silence(minutes, calls, alone=minutes > 0))
        (now,) = silences(ledger)
        assert now.calls == {0: 3, 1: 1, 5: 2, 60: 2}[minutes]


def test_a_hook_that_fires_later_ends_it(ledger: Ledger) -> None:
    with ledger.write():
        note_silence(ledger, silence(0, 2))
    assert standing_silences(ledger, {}, NOW + 999 * MINUTE) == (silence(0, 2),)
    assert standing_silences(ledger, {"claude-code": NOW - MINUTE}, NOW) == (silence(0, 2),)
    assert standing_silences(ledger, {"codex": NOW + MINUTE}, NOW) == (silence(0, 2),)
    assert standing_silences(ledger, {"claude-code": NOW + MINUTE}, NOW) == ()


def test_hooks_that_fired_all_the_while_prove_nothing_but_time_does() -> None:
    alone = silence(0, 2, alone=True)
    assert not alone.is_over(NOW + MINUTE, NOW + 2 * MINUTE)
    assert alone.is_over(NOW + MINUTE, NOW + 16 * MINUTE)
