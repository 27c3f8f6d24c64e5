"""An inverse is built only where the words and what was seen to move agree exactly."""

from dataclasses import replace

import pytest

from sulcus_panel.core.commands.inverse import (
    FAILED,
    FILES_TOO,
    NO_BRANCH,
    NOT_READ,
    NOT_SEEN,
    OTHERWISE,
    WITH_FILES,
    Inverse,
    NoInverse,
    inverse_of,
    is_rename,
    named,
)
from sulcus_panel.core.model import (
    ABSENT,
    ActionType,
    Change,
    GitDelta,
    GitState,
    LedgerPath,
    NewEntry,
    Origin,
    Provenance,
    RefMove,
)
from tests.support.entries import make_entry

P, C, D = "a" * 40, "b" * 40, "c" * 40
MAIN = GitState(P, "main", {})


def ran(
    command: str, *moves: tuple[str, str, str], before: GitState = MAIN, after: GitState | None = None
) -> NewEntry:
    refs = tuple(RefMove(*move) for move in moves)
    base = make_entry(1).record
    return replace(
        base,
        changes=(),
        action_type=ActionType.RUN_COMMAND,
        command=command,
        git=GitDelta(before, after or before, refs),
    )


MADE = ("refs/heads/x", "", P)
AGREED = {
    "git branch x": ran("git branch x", MADE),
    "git branch x y": ran("git branch x y", ("refs/heads/x", "", D)),
    "git branch -D x": ran("git branch -D x", ("refs/heads/x", P, "")),
    "git tag v": ran("git tag v", ("refs/tags/v", "", P)),
    "git tag -d v": ran("git tag -d v", ("refs/tags/v", P, "")),
    "git switch -c x": ran("git switch -c x", MADE, after=GitState(P, "x", {})),
    "git branch -m y": ran(
        "git branch -m y", ("refs/heads/main", P, ""), ("refs/heads/y", "", P), after=GitState(P, "y", {})
    ),
    "git branch -m x y": ran("git branch -m x y", ("refs/heads/x", D, ""), ("refs/heads/y", "", D)),
    "git commit": ran("git commit -m x", ("refs/heads/main", P, C), after=GitState(C, "main", {})),
}

STAGED = (":src/a.py", "", f"100644 {D}")


@pytest.mark.parametrize(
    "words", ["git add src/a.py", "git add a.py", "git add src", "git add .", "git add -A"]
)
def test_a_staged_path_that_the_words_stand_for_goes_back_while_head_stays(words: str) -> None:
    found = inverse_of(ran(words, STAGED))
    assert isinstance(found, Inverse)
    assert (found.moves, found.at) == ((RefMove(":src/a.py", f"100644 {D}", ""),), P)


def test_a_staged_path_that_was_not_named_or_a_reference_beside_it_has_no_inverse() -> None:
    assert inverse_of(ran("git add b.py", STAGED)) == NoInverse(OTHERWISE)
    assert inverse_of(ran("git add .", STAGED, MADE)) == NoInverse(OTHERWISE)
    assert inverse_of(ran("git add .", STAGED, after=GitState(C, "main", {}))) == NoInverse(OTHERWISE)
    assert inverse_of(ran("git branch x", MADE, STAGED)) == NoInverse(OTHERWISE)


@pytest.mark.parametrize("name", AGREED)
def test_where_both_agree_the_inverse_is_the_way_back(name: str) -> None:
    record = AGREED[name]
    inverse = inverse_of(record)
    assert isinstance(inverse, Inverse)
    assert record.git is not None
    assert inverse.moves == tuple(RefMove(one.name, one.after, one.before) for one in record.git.refs)
    moved = record.git.before.branch, record.git.after.branch
    assert inverse.head == (moved[::-1] if moved[0] != moved[1] else None)


@pytest.mark.parametrize("name", AGREED)
def test_with_one_more_or_another_move_there_is_none(name: str) -> None:
    record = AGREED[name]
    assert record.git is not None
    more = replace(record.git, refs=(*record.git.refs, RefMove("refs/heads/other", "", P)))
    assert inverse_of(replace(record, git=more)) == NoInverse(OTHERWISE)
    first = record.git.refs[0]
    other = replace(record.git, refs=(replace(first, name=first.name + "-2"), *record.git.refs[1:]))
    assert inverse_of(replace(record, git=other)) == NoInverse(OTHERWISE)


@pytest.mark.parametrize("name", AGREED)
@pytest.mark.parametrize("provenance", [Provenance.CLAIMED, Provenance.IMPORTED])
def test_what_nobody_saw_has_none(name: str, provenance: Provenance) -> None:
    record = replace(AGREED[name], provenance=provenance)
    assert inverse_of(record) == NoInverse(NOT_SEEN)
    assert inverse_of(replace(record, git=None)) == NoInverse(NOT_SEEN)


def test_a_text_that_is_not_one_plain_command_has_none_whatever_moved() -> None:
    record = replace(AGREED["git branch x"], command="git branch x && true")
    assert inverse_of(record) == NoInverse(NOT_READ)


@pytest.mark.parametrize("name", AGREED)
def test_a_command_that_failed_has_none_for_somebody_else_may_have_moved_it(name: str) -> None:
    assert inverse_of(replace(AGREED[name], exit_code=1)) == NoInverse(FAILED)
    assert isinstance(inverse_of(replace(AGREED[name], exit_code=0)), Inverse)


def test_a_command_that_changed_files_too_is_left_to_them() -> None:
    change = Change(LedgerPath("f"), ABSENT, ABSENT)
    assert inverse_of(replace(AGREED["git commit"], changes=(change,))) == NoInverse(WITH_FILES)


def test_what_left_for_elsewhere_is_named_even_where_references_moved() -> None:
    record = ran("git push", ("refs/remotes/origin/main", P, C))
    found = inverse_of(record)
    assert isinstance(found, NoInverse)
    assert "pushed" in found.why


def test_a_switch_to_another_commit_or_from_no_branch_has_none() -> None:
    files = ran("git checkout -b x y", ("refs/heads/x", "", C), after=GitState(C, "x", {}))
    assert inverse_of(files) == NoInverse(FILES_TOO)
    detached = ran("git checkout -b x", MADE, before=GitState(P, None, {}), after=GitState(P, "x", {}))
    assert inverse_of(detached) == NoInverse(NO_BRANCH)
    commit = ran("git commit", ("refs/heads/main", P, C), before=GitState(P, None, {}))
    assert inverse_of(commit) == NoInverse(NO_BRANCH)


@pytest.mark.parametrize("name", ["git branch x", "git tag v", "git branch -D x", "git branch -m x y"])
def test_head_that_moved_as_well_is_not_what_was_asked_for(name: str) -> None:
    record = AGREED[name]
    assert record.git is not None
    elsewhere = replace(record.git, after=GitState(C, "main", {}))
    assert inverse_of(replace(record, git=elsewhere)) == NoInverse(OTHERWISE)


def test_the_first_commit_of_a_branch_and_one_seen_with_another_id_have_none() -> None:
    first = ran("git commit", ("refs/heads/main", "", C), before=GitState(None, "main", {}), after=MAIN)
    assert inverse_of(first) == NoInverse(OTHERWISE)
    other = ran("git commit", ("refs/heads/main", P, C), after=GitState(D, "main", {}))
    assert inverse_of(other) == NoInverse(OTHERWISE)


def test_an_amended_commit_names_the_one_that_it_replaced() -> None:
    record = ran("git commit --amend", ("refs/heads/main", P, C), after=GitState(C, "main", {}))
    found = inverse_of(record)
    assert isinstance(found, Inverse)
    assert (found.commit, found.replaces) == (C, P)


def test_nothing_is_said_of_commands_without_references_and_of_file_tools() -> None:
    assert inverse_of(ran("git branch x")) is None
    assert inverse_of(ran("make")) is None
    assert inverse_of(make_entry(1).record) is None


def test_an_undo_goes_back_by_what_it_moved_itself() -> None:
    undo = replace(AGREED["git switch -c x"], origin=Origin.UNDO, command="anything; else")
    found = inverse_of(undo)
    assert isinstance(found, Inverse)
    assert (found.head, found.commit) == (("x", "main"), "")
    assert inverse_of(replace(undo, git=None)) is None


def test_a_rename_is_one_branch_that_keeps_its_commit() -> None:
    gone, come = RefMove("refs/heads/a", P, ""), RefMove("refs/heads/b", "", P)
    assert is_rename((gone, come))
    assert not is_rename((gone,))
    assert not is_rename((gone, replace(come, after=C)))
    assert not is_rename((gone, RefMove("refs/tags/b", "", P)))
    assert not is_rename((gone, RefMove("refs/heads/b", C, "")))


def test_names_are_shown_as_a_person_says_them_and_cannot_pose_as_more() -> None:
    assert named("refs/heads/a/b") == "branch a/b"
    assert named("refs/tags/v1") == "tag v1"
    assert named("refs/stash") == "refs/stash"
    assert named(":src/a.py") == "src/a.py in the index"
    assert "\u202e" not in named("refs/heads/\u202etopic")
