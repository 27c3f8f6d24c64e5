from datetime import timedelta

from sulcus_panel.core.ledger.store import Ledger
from tests.support.clock import NOON


def test_a_piece_waits_until_it_is_dropped(ledger: Ledger) -> None:
    ledger.put_pending("b", "pre", NOON + timedelta(1), b"\0\xff")
    ledger.put_pending("a", "pre", NOON, b"first")
    ledger.put_pending("c", "turns", NOON, b"")
    ledger.put_pending("a", "pre", NOON, b"second")
    assert [(piece.key, piece.payload) for piece in ledger.pending("pre")] == [
        ("a", b"second"),
        ("b", b"\0\xff"),
    ]
    assert len(ledger.pending()) == 3
    ledger.drop_pending("a")
    ledger.drop_pending("a")
    assert [piece.key for piece in ledger.pending("pre")] == ["b"]
    assert ledger.pending("pre")[0].at == NOON + timedelta(1)
