"""Packed or not, every version comes back exactly, and letting go of one never takes another along."""

import random
from itertools import pairwise

import pytest

from sulcus_panel.core.errors import LedgerCorrupt, NotFound
from sulcus_panel.core.ledger.packs import HIGHEST, release
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import Workspace
from tests.support.clock import FakeClock
from tests.support.ledgers import change, contents_of, record, sha


def versions(count: int, seed: int = 1, lines: int = 400) -> list[bytes]:
    """A file edited line by line."""
    rng = random.Random(seed)
    text = [b"value_%d = %d\n" % (number, rng.random() * 10**9) for number in range(lines)]
    found = [b"".join(text)]
    for number in range(count - 1):
        text[rng.randrange(len(text))] = b"changed_%d = %d\n" % (number, rng.random() * 10**9)
        found.append(b"".join(text))
    return found


def edit(ledger: Ledger, workspace: Workspace, path: str, texts: list[bytes]) -> None:
    with ledger.write():
        for number, (before, after) in enumerate(pairwise(texts)):
            entry = record(f"{path}-{ledger.newest_seq()}-{number}", change(path, before, after))
            ledger.append(workspace.id, entry, contents=contents_of(before, after))


def pack_all(ledger: Ledger, most: int = 64) -> int:
    made = 0
    while not (packed := ledger.blobs.pack(most)).is_done:
        made += packed.versions
    return made + packed.versions


def bases(ledger: Ledger) -> dict[bytes, bytes | None]:
    return dict(ledger._db.rows("SELECT sha256, base FROM snapshot"))


def test_every_version_comes_back_from_a_packed_store(ledger: Ledger, workspace: Workspace) -> None:
    texts = versions(100)
    edit(ledger, workspace, "a.py", texts)
    whole = ledger.blobs.total_bytes()
    assert pack_all(ledger) > 90
    assert ledger.blobs.total_bytes() < whole / 8
    assert [ledger.blobs.get(sha(text)) for text in texts] == texts


def test_the_newest_version_stays_whole_and_no_chain_is_longer_than_agreed(
    ledger: Ledger, workspace: Workspace
) -> None:
    texts = versions(3 * HIGHEST)
    edit(ledger, workspace, "a.py", texts)
    pack_all(ledger)
    told_by = bases(ledger)
    assert told_by[bytes.fromhex(sha(texts[-1]))] is None
    for digest in told_by:
        steps, asked = 0, told_by[digest]
        while asked is not None:
            steps, asked = steps + 1, told_by[asked]
        assert steps <= HIGHEST


def test_what_is_new_is_packed_by_a_later_round_alone(ledger: Ledger, workspace: Workspace) -> None:
    texts = versions(20)
    edit(ledger, workspace, "a.py", texts[:10])
    pack_all(ledger)
    assert pack_all(ledger) == 0
    edit(ledger, workspace, "a.py", texts[9:])
    assert pack_all(ledger) == 10
    assert [ledger.blobs.get(sha(text)) for text in texts] == texts


def test_a_file_that_goes_back_to_what_it_was_leads_to_no_circle(
    ledger: Ledger, workspace: Workspace
) -> None:
    one, two, three = versions(3)
    edit(ledger, workspace, "a.py", [one, two, one, three, two, one, two])
    pack_all(ledger)
    assert [ledger.blobs.get(sha(text)) for text in (one, two, three)] == [one, two, three]


def test_an_entry_of_many_files_is_looked_at_whole_though_it_is_more_than_a_round(
    ledger: Ledger, workspace: Workspace
) -> None:
    texts = [versions(2, seed) for seed in range(20)]
    changes = [change(f"f{number}", old, new) for number, (old, new) in enumerate(texts)]
    contents = contents_of(*(text for pair in texts for text in pair))
    ledger.append(workspace.id, record("many", *changes), contents=contents)
    assert pack_all(ledger, most=3) == 20


def test_incompressible_and_unlike_versions_stay_whole(ledger: Ledger, workspace: Workspace) -> None:
    rng = random.Random(5)
    edit(ledger, workspace, "a.bin", [rng.randbytes(5_000) for _ in range(4)])
    assert pack_all(ledger) == 0


def test_what_stands_on_a_version_outlives_it(ledger: Ledger, workspace: Workspace) -> None:
    texts = versions(40)
    edit(ledger, workspace, "a.py", texts)
    pack_all(ledger)
    rng = random.Random(7)
    left = list(texts)
    while left:
        going = rng.sample(left, min(3, len(left)))
        left = [text for text in left if text not in going]
        with ledger.write():
            assert release(ledger._db, [bytes.fromhex(sha(text)) for text in going]) == len(going)
        assert [ledger.blobs.get(sha(text)) for text in left] == left
        for text in going:
            with pytest.raises(NotFound):
                ledger.blobs.get(sha(text))


def test_retention_lets_go_of_packed_versions_without_harm(
    ledger: Ledger, workspace: Workspace, clock: FakeClock
) -> None:
    ledger.set_setting(workspace.id, "max_entries", 50)
    texts = versions(120)
    edit(ledger, workspace, "a.py", texts)
    pack_all(ledger)
    clock.advance(days=1)
    ledger.prune()
    assert not ledger.blobs.has(sha(texts[0]))
    assert [ledger.blobs.get(sha(text)) for text in texts[-51:]] == texts[-51:]


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE snapshot SET data = x'00' WHERE base IS NULL",
        "UPDATE snapshot SET data = x'00' WHERE base IS NOT NULL",
        "DELETE FROM snapshot WHERE base IS NULL",
        "UPDATE snapshot SET base = sha256 WHERE base IS NOT NULL",
    ],
)
def test_damage_below_is_told_and_never_given_as_contents(
    damage: str, ledger: Ledger, workspace: Workspace, clock: FakeClock
) -> None:
    texts = versions(10)
    edit(ledger, workspace, "a.py", texts)
    pack_all(ledger)
    with ledger.write():
        ledger._db.run(damage)
    with pytest.raises(LedgerCorrupt):
        ledger.blobs.get(sha(texts[0]))
    edit(ledger, workspace, "b.py", versions(3, seed=9))
    pack_all(ledger)
    clock.advance(days=100)
    ledger.prune()  # what is damaged hinders nobody
    assert ledger.newest_seq() > 0


def test_one_round_is_no_longer_than_asked(ledger: Ledger, workspace: Workspace) -> None:
    edit(ledger, workspace, "a.py", versions(100))
    packed = ledger.blobs.pack(10)
    assert (packed.versions, packed.is_done) == (10, False)
    assert packed.freed > 0
