import random
from datetime import timedelta

from sulcus_panel.core.ledger.encoding import to_micros
from sulcus_panel.core.ledger.gaps import count_gap
from sulcus_panel.core.ledger.journal import JournalWrite, UndoJournal
from sulcus_panel.core.ledger.queries import LedgerQuery
from sulcus_panel.core.ledger.retention import Pruned
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import (
    PERSON,
    DriftKind,
    LedgerPath,
    Origin,
    SeqId,
    Undoability,
    Workspace,
)
from tests.support.clock import NOON, FakeClock
from tests.support.ledgers import appended, change, contents_of, record, sha, state


def fill(ledger: Ledger, workspace: Workspace, count: int, start: int = 0) -> None:
    with ledger.write():
        for number in range(start, start + count):
            before, after = f"{number} a".encode(), f"{number} b".encode()
            ledger.append(
                workspace.id,
                record(
                    f"{workspace.id}-{number}", change(f"f{number}", before, after), intent=f"turn {number}"
                ),
                contents=contents_of(before, after),
            )


def begin_undo(ledger: Ledger, workspace: Workspace) -> None:
    """Open the journal of an undo of the first entry."""
    undo = record("undo", origin=Origin.UNDO, reverses=SeqId(1))
    write = JournalWrite(LedgerPath("f0"), state(b"displaced"), state(b"0 a"), "")
    ledger.begin_undo(
        UndoJournal("op", workspace.id, "/nowhere", "d", (write,), (undo,)), contents_of(b"displaced", b"0 a")
    )


def set_store_bytes(ledger: Ledger, workspace: Workspace, most: int) -> None:
    """Less than a person may set, so that a test needs little."""
    with ledger.write():
        ledger._db.run("INSERT INTO setting VALUES (?, 'max_store_bytes', ?)", (workspace.id, str(most)))
        ledger.database.forget_known()


def kept_ids(ledger: Ledger, workspace: Workspace) -> list[int]:
    return list(ledger.find_ids(LedgerQuery(workspace_id=workspace.id, descending=False)))


def test_the_ring_is_trimmed_as_rows_accumulate_per_workspace(
    ledger: Ledger, workspace: Workspace, clock: FakeClock
) -> None:
    other = ledger.add_workspace(None, "other")
    ledger.set_setting(workspace.id, "max_entries", 50)
    fill(ledger, other, 30)
    fill(ledger, workspace, 100)
    clock.advance(days=1)
    fill(ledger, workspace, 28, start=100)
    assert kept_ids(ledger, workspace) == list(range(109, 159))
    assert kept_ids(ledger, other) == list(range(1, 31))
    assert not ledger.blobs.has(sha(b"77 a"))
    assert ledger.blobs.has(sha(b"78 a"))


def test_an_id_that_was_let_go_never_names_another_record(
    ledger: Ledger, workspace: Workspace, clock: FakeClock
) -> None:
    fill(ledger, workspace, 3)
    clock.advance(days=91)
    assert ledger.prune().entries == 3
    assert ledger.newest_seq() == 3
    assert appended(ledger, workspace.id, record("next")).seq_id == 4


def test_age_counts_from_the_day_of_recording(ledger: Ledger, workspace: Workspace, clock: FakeClock) -> None:
    ledger.append(workspace.id, record("imported", at=NOON - timedelta(days=1000)))
    clock.advance(days=89)
    ledger.append(workspace.id, record("today"))
    ledger.prune()
    assert ledger.entry_by_uid("imported") is not None
    clock.advance(days=2)
    ledger.prune()
    assert ledger.entry_by_uid("imported") is None
    assert ledger.entry_by_uid("today") is not None


def test_a_snapshot_stays_while_any_entry_names_it(
    ledger: Ledger, workspace: Workspace, clock: FakeClock
) -> None:
    ledger.append(workspace.id, record("old", change("f", b"a", b"b")), contents=contents_of(b"a", b"b"))
    clock.advance(days=60)
    ledger.append(workspace.id, record("new", change("f", b"b", b"c")), contents=contents_of(b"b", b"c"))
    clock.advance(days=60)
    assert ledger.prune().snapshots == 1
    assert [ledger.blobs.has(sha(data)) for data in (b"a", b"b", b"c")] == [False, True, True]


def test_bytes_that_nothing_names_go_after_an_hour(ledger: Ledger, clock: FakeClock) -> None:
    key = ledger.blobs.put(b"on its way")
    clock.advance(3_000)
    ledger.blobs.put(b"on its way")
    clock.advance(3_000)
    assert ledger.prune().snapshots == 0
    clock.advance(3_000)
    assert ledger.prune().snapshots == 1
    assert not ledger.blobs.has(key)


def test_nothing_that_an_open_undo_names_is_let_go(
    ledger: Ledger, workspace: Workspace, clock: FakeClock
) -> None:
    ledger.set_setting(workspace.id, "max_entries", 50)
    fill(ledger, workspace, 1)
    begin_undo(ledger, workspace)
    clock.advance(days=200)
    fill(ledger, workspace, 127, start=1)
    ledger.prune()
    assert kept_ids(ledger, workspace) == [1, *range(79, 129)]
    assert ledger.blobs.has(sha(b"displaced"))
    ledger.finish_undo("op")
    ledger.prune()
    assert kept_ids(ledger, workspace) == list(range(79, 129))
    assert not ledger.blobs.has(sha(b"displaced"))


def test_what_only_the_steps_of_an_open_undo_name_stays_for_its_redo(
    ledger: Ledger, workspace: Workspace, clock: FakeClock
) -> None:
    undo = record("undo", change("a", b"as it was", b"between two steps"), origin=Origin.UNDO)
    journal = UndoJournal("op", workspace.id, "/nowhere", "digest", (), (undo,))
    ledger.begin_undo(journal, contents_of(b"as it was", b"between two steps"))
    clock.advance(days=2)
    ledger.prune()
    assert ledger.blobs.get(sha(b"between two steps")) == b"between two steps"


def test_a_store_over_its_size_lets_the_oldest_bytes_go_and_says_so(
    ledger: Ledger, workspace: Workspace
) -> None:
    fill(ledger, workspace, 5)
    half = ledger.blobs.total_bytes() // 2
    set_store_bytes(ledger, workspace, half)
    ledger.prune()
    assert ledger.blobs.total_bytes() <= half
    assert ledger.blobs.has(sha(b"4 b"))
    oldest = ledger.entry(SeqId(1))
    assert (oldest.undoability, oldest.undo_reason) == (Undoability.NOT, "snapshot expired")
    assert ledger.entry(SeqId(5)).undoability is Undoability.FULLY


def test_a_store_holds_its_size_during_a_run(ledger: Ledger, workspace: Workspace) -> None:
    fill(ledger, workspace, 10)
    most = ledger.blobs.total_bytes()
    set_store_bytes(ledger, workspace, most)
    fill(ledger, workspace, 150, start=10)
    assert ledger.blobs.total_bytes() <= most * (10 + 64) // 10
    large = random.Random(4).randbytes(50_000)
    ledger.append(workspace.id, record("large", change("l", b"1", large)), contents=contents_of(b"1", large))
    assert ledger.blobs.total_bytes() <= most


def test_a_store_size_counts_what_this_workspace_alone_names(
    ledger: Ledger, workspace: Workspace, clock: FakeClock
) -> None:
    other = ledger.add_workspace(None, "other")
    fill(ledger, other, 5)
    for owner in (workspace, other):
        shared = record(f"shared-{owner.id}", change("shared", b"one", b"two"))
        ledger.append(owner.id, shared, contents=contents_of(b"one", b"two"))
    fill(ledger, workspace, 5, start=5)
    set_store_bytes(ledger, workspace, 1)
    clock.advance(3_601)

    assert ledger.prune().snapshots == 10

    assert not ledger.blobs.has(sha(b"9 b"))
    assert all(ledger.blobs.has(sha(data)) for data in (b"0 a", b"4 b", b"one", b"two"))


def test_a_store_over_its_size_keeps_what_an_open_undo_names(
    ledger: Ledger, workspace: Workspace, clock: FakeClock
) -> None:
    fill(ledger, workspace, 2)
    set_store_bytes(ledger, workspace, 1)
    begin_undo(ledger, workspace)
    clock.advance(3_601)
    ledger.prune()
    assert [ledger.blobs.has(sha(data)) for data in (b"0 a", b"0 b", b"1 a")] == [True, False, False]


def test_while_a_journal_cannot_be_read_nothing_it_might_name_goes(
    ledger: Ledger, workspace: Workspace, clock: FakeClock
) -> None:
    fill(ledger, workspace, 2)
    ledger.set_setting(workspace.id, "max_age_days", 1)
    ledger.put_pending("half", "pre", NOON, b"")
    begin_undo(ledger, workspace)
    with ledger.write():
        ledger._db.run("UPDATE undo_journal SET body = 'torn'")
    clock.advance(days=31)

    assert ledger.prune() == Pruned()
    assert kept_ids(ledger, workspace) == [1, 2]
    assert ledger.blobs.has(sha(b"displaced"))
    assert ledger.pending() == ()

    assert ledger.prune().entries == 2, "after a month it no longer holds anything up"


def test_a_prune_is_due_once_a_day_for_all_processes_together(
    ledger: Ledger, workspace: Workspace, clock: FakeClock
) -> None:
    fill(ledger, workspace, 1)
    ledger.set_setting(workspace.id, "max_age_days", 1)
    clock.advance(days=1.5)
    ledger.prune_if_due()
    assert kept_ids(ledger, workspace) == []
    fill(ledger, workspace, 1, start=1)
    clock.advance(days=0.5)
    with Ledger.open(ledger.home, clock=clock) as other:
        other.prune_if_due()
        assert kept_ids(ledger, workspace) == [2]
        clock.advance(days=1)
        other.prune_if_due()
    assert kept_ids(ledger, workspace) == []


def test_a_prune_for_which_the_ledger_is_busy_is_put_off(ledger: Ledger, workspace: Workspace) -> None:
    fill(ledger, workspace, 1)
    with Ledger.open(ledger.home, busy_ms=10) as other, ledger.write():
        other.prune_if_due()


def test_governance_has_its_own_number_and_age(ledger: Ledger, clock: FakeClock) -> None:
    ledger.record_governance(None, PERSON, "old", "")
    clock.advance(days=91)
    with ledger.write():
        for _ in range(5_001):
            ledger.record_governance(None, PERSON, "new", "")
    assert ledger.prune().governance == 2
    assert len(ledger.governance(None, limit=9_999)) == 5_000


def test_leftovers_of_entries_go_with_them(ledger: Ledger, workspace: Workspace, clock: FakeClock) -> None:
    fill(ledger, workspace, 1)
    ledger.set_drift(workspace.id, {LedgerPath("f0"): DriftKind.CHANGED})
    ledger.put_pending("half", "pre", NOON, b"")
    with ledger.write():
        count_gap(ledger._db, workspace.id, to_micros(NOON), "recording was off", 1)
    clock.advance(days=91)
    ledger.prune()
    assert ledger.drift(workspace.id) == {}
    assert ledger.pending() == ()
    assert ledger.gaps(workspace.id) == ()
    for table in ("entry", "change", "source", "mark", "intent", "snapshot"):
        assert ledger._db.number(f"SELECT count(*) FROM {table}") == 0
