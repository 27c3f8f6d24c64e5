"""What git says now, and which repositories are not opened at all: foreign, hostile, or not of this workspace."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sulcus_panel.core.commands.inverse import Inverse, inverse_of
from sulcus_panel.core.commands.now import GitNow
from sulcus_panel.core.model import Entry
from sulcus_panel.core.undo.git_now import (
    BY_LINK,
    CANNOT_READ,
    NO_PLACE,
    NO_REPOSITORY,
    NO_TREE,
    NOT_YOURS,
    git_folder_of,
    git_now,
    look_at,
)
from tests.support.bench import L10
from tests.support.repo_bench import RepoBench


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[RepoBench]:
    made = RepoBench(tmp_path)
    yield made
    made.close()


def now(bench: RepoBench, entry: Entry) -> GitNow:
    inverse = inverse_of(entry.record)
    assert isinstance(inverse, Inverse)
    return look_at(str(bench.root), entry.record, inverse)


def test_head_and_what_a_command_moved_are_told_as_git_says(bench: RepoBench) -> None:
    entry = bench.runs("git commit -q --allow-empty -m three")
    bench.sh("git worktree add -q ../w old")
    said = now(bench, entry)
    three, two = bench.id_of("main"), bench.id_of("main~1")
    assert (said.problem, said.branch, said.head) == ("", "main", three)
    assert said.refs == {"refs/heads/main": three}
    assert said.parents == {three: (two,)}
    assert said.elsewhere == {"refs/heads/old": "w"}
    assert (said.pushed, said.missing) == ({}, frozenset())


@pytest.mark.parametrize(
    "fetch",
    [
        "git fetch -q far",
        "git push -q far main",
        "git fetch -q far && git commit -q --allow-empty -m z && git push -q far main",
    ],
)
def test_a_commit_that_a_remote_branch_holds_is_told_with_its_name(bench: RepoBench, fetch: str) -> None:
    entry = bench.runs("git commit -q --allow-empty -m three")
    bench.sh("git init -q --bare ../far && git remote add far ../far && git push -q far main")
    bench.sh(fetch)
    assert list(now(bench, entry).pushed.values()) == ["far/main"]


def test_a_remote_head_that_names_nothing_is_passed_over(bench: RepoBench) -> None:
    entry = bench.runs("git commit -q --allow-empty -m three")
    bench.sh("git symbolic-ref refs/remotes/far/HEAD refs/remotes/far/gone")
    said = now(bench, entry)
    assert (said.problem, said.pushed) == ("", {})


def test_what_changed_only_files_is_not_looked_at_and_loads_nothing(bench: RepoBench) -> None:
    seq_id = bench.agent(L10)
    assert git_now(str(bench.root), [bench.entry(seq_id)]) == {}
    script = (
        "import sys; import sulcus_panel.core.undo.facts, sulcus_panel.core.undo.apply;"
        "import sulcus_panel.cli.plan_text, sulcus_panel.core.undo.plan;"
        "slow = ('pygit2', 'core.undo.git_now', 'core.undo.effects', 'core.commands.inverse');"
        "print([name for name in sys.modules if name.removeprefix('sulcus_panel.') in slow])"
    )
    assert subprocess.check_output([sys.executable, "-c", script], text=True) == "[]\n"


def test_a_folder_outside_or_without_a_repository_has_no_place(bench: RepoBench, tmp_path: Path) -> None:
    root = str(bench.root)
    assert git_folder_of(root, None) == ("", NO_PLACE)
    assert git_folder_of(None, root) == ("", NO_PLACE)
    assert git_folder_of(root, str(tmp_path)) == ("", NO_PLACE)
    (bench.root / "sub").mkdir()
    assert git_folder_of(root, f"{root}/sub") == (f"{root}/.git", "")
    assert git_folder_of(f"{root}/sub", f"{root}/sub") == ("", NO_REPOSITORY)


def test_a_folder_that_leads_out_by_a_link_has_no_place(bench: RepoBench, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (bench.root / "link").symlink_to(tmp_path / "other")
    assert git_folder_of(str(bench.root), str(bench.root / "link")) == ("", NO_PLACE)


def test_a_git_folder_that_is_a_link_is_not_opened(bench: RepoBench) -> None:
    (bench.root / ".git").rename(bench.root.parent / "real")
    (bench.root / ".git").symlink_to(bench.root.parent / "real")
    assert git_folder_of(str(bench.root), str(bench.root)) == ("", BY_LINK)


@pytest.mark.parametrize("text", ["gitdir: ../other/.git", "gitdir: /nowhere", "nonsense", ""])
def test_a_git_file_that_names_what_does_not_name_it_back_is_not_followed(
    bench: RepoBench, tmp_path: Path, text: str
) -> None:
    (tmp_path / "other").mkdir()
    bench.sh("git init -q ../other")
    tree = bench.root / "tree"
    tree.mkdir()
    (tree / ".git").write_text(text)
    found, why = git_folder_of(str(bench.root), str(tree))
    assert (found, why in {NO_TREE, CANNOT_READ}) == ("", True)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away")
def test_a_repository_of_somebody_else_is_not_opened(bench: RepoBench) -> None:
    os.chown(bench.root / ".git", 12345, 12345)
    assert git_folder_of(str(bench.root), str(bench.root)) == ("", NOT_YOURS)


@pytest.mark.parametrize(
    "place", ["refs/heads", "logs", "logs/HEAD", "packed-refs", "HEAD", "refs/heads/topic"]
)
def test_a_link_where_git_would_write_is_found(bench: RepoBench, place: str) -> None:
    entry = bench.runs("git branch topic")
    bench.sh("git pack-refs --all && git branch -f topic main")
    path, aside = bench.root / ".git" / place, bench.root.parent / "aside"
    if not os.path.lexists(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(bench.id_of("main") + "\n")
    path.rename(aside)
    path.symlink_to(aside)
    assert now(bench, entry).problem == BY_LINK


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
@pytest.mark.parametrize("place", ["packed-refs", "HEAD", "config", "commondir", "refs/heads/topic"])
def test_nobody_waits_for_a_pipe_in_the_place_of_a_file(bench: RepoBench, place: str) -> None:
    entry = bench.runs("git branch topic")
    path = bench.root / ".git" / place
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    assert now(bench, entry).problem in {BY_LINK, CANNOT_READ}


def test_a_repository_that_is_damaged_or_of_an_unknown_kind_is_not_touched(bench: RepoBench) -> None:
    entry = bench.runs("git branch topic")
    config = bench.root / ".git/config"
    config.write_text("[core]\n\trepositoryformatversion = 1\n[extensions]\n\trefStorage = reftable\n")
    assert now(bench, entry).problem == CANNOT_READ
    config.write_text("[[[")
    assert now(bench, entry).problem == CANNOT_READ


def test_a_reference_that_only_names_another_is_not_touched(bench: RepoBench) -> None:
    entry = bench.runs("git branch topic")
    bench.sh("git symbolic-ref refs/heads/topic refs/heads/main")
    assert now(bench, entry).problem == CANNOT_READ
