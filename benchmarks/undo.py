"""A surgical undo of an old change against `git revert` of the same one: in an open panel, and as a command.

A repository of 5,000 files, thirty changes to one of 50 KB: the fifteenth is taken back and everything later
stays; the results are compared byte by byte. Exits 1 where they differ, or where the undo costs more than LIMIT
times git's CPU.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks.timing import measured, ratio_of
from sulcus_panel.core.capture.changes import build_change, file_side
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.model import (
    ActionType,
    Actor,
    ActorKind,
    LedgerPath,
    NewEntry,
    Origin,
    Provenance,
    SeqId,
    Settings,
)
from sulcus_panel.core.undo.model import UndoRequest
from sulcus_panel.service.operations import Operations

ROUNDS = 15
LINES = 1250
OTHER_FILES = 5000
CHANGES = 30
TAKEN_BACK = 15
LIMIT = 1.0
QUIETLY = ["/bin/sh", "-c", 'exec "$@" >/dev/null', "sh"]
NAME = LedgerPath("module.py")
IDENTITY = {
    f"GIT_{role}_{part}": "bench@example.org"
    for role in ("AUTHOR", "COMMITTER")
    for part in ("NAME", "EMAIL")
}


def main() -> int:
    """Compare, print, judge."""
    with tempfile.TemporaryDirectory() as folder:
        home, root = DataHome(Path(folder) / "data"), Path(folder) / "work"
        commit = make_history(home, root)
        cpu, wall, same = in_process(home, root, commit)
        print(
            f"undo in an open panel: {cpu:.2f} x the CPU, {wall:.2f} x the time of `git revert` (no fsync there)"
        )
        print(f"the same bytes as git's: {same}")
        print(f"`ledger rollback` as a process against `git revert`: {as_processes(home, root, commit)}")
    print(f"limit {LIMIT:.2f} of CPU: {'met' if same and cpu <= LIMIT else 'MISSED'}")
    return int(not same or cpu > LIMIT)


def in_process(home: DataHome, root: Path, commit: str) -> tuple[float, float, bool]:
    """Median ratios of CPU and time, plan to verified result, and whether both leave the same bytes."""
    file = root / NAME
    newest = file.read_bytes()
    cpu, wall, same = [], [], True
    revert = ["/usr/bin/env", "git", "-C", str(root), "revert", "--no-edit", commit]
    with Operations.open(home) as operations:
        for _ in range(ROUNDS):
            began, began_cpu = time.perf_counter(), time.process_time()
            operations.apply(operations.plan(UndoRequest((SeqId(TAKEN_BACK),))))
            ours, ours_cpu = time.perf_counter() - began, time.process_time() - began_cpu
            undone = file.read_bytes()
            operations.apply(operations.plan_redo((SeqId(TAKEN_BACK),)))
            theirs = measured(QUIETLY + revert, None, git_environment())
            same = same and file.read_bytes() == undone
            git(root, "reset", "--hard", "-q", "HEAD~1")
            same = same and file.read_bytes() == newest
            cpu.append(ours_cpu / theirs.cpu)
            wall.append(ours / theirs.wall)
    return statistics.median(cpu), statistics.median(wall), same


def make_history(home: DataHome, root: Path) -> str:
    """Thirty changes, each an entry and a commit; returns the commit to be taken back."""
    root.mkdir()
    git(root, "init", "-q")
    lines = [b"value_%04d = %d  # a line of some length\n" % (n, n) for n in range(LINES)]
    (root / NAME).write_bytes(b"".join(lines))
    for number in range(OTHER_FILES):
        other = root / f"package_{number % 100}" / f"module_{number}.py"
        other.parent.mkdir(exist_ok=True)
        other.write_text(f"value = {number}\n")
    git(root, "add", ".")
    git(root, "commit", "-qm", "start")
    wanted = ""
    began = datetime.now(UTC) - timedelta(hours=1)
    with Operations.open(home) as operations:
        workspace = operations.register(root)
        for number in range(1, CHANGES + 1):
            before = b"".join(lines)
            lines[number * 40] = b"changed_%04d = True\n" % number
            after = b"".join(lines)
            (root / NAME).write_bytes(after)
            change, contents = build_change(
                NAME, file_side(before, 0o644), file_side(after, 0o644), Settings()
            )
            entry = replace(
                TEMPLATE, uid=str(number), at=began + timedelta(seconds=number), changes=(change,)
            )
            operations.ledger.append(workspace.id, entry, contents=contents)
            git(root, "commit", "-qam", str(number))
            if number == TAKEN_BACK:
                wanted = git(root, "rev-parse", "HEAD")
    return wanted


TEMPLATE = NewEntry(
    uid="",
    at=datetime.now(UTC),
    harness="claude-code",
    actor=Actor("Claude Code", ActorKind.AGENT),
    origin=Origin.AGENT,
    action_type=ActionType.FILE_EDIT,
    tool_name="Edit",
    target_path=NAME,
    summary=f"edited {NAME}",
    provenance=Provenance.OBSERVED,
    session_id="s",
    turn_id="t",
)


def redo_here(home: DataHome) -> None:
    """Bring it back for the next round."""
    with Operations.open(home) as operations:
        operations.apply(operations.plan_redo((SeqId(TAKEN_BACK),)))


def as_processes(home: DataHome, root: Path, commit: str) -> str:
    """The whole terminal command against the whole git command, CPU and time."""
    yes = root.parent / "yes"
    yes.write_text("y\n")
    environment = {**os.environ, "SULCUS_HOME": str(home.root)}
    quiet = [sys.executable, "-m", "benchmarks.undo", "quietly", str(TAKEN_BACK)]
    revert = ["/usr/bin/env", "git", "-C", str(root), "revert", "--no-edit", commit]
    pairs = []
    for _ in range(ROUNDS):
        ours = measured(quiet, yes, environment)
        redo_here(home)
        theirs = measured(QUIETLY + revert, None, git_environment())
        git(root, "reset", "--hard", "-q", "HEAD~1")
        pairs.append((ours, theirs))
    return str(ratio_of(pairs))


def quietly(seq: str) -> int:
    """`ledger rollback SEQ` with its answer thrown away."""
    from sulcus_panel.cli.main import main as cli

    sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - until the process ends
    return cli(["ledger", "rollback", seq])


def git_environment() -> dict[str, str]:
    """No configuration but a name to commit under."""
    return {**os.environ, **IDENTITY, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}


def git(root: Path, *args: str) -> str:
    """Run git and return what it says."""
    done = subprocess.run(
        ["git", "-C", str(root), *args], check=True, capture_output=True, text=True, env=git_environment()
    )
    return done.stdout.strip()


if __name__ == "__main__":
    sys.exit(quietly(sys.argv[2]) if sys.argv[1:2] == ["quietly"] else main())
