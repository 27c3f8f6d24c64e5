"""What counts as the same file, and what each difference is called. The disk's part is in test_drift.py."""

from dataclasses import replace

import pytest

from sulcus_panel.core.model import ABSENT, DriftKind, FileKind, FileState, GitDelta, GitState, RefMove
from sulcus_panel.core.states import (
    drift_between,
    mode_differs,
    moved_references,
    moves_in,
    part_numbers,
    same_bytes,
    same_state,
)
from tests.support.ledgers import change, state

ONE, TWO = state(b"one"), state(b"two")
LINK = replace(ONE, kind=FileKind.SYMLINK, mode=None)
FOLDER = FileState(FileKind.DIRECTORY, mode=0o755)
UNKNOWN = FileState(FileKind.UNKNOWN, reason="busy")
UNHASHED = FileState(FileKind.FILE, size_bytes=3)


@pytest.mark.parametrize("state", [ONE, LINK, FOLDER, ABSENT])
def test_a_known_state_is_itself(state: FileState) -> None:
    assert same_bytes(state, state)
    assert same_state(state, state)
    assert drift_between(state, state) is None


@pytest.mark.parametrize("state", [UNKNOWN, replace(ONE, kind=FileKind.UNKNOWN), UNHASHED])
def test_what_is_not_proven_equals_nothing_not_even_itself(state: FileState) -> None:
    assert not same_bytes(state, state)
    assert not same_state(state, ONE)


def test_the_same_bytes_in_another_kind_of_file_are_not_the_same() -> None:
    assert not same_bytes(ONE, LINK)


def test_size_and_keeping_do_not_matter_where_the_hash_is_the_same() -> None:
    assert same_state(ONE, replace(ONE, size_bytes=None, kept=True, reason="anything"))


def test_permissions_differ_only_where_both_are_known_and_no_link_is_meant() -> None:
    private, open_to_all = replace(ONE, mode=0o600), replace(ONE, mode=0o644)
    assert mode_differs(private, open_to_all)
    assert not same_state(private, open_to_all)
    assert same_state(private, replace(ONE, mode=None))
    assert not mode_differs(replace(LINK, mode=0o777), replace(LINK, mode=0o755))
    assert not mode_differs(private, replace(LINK, mode=0o777))


@pytest.mark.parametrize(
    ("known", "now", "kind"),
    [
        (ONE, TWO, DriftKind.CHANGED),
        (ONE, replace(ONE, mode=0o600), DriftKind.CHANGED),
        (ONE, ABSENT, DriftKind.MISSING),
        (ONE, LINK, DriftKind.TYPE_CHANGED),
        (ONE, FOLDER, DriftKind.TYPE_CHANGED),
        (ONE, UNKNOWN, DriftKind.UNREADABLE),
        (ABSENT, ONE, DriftKind.RECREATED),
        (ABSENT, FOLDER, DriftKind.RECREATED),
        (ABSENT, UNKNOWN, DriftKind.UNREADABLE),
        (UNHASHED, ONE, DriftKind.CHANGED),
    ],
)
def test_each_difference_has_its_name(known: FileState, now: FileState, kind: DriftKind) -> None:
    assert drift_between(known, now) is kind


@pytest.mark.parametrize("now", [ONE, ABSENT, UNKNOWN])
def test_what_was_not_known_cannot_drift(now: FileState) -> None:
    assert drift_between(UNKNOWN, now) is None


def test_one_path_s_loss_that_is_another_s_gain_is_a_move() -> None:
    edit, gone, come = change("c", b"1", b"2"), change("a", b"x", None), change("b", None, b"x")
    assert moves_in([edit, gone, come]) == ((1, 2),)
    assert moves_in([come, gone]) == ((1, 0),)
    assert moves_in([gone, change("b", None, b"y")]) == ()
    assert moves_in([gone, change("b", b"y", b"x")]) == ()


def test_equal_files_are_paired_by_their_names_or_not_at_all() -> None:
    two = [change("a/1", b"x", None), change("a/2", b"x", None)]
    assert moves_in([*two, change("b/2", None, b"x"), change("b/1", None, b"x")]) == ((0, 3), (1, 2))
    assert moves_in([*two, change("b/3", None, b"x")]) == ()
    assert moves_in([*two, change("b/1", None, b"x"), change("c/1", None, b"x")]) == ()


def test_parts_are_the_hunks_and_behind_them_the_changes_without_any() -> None:
    assert part_numbers([]) == ()
    assert part_numbers([2, 1]) == (range(0, 2), range(2, 3))
    assert part_numbers([0, 2, 0, 1]) == (range(3, 4), range(0, 2), range(4, 5), range(2, 3))


def test_references_that_moved_are_told_up_to_a_number() -> None:
    here = GitState("a" * 40, "main", {})
    moves = tuple(RefMove(f"refs/tags/v{number}", "", "b" * 40) for number in range(12))
    told = moved_references(GitDelta(here, here, (*moves[:1], RefMove("refs/heads/x", "c" * 40, ""))))
    assert told == ("refs/tags/v0: nothing → bbbbbbbbb", "refs/heads/x: ccccccccc → nothing")
    assert moved_references(GitDelta(here, here, moves))[10:] == ("and 2 more",)
    assert moved_references(GitDelta(here, here)) == ()
