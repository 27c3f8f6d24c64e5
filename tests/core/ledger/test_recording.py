from datetime import timedelta

import pytest

from sulcus_panel.core.errors import BadRequest, NotFound
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import FileKind, FileState, Hunk, Origin, Undoability, Workspace
from tests.support.clock import NOON, FakeClock
from tests.support.ledgers import appended, change, contents_of, record, sha

A, B = b"one\ntwo\n", b"one\n2\n"
HUNK = Hunk(1, 1, 1, 1, b"two\n", b"2\n")


def test_the_same_uid_again_gives_the_first_row_and_writes_nothing(
    ledger: Ledger, workspace: Workspace
) -> None:
    first = appended(ledger, workspace.id, record("uid", change("f", A, B)), contents=contents_of(A, B))
    again = appended(ledger, workspace.id, record("uid", summary="another"), contents=contents_of(b"new"))
    assert again == first
    assert ledger.newest_seq() == first.seq_id
    assert not ledger.blobs.has(sha(b"new"))


def test_both_sides_are_kept_and_the_hunks_need_no_text(ledger: Ledger, workspace: Workspace) -> None:
    entry = appended(ledger, workspace.id, record("uid", change("f", A, B, HUNK)), contents=contents_of(A, B))
    (stored,) = entry.record.changes
    assert stored.before.kept
    assert stored.after.kept
    assert stored.hunks == (Hunk(1, 1, 1, 1),)
    assert ledger.blobs.get(sha(A)) == A
    assert ledger.blobs.get(sha(B)) == B


def test_over_the_cap_hash_size_and_hunk_text_stay(ledger: Ledger, workspace: Workspace) -> None:
    ledger.set_setting(workspace.id, "max_snapshot_bytes", 4096)
    large = b"x" * 5000
    entry = appended(
        ledger, workspace.id, record("uid", change("f", large, B, HUNK)), contents=contents_of(large, B)
    )
    (stored,) = entry.record.changes
    assert (stored.before.kept, stored.before.size_bytes) == (False, 5000)
    assert stored.before.reason == "larger than 4,096 bytes"
    assert stored.hunks == (Hunk(1, 1, 1, 1, b"two\n", None),)
    assert not ledger.blobs.has(sha(large))
    assert entry.undoability is Undoability.PARTLY


def test_an_undo_keeps_its_bytes_whatever_the_settings(ledger: Ledger, workspace: Workspace) -> None:
    ledger.set_setting(workspace.id, "max_snapshot_bytes", 4096)
    ledger.set_setting(workspace.id, "retain_file_snapshots", False)
    ledger.set_setting(workspace.id, "enabled", False)
    large = b"x" * 5000
    undo = record("uid", change("f", large, B), origin=Origin.UNDO)
    assert appended(ledger, workspace.id, undo, contents=contents_of(large, B)).seq_id == 1
    assert ledger.blobs.get(sha(large)) == large


def test_without_snapshots_positions_stay_and_text_goes(ledger: Ledger, workspace: Workspace) -> None:
    ledger.set_setting(workspace.id, "retain_file_snapshots", False)
    entry = appended(ledger, workspace.id, record("uid", change("f", A, B, HUNK)), contents=contents_of(A, B))
    (stored,) = entry.record.changes
    assert stored.before == FileState(
        FileKind.FILE, sha(A), len(A), 0o644, False, "snapshots are switched off"
    )
    assert stored.hunks == (Hunk(1, 1, 1, 1),)
    assert (entry.undoability, entry.undo_reason) == (Undoability.NOT, "snapshots are switched off")
    assert ledger.blobs.total_bytes() == 0


def test_a_reason_that_the_recorder_gave_stays(ledger: Ledger, workspace: Workspace) -> None:
    withheld = FileState(FileKind.FILE, sha(A), len(A), None, reason="excluded: .env")
    given = change(".env", None, B)
    entry = appended(ledger, workspace.id, record("uid", type(given)(given.path, withheld, withheld)))
    assert entry.record.changes[0].before == withheld
    assert (entry.undoability, entry.undo_reason) == (Undoability.NOT, "may hold a secret")


def test_contents_of_a_file_outside_are_not_kept(ledger: Ledger, workspace: Workspace) -> None:
    entry = appended(ledger, workspace.id, record("uid", change("/etc/x", A, B)), contents=contents_of(A, B))
    assert ledger.blobs.total_bytes() == 0
    assert (entry.undoability, entry.undo_reason) == (Undoability.NOT, "outside the workspace")


def test_contents_under_a_wrong_hash_are_refused_whole(ledger: Ledger, workspace: Workspace) -> None:
    with pytest.raises(BadRequest):
        ledger.append(workspace.id, record("uid", change("f", A, B)), contents={sha(A): b"other"})
    assert ledger.newest_seq() == 0


def test_a_path_twice_in_one_entry_is_refused(ledger: Ledger, workspace: Workspace) -> None:
    with pytest.raises(BadRequest):
        ledger.append(workspace.id, record("uid", change("f", A, B), change("f", B, A)))


def test_an_unknown_workspace_is_not_found(ledger: Ledger) -> None:
    with pytest.raises(NotFound):
        ledger.append(7, record("uid"))
    assert ledger.newest_seq() == 0


def test_recording_that_is_off_records_nothing_and_shows_a_gap(
    ledger: Ledger, workspace: Workspace, clock: FakeClock
) -> None:
    ledger.set_setting(workspace.id, "enabled", False)
    for uid in ("one", "two"):
        clock.advance(60)
        assert ledger.append(workspace.id, record(uid), contents=contents_of(A)) is None
    assert ledger.newest_seq() == 0
    assert ledger.entry_by_uid("one") is None
    (gap,) = ledger.gaps(workspace.id)
    assert (gap.reason, gap.events) == ("recording was off", 2)
    assert (gap.first, gap.last) == (NOON + timedelta(seconds=60), NOON + timedelta(seconds=120))


def test_a_gap_ends_where_recording_goes_on(ledger: Ledger, workspace: Workspace, clock: FakeClock) -> None:
    for enabled, uids in ((False, "abc"), (True, "d"), (False, "e")):
        ledger.set_setting(workspace.id, "enabled", enabled)
        for uid in uids:
            clock.advance(1)
            ledger.append(workspace.id, record(uid))
    assert [gap.events for gap in ledger.gaps(workspace.id)] == [3, 1]
