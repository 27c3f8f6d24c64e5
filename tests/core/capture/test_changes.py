import hashlib

import pytest

from sulcus_panel.core.capture.changes import (
    ABSENT_SIDE,
    build_change,
    file_side,
    is_outside,
    symlink_side,
    unknown_side,
)
from sulcus_panel.core.model import FileKind, Hunk, LedgerPath, Settings

PATH = LedgerPath("src/app.py")
OLD = b"one\ntwo\nthree\n"
NEW = b"one\n2\nthree\nfour\n"


def test_a_text_change_keeps_both_sides_and_its_hunks() -> None:
    change, contents = build_change(PATH, file_side(OLD, 0o644), file_side(NEW, 0o644), Settings())
    assert (change.before.kept, change.after.kept, change.before.mode) == (True, True, 0o644)
    assert contents == {hashlib.sha256(data).hexdigest(): data for data in (OLD, NEW)}
    assert [(hunk.before_start, hunk.before_lines, hunk.old) for hunk in change.hunks] == [
        (1, 1, None),
        (3, 0, None),
    ]
    assert (change.plus, change.minus) == (2, 1)


def test_f127_a_file_that_holds_a_key_keeps_hash_and_size_only_and_says_why() -> None:
    key = b"TOKEN = 'ghp_" + b"a1B2" * 9 + b"'\n"
    for before, after in ((OLD, OLD + key), (OLD + key, OLD)):
        change, contents = build_change(PATH, file_side(before), file_side(after), Settings())
        assert (contents, change.hunks) == ({}, ())
        assert {change.before.reason, change.after.reason} == {"may hold a secret"}
        assert change.after.sha256 == hashlib.sha256(after).hexdigest()


def test_hunks_that_a_call_told_are_kept_and_lines_that_stay_within_them_are_not_counted() -> None:
    told = (Hunk(1, 1, 1, 1, exact=True), Hunk(2, 1, 2, 2, exact=True))
    change, _ = build_change(PATH, file_side(OLD), file_side(NEW), Settings(), told=told)
    assert (change.hunks, change.plus, change.minus) == (told, 2, 1)


def test_where_two_texts_can_be_read_in_one_way_only_comparing_is_as_good_as_seeing() -> None:
    change, _ = build_change(PATH, file_side(OLD), file_side(NEW), Settings())
    copied, _ = build_change(PATH, file_side(OLD), file_side(OLD * 2), Settings())
    assert [hunk.exact for hunk in change.hunks] == [True, True]
    assert [hunk.exact for hunk in copied.hunks] == [False]


def test_a_created_file_counts_its_lines_and_an_empty_one_is_not_absent() -> None:
    created, _ = build_change(PATH, ABSENT_SIDE, file_side(OLD), Settings())
    emptied, _ = build_change(PATH, file_side(OLD), file_side(b""), Settings())
    assert (created.before.kind, created.plus, created.minus) == (FileKind.ABSENT, 3, 0)
    assert (emptied.after.kind, emptied.after.size_bytes, emptied.minus) == (FileKind.FILE, 0, 3)


def test_an_unknown_side_leaves_no_hunks_and_says_why() -> None:
    change, contents = build_change(PATH, unknown_side("nobody saw it"), file_side(NEW), Settings())
    assert (change.before.kind, change.before.reason) == (FileKind.UNKNOWN, "nobody saw it")
    assert (change.hunks, change.plus, len(contents)) == ((), None, 1)


def test_binary_files_and_links_are_kept_without_hunks() -> None:
    binary, kept = build_change(PATH, file_side(b"a\0b"), file_side(b"a\0c"), Settings())
    link, link_kept = build_change(PATH, symlink_side(b"a"), symlink_side(b"b"), Settings())
    assert (binary.hunks, binary.plus, len(kept)) == ((), None, 2)
    assert (link.hunks, link.after.kind, len(link_kept)) == ((), FileKind.SYMLINK, 2)


@pytest.mark.parametrize("path", [".env", "deploy/key.pem", "secret/notes.txt", "/etc/hosts", "C:/x.txt"])
def test_withheld_and_outside_paths_keep_hash_and_size_only(path: str) -> None:
    settings = Settings(exclude=("secret/*",))
    change, contents = build_change(LedgerPath(path), file_side(OLD), file_side(NEW), settings)
    assert (contents, change.hunks, change.plus) == ({}, (), None)
    assert (change.after.sha256, change.after.size_bytes) == (hashlib.sha256(NEW).hexdigest(), len(NEW))
    assert change.after.reason
    assert not change.after.kept


def test_with_snapshots_off_positions_stay_and_texts_do_not() -> None:
    change, contents = build_change(
        PATH, file_side(OLD), file_side(NEW), Settings(retain_file_snapshots=False)
    )
    assert contents == {}
    assert (change.after.kept, change.after.reason) == (False, "")
    assert [(hunk.old, hunk.new) for hunk in change.hunks] == [(None, None), (None, None)]


def test_over_the_cap_the_hunks_carry_the_text() -> None:
    old = b"x" * 50 + b"\n" + OLD
    change, contents = build_change(
        PATH, file_side(old), file_side(old + b"more\n"), Settings(max_snapshot_bytes=40)
    )
    assert contents == {}
    assert (change.before.kept, change.before.reason) == (False, "")
    assert [(hunk.old, hunk.new) for hunk in change.hunks] == [(b"", b"more\n")]


def test_a_hunk_larger_than_the_cap_keeps_its_position_only() -> None:
    change, _ = build_change(PATH, ABSENT_SIDE, file_side(b"y" * 99), Settings(max_snapshot_bytes=40))
    assert [(hunk.after_lines, hunk.new) for hunk in change.hunks] == [(1, None)]


def test_a_relative_path_is_inside() -> None:
    assert not is_outside(LedgerPath("a:b/c"[2:]))
    assert is_outside(LedgerPath("\\\\server\\share"))
