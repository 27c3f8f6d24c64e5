import json
import os
import sqlite3
from dataclasses import replace

import pytest

from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.ledger.journal import JournalWrite, UndoJournal
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import ABSENT, FileKind, FileState, Hunk, LedgerPath, Origin, SeqId, Workspace
from tests.support.ledgers import appended, change, contents_of, record, sha, state

A, B = b"before\n", b"after\xff\n"
ODD = os.fsdecode(b"caf\xe9")


def a_journal(workspace: Workspace) -> UndoJournal:
    undo = record(
        "undo-1",
        change(ODD, B, A, Hunk(0, 1, 0, 1, B, None)),
        change("new", b"x", None),
        origin=Origin.UNDO,
        reverses=SeqId(99),
        reversed_hunks=(0,),
        command="x " + ODD,
        why={"said": "yes"},
    )
    return UndoJournal(
        op_id="op-1",
        workspace_id=workspace.id,
        root="/tmp/" + ODD,
        plan_digest="d1",
        writes=(
            JournalWrite(LedgerPath(ODD), state(B), state(A, mode=0o600), f".{ODD}.tmp"),
            JournalWrite(LedgerPath("new"), state(b"x"), ABSENT, ""),
            JournalWrite(LedgerPath("linked"), state(B), state(A), ".linked.tmp", in_place=True),
        ),
        entries=(undo,),
    )


def as_kept(journal: UndoJournal) -> UndoJournal:
    """The journal as it reads once all its bytes are in the store."""
    entry = journal.entries[0]
    return replace(
        journal,
        writes=tuple(
            replace(
                w, before=replace(w.before, kept=True), after=replace(w.after, kept=w.after is not ABSENT)
            )
            for w in journal.writes
        ),
        entries=(
            replace(
                entry,
                changes=tuple(
                    replace(
                        c,
                        before=replace(c.before, kept=True),
                        after=replace(c.after, kept=c.after is not ABSENT),
                    )
                    for c in entry.changes
                ),
            ),
        ),
    )


def test_an_open_journal_survives_with_every_byte(
    data_home: DataHome, ledger: Ledger, workspace: Workspace
) -> None:
    journal = a_journal(workspace)
    ledger.begin_undo(journal, contents_of(A, B, b"x"))
    with Ledger.open(data_home) as later:
        (found,) = later.open_undos()
        assert found == as_kept(journal)
        assert later.blobs.get(sha(B)) == B
        with later.write():
            entry = appended(later, workspace.id, found.entries[0])
            later.finish_undo("op-1")
        assert entry.record.changes[0].before.kept
    assert ledger.open_undos() == ()
    ledger.finish_undo("op-1")


def test_a_journal_of_an_older_version_says_nothing_of_in_place(ledger: Ledger, workspace: Workspace) -> None:
    ledger.begin_undo(a_journal(workspace))
    with ledger.write():
        (row,) = ledger._db.rows("SELECT body FROM undo_journal")
        body = json.loads(row[0])
        body["writes"] = [write[:12] for write in body["writes"]]
        ledger._db.run("UPDATE undo_journal SET body = ?", (json.dumps(body),))
    (found,) = ledger.open_undos()
    assert [write.in_place for write in found.writes] == [False] * 3
    assert [write.path for write in found.writes] == [write.path for write in a_journal(workspace).writes]


def test_folders_and_their_permissions_are_in_it(ledger: Ledger, workspace: Workspace) -> None:
    folder = FileState(FileKind.DIRECTORY, mode=0o750)
    writes = (
        JournalWrite(LedgerPath("made"), ABSENT, folder, ".1.tmp"),
        JournalWrite(LedgerPath("above"), ABSENT, replace(folder, mode=None), ".2.tmp"),
        JournalWrite(LedgerPath("gone"), folder, ABSENT, ".3.tmp"),
    )
    ledger.begin_undo(replace(a_journal(workspace), writes=writes))
    (found,) = ledger.open_undos()
    assert [(write.before, write.after) for write in found.writes] == [
        (write.before, write.after) for write in writes
    ]


def test_a_journal_that_failed_to_open_leaves_nothing(ledger: Ledger, workspace: Workspace) -> None:
    ledger.begin_undo(a_journal(workspace))
    with pytest.raises(sqlite3.IntegrityError):
        ledger.begin_undo(a_journal(workspace), contents_of(A, B))
    ledger.finish_undo("op-1")
    assert ledger.open_undos() == ()
    assert ledger.blobs.total_bytes() == 0


def test_a_journal_that_cannot_be_read_is_damage(ledger: Ledger, workspace: Workspace) -> None:
    ledger.begin_undo(a_journal(workspace))
    with ledger.write():
        ledger._db.run("UPDATE undo_journal SET body = '{}'")
    assert ledger.open_undos() == ()
    with Ledger.open(ledger.home) as later:
        assert "journal cannot be read" in later.notice


def test_a_durable_write_is_synced_and_the_next_is_not(ledger: Ledger) -> None:
    with ledger.write(durable=True):
        assert ledger._db.number("PRAGMA synchronous") == 2
    assert ledger._db.number("PRAGMA synchronous") == 1
