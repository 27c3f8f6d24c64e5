"""Commands in odd places and at odd times: no git, nested repositories, secrets, several writers at once."""

import os
import threading
from pathlib import Path

import pytest

from sulcus_panel.core.capture.shell.attribution import BY_ITSELF, NOT_NAMED
from sulcus_panel.core.model import Entry, FileKind, Origin, Undoability
from sulcus_panel.core.undo.model import Outcome
from tests.support.commands import agent_runs, git_look, sh, tree_of
from tests.support.hooks import spooled
from tests.support.scene import Scene


def repository(folder: Path, names: int = 3) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(names):
        (folder / f"f{number}.txt").write_bytes(b"number %d\n" % number * 5)
    sh(folder, "git init -q -b main && git add -A && git commit -qm one")


def goes_back(scene: Scene, entry: Entry) -> None:
    plan = scene.plan(entry)
    scene.carry_out(plan, {consent.key for consent in plan.consents})


def test_a_folder_without_git(scene: Scene) -> None:
    scene.person("a.txt", b"one\n")
    scene.person("sub/b.txt", b"two\n", 0o600)
    before = tree_of(scene.folder)
    entry = agent_runs(scene, "sed -i s/o/0/ a.txt; mv sub/b.txt sub/c.txt; rm -f nothing")
    assert set(entry.paths) == {"a.txt", "sub/b.txt", "sub/c.txt"}
    assert entry.record.git is None
    goes_back(scene, entry)
    assert tree_of(scene.folder) == before


def test_a_secret_is_named_with_its_hash_and_nothing_of_it_is_kept(scene: Scene) -> None:
    scene.person(".env", b"KEY=one-very-private\n")
    entry = agent_runs(scene, "echo KEY=another-private > .env; echo x > y")
    [secret] = [change for change in entry.record.changes if change.path == ".env"]
    assert (secret.before.kind, secret.before.size_bytes) == (FileKind.FILE, 21)
    assert secret.before.sha256
    assert secret.before.sha256 != secret.after.sha256
    assert (secret.before.kept, secret.after.kept) == (False, False)
    assert entry.undoability is Undoability.PARTLY
    held = [
        path for path in scene.home.root.rglob("*") if path.is_file() and b"very-private" in path.read_bytes()
    ]
    assert not held


def test_repositories_in_one_another(scene: Scene) -> None:
    """A nested repository, a submodule and a linked working tree: each one's own objects prove its files."""
    repository(scene.folder)
    repository(scene.folder / "nested")
    repository(scene.around / "other")
    sh(
        scene.folder,
        "git -c protocol.file.allow=always submodule -q add ../other module && git commit -qm module",
    )
    sh(scene.folder, "git worktree add -q tree && echo tree >> .git/info/exclude")
    before = tree_of(scene.folder)
    entry = agent_runs(scene, "for d in . nested module tree; do echo x >> $d/f1.txt; done")
    assert set(entry.paths) == {"f1.txt", "nested/f1.txt", "module/f1.txt", "tree/f1.txt"}
    assert entry.undoability is Undoability.FULLY
    assert not any(".git/" in path for path in entry.paths)
    goes_back(scene, entry)
    assert tree_of(scene.folder) == before


def test_a_command_in_a_linked_working_tree(scene: Scene) -> None:
    repository(scene.around / "main")
    sh(scene.around / "main", f"git worktree add -q {scene.folder}")
    scene.operations.register(scene.folder)
    before = tree_of(scene.folder)
    entry = agent_runs(scene, "git rm -q f0.txt")
    assert (entry.paths, entry.undoability) == (("f0.txt",), Undoability.FULLY)
    assert entry.record.git is not None
    assert entry.record.git.before.branch == "work"
    assert (entry.record.git.before.status, entry.record.git.after.status) == ({}, {"f0.txt": "D "})
    goes_back(scene, entry)
    assert tree_of(scene.folder) == before


def test_a_rebase_that_moves_hundreds_of_files_is_one_entry_with_its_movement(scene: Scene) -> None:
    repository(scene.folder, 300)
    sh(scene.folder, "git checkout -qb side && sed -i s/number/side/ f1*.txt && git commit -qam side")
    sh(scene.folder, "git checkout -q main && sed -i s/number/main/ f2*.txt && git commit -qam main")
    sh(scene.folder, "git checkout -q side")
    before, git = tree_of(scene.folder), git_look(scene.folder)
    entry = agent_runs(scene, "git rebase -q main")
    assert len(entry.paths) == 111
    assert entry.undoability is Undoability.FULLY
    assert entry.record.git is not None
    assert entry.record.git.before.branch == entry.record.git.after.branch == "side"
    assert entry.record.git.before.head != entry.record.git.after.head
    plan = scene.plan(entry)
    assert [warning.code for warning in plan.warnings if warning.code == "git_moved"] == ["git_moved"]
    moved = git_look(scene.folder)
    goes_back(scene, entry)
    assert tree_of(scene.folder) == before
    assert git_look(scene.folder) == moved != git


def test_an_ignored_file_has_another_status_than_an_untracked_one(scene: Scene) -> None:
    repository(scene.folder)
    scene.person(".gitignore", b"dist/\n*.log\n!kept.log\n")
    entry = agent_runs(scene, "mkdir dist; echo 1 > dist/a; echo 2 > b.log; echo 3 > kept.log; echo 4 > c")
    assert entry.record.git is not None
    assert entry.record.git.before.status == {}
    assert entry.record.git.after.status == {"dist/a": "!!", "b.log": "!!", "kept.log": "??", "c": "??"}


def test_an_edit_keeps_where_git_stood(scene: Scene) -> None:
    repository(scene.folder)
    entry = scene.puts("f0.txt", b"other\n")
    assert entry.record.git is not None
    assert entry.record.git.before == entry.record.git.after
    assert (entry.record.git.after.branch, len(entry.record.git.after.head or "")) == ("main", 40)


def test_a_command_that_only_reads_is_not_looked_at(scene: Scene) -> None:
    scene.person("a.txt", b"one\n")
    agent_runs(scene, "cat a.txt | head -1; git status")
    assert not (scene.home.root / "baselines").exists()


def test_a_failed_command_is_recorded_with_its_files_code_and_what_it_said(scene: Scene) -> None:
    scene.person("a.txt", b"one\n")
    entry = agent_runs(scene, "echo two > a.txt; exit 3")
    assert (entry.paths, entry.record.exit_code) == (("a.txt",), 3)
    assert entry.record.ran is not None
    assert entry.record.ran.output == "Exit code 3\nno"
    goes_back(scene, entry)
    assert scene.path("a.txt").read_bytes() == b"one\n"


def test_what_the_person_did_while_permission_was_asked_is_not_the_commands(scene: Scene) -> None:
    scene.person("a.txt", b"one\n")
    scene.person("mine.txt", b"before\n")
    run, given = scene.agent, {"command": "make a"}
    run.tool("PreToolUse", "Bash", given, tool_use_id="c1")
    scene.person("mine.txt", b"typed by hand\n")
    threading.Event().wait(0.6)
    scene.person("a.txt", b"two\n")
    run.tool("PostToolUse", "Bash", given, tool_use_id="c1", tool_response={"stdout": ""}, duration_ms=50)
    rows = {row.record.origin: row for row in scene.rows()}
    assert rows[Origin.AGENT].paths == ("a.txt",)
    assert rows[Origin.OUTSIDE].paths == ("mine.txt",)


def test_two_commands_at_once_share_nothing_silently(scene: Scene) -> None:
    for name in ("a", "b", "c"):
        scene.person(name, b"one\n")
    run = scene.agent
    first, second = {"command": "make a"}, {"command": "make b"}
    run.tool("PreToolUse", "Bash", first, tool_use_id="c1")
    run.tool("PreToolUse", "Bash", second, tool_use_id="c2")
    for name in ("a", "b", "c"):
        scene.person(name, b"two\n")
    for call, given in (("c1", first), ("c2", second)):
        run.tool("PostToolUse", "Bash", given, tool_use_id=call, tool_response={"stdout": ""})
    one, other = scene.rows()
    assert set(one.paths) == {"a", "b", "c"}
    assert one.record.ran is not None
    assert other.record.ran is not None
    assert set(one.record.ran.unsure) == {"b", "c"}
    assert (one.record.ran.at_once, other.record.ran.at_once) == (("make b",), ("make a",))
    assert other.paths == ()
    warnings = [warning.path for warning in scene.plan(one).warnings if warning.code == "unsure"]
    assert set(warnings) == {"b", "c"}


def test_a_file_that_an_editor_has_open_is_unsure(scene: Scene) -> None:
    scene.person("build.sh", b"echo two > a; echo two > b\n")
    for name in ("a", "b", ".a.swp"):
        scene.person(name, b"one\n")
    entry = agent_runs(scene, "sh build.sh")
    assert set(entry.paths) == {"a", "b"}
    assert entry.record.ran is not None
    assert dict(entry.record.ran.unsure) == {"a": "an editor has it open"}


def test_a_save_within_a_short_command_is_not_silently_the_commands(scene: Scene) -> None:
    """The command names what it writes; the person's own file goes back only with a yes of its own."""
    scene.person("out.txt", b"one\n")
    scene.person("notes.md", b"mine\n")
    run, given = scene.agent, {"command": "echo two > out.txt; sleep 1"}
    run.tool("PreToolUse", "Bash", given, tool_use_id="c1")
    scene.person("out.txt", b"two\n")
    scene.person("notes.md", b"mine, saved\n")
    run.tool("PostToolUse", "Bash", given, tool_use_id="c1", tool_response={"stdout": ""})
    entry = scene.newest()
    assert entry.record.ran is not None
    assert dict(entry.record.ran.unsure) == {"notes.md": NOT_NAMED}
    plan = scene.plan(entry)
    assert [consent.key for consent in plan.consents] == ["unsure:notes.md"]
    assert scene.operations.apply(plan).outcome is Outcome.HELD
    assert scene.path("notes.md").read_bytes() == b"mine, saved\n"
    hunk = next(hunk for path in plan.entries[0].paths for hunk in path.hunks if path.path == "out.txt")
    scene.undo(entry, hunks=(hunk.index,))
    assert scene.path("out.txt").read_bytes() == b"one\n"
    assert scene.path("notes.md").read_bytes() == b"mine, saved\n"


@pytest.mark.parametrize("with_git", [True, False])
def test_a_save_within_a_short_opaque_command_is_not_silently_the_commands(
    scene: Scene, *, with_git: bool
) -> None:
    """Nothing tells what a build writes, nor who saved the file that it does not name: the person is asked."""
    scene.person("notes.md", b"mine\n")
    if with_git:
        repository(scene.folder)
    run, given = scene.agent, {"command": "make"}
    run.tool("PreToolUse", "Bash", given, tool_use_id="c1")
    scene.person("out/one.o", b"built\n")
    scene.person("notes.md", b"mine, saved\n")
    run.tool("PostToolUse", "Bash", given, tool_use_id="c1", tool_response={"stdout": ""})
    entry = scene.newest()
    assert entry.record.ran is not None
    assert dict(entry.record.ran.unsure) == {"notes.md": BY_ITSELF}
    plan = scene.plan(entry)
    assert [consent.key for consent in plan.consents] == ["unsure:notes.md"]
    assert scene.operations.apply(plan).outcome is Outcome.HELD
    assert scene.path("notes.md").read_bytes() == b"mine, saved\n"


@pytest.mark.parametrize("command", ["git checkout -q -- f1.txt", "git reset -q --hard"])
def test_what_git_wrote_is_the_commands_even_where_it_is_one_file(scene: Scene, command: str) -> None:
    repository(scene.folder)
    scene.person("f1.txt", b"dirty\n")
    entry = agent_runs(scene, command)
    assert entry.paths == ("f1.txt",)
    assert entry.record.ran is None or not entry.record.ran.unsure


def test_a_file_that_an_editor_saved_with_a_copy_beside_it_is_unsure(scene: Scene) -> None:
    for name in ("a", "b"):
        scene.person(name, b"one\n")
    scene.person("build.sh", b"cp a a~; echo two > a; echo two > b\n")
    entry = agent_runs(scene, "sh build.sh")
    assert entry.record.ran is not None
    assert dict(entry.record.ran.unsure) == {"a": "an editor has it open"}


def test_a_file_that_the_person_saved_a_moment_before_is_unsure(scene: Scene) -> None:
    scene.puts("a", b"one\n")
    scene.person("a", b"mine\n")
    scene.puts("a", b"two\n", tool="Write")  # which finds the save
    scene.person("build.sh", b"echo three > a; echo three > b\n")
    entry = agent_runs(scene, "sh build.sh")
    assert entry.record.ran is not None
    assert dict(entry.record.ran.unsure) == {"a": "somebody else saved it shortly before"}


def test_a_command_in_the_background_is_marked(scene: Scene) -> None:
    scene.person("a", b"one\n")
    run, given = scene.agent, {"command": "make watch", "run_in_background": True}
    run.tool("PreToolUse", "Bash", given, tool_use_id="c1")
    answer = {"stdout": "", "stderr": "", "backgroundTaskId": "bg1"}
    run.tool("PostToolUse", "Bash", given, tool_use_id="c1", tool_response=answer)
    [row] = scene.rows()
    assert row.record.ran is not None
    assert row.record.ran.in_background


@pytest.mark.parametrize("below", ["", "nested/"])
def test_what_a_background_command_writes_to_is_unsure_also_in_a_repository_further_below(
    scene: Scene, below: str
) -> None:
    """A look names paths from its repository, the ledger from the workspace: they are the same file."""
    repository(scene.folder / below)
    scene.agent.extra["cwd"] = str(scene.folder / below)
    run, given = scene.agent, {"command": "make watch", "run_in_background": True}
    run.tool("PreToolUse", "Bash", given, tool_use_id="c1")
    scene.person(f"{below}f1.txt", b"begun\n")
    answer = {"stdout": "", "stderr": "", "backgroundTaskId": "bg1"}
    run.tool("PostToolUse", "Bash", given, tool_use_id="c1", tool_response=answer)
    assert scene.newest().paths == (f"{below}f1.txt",)
    run.tool("PreToolUse", "Bash", {"command": "make two"}, tool_use_id="c2")
    scene.person(f"{below}f1.txt", b"and on\n")
    run.tool("PostToolUse", "Bash", {"command": "make two"}, tool_use_id="c2", tool_response={"stdout": ""})
    ran = scene.newest().record.ran
    assert ran is not None
    assert dict(ran.unsure) == {f"{below}f1.txt": "a command in the background writes to it too"}


@pytest.mark.parametrize(
    ("command", "fields"),
    [
        ("npm run dev", {"backgroundTaskId": "bg1"}),
        ("npm run dev > log 2>&1 &", {}),
        ("(nohup sh dev.sh &)", {}),
    ],
)
def test_what_changes_after_a_background_command_is_perhaps_its_work_and_says_so(
    scene: Scene, command: str, fields: dict[str, str]
) -> None:
    scene.puts("known.txt", b"one\n")
    run, given = scene.agent, {"command": command}
    run.tool("PreToolUse", "Bash", given, tool_use_id="b1")
    run.tool("PostToolUse", "Bash", given, tool_use_id="b1", tool_response={"stdout": "", **fields})
    left = scene.newest()
    assert left.record.ran is not None
    assert left.record.ran.in_background
    scene.person("known.txt", b"by the dev server\n")
    scene.puts("known.txt", b"by the agent\n")
    [outside] = [row for row in scene.rows() if row.record.origin is Origin.OUTSIDE]
    assert outside.record.summary == f"changed outside the agents, perhaps by #{left.seq_id}"
    [note] = outside.record.notes
    assert f"#{left.seq_id} ({command})" in note


def test_a_write_outside_the_workspace_is_not_kept_and_that_shows(scene: Scene) -> None:
    scene.person("a", b"one\n")
    away = scene.around / "profile"
    entry = agent_runs(scene, f"echo x > a; echo alias >> {away}")
    assert entry.paths == ("a",)
    assert entry.record.ran is not None
    assert entry.record.ran.unseen == (f"{away} is outside the workspace, so not kept",)
    told = [warning.text for warning in scene.plan(entry).warnings if warning.code == "unseen"]
    assert told == [f"#{entry.seq_id} may have changed more: {away} is outside the workspace, so not kept"]
    goes_back(scene, entry)
    assert away.read_bytes() == b"alias\n"


def test_what_changed_before_any_background_command_names_nobody(scene: Scene) -> None:
    scene.puts("known.txt", b"one\n")
    scene.person("known.txt", b"mine\n")
    scene.puts("known.txt", b"by the agent\n")
    [outside] = [row for row in scene.rows() if row.record.origin is Origin.OUTSIDE]
    assert (outside.record.summary, outside.record.notes) == ("changed outside the agents", ())


def baseline_is_there(scene: Scene) -> bool:
    """Wait for the child that a look left to finish."""
    for _ in range(400):
        if any(path.name == "last" for path in (scene.home.root / "baselines").rglob("*")):
            return True
        threading.Event().wait(0.05)
    return False


def test_a_first_look_at_a_large_tree_leaves_the_copies_to_a_child(scene: Scene) -> None:
    scene.person(".gitignore", b"dist/\n")
    repository(scene.folder, 2800)
    for number in range(150):
        scene.person(f"dist/{number}.js", b"made %d\n" % number)
    before = tree_of(scene.folder)
    run, given = scene.agent, {"command": "make all"}
    run.tool("PreToolUse", "Bash", given, tool_use_id="c1")
    assert baseline_is_there(scene)
    sh(scene.folder, "rm -r dist f1.txt; echo x >> f2.txt")
    run.tool("PostToolUse", "Bash", given, tool_use_id="c1", tool_response={"stdout": ""})
    entry = scene.newest()
    assert len(entry.paths) == 153
    assert entry.undoability is Undoability.FULLY
    goes_back(scene, entry)
    assert tree_of(scene.folder) == before


def test_the_start_of_a_session_takes_the_baseline(scene: Scene) -> None:
    scene.person("big.bin", os.urandom(3 << 20))
    scene.agent.event("SessionStart", source="startup")
    assert baseline_is_there(scene)
    entry = agent_runs(scene, "printf 'x' >> big.bin")
    [change] = entry.record.changes
    assert change.before.sha256
    assert not spooled(scene.agent.spool)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may list everything")
def test_a_folder_that_cannot_be_listed_is_said(scene: Scene) -> None:
    scene.person("shut/a", b"one\n")
    entry = agent_runs(scene, "chmod 0 shut; echo x > b")
    scene.path("shut").chmod(0o755)
    assert entry.record.ran is not None
    assert entry.record.ran.unseen == ("shut could not be listed",)
    assert "shut/a" not in entry.paths


def test_a_command_that_nobody_looked_at_before_is_a_visible_gap(scene: Scene) -> None:
    """The entry is there, and says that it cannot know what was changed."""
    run, given = scene.agent, {"command": "make"}
    run.tool("PostToolUse", "Bash", given, tool_use_id="c9", tool_response={"stdout": ""})
    [row] = scene.rows()
    assert row.record.ran is not None
    assert row.record.ran.unseen == ("no look was taken before the command",)
