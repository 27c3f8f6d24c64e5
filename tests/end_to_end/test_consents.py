"""Rows F007, F017, F038, F111, F126 to F128: what needs the person's own yes, and what is never given away."""

import json
import os
import stat
from pathlib import Path

import pytest

from sulcus_panel.core.model import EntryState, SeqId
from sulcus_panel.core.undo.model import Outcome, UndoPlan
from tests.support.scene import L10, Scene, sights, with_line

CHANGED = with_line(L10, 2, b"two")
CONFIG = (
    ".vscode/tasks.json",
    ".mcp.json",
    ".claude/settings.json",
    ".Claude/hooks/x.sh",
    ".github/workflows/ci.yml",
    ".husky/pre-commit",
    ".pre-commit-config.yaml",
    ".devcontainer/devcontainer.json",
    "sub/.gitattributes",
    "dotfiles/.bashrc",
)
PACKAGE = {"name": "x", "version": "1", "scripts": {"test": "pytest"}}


def package(**changes: object) -> bytes:
    return json.dumps({**PACKAGE, **changes}, indent=2).encode() + b"\n"


def held(scene: Scene, plan: UndoPlan) -> None:
    """Without its consents a plan is not carried out, and nothing is touched."""
    before, rows = sights(scene.around), states(scene)
    result = scene.operations.apply(plan)
    assert result.outcome is Outcome.HELD
    assert all(each.outcome is Outcome.HELD and each.undo_seq_id is None for each in result.results)
    assert all(consent.text in result.results[0].reason for consent in plan.consents)
    assert (sights(scene.around), states(scene)) == (before, rows)


def states(scene: Scene) -> list[tuple[SeqId, EntryState]]:
    return [(row.seq_id, row.state) for row in scene.rows()]


@pytest.mark.parametrize("name", CONFIG)
def test_f038_a_file_that_tools_obey_goes_back_only_with_its_own_yes(scene: Scene, name: str) -> None:
    scene.person(name, L10)
    turn = scene.puts(name, CHANGED)
    plan = scene.plan(turn)
    assert [consent.key for consent in plan.consents] == [f"config:{name}"]

    held(scene, plan)
    scene.carry_out(plan, {f"config:{name}"})

    assert scene.path(name).read_bytes() == L10


def test_f038_it_never_goes_back_in_a_batch(scene: Scene) -> None:
    for name in ("a.txt", ".mcp.json"):
        scene.person(name, L10)
    one, two = scene.puts("a.txt", CHANGED), scene.puts(".mcp.json", CHANGED)

    plan = scene.changes_nothing(one, two)

    assert plan.outcome is Outcome.REFUSED
    refused = next(each for each in plan.entries if each.entry.seq_id == two.seq_id)
    assert refused.reason == ".mcp.json is a tool's configuration: take it back on its own"
    scene.undo(one)
    scene.undo(two, consents={"config:.mcp.json"})


def test_f038_a_package_asks_where_what_it_runs_changes_and_else_not(scene: Scene) -> None:
    scene.person("package.json", package())
    script = scene.puts("package.json", package(scripts={"test": "pytest", "postinstall": "x"}))
    version = scene.puts("package.json", package(scripts={"test": "pytest", "postinstall": "x"}, version="2"))

    scene.undo(version)
    scene.undo(script, consents={"config:package.json"})

    assert scene.path("package.json").read_bytes() == package()


@pytest.mark.parametrize("name", [".envrc", ".npmrc"])
def test_f038_what_may_hold_a_secret_besides_is_not_kept_at_all(scene: Scene, name: str) -> None:
    scene.person(name, L10)
    turn = scene.puts(name, CHANGED)
    assert scene.changes_nothing(turn).outcome is Outcome.UNAVAILABLE


@pytest.mark.parametrize(
    ("said", "code", "content"),
    [
        ("y\ny\n", 0, L10),
        ("y\nn\n", 0, CHANGED),
        ("n\ny\n", 0, CHANGED),
        ("y\n", 0, CHANGED),
        ("", 0, CHANGED),
    ],
)
def test_f038_the_terminal_asks_for_each_by_itself(
    scene: Scene, said: str, code: int, content: bytes
) -> None:
    path = scene.person(".mcp.json", L10)
    turn = scene.puts(".mcp.json", CHANGED)
    answer = scene.terminal("ledger", "rollback", str(turn.seq_id), stdin=said)
    assert (answer.code, path.read_bytes()) == (code, content), answer.err
    assert ".mcp.json is obeyed by a tool" in answer.err


def test_f111_a_read_only_file_goes_back_only_with_its_own_yes_and_stays_read_only(scene: Scene) -> None:
    path = scene.person("a.txt", L10, 0o444)

    def rewrite(at: Path) -> None:
        at.chmod(0o644)
        at.write_bytes(CHANGED)
        at.chmod(0o444)

    plan = scene.plan(scene.does("Edit", "a.txt", rewrite))
    held(scene, plan)
    scene.carry_out(plan, {"read_only:a.txt"})
    assert (stat.S_IMODE(path.stat().st_mode), path.read_bytes()) == (0o444, L10)


@pytest.mark.parametrize("target", ["/etc/hostname", "../outside", "a/../../outside"])
def test_f017_a_link_that_leads_out_comes_back_only_with_its_own_yes(scene: Scene, target: str) -> None:
    (scene.around / "outside").write_bytes(L10)
    link = scene.path("link")
    link.symlink_to(target)
    plan = scene.plan(scene.removes("link"))
    held(scene, plan)
    scene.carry_out(plan, {"link_outside:link"})
    assert os.readlink(link) == target


def test_f007_a_file_that_runs_with_its_owner_s_rights_is_refused(scene: Scene) -> None:
    path = scene.person("tool", L10)
    turn = scene.puts("tool", CHANGED)
    path.chmod(0o4755)
    plan = scene.changes_nothing(turn)
    assert (plan.outcome, plan.consents) == (Outcome.REFUSED, ())
    assert "set-user-id" in plan.entries[0].reason


def test_a_result_that_is_not_certain_is_written_only_with_a_look(scene: Scene) -> None:
    lines = [f"a{number} = {number}\n" for number in range(10)]
    quoted = [*lines[:2], '"""\n', *lines[2:8], '"""\n', *lines[8:]]
    scene.person("a.py", "".join(lines).encode())
    turn = scene.puts("a.py", "".join(quoted).encode())
    scene.person("a.py", "".join([*quoted[:5], "words of mine\n", *quoted[5:]]).encode())
    plan = scene.plan(turn)
    assert plan.outcome is Outcome.REVIEW
    assert [consent.text for consent in plan.consents] == [
        "a.py needs a look: the file would no longer parse"
    ]

    held(scene, plan)
    scene.carry_out(plan, {"review:a.py"})

    assert scene.path("a.py").read_text() == "".join([*lines[:4], "words of mine\n", *lines[4:]])


KEY = "AKIA" + "IOSFODNN7EXAMPLE"


@pytest.mark.parametrize("form", ["md", "json"])
def test_f127_f128_no_contents_leave_the_ledger_unasked_and_what_does_is_the_owner_s(
    scene: Scene, form: str
) -> None:
    scene.person("a.py", L10)
    scene.puts("a.py", with_line(L10, 2, f"key = '{KEY}'".encode()))
    scene.puts("`x`\n# <img src=x>|\x1b[31m.txt", L10)
    out = scene.around / "digest"

    answer = scene.terminal("ledger", "export", "--format", form, "--out", str(out))

    assert answer.code == 0, answer.err
    digest = out.read_text()
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    assert KEY not in digest + answer.out + answer.err
    assert "line 3" not in digest
    assert not {"\x1b", "\r"} & set(digest)
    assert "\n# <img" not in digest
    listed = scene.terminal("ledger", "list", "--json")
    assert KEY not in listed.out
