"""A diff as JSON: what is read, and the exact bytes where they are no text."""

import base64

from sulcus_panel.service.diff_wire import entry_diff_json
from sulcus_panel.service.operations import DiffView, Operations
from tests.support.ledger_builder import LedgerBuilder


def test_hunks_bear_the_numbers_that_undo_takes_over_all_files(
    operations: Operations, build: LedgerBuilder
) -> None:
    build.write("a.txt", "1\n2\n3\n4\n5\n")
    build.write("b.txt", "x\n")
    entry = build.command("sed", {"a.txt": "one\n2\n3\n4\nfive\n", "b.txt": "y\n"})
    body = entry_diff_json(entry, DiffView.CHANGE, operations.diff(entry.seq_id, DiffView.CHANGE))
    hunks = [hunk for file in body["files"] for hunk in file["hunks"]]
    assert [hunk["hunk"] for hunk in hunks] == [1, 2, 3]
    assert hunks[1] == {
        "hunk": 2,
        "start_line": 5,
        "new_start_line": 5,
        "target_excerpt": "5\n",
        "replacement_excerpt": "five\n",
    }
    assert "-1\n+one\n" in body["files"][0]["unified"]


def test_bytes_that_are_no_text_stand_in_base64(operations: Operations, build: LedgerBuilder) -> None:
    build.write("a.txt", "caf\u00e9\n".encode("latin-1"))
    entry = build.write("a.txt", "th\u00e9\n".encode("latin-1"))
    [file] = entry_diff_json(entry, DiffView.CHANGE, operations.diff(entry.seq_id, DiffView.CHANGE))["files"]
    assert base64.b64decode(file["old_base64"]) == b"caf\xe9\n"
    [hunk] = file["hunks"]
    assert base64.b64decode(hunk["replacement_excerpt_base64"]) == b"th\xe9\n"


def test_the_other_views_compare_the_texts_they_show(operations: Operations, build: LedgerBuilder) -> None:
    entry = build.write("a.txt", "1\n")
    build.outside("a.txt", "1\n2\n")
    [file] = entry_diff_json(entry, DiffView.NOW, operations.diff(entry.seq_id, DiffView.NOW))["files"]
    [hunk] = file["hunks"]
    assert (hunk["start_line"], hunk["replacement_excerpt"], "hunk" in hunk) == (2, "2\n", False)


def test_what_cannot_be_shown_says_why(operations: Operations, build: LedgerBuilder) -> None:
    operations.set_setting(build.workspace.id, "retain_file_snapshots", value=False)
    entry = build.write("a.bin", b"\0\1")
    build.outside("a.bin", b"\0\2")
    [file] = entry_diff_json(entry, DiffView.CHANGE, operations.diff(entry.seq_id, DiffView.CHANGE))["files"]
    assert (file["unified"], file["hunks"]) == ("", [])
    assert "not kept" in file["message"]
