import pytest

from sulcus_panel.core.capture.claims import (
    MALFORMED,
    MISMATCH,
    Claim,
    ClaimedHunk,
    ClaimedSide,
    claimed_change,
    git_blob,
    summary_of,
)
from sulcus_panel.core.model import ABSENT, ActionType, FileKind, LedgerPath, Settings
from tests.support.ledgers import sha

OLD, NEW = b"one\ntwo\nthree\n", b"one\n2\nthree\n"
PATH = LedgerPath("a.txt")


def side(data: bytes, *, with_content: bool = True) -> ClaimedSide:
    return ClaimedSide(True, sha(data), len(data), data if with_content else None)


def claim(**said: object) -> Claim:
    return Claim(ActionType.FILE_EDIT, "codex", **said)  # type: ignore[arg-type]  # a test's own words


def test_sound_bytes_make_a_change_with_its_hunks() -> None:
    built = claimed_change(PATH, claim(before=side(OLD), after=side(NEW)), Settings())
    assert built is not None
    assert built.is_sound
    assert [(hunk.before_start, hunk.before_lines) for hunk in built.change.hunks] == [(1, 1)]
    assert set(built.contents) == {sha(OLD), sha(NEW)}


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (ClaimedSide(True, sha(b"other"), None, OLD), MISMATCH),
        (ClaimedSide(True, sha(OLD), 5, OLD), MISMATCH),
        (ClaimedSide(True, None, 5, OLD), MISMATCH),
        (ClaimedSide(True, "AB" * 32, None, OLD), MALFORMED),
        (ClaimedSide(True, "12", None, None), MALFORMED),
    ],
)
def test_contents_without_their_hash_are_dropped(said: ClaimedSide, reason: str) -> None:
    built = claimed_change(PATH, claim(before=said, after=side(NEW)), Settings())
    assert built is not None
    assert not built.is_sound
    assert built.change.before.reason == reason
    assert sha(OLD) not in built.contents


def test_a_file_that_did_not_exist_is_absent_and_one_not_spoken_of_is_unknown() -> None:
    built = claimed_change(PATH, claim(before=ClaimedSide(False), after=side(NEW)), Settings())
    assert built is not None
    assert built.change.before == ABSENT
    silent = claimed_change(PATH, claim(after=side(NEW)), Settings())
    assert silent is not None
    assert silent.change.before.kind is FileKind.UNKNOWN
    assert not silent.is_sound
    assert claimed_change(PATH, claim(), Settings()) is None


@pytest.mark.parametrize("end", ["", "\n"])
def test_hunks_that_lead_from_one_text_to_the_other_are_exact(end: str) -> None:
    doubled = b"x\n" * 6
    hunk = ClaimedHunk(3, b"", f"x{end}".encode())
    built = claimed_change(
        PATH, claim(before=side(doubled), after=side(doubled + b"x\n"), hunks=(hunk,)), Settings()
    )
    assert built is not None
    assert [(one.before_start, one.exact) for one in built.change.hunks] == [(2, True)]


def test_hunks_that_do_not_lead_there_are_not_believed() -> None:
    wrong = ClaimedHunk(1, b"one\n", b"1\n")
    built = claimed_change(PATH, claim(before=side(OLD), after=side(NEW), hunks=(wrong,)), Settings())
    assert built is not None
    assert [hunk.before_start for hunk in built.change.hunks] == [1]


def test_without_bytes_the_hunks_carry_their_text_and_none_is_taken_for_seen() -> None:
    hunks = (ClaimedHunk(2, b"two", b"2\n2b"), ClaimedHunk(9, b"nine\n", b""))
    sides = {"before": side(OLD, with_content=False), "after": side(NEW, with_content=False)}
    built = claimed_change(PATH, claim(**sides, hunks=hunks), Settings())
    assert built is not None
    assert [(one.old, one.new, one.after_start, one.exact) for one in built.change.hunks] == [
        (b"two\n", b"2\n2b\n", 1, False),
        (b"nine\n", b"", 9, False),
    ]
    small = claimed_change(PATH, claim(**sides, hunks=hunks), Settings(retain_file_snapshots=False))
    assert small is not None
    assert small.change.hunks[0].old is None


def test_a_summary_is_the_callers_or_the_plainest_true_words() -> None:
    assert summary_of(claim(summary=" did it ")) == "did it"
    assert summary_of(claim(tool_name="Edit", target_path="a.txt")) == "Edit a.txt"
    assert summary_of(claim(command="ls -l")) == "ran ls -l"


def test_git_names_bytes_so() -> None:
    assert git_blob(b"hello\n") == "ce013625030ba8dba906f756967f9e9ca394464a"
