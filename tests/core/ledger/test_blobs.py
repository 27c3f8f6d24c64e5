import pytest

from sulcus_panel.core.errors import LedgerCorrupt, NotFound
from sulcus_panel.core.ledger.store import Ledger
from tests.support.ledgers import sha


@pytest.mark.parametrize("data", [b"", b"\0", b"\xff\xfe", b"line\r\n" * 5000])
def test_bytes_come_back_as_they_were(ledger: Ledger, data: bytes) -> None:
    key = ledger.blobs.put(data)
    assert key == sha(data)
    assert ledger.blobs.get(key) == data


def test_the_same_bytes_are_kept_once(ledger: Ledger) -> None:
    ledger.blobs.put(b"same" * 100)
    size = ledger.blobs.total_bytes()
    ledger.blobs.put(b"same" * 100)
    assert ledger.blobs.total_bytes() == size > 0


def test_bytes_not_kept_are_not_found(ledger: Ledger) -> None:
    assert not ledger.blobs.has(sha(b"never"))
    with pytest.raises(NotFound):
        ledger.blobs.get(sha(b"never"))


@pytest.mark.parametrize(
    "damage", ["data = x'00'", "size = size + 1", "data = (SELECT data FROM snapshot WHERE size = 3)"]
)
def test_a_damaged_snapshot_is_never_given_out(ledger: Ledger, damage: str) -> None:
    key = ledger.blobs.put(b"true")
    ledger.blobs.put(b"lie")
    with ledger.write():
        ledger._db.run(f"UPDATE snapshot SET {damage} WHERE size = 4")
    with pytest.raises(LedgerCorrupt):
        ledger.blobs.get(key)
