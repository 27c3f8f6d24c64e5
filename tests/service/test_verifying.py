"""A sound ledger is found sound, each kind of damage is found, and a repair loses no byte that can be read."""

import sqlite3
import zlib

import pytest

from sulcus_panel.core.errors import SulcusError
from sulcus_panel.core.ledger.encoding import encode_sha
from sulcus_panel.core.model import EntryState, SeqId
from sulcus_panel.core.triggers import Rule, TriggerAction
from sulcus_panel.core.undo.model import UndoRequest
from sulcus_panel.service.operations import LedgerQuery, Operations
from sulcus_panel.service.verifying import Verified
from tests.support.ledger_builder import LedgerBuilder
from tests.support.ledgers import sha

LINES = [sha(b"%d" % n) for n in range(80)]
TEXTS = ["\n".join([*LINES[: v * 10], sha(b"new %d" % v), *LINES[v * 10 + 1 :]]) for v in range(6)]
"""Six versions of a text that cannot be made much smaller, each with another line replaced."""


def edits(build: LedgerBuilder) -> list[SeqId]:
    """Six versions of one file; of the entries that made them, the numbers."""
    return [build.write("a.txt", text).seq_id for text in TEXTS]


def verified(operations: Operations, *, repair: bool = False) -> Verified:
    return operations.verify(repair=repair)


def codes(found: Verified) -> list[str]:
    return [problem.code for problem in found.problems]


def broken(build: LedgerBuilder, sql: str, *values: str | bytes | int | None) -> None:
    with build.ledger.write():
        assert build.ledger.database.run(sql, values)


def damage(build: LedgerBuilder, text: str, stored: bytes = b"not zlib") -> None:
    broken(build, "UPDATE snapshot SET data = ? WHERE sha256 = ?", stored, encode_sha(sha(text.encode())))


def test_a_ledger_that_was_only_used_is_sound_packed_or_not(
    operations: Operations, build: LedgerBuilder
) -> None:
    seq_ids = edits(build)
    build.command("make", {"b.txt": "1\n"})
    operations.apply(operations.plan(UndoRequest((seq_ids[-1],))))
    operations.apply(operations.plan_redo((seq_ids[-1],)))
    operations.apply(operations.plan(UndoRequest((seq_ids[-1],))))
    assert build.ledger.blobs.pack().versions > 0
    found = verified(operations)
    assert found.problems == []
    assert found.sound
    counts = found.counts
    assert (counts["entry"], counts["snapshot"], counts["no_longer_kept"]) == (10, 7, 0)
    assert counts["delta"] > 0
    assert counts["event"] > 10


def test_a_damaged_snapshot_whose_bytes_stand_in_a_file_is_kept_anew(
    operations: Operations, build: LedgerBuilder
) -> None:
    edits(build)
    damage(build, TEXTS[-1])
    assert codes(verified(operations)) == ["damaged_snapshot"]
    repaired = verified(operations, repair=True)
    assert repaired.sound
    assert "found in a file" in repaired.problems[0].done
    assert operations.ledger.blobs.get(sha(TEXTS[-1].encode())) == TEXTS[-1].encode()
    assert verified(operations).problems == []


def test_a_damaged_snapshot_that_stands_nowhere_is_set_aside_and_its_entries_say_so(
    operations: Operations, build: LedgerBuilder
) -> None:
    edits(build)
    damage(build, TEXTS[2], b"half of it")
    repaired = verified(operations, repair=True)
    assert not repaired.sound
    assert "damaged/" in repaired.problems[0].done
    [kept] = build.home.damaged.iterdir()
    assert (kept.read_bytes(), kept.stat().st_mode & 0o777) == (b"half of it", 0o600)
    assert kept.name == f"{sha(TEXTS[2].encode())}.zlib"
    assert build.home.damaged.stat().st_mode & 0o777 == 0o700
    assert not operations.entry(SeqId(3)).record.changes[0].after.kept
    again = verified(operations)
    assert (again.problems, again.counts["no_longer_kept"]) == ([], 2)


def test_what_can_be_read_by_way_of_a_damaged_snapshot_is_made_whole_first(
    operations: Operations, build: LedgerBuilder
) -> None:
    edits(build)
    assert build.ledger.blobs.pack().versions == 5
    one = encode_sha(sha(TEXTS[1].encode()))
    wrong = zlib.compress(TEXTS[1].replace(sha(b"new 1")[:9], "x" * 9).encode())
    broken(build, "UPDATE snapshot SET data = ?, base = NULL WHERE sha256 = ?", wrong, one)
    assert codes(verified(operations)) == ["damaged_snapshot"], (
        "the version before it does not need that line"
    )
    assert not verified(operations, repair=True).sound
    after = verified(operations)
    assert (after.problems, after.counts["snapshot"]) == ([], 5)
    assert build.ledger.blobs.get(sha(TEXTS[0].encode())) == TEXTS[0].encode()


def test_what_stands_on_a_snapshot_that_is_lost_is_set_aside_with_it(
    operations: Operations, build: LedgerBuilder
) -> None:
    edits(build)
    build.ledger.blobs.pack()
    broken(build, "DELETE FROM snapshot WHERE sha256 = ?", encode_sha(sha(TEXTS[2].encode())))
    assert codes(verified(operations)) == ["damaged_snapshot", "damaged_snapshot"]
    verified(operations, repair=True)
    assert verified(operations).problems == []
    names = sorted(file.name for file in build.home.damaged.iterdir())
    first, second = (sha(text.encode()) for text in TEXTS[:2])
    third = sha(TEXTS[2].encode())
    assert names == sorted([f"{first}.delta-of-{second}", f"{second}.delta-of-{third}"])


def test_snapshots_told_by_each_other_are_found_damaged_and_do_not_hang(
    operations: Operations, build: LedgerBuilder
) -> None:
    edits(build)
    one, other = (encode_sha(sha(text.encode())) for text in TEXTS[:2])
    broken(build, "UPDATE snapshot SET base = ? WHERE sha256 = ?", one, other)
    broken(build, "UPDATE snapshot SET base = ? WHERE sha256 = ?", other, one)
    assert codes(verified(operations)) == ["damaged_snapshot", "damaged_snapshot"]
    verified(operations, repair=True)
    assert verified(operations).problems == []


def test_wrong_marks_are_derived_anew(operations: Operations, build: LedgerBuilder) -> None:
    seq_ids = edits(build)
    operations.apply(operations.plan(UndoRequest((seq_ids[-1],))))
    broken(build, "UPDATE mark SET state = 'recorded', reversal = 'recorded' WHERE seq_id = ?", seq_ids[-1])
    broken(
        build,
        "INSERT INTO mark (seq_id, state, reversal, undone_by, at) VALUES (1, 'undone', 'undone', NULL, 0)",
    )
    broken(
        build,
        "INSERT INTO mark (seq_id, state, reversal, undone_by, at) VALUES (2, 'held', 'recorded', NULL, 0)",
    )
    found = verified(operations)
    assert codes(found) == ["wrong_mark", "held_by_nobody"]
    assert "2 entries are marked as other than their undos make them: #6, #1" in found.problems[0].text
    assert verified(operations, repair=True).sound
    states = [operations.entry(SeqId(seq_id)).state for seq_id in (1, 2, 6)]
    assert states == [EntryState.RECORDED, EntryState.RECORDED, EntryState.UNDONE]
    assert verified(operations).problems == []


def test_changes_that_strayed_from_their_entry_return_to_it(
    operations: Operations, build: LedgerBuilder
) -> None:
    edits(build)
    broken(build, "UPDATE change SET at = at + 1 WHERE seq_id = 3")
    assert codes(verified(operations)) == ["strayed_change"]
    assert verified(operations, repair=True).sound
    assert verified(operations).problems == []


@pytest.mark.parametrize(
    ("sql", "code"),
    [
        ("UPDATE entry SET origin = 'nobody' WHERE seq_id = 2", "unreadable_row"),
        ("UPDATE change SET hunks = X'0109' WHERE seq_id = 2", "unreadable_row"),
        ("UPDATE event SET body = '{' WHERE id = 2", "unreadable_row"),
        ("UPDATE change SET after_size = 1 WHERE seq_id = 2", "wrong_size"),
        (
            "INSERT INTO event (at, kind, body) VALUES (1, 'rewind.started', '{\"op_id\": \"x\"}')",
            "unpaired_rewind",
        ),
        (
            "INSERT INTO undo_journal (op_id, workspace_id, at, body) VALUES ('x', 1, 1, '{')",
            "unsettled_undo",
        ),
    ],
)
def test_what_nobody_can_put_right_is_told_and_stays_as_it_is(
    operations: Operations, build: LedgerBuilder, sql: str, code: str
) -> None:
    edits(build)
    broken(build, sql)
    assert codes(verified(operations)) == [code]
    again = verified(operations, repair=True)
    assert (codes(again), again.sound) == ([code], False)
    assert codes(verified(operations)) == [code]


def test_indexes_that_lost_rows_are_built_anew(build: LedgerBuilder) -> None:
    edits(build)
    with build.ledger.write():
        connection = build.ledger.database.connection
        connection.execute("PRAGMA writable_schema = ON")
        [(sql,)] = connection.execute(
            "SELECT sql FROM sqlite_master WHERE name = 'entry_reverses'"
        ).fetchall()
        wider = sql.replace("IS NOT NULL", "IS NULL")
        connection.execute("UPDATE sqlite_master SET sql = ? WHERE name = 'entry_reverses'", (wider,))
        connection.execute("PRAGMA writable_schema = RESET")
    with Operations.open(build.home, clock=build.clock) as fresh:
        assert set(codes(verified(fresh))) == {"database"}
        assert verified(fresh, repair=True).sound
        assert verified(fresh).problems == []


def test_a_row_that_names_no_entry_is_told_and_kept(operations: Operations, build: LedgerBuilder) -> None:
    edits(build)
    with sqlite3.connect(build.home.database) as loose:
        loose.execute("INSERT INTO label (seq_id, mark) VALUES (999, 'pin')")
    loose.close()
    found = verified(operations, repair=True)
    assert [problem.text for problem in found.problems] == ["1 rows of label name no entry"]
    assert not found.sound


def test_a_ledger_that_is_only_read_is_looked_at_too(build: LedgerBuilder) -> None:
    edits(build)
    with Operations.open(build.home, clock=build.clock, read_only=True) as operations:
        assert verified(operations).sound


def test_an_older_ledger_that_is_only_read_holds_nothing_and_says_that_it_cannot_be_verified(
    build: LedgerBuilder,
) -> None:
    edits(build)
    build.ledger.close()
    with sqlite3.connect(build.home.database) as older:
        for table in ("delivery", "firing", "rule", "hold", "token", "label", "event"):
            older.execute(f"DROP TABLE {table}")
        older.execute("PRAGMA user_version = 4")
    older.close()
    with Operations.open(build.home, clock=build.clock, read_only=True) as operations:
        assert len(operations.find(LedgerQuery())) == 6
        assert operations.holds.find(None) == ()
        triggers = operations.triggers
        assert (triggers.all(), triggers.firings(), triggers.dead()) == ((), (), ())
        assert triggers.dry_run(None, Rule("n", "entry.recorded", TriggerAction.NOTIFY)) == ()
        with pytest.raises(SulcusError, match="older version"):
            operations.verify(repair=False)
