"""A repository in a workspace, commands that are recorded with what they moved, and a person who undoes them."""

import subprocess
from pathlib import Path

from sulcus_panel.core.capture.shell.refs import look_at_refs
from sulcus_panel.core.capture.shell.standing import git_folder, head_and_branch
from sulcus_panel.core.ledger.journal import UndoJournal
from sulcus_panel.core.model import ActionType, Entry, GitDelta, GitState, NewEntry, RefMove, SeqId
from sulcus_panel.core.undo.apply import apply_undo
from sulcus_panel.core.undo.carry_effects import CarryEffects
from sulcus_panel.core.undo.model import UndoPlan, UndoResult
from tests.support.bench import Bench
from tests.support.commands import sh
from tests.support.ledgers import appended, record


class RepoBench(Bench):
    """`main` with two commits, `old` at the first; a workspace around it."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.put("a.txt", b"one\n")
        self.sh("git init -q -b main && git add -A && git commit -qm one && git branch old")
        self.sh("git commit -q --allow-empty -m two")

    def sh(self, command: str) -> None:
        """Somebody runs this, and nobody records it."""
        assert sh(self.root, command) == 0, command

    def says(self) -> str:
        """HEAD's branch and every reference, as git says."""
        told = [["git", "symbolic-ref", "HEAD"], ["git", "show-ref"]]
        return "".join(subprocess.check_output(words, cwd=self.root, text=True) for words in told)

    def id_of(self, name: str) -> str:
        return subprocess.check_output(["git", "rev-parse", name], cwd=self.root, text=True).strip()

    def runs(self, command: str, folder: str = "", **fields: object) -> Entry:
        """An agent runs a command in a folder of the workspace; its entry, as hooks would make it."""
        where, home = str(self.root / folder), str(self.root.parent / "looks")
        before = self._stands(where)
        look_at_refs("before", where, "k\0k\0k", home)
        assert sh(Path(where), command) == 0, command
        told = look_at_refs("after", where, "k\0k\0k", home)[1].get("tree_refs", b"").decode().split("\0")
        moves = tuple(RefMove(*told[at : at + 3]) for at in range(0, len(told) - 1, 3))
        said = {
            "action_type": ActionType.RUN_COMMAND,
            "command": command,
            "cwd": where,
            "git": GitDelta(before, self._stands(where), moves),
            "summary": f"Ran {command}",
        }
        entry = record(self.ids(), at=self.clock.advance(1), **(said | fields))
        return appended(self.ledger, self.workspace.id, entry)

    def _stands(self, where: str) -> GitState:
        head, branch = head_and_branch(git_folder(where))
        return GitState(head or None, branch or None, {})

    def agrees(self, plan: UndoPlan) -> UndoResult:
        """The person says yes to all that the plan asks."""
        keys = [consent.key for consent in plan.consents]
        return apply_undo(self.ledger, self.workspace, plan, self.hands(), keys)

    def begins(self, *seq_ids: SeqId) -> tuple[UndoPlan, tuple[NewEntry, ...]]:
        """An undo is about to be done: the journal is open and nothing has moved."""
        plan = self.plan(*seq_ids)
        carrying = CarryEffects(self.ledger, self.workspace, plan, self.hands())
        entries = carrying.entries(self.clock())
        journal = UndoJournal("op", self.workspace.id, str(self.root), plan.digest, (), entries)
        self.ledger.begin_undo(journal, {})
        return plan, entries
