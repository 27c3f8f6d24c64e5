"""Scenarios C18 and C19 and the rows F001 to F019: permissions, owners, attributes, links, second names."""

import os
import stat
from functools import partial
from pathlib import Path

import pytest

from sulcus_panel.core.undo.model import Outcome
from tests.support.scene import L10, Scene, sights, with_line

ROOT = os.geteuid() == 0
CHANGED = with_line(L10, 2, b"two")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


MODES = (0o640, 0o755, 0o600, 0o444, 0o1644, 0o400)


@pytest.mark.parametrize("later", [False, True])
def test_f001_f002_f003_the_mode_stays_whatever_it_is(scene: Scene, later: bool) -> None:
    for bits in MODES:
        path = scene.person(oct(bits), L10, bits)
        turn = scene.does("Edit", oct(bits), partial(rewrite, content=CHANGED, bits=bits))
        if later:
            act = partial(rewrite, content=with_line(CHANGED, 9, b"nine"), bits=bits)
            scene.does("Edit", oct(bits), act)

        scene.undo(turn, consents=() if bits & 0o200 else {f"read_only:{oct(bits)}"})

        assert path.read_bytes() == (with_line(L10, 9, b"nine") if later else L10)
        assert mode(path) == bits


def rewrite(path: Path, content: bytes, bits: int) -> None:
    path.chmod(0o600)
    path.write_bytes(content)
    path.chmod(bits)


def test_f001_an_undone_file_is_newer_than_before_so_that_builds_see_it(scene: Scene) -> None:
    path = scene.person("a.txt", L10)
    turn = scene.puts("a.txt", CHANGED)
    os.utime(path, ns=(10**18, 10**18))
    scene.undo(turn)
    assert path.stat().st_mtime_ns > 10**18


def test_c18_modes_that_a_harness_lost_come_back(scene: Scene) -> None:
    script = scene.person("run.sh", b"#!/bin/sh\n", 0o755)
    secret = scene.person("secret", b"one\n", 0o600)
    first = scene.does("Write", "run.sh", lambda at: rewrite(at, b"#!/bin/bash\n", 0o644))
    second = scene.puts("secret", b"two\n")

    scene.undo(second, first)

    assert (mode(script), script.read_bytes()) == (0o755, b"#!/bin/sh\n")
    assert (mode(secret), secret.read_bytes()) == (0o600, b"one\n")


def test_f008_another_mode_between_preview_and_apply_makes_the_plan_stale(scene: Scene) -> None:
    path = scene.person("a.txt", L10)
    turn = scene.puts("a.txt", CHANGED)
    digest = scene.plan(turn).digest
    path.chmod(0o755)
    assert scene.plan(turn).digest != digest
    answer = scene.terminal("ledger", "rollback", str(turn.seq_id), "--plan", digest, stdin="y\n")
    assert (answer.code, path.read_bytes(), mode(path)) == (1, CHANGED, 0o755)


def test_f009_a_change_of_the_mode_alone_goes_back_alone(scene: Scene) -> None:
    path = scene.person("run.sh", L10)
    turn = scene.does("Edit", "run.sh", lambda at: at.chmod(0o755))
    scene.person("run.sh", with_line(L10, 9, b"mine"), 0o755)

    scene.undo(turn)

    assert (mode(path), path.read_bytes()) == (0o644, with_line(L10, 9, b"mine"))
    scene.redo(turn)
    assert mode(path) == 0o755


def test_f009_a_mode_that_the_person_set_since_is_never_overwritten(scene: Scene) -> None:
    path = scene.person("run.sh", L10)
    turn = scene.does("Edit", "run.sh", lambda at: rewrite(at, CHANGED, 0o755))
    path.chmod(0o700)

    scene.conflict(turn)

    assert mode(path) == 0o700


def test_f007_a_setuid_bit_is_never_given_by_an_undo(scene: Scene) -> None:
    path = scene.person("tool", L10)
    path.chmod(0o4755)
    turn = scene.does("Edit", "tool", lambda at: rewrite(at, CHANGED, 0o755))
    plan = scene.plan(turn)
    if plan.can_apply:
        scene.operations.apply(plan)
    assert not mode(path) & 0o6000


def test_f004_extended_attributes_stay(scene: Scene) -> None:
    path = scene.person("a.txt", L10)
    try:
        os.setxattr(path, "user.mine", b"kept")
    except OSError:
        pytest.skip("this file system has no user attributes")
    turn = scene.puts("a.txt", CHANGED)
    scene.undo(turn)
    assert os.getxattr(path, "user.mine") == b"kept"


@pytest.mark.skipif(not ROOT, reason="only root can give a file away")
def test_f006_the_owner_stays(scene: Scene) -> None:
    path = scene.person("a.txt", L10)
    os.chown(path, 12345, 54321)
    turn = scene.puts("a.txt", CHANGED)
    scene.undo(turn)
    found = path.stat()
    assert (found.st_uid, found.st_gid, path.read_bytes()) == (12345, 54321, L10)


def test_f010_a_second_name_shows_the_undo_too_and_both_stay_one_file(scene: Scene) -> None:
    path = scene.person("a.txt", L10, 0o640)
    turn = scene.puts("a.txt", CHANGED)
    second = scene.path("second")
    os.link(path, second)
    inode = path.stat().st_ino

    assert scene.operations.apply(scene.plan(turn)).outcome is Outcome.UNDONE

    assert (path.read_bytes(), second.read_bytes()) == (L10, L10)
    assert (path.stat().st_ino, second.stat().st_ino, mode(second)) == (inode, inode, 0o640)


def test_f011_c19_an_edit_through_a_link_restores_the_target_and_the_link_stays(scene: Scene) -> None:
    scene.person("AGENTS.md", L10)
    scene.path("CLAUDE.md").symlink_to("AGENTS.md")
    turn = scene.puts("CLAUDE.md", CHANGED)
    assert turn.paths == ("AGENTS.md",)

    scene.undo(turn)

    assert scene.path("AGENTS.md").read_bytes() == L10
    assert os.readlink(scene.path("CLAUDE.md")) == "AGENTS.md"


def test_f012_a_link_that_was_turned_elsewhere_does_not_lead_an_undo(scene: Scene) -> None:
    scene.person("AGENTS.md", L10)
    scene.person("OTHER.md", b"other\n")
    scene.path("CLAUDE.md").symlink_to("AGENTS.md")
    turn = scene.puts("CLAUDE.md", CHANGED)
    scene.path("CLAUDE.md").unlink()
    scene.path("CLAUDE.md").symlink_to("OTHER.md")

    scene.undo(turn)

    assert scene.path("AGENTS.md").read_bytes() == L10
    assert scene.path("OTHER.md").read_bytes() == b"other\n"


def test_f015_c19_a_link_that_a_tool_replaced_by_a_file_comes_back(scene: Scene) -> None:
    scene.person("AGENTS.md", L10)
    link = scene.path("CLAUDE.md")
    link.symlink_to("AGENTS.md")

    def replace(at: Path) -> None:
        at.unlink()
        at.write_bytes(CHANGED)

    turn = scene.does("Write", "CLAUDE.md", replace)
    scene.undo(turn)
    assert os.readlink(link) == "AGENTS.md"
    assert scene.path("AGENTS.md").read_bytes() == L10
    scene.redo(turn)
    assert (link.is_symlink(), link.read_bytes()) == (False, CHANGED)


def test_f015_a_file_that_a_tool_replaced_by_a_link_comes_back_with_its_mode(scene: Scene) -> None:
    path = scene.person("a.txt", L10, 0o640)
    scene.person("b.txt", b"b\n")

    def replace(at: Path) -> None:
        at.unlink()
        at.symlink_to("b.txt")

    turn = scene.does("Write", "a.txt", replace)
    scene.undo(turn)
    assert (path.is_symlink(), path.read_bytes(), mode(path)) == (False, L10, 0o640)
    scene.redo(turn)
    assert os.readlink(path) == "b.txt"


@pytest.mark.parametrize("target", ["AGENTS.md", "nowhere", "./sub/../AGENTS.md", "näme\t\n"])
def test_f016_f017_a_link_comes_and_goes_without_its_target(scene: Scene, target: str) -> None:
    scene.person("AGENTS.md", L10)
    link = scene.path("link")
    turn = scene.does("Write", "link", lambda at: at.symlink_to(target))
    scene.undo(turn)
    assert not link.is_symlink()
    scene.redo(turn)
    assert os.readlink(link) == target
    gone = scene.removes("link")
    scene.undo(gone)
    assert os.readlink(link) == target


def test_f013_an_edit_through_a_link_to_outside_is_recorded_but_never_undone(scene: Scene) -> None:
    outside = scene.around / "outside.txt"
    outside.write_bytes(L10)
    scene.path("link").symlink_to(outside)
    turn = scene.puts("link", CHANGED)
    assert (turn.record.target_path, turn.undoability) == (str(outside), "not")
    assert not turn.record.changes[0].before.kept

    plan = scene.changes_nothing(turn)

    assert plan.outcome is Outcome.REFUSED
    assert outside.read_bytes() == CHANGED


@pytest.mark.parametrize("target", ["nowhere", "b.txt", "/etc/hostname"])
def test_f014_a_link_at_the_path_is_neither_followed_nor_replaced(scene: Scene, target: str) -> None:
    path = scene.person("a.txt", L10)
    scene.person("b.txt", b"b\n")
    turn = scene.puts("a.txt", CHANGED)
    path.unlink()
    path.symlink_to(target)

    scene.conflict(turn)

    assert os.readlink(path) == target


def test_f018_a_folder_that_is_a_link_inside_the_workspace_is_seen_through_once(scene: Scene) -> None:
    scene.person("real/a.txt", L10)
    scene.path("alias").symlink_to("real")
    turn = scene.puts("alias/a.txt", CHANGED)
    assert turn.paths == ("real/a.txt",)
    scene.path("alias").unlink()

    scene.undo(turn)

    assert scene.path("real/a.txt").read_bytes() == L10


@pytest.mark.parametrize("created", [False, True])
def test_f019_c19_a_folder_swapped_for_a_link_to_outside_leads_nowhere(scene: Scene, created: bool) -> None:
    outside = scene.around / "outside"
    outside.mkdir()
    if not created:
        scene.person("out/f", L10)
    turn = scene.puts("out/f", CHANGED, tool="Write")
    (outside / "f").write_bytes(CHANGED)
    scene.path("out/f").unlink()
    scene.path("out").rmdir()
    scene.path("out").symlink_to(outside)
    before = sights(outside)

    plan = scene.changes_nothing(turn)

    assert plan.outcome is Outcome.REFUSED
    assert "link" in plan.entries[0].reason
    assert sights(outside) == before


def test_f111_a_read_only_file_keeps_its_mode_through_undo_and_redo(scene: Scene) -> None:
    path = scene.person("a.txt", L10, 0o444)
    turn = scene.does("Edit", "a.txt", lambda at: rewrite(at, CHANGED, 0o444))
    scene.undo(turn, consents={"read_only:a.txt"})
    scene.redo(turn, consents={"read_only:a.txt"})
    assert (mode(path), path.read_bytes()) == (0o444, CHANGED)
