from datetime import UTC, datetime

from sulcus_panel.core.capture.adapter import TextEdit
from sulcus_panel.core.capture.harnesses.codex.changes import told_files
from sulcus_panel.core.capture.past.records import PatchHunk, Stamp

STAMP = Stamp(datetime(2026, 5, 4, tzinfo=UTC), 1, "s", "", "/w", "t")


def patch(*lines: str) -> str:
    return "\n".join(("*** Begin Patch", *lines, "*** End Patch"))


TWO = patch("*** Add File: b.txt", "+x", "*** Update File: a.txt", "*** Move to: c.txt", "@@", "-x", "+y")


def test_the_account_is_exact_and_keeps_the_numbers_of_the_patch() -> None:
    changes = {
        "/w/a.txt": {"type": "update", "unified_diff": "@@ -1 +1 @@\n-x\n+y\n", "move_path": "/w/c.txt"},
        "/w/b.txt": {"type": "add", "content": "x\n"},
    }
    added, moved = told_files(changes, TWO, "c1", STAMP)
    assert (added.applied.path, added.applied.call_id, added.applied.content) == ("/w/b.txt", "c1", "x\n")
    assert added.adds
    assert (moved.applied.call_id, moved.applied.moved_to) == ("c1/2", "/w/c.txt")
    assert moved.applied.edits == (TextEdit("x\n", "y\n"),)
    assert moved.patch == (PatchHunk(1, 1, ("-x", "+y")),)
    assert moved.is_exact


def test_without_a_patch_the_account_is_numbered_by_its_paths() -> None:
    changes = {"/w/b": {"type": "add", "content": "x"}, "/w/a": {"type": "delete", "content": "y"}, "/w/c": 5}
    deleted, added = told_files(changes, "", "exec-1", STAMP)
    assert (deleted.applied.path, deleted.applied.call_id, deleted.original) == ("/w/a", "exec-1", "y")
    assert (added.applied.path, added.applied.call_id) == ("/w/b", "exec-1/2")


def test_a_file_that_the_patch_does_not_name_never_takes_anothers_number() -> None:
    changes = {"/w/b.txt": {"type": "add", "content": "x\n"}, "/w/z": {"type": "add", "content": "z\n"}}
    assert [one.applied.call_id for one in told_files(changes, TWO, "c1", STAMP)] == ["c1", "c1/2"]


def test_an_account_in_no_known_words_tells_nothing() -> None:
    assert told_files({"/w/a": {"type": "later"}}, "", "c1", STAMP) == ()


def test_an_update_that_changed_nothing_is_none() -> None:
    assert (
        told_files({"/w/a": {"type": "update", "unified_diff": "", "move_path": None}}, "", "c1", STAMP) == ()
    )
    (moved,) = told_files(
        {"/w/a": {"type": "update", "unified_diff": "", "move_path": "/w/b"}}, "", "c1", STAMP
    )
    assert (moved.applied.moved_to, moved.patch) == ("/w/b", ())
