"""References move all together or not at all, only from where they are said to be, and under a name of ours."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from sulcus_panel.core.model import GitDelta, GitState, RefMove
from sulcus_panel.core.undo.ref_moves import NotMoved, carry, stands
from tests.support.repo_bench import RepoBench

NOBODY = "f" * 40


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[RepoBench]:
    made = RepoBench(tmp_path)
    yield made
    made.close()


def delta(*moves: tuple[str, str, str], before: str = "main", after: str = "main") -> GitDelta:
    refs = tuple(RefMove(*move) for move in moves)
    return GitDelta(GitState(None, before, {}), GitState(None, after, {}), refs)


def git(bench: RepoBench) -> str:
    return str(bench.root / ".git")


def test_each_kind_of_move_is_done_and_read_back(bench: RepoBench) -> None:
    one, two = bench.id_of("old"), bench.id_of("main")
    for packed in (False, True):
        if packed:
            bench.sh("git pack-refs --all")
        carry(git(bench), delta(("refs/heads/new", "", one)), "made")
        carry(git(bench), delta(("refs/heads/new", one, two)), "moved")
        carry(git(bench), delta(("refs/heads/new", two, "")), "deleted")
    assert "refs/heads/new" not in bench.says()
    bench.sh("git fsck --strict")


def test_a_reference_that_is_elsewhere_is_left_and_nothing_else_moves(bench: RepoBench) -> None:
    before, one, two = bench.says(), bench.id_of("old"), bench.id_of("main")
    wrong = (
        ("refs/heads/old", two, one),
        ("refs/heads/old", two, ""),
        ("refs/heads/old", "", two),
        ("refs/heads/gone", one, ""),
    )
    for move in wrong:
        with pytest.raises(NotMoved):
            carry(git(bench), delta(("refs/heads/first", "", one), move), "x")
        assert bench.says() == before


def test_what_had_moved_before_goes_back_where_the_next_is_locked(bench: RepoBench) -> None:
    before, one = bench.says(), bench.id_of("old")
    (bench.root / ".git/refs/heads/old.lock").touch()
    with pytest.raises(NotMoved):
        carry(
            git(bench),
            delta(("refs/heads/new", "", one), ("refs/heads/old", one, ""), before="main", after="new"),
            "x",
        )
    assert bench.says() == before


def test_head_goes_only_from_the_branch_on_which_it_is_said_to_be(bench: RepoBench) -> None:
    before = bench.says()
    with pytest.raises(NotMoved):
        carry(git(bench), delta(before="old", after="main"), "x")
    assert bench.says() == before


def test_a_branch_that_is_renamed_keeps_what_is_logged_of_it_and_takes_head_along(bench: RepoBench) -> None:
    two = bench.id_of("main")
    logged = (bench.root / ".git/logs/refs/heads/main").read_text()
    moves = (("refs/heads/main", two, ""), ("refs/heads/trunk", "", two))
    carry(git(bench), delta(*moves, after="trunk"), "x")
    assert (bench.root / ".git/logs/refs/heads/trunk").read_text().startswith(logged)
    assert bench.says().startswith("refs/heads/trunk\n")


def test_an_object_that_is_not_there_is_named_by_no_reference(bench: RepoBench) -> None:
    before = bench.says()
    with pytest.raises(NotMoved):
        carry(git(bench), delta(("refs/heads/new", "", NOBODY)), "x")
    assert bench.says() == before


def test_what_is_logged_bears_our_name_and_not_one_from_a_configuration(bench: RepoBench) -> None:
    bench.sh("git config user.name Somebody && git config user.email some@example.org")
    one, two = bench.id_of("old"), bench.id_of("main")
    carry(git(bench), delta(("refs/heads/old", one, two)), "undo of #7")
    said = subprocess.check_output(["git", "reflog", "show", "--format=%gn %ge %gs", "old"], cwd=bench.root)
    assert said.splitlines()[0] == b"Sulcus Panel sulcus-panel@localhost undo of #7"


def test_whether_all_stands_is_asked_of_git(bench: RepoBench) -> None:
    one, two = bench.id_of("old"), bench.id_of("main")
    moves = (RefMove("refs/heads/main", one, two), RefMove("refs/heads/gone", one, ""))
    assert stands(git(bench), moves, "main", after=True)
    assert not stands(git(bench), moves, "main", after=False)
    assert not stands(git(bench), moves, "old", after=True)


def test_a_folder_that_is_no_repository_moves_nothing(tmp_path: Path) -> None:
    with pytest.raises(NotMoved):
        carry(str(tmp_path), delta(), "x")
