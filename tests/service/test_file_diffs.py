"""Both sides of a path as a person asks for them, and a plain sentence where one cannot be shown."""

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import Entry, SeqId
from sulcus_panel.core.undo.model import UndoRequest
from sulcus_panel.service.file_diffs import FileDiff, diff_text, since_then, this_change
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


def edited(number: int, text: str = LARGE) -> str:
    return text.replace(f"line {number}\n", f"LINE {number}\n")


def over_the_cap(build: LedgerBuilder, old: str, new: str) -> Entry:
    """An edit of a file of which neither side is kept."""
    build.ledger.set_setting(build.workspace.id, "max_snapshot_bytes", 4096)
    build.outside("a.txt", old)
    return build.write("a.txt", new)


def test_of_a_file_over_the_cap_the_changed_lines_stand_where_they_stood(build: LedgerBuilder) -> None:
    entry = over_the_cap(build, LARGE, edited(1500, edited(500)))
    build.outside("a.txt", "gone on\n")
    diff = change_of(build, entry)
    assert (diff.old, diff.new) == (None, None)
    assert diff.message == "Only the changed lines are kept (larger than 4,096 bytes)."
    assert diff_text(diff) == (
        "--- a/a.txt\n+++ b/a.txt\n"
        "@@ -501 +501 @@\n-line 500\n+LINE 500\n"
        "@@ -1501 +1501 @@\n-line 1500\n+LINE 1500\n"
    )


@pytest.mark.parametrize("now", ["after", "before"])
def test_of_a_file_over_the_cap_all_is_shown_while_the_disk_holds_a_side(
    build: LedgerBuilder, now: str
) -> None:
    new = edited(1500, edited(500))
    entry = over_the_cap(build, LARGE, new)
    build.outside("a.txt", new if now == "after" else LARGE)
    diff = change_of(build, entry)
    assert (diff.old, diff.new, diff.message, diff.hunks) == (LARGE.encode(), new.encode(), "", ())


def test_a_side_over_the_cap_is_derived_from_the_one_that_is_kept(build: LedgerBuilder) -> None:
    build.ledger.set_setting(build.workspace.id, "max_snapshot_bytes", 4096)
    small = "".join(f"line {number}\n" for number in range(400))
    grown = small + "".join(f"more {number}\n" for number in range(100))
    build.write("a.txt", small)
    grew, shrank = build.write("a.txt", grown), build.write("a.txt", small)
    build.outside("a.txt", "gone on\n")

    up, down = change_of(build, grew), change_of(build, shrank)

    assert (up.old, up.new, up.message) == (small.encode(), grown.encode(), "")
    assert (down.old, down.new, down.message) == (grown.encode(), small.encode(), "")


def test_parts_whose_text_found_no_room_are_counted(build: LedgerBuilder) -> None:
    long = edited(500).replace("line 1500\n", "x" * 5000 + "\n")
    entry = over_the_cap(build, LARGE, long)
    build.outside("a.txt", "gone on\n")
    diff = change_of(build, entry)
    assert diff.message.endswith(", without 1 of 2 parts.")
    assert "+LINE 500\n" in diff_text(diff)
    assert "xxx" not in diff_text(diff)


def test_since_then_starts_from_a_side_that_can_be_derived(build: LedgerBuilder) -> None:
    build.ledger.set_setting(build.workspace.id, "max_snapshot_bytes", 4096)
    small = "".join(f"line {number}\n" for number in range(400))
    build.write("a.txt", small)
    entry = build.write("a.txt", small * 2)
    same = since(build, entry)
    build.outside("a.txt", "mine\n")
    other = since(build, entry)
    assert (same.old, same.new, same.message) == ((small * 2).encode(),) * 2 + ("",)
    assert (other.old, other.new, other.message) == ((small * 2).encode(), b"mine\n", "")


def test_a_secret_that_still_is_on_disk_is_not_shown_as_a_change(build: LedgerBuilder) -> None:
    entry = build.write(".env", "SECRET=1\n")
    assert (change_of(build, entry).new, since(build, entry).old) == (None, None)
    assert since(build, entry).message.startswith("The contents are not kept: ")


def test_links_and_permissions_are_told_by_their_modes(build: LedgerBuilder) -> None:
    entry = build.write("run.sh", "one\n")
    (build.root / "run.sh").chmod(0o755)
    assert (since(build, entry).old_mode, since(build, entry).new_mode) == (0o644, 0o755)
    (build.root / "run.sh").unlink()
    (build.root / "run.sh").symlink_to("elsewhere")
    assert since(build, entry).new_mode == stat.S_IFLNK


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
