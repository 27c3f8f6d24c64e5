"""Both sides of a path as a person asks for them, and a plain sentence where one cannot be shown."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import Entry, SeqId
from sulcus_panel.core.undo.model import UndoRequest
from sulcus_panel.service.file_diffs import FileDiff, since_then, this_change
from sulcus_panel.service.operations import DiffView, Operations
from tests.support.ledger_builder import LedgerBuilder

LARGE = "".join(f"line {number}\n" for number in range(2_000))


def change_of(build: LedgerBuilder, entry: Entry) -> FileDiff:
    (diff,) = this_change(build.ledger, build.ledger.entry(entry.seq_id))
    return diff


def since(build: LedgerBuilder, entry: Entry) -> FileDiff:
    (diff,) = since_then(build.ledger, build.ledger.entry(entry.seq_id), str(build.root))
    return diff


def test_a_created_and_a_deleted_file_have_one_side(build: LedgerBuilder) -> None:
    created, deleted = build.write("a.txt", "one\n"), build.delete("a.txt")

    made, gone = change_of(build, created), change_of(build, deleted)

    assert (made.old, made.new, made.message) == (None, b"one\n", "")
    assert (gone.old, gone.new, gone.message) == (b"one\n", None, "")
    assert (made.old_label, made.new_label) == ("before #1", "after #1")


def test_every_path_of_an_entry_has_its_diff(build: LedgerBuilder) -> None:
    entry = build.command("make", {"a.txt": "a\n", "b.txt": "b\n"})
    diffs = this_change(build.ledger, entry)
    assert [(diff.path, diff.new) for diff in diffs] == [("a.txt", b"a\n"), ("b.txt", b"b\n")]


def test_of_a_file_over_the_cap_the_changed_lines_are_shown_and_called_that(build: LedgerBuilder) -> None:
    build.ledger.set_setting(build.workspace.id, "max_snapshot_bytes", 4096)
    build.outside("a.txt", LARGE)
    diff = change_of(build, build.write("a.txt", LARGE.replace("line 7\n", "seven\n")))
    assert (diff.old, diff.new, diff.message) == (b"line 7\n", b"seven\n", "")
    assert "only the changed lines are kept" in diff.old_label


def test_contents_that_were_never_kept_are_said_so(build: LedgerBuilder) -> None:
    diff = change_of(build, build.write(".env", "SECRET=1\n"))
    assert (diff.old, diff.new) == (None, None)
    assert diff.message.startswith("The contents are not kept: ")


def damage(ledger: Ledger) -> None:
    ledger._db.run("UPDATE snapshot SET data = zeroblob(9)")


def lose(ledger: Ledger) -> None:
    ledger._db.run("DELETE FROM snapshot")


@pytest.mark.parametrize("spoil", [damage, lose])
def test_a_snapshot_that_does_not_hold_what_it_says_is_a_sentence_and_no_guess(
    build: LedgerBuilder, spoil: Callable[[Ledger], None]
) -> None:
    build.write("a.txt", "one\n")
    entry = build.write("a.txt", "two\n")
    with build.ledger.write():
        spoil(build.ledger)
    diff = change_of(build, entry)
    assert (diff.old, diff.new) == (None, None)
    assert diff.message


@pytest.mark.parametrize(
    ("put", "message"),
    [
        (lambda _: None, ""),
        (Path.mkdir, "A folder stands at this path now."),
        (os.mkfifo, "The file on disk cannot be read: not a regular file."),
    ],
)
def test_what_stands_there_now_is_told(
    build: LedgerBuilder, put: Callable[[Path], None], message: str
) -> None:
    entry = build.write("a.txt", "one\n")
    (build.root / "a.txt").unlink()
    put(build.root / "a.txt")
    diff = since(build, entry)
    assert (diff.old, diff.new, diff.message) == (b"one\n", None, message)


def test_a_file_too_large_to_be_shown_is_told(build: LedgerBuilder) -> None:
    entry = build.write("a.txt", "one\n")
    os.truncate(build.root / "a.txt", 2**26 + 1)
    assert since(build, entry).message == "The file on disk is too large to be shown."


def test_a_file_outside_the_workspace_is_not_opened(build: LedgerBuilder, tmp_path: Path) -> None:
    entry = build.write(str(tmp_path / "outside.txt"), "one\n")
    diff = since(build, entry)
    assert (diff.old, diff.new) == (None, None)
    assert diff.message == "This file is outside the workspace."


def test_without_a_folder_nothing_is_compared_with_the_disk(build: LedgerBuilder) -> None:
    (diff,) = since_then(build.ledger, build.write("a.txt", "one\n"), None)
    assert diff.message == "This file is outside the workspace."


def test_after_undo_shows_the_file_that_would_be_and_why_none_would(
    build: LedgerBuilder, operations: Operations
) -> None:
    build.write("a.txt", "one\ntwo\n")
    first = build.write("a.txt", "ONE\ntwo\n")
    build.write("a.txt", "other\ntwo\n")

    (blocked,) = operations.diff(first.seq_id, DiffView.AFTER)
    assert blocked.message == "later work stands on these lines"
    assert operations.plan(UndoRequest((SeqId(first.seq_id),))).conflicts

    created = build.write("b.txt", "b\n")
    (clean,) = operations.diff(created.seq_id, DiffView.AFTER)
    assert (clean.old, clean.new, clean.message) == (b"b\n", None, "")
    assert (clean.old_label, clean.new_label) == ("on disk now", "after undo")
