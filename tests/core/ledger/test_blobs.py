from itertools import pairwise

import pytest

from sulcus_panel.core.errors import LedgerCorrupt, NotFound
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import Workspace
from tests.support.ledgers import appended, change, contents_of, record, sha


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


def test_bytes_in_hand_take_the_place_of_a_damaged_snapshot_and_what_stands_on_it_is_whole_again(
    ledger: Ledger, workspace: Workspace
) -> None:
    versions = [b"".join(b"line %d\n" % n for n in range(200)) + b"%d\n" % each for each in range(3)]
    for number, (old, new) in enumerate(pairwise(versions)):
        appended(
            ledger, workspace.id, record(f"{number}", change("a", old, new)), contents=contents_of(old, new)
        )
    assert ledger.blobs.pack().versions == 2
    newest = sha(versions[-1])
    with ledger.write():
        ledger._db.run("UPDATE snapshot SET data = x'00' WHERE sha256 = ?", (bytes.fromhex(newest),))
    with pytest.raises(LedgerCorrupt):
        ledger.blobs.get(sha(versions[0]))
    with ledger.write():
        ledger.blobs.mend(newest, versions[-1])
        ledger.blobs.mend(sha(versions[1]), versions[1])
    assert [ledger.blobs.get(sha(data)) for data in versions] == versions
