from dataclasses import replace

import pytest

from sulcus_panel.core.disk import MAX_READ
from sulcus_panel.core.ledger.undoability import MAX_KEPT, Taken, judge
from sulcus_panel.core.model import (
    ABSENT,
    Change,
    EntryState,
    FileKind,
    FileState,
    Hunk,
    LedgerPath,
    Undoability,
)
from sulcus_panel.core.safety import EXCLUDED
from tests.support.ledgers import sha

OLD = FileState(FileKind.FILE, sha(b"old"), 3, 0o644, kept=True)
NEW = FileState(FileKind.FILE, sha(b"new"), 3, 0o644, kept=True)
LARGE_OLD = replace(OLD, kept=False, reason="larger than 262,144 bytes")
LARGE_NEW = replace(NEW, kept=False, reason="larger than 262,144 bytes")
UNREAD = FileState(FileKind.UNKNOWN, reason="busy")
FOLDER = FileState(FileKind.DIRECTORY)
WITH_TEXT = Hunk(0, 1, 0, 1, b"old", b"new")


def of(before: FileState, after: FileState, *hunks: Hunk, path: str = "f") -> Change:
    return Change(LedgerPath(path), before, after, hunks)


def verdict(*changes: Change, state: EntryState = EntryState.RECORDED) -> tuple[Undoability, str]:
    return judge(state, changes, is_command=False)


@pytest.mark.parametrize(
    "change",
    [
        of(OLD, NEW),
        of(OLD, ABSENT),
        of(ABSENT, LARGE_NEW),
        of(LARGE_OLD, replace(LARGE_OLD, mode=0o755)),
        of(OLD, NEW, path="a:b"),
        of(ABSENT, FOLDER),
        of(FOLDER, ABSENT),
        of(replace(FOLDER, mode=0o700), replace(FOLDER, mode=0o755)),
        of(FOLDER, ABSENT, path="sub/.env"),
        of(replace(OLD, mode=0o4755), replace(OLD, mode=0o644)),
        of(LARGE_OLD, replace(LARGE_OLD, size_bytes=MAX_READ + 1, mode=0o755)),
    ],
)
def test_the_means_are_there(change: Change) -> None:
    assert verdict(change) == (Undoability.FULLY, "")


@pytest.mark.parametrize(
    "change",
    [
        of(LARGE_OLD, LARGE_NEW, WITH_TEXT),
        of(LARGE_OLD, NEW, Hunk(0, 1, 0, 1, b"old", None)),
        of(LARGE_OLD, LARGE_NEW, Hunk(0, 0, 0, 1, None, b"new")),
    ],
)
def test_where_only_the_lines_are_kept_it_can_be_undone_under_a_condition(change: Change) -> None:
    said, reason = verdict(change)
    assert said is Undoability.PARTLY
    assert "only the changed lines are kept (larger than 262,144 bytes)" in reason


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (of(UNREAD, NEW), "before unknown: busy"),
        (of(OLD, UNREAD), "after unknown: busy"),
        (of(OLD, NEW, path="/etc/hosts"), "outside the workspace"),
        (of(OLD, NEW, path="sub/.git/config"), "protected"),
        (of(LARGE_OLD, NEW), "larger than 262,144 bytes"),
        (of(LARGE_OLD, LARGE_NEW, Hunk(0, 1, 0, 1)), "larger than 262,144 bytes"),
        (of(LARGE_OLD, LARGE_NEW, WITH_TEXT, Hunk(2, 1, 2, 1, b"x", None)), "larger than 262,144 bytes"),
        (of(replace(OLD, kept=False), NEW), "snapshot expired"),
        (of(OLD, FOLDER), "a folder and a file took each other's place"),
        (of(FOLDER, NEW), "a folder and a file took each other's place"),
        (of(OLD, replace(NEW, mode=0o4755)), "the file runs with its owner's rights (set-user-id)"),
        (of(replace(OLD, mode=0o4644), OLD), "a set-user-id bit is never given back"),
        (
            of(replace(FOLDER, mode=0o2755), replace(FOLDER, mode=0o755)),
            "a set-user-id bit is never given back",
        ),
        (of(OLD, replace(NEW, size_bytes=MAX_READ + 1)), "the file is too large to be kept"),
        (of(ABSENT, NEW, path=".env"), "may hold a secret"),
        (of(OLD, ABSENT, path="deploy/key.pem"), "may hold a secret"),
        (of(OLD, replace(OLD, mode=0o600), path="id_rsa"), "may hold a secret"),
        (of(ABSENT, replace(LARGE_NEW, reason="may hold a secret")), "may hold a secret"),
        (of(ABSENT, replace(LARGE_NEW, reason=EXCLUDED)), EXCLUDED),
    ],
)
def test_the_means_are_not_there_and_it_says_why(change: Change, reason: str) -> None:
    assert verdict(change) == (Undoability.NOT, reason)


def test_what_was_moved_is_at_hand_where_it_went() -> None:
    there = of(ABSENT, LARGE_OLD, path="there")
    assert verdict(of(LARGE_OLD, ABSENT), there) == (Undoability.FULLY, "")
    other = replace(there, after=LARGE_NEW)
    assert verdict(of(LARGE_OLD, ABSENT), other) == (
        Undoability.PARTLY,
        "1 of 2 files cannot be undone: larger than 262,144 bytes",
    )


def test_the_size_that_is_too_large_is_the_size_that_is_not_read() -> None:
    assert MAX_KEPT == MAX_READ


def test_what_the_settings_exclude_today_cannot_be_undone_either() -> None:
    said = judge(EntryState.RECORDED, (of(OLD, NEW, path="gen/a"),), is_command=False, exclude=("gen",))
    assert said == (Undoability.NOT, EXCLUDED)


def test_some_of_several_files() -> None:
    assert verdict(of(OLD, NEW), of(UNREAD, NEW, path="g"), of(LARGE_OLD, NEW, path="h")) == (
        Undoability.PARTLY,
        "2 of 3 files cannot be undone: before unknown: busy",
    )


def test_what_is_undone_or_changed_nothing() -> None:
    assert verdict(of(OLD, NEW), state=EntryState.UNDONE) == (Undoability.NOT, "already undone")
    assert verdict(of(OLD, NEW), state=EntryState.PARTLY_UNDONE)[0] is Undoability.FULLY
    assert judge(EntryState.RECORDED, (), is_command=True) == (Undoability.NOT, "its effects are not files")
    assert judge(EntryState.RECORDED, (), is_command=False) == (Undoability.NOT, "it changed no file")
    assert judge(EntryState.RECORDED, (of(OLD, NEW),), is_command=False, has_root=False) == (
        Undoability.NOT,
        "the workspace has no folder",
    )


def test_of_a_part_undone_change_only_what_is_left_counts() -> None:
    """Two files: one goes back by its two hunks, the other cannot."""
    there = of(OLD, NEW, Hunk(0, 1, 0, 1), Hunk(4, 1, 4, 1), path="a")
    lost = of(replace(OLD, kept=False, reason="binary"), NEW, path="b")

    def left(*hunks: int, paths: tuple[str, ...] = ()) -> tuple[Undoability, str]:
        taken = Taken(frozenset(hunks), frozenset(LedgerPath(path) for path in paths))
        return judge(EntryState.PARTLY_UNDONE, [there, lost], is_command=False, taken=taken)

    assert left() == (Undoability.PARTLY, "1 of 2 files cannot be undone: binary")
    assert left(0, paths=("a",)) == (Undoability.PARTLY, "1 of 2 files cannot be undone: binary")
    assert left(0, 1, paths=("a",)) == (Undoability.NOT, "what is left: binary")


def test_a_file_without_hunks_that_came_back_alone_does_not_count_any_more() -> None:
    gone, lost = of(OLD, ABSENT, path="a"), of(UNREAD, NEW, path="b")
    taken = Taken(paths=frozenset({LedgerPath("a")}))
    found = judge(EntryState.PARTLY_UNDONE, [gone, lost], is_command=False, taken=taken)
    assert found == (Undoability.NOT, "what is left: before unknown: busy")
    alone = judge(EntryState.PARTLY_UNDONE, [gone, gone], is_command=False, taken=Taken())
    assert alone == (Undoability.FULLY, "")
