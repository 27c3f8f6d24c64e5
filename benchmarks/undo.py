"""A surgical undo of old changes against `git revert` of the same ones: in an open panel, and as a command.

Thirty changes to one file of 50 KB: the fifteenth, or ten in the middle, are taken back and everything later
stays. In the panel the time runs from the question to the result that was read back from the disk; git is
always the whole command, and does not wait for the disk as an undo does. Exits 1 where the two leave other
bytes, or where a limit is missed.
"""

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.history import History, git_environment
from benchmarks.timing import Cost, measured, ratio_of
from sulcus_panel.core.ledger.queries import LedgerQuery
from sulcus_panel.core.model import SeqId
from sulcus_panel.core.undo.model import Outcome, UndoRequest
from sulcus_panel.service.operations import Operations

ROUNDS = 15
ONE = (SeqId(15),)
TEN = tuple(SeqId(number) for number in range(19, 9, -1))
SCRIPT = "#!{python}\nimport sys\nfrom sulcus_panel.cli.main import run\nsys.exit(run())\n"
"""What an installer makes of an entry point."""


@dataclass(frozen=True, slots=True)
class Line:
    """One comparison: its name, both sides, and how much of git's CPU ours may take (None: only shown)."""

    name: str
    ours: Callable[[], Cost]
    git: Callable[[], Cost]
    limit: float | None


def main() -> int:
    """Compare, print, judge."""
    git_path = shutil.which("git")
    if git_path is None:
        raise SystemExit("there is no git to compare with")
    with tempfile.TemporaryDirectory() as folder:
        history = History.make(Path(folder))
        bench = Bench(history, git_path)
        good = [bench.compare(line) for line in bench.lines()]
    return int(not all(good))


@dataclass(frozen=True, slots=True)
class Bench:
    """Both sides over one history."""

    history: History
    git_path: str

    def lines(self) -> tuple[Line, ...]:
        """Every comparison, in the order shown."""
        program, typed = self._program()
        rollback = [*program, "ledger", "rollback", str(ONE[0])]
        return (
            Line("one in an open panel", lambda: self.in_process(ONE), lambda: self.by_git(ONE), 0.05),
            Line("its plan alone", lambda: self.in_process(ONE, apply=False), lambda: self.by_git(ONE), None),
            Line("ten in an open panel", lambda: self.in_process(TEN), lambda: self.by_git(TEN), 0.15),
            Line("`ledger rollback`", lambda: self.command(rollback, typed), lambda: self.by_git(ONE), 1.0),
            Line(
                "the same with --dry-run",
                lambda: self.command([*rollback, "--dry-run"], typed),
                lambda: self.by_git(ONE),
                None,
            ),
            Line(
                "`sulcus-panel --version`",
                lambda: self.command([*program, "--version"], typed),
                lambda: self.by_git(ONE),
                None,
            ),
            Line(
                "an interpreter that does nothing",
                lambda: self.command([sys.executable, "-c", "pass"], typed),
                lambda: self.by_git(ONE),
                None,
            ),
        )

    def compare(self, line: Line) -> bool:
        """Run the pairs and print the ratios; False where bytes differ or the limit is missed."""
        pairs, same = [], True
        for _ in range(ROUNDS + 1):
            ours, left = self._round(line.ours)
            theirs, wanted = self._round(line.git)
            same = same and left == wanted
            pairs.append((ours, theirs))
        ratio = ratio_of(pairs[1:])  # the first of each only warms what the machine keeps
        told = (
            f"{line.name}: {ratio.cpu:.2f} x the CPU, {ratio.wall:.2f} x the time of `git revert`"
            f" ({ratio.base.cpu * 1e3:.1f} ms CPU, {ratio.base.wall * 1e3:.1f} ms)"
        )
        if line.limit is None:
            print(told)
            return True
        met = ratio.cpu <= line.limit
        bytes_told = "the same bytes" if same else "OTHER BYTES"
        print(f"{told}; {bytes_told}; limit {line.limit:.2f} of CPU: {'met' if met else 'MISSED'}")
        return met and same

    def _round(self, run: Callable[[], Cost]) -> tuple[Cost, bytes]:
        self.history.restore()
        cost = run()
        return cost, self.history.file.read_bytes()

    def in_process(self, seq_ids: Sequence[SeqId], *, apply: bool = True) -> Cost:
        """Plan, apply, read back, where the rows are already shown."""
        with Operations.open(self.history.home) as operations:
            operations.find(LedgerQuery(limit=30))
            operations.record_governance(None, "bench", "an open panel has written before")
            began, began_cpu = time.perf_counter(), time.process_time()
            plan = operations.plan(UndoRequest(tuple(seq_ids)))
            done = operations.apply(plan).outcome if apply else plan.outcome
            cost = Cost(time.process_time() - began_cpu, time.perf_counter() - began, 1)
        if done is not Outcome.UNDONE:
            raise SystemExit(f"the undo came to {done}")
        return cost

    def by_git(self, seq_ids: Sequence[SeqId]) -> Cost:
        """One command that reverts them all, newest first."""
        commits = [self.history.commits[seq_id - 1] for seq_id in seq_ids]
        command = [self.git_path, "-C", str(self.history.root), "revert", "--no-edit", *commits]
        return measured(command, None, git_environment(), quiet=True)

    def command(self, command: Sequence[str], environment: Mapping[str, str]) -> Cost:
        """The whole terminal command; whoever types says yes."""
        return measured(command, self.history.folder / "yes", environment, quiet=True)

    def _program(self) -> tuple[list[str], Mapping[str, str]]:
        """Install the command as an installer would, its modules compiled."""
        script = self.history.folder / "sulcus-panel"
        script.write_text(SCRIPT.format(python=sys.executable))
        script.chmod(0o755)
        (self.history.folder / "yes").write_text("y\n")
        environment = {
            **{key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"},
            "SULCUS_HOME": str(self.history.home.root),
            "PYTHONPATH": str(Path(__file__).parent.parent),
            "PYTHONPYCACHEPREFIX": str(self.history.folder / "compiled"),
        }
        return [str(script)], environment


if __name__ == "__main__":
    sys.exit(main())
