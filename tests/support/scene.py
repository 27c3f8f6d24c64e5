"""A folder where agents work through real hooks and the person undoes: every step is checked against the disk.

What a scenario always asserts lives here: an undo changes no other path, its result is what it says, and the
ledger gains one row for each entry; a refused undo changes nothing at all.
"""

import hashlib
import os
import stat
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.model import Entry, EntryState, FileKind, Origin, SeqId
from sulcus_panel.core.undo.model import Conflict, Outcome, UndoPlan, UndoRequest, UndoResult
from sulcus_panel.service.operations import LedgerQuery, Operations, utc_now
from tests.support.hooks import Run
from tests.support.shell import record_command
from tests.support.terminal import Answer, sulcus

L10 = b"".join(b"line %d\n" % number for number in range(1, 11))

Sight = tuple[object, ...]
Sights = dict[str, Sight]


def with_line(data: bytes, number: int, new: bytes, end: bytes = b"\n") -> bytes:
    """`data` with its line `number` (from 1) replaced."""
    lines = data.split(b"\n")
    lines[number - 1] = new + end.removesuffix(b"\n")
    return b"\n".join(lines)


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def sight(path: Path) -> Sight:
    """Everything about one path that an undo of something else must leave alone."""
    found = os.lstat(path)
    if stat.S_ISDIR(found.st_mode):
        return "directory", found.st_mode, found.st_ino
    content: object = None
    if stat.S_ISLNK(found.st_mode):
        content = os.readlink(os.fsencode(path))
    elif stat.S_ISREG(found.st_mode) and found.st_size < 2**26:
        content = sha(path.read_bytes())
    return found.st_mode, found.st_mtime_ns, found.st_ino, found.st_uid, found.st_nlink, content


def sights(folder: Path) -> Sights:
    """Every path below `folder`, links not followed."""
    found: Sights = {}
    for here, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = Path(here) / name
            found[str(path.relative_to(folder))] = sight(path)
    return found


@dataclass
class Scene:
    """One workspace, its ledger, an agent in it, and the person with the panel."""

    folder: Path
    home: DataHome
    operations: Operations
    agent: Run
    around: Path
    """The folder above the workspace: nothing in it may change either."""
    _known: set[SeqId] = field(default_factory=set)

    @classmethod
    def make(cls, around: Path, home: DataHome, name: str = "work") -> "Scene":
        folder = around / name
        folder.mkdir()
        home.ensure()
        operations = Operations.open(home)
        operations.register(folder)
        return cls(folder, home, operations, Run(folder, home.spool), around)

    # -- who does what -----------------------------------------------------------------------------

    def path(self, name: str) -> Path:
        return self.folder / name

    def person(self, name: str, content: bytes, mode: int = 0o644) -> Path:
        """The person saves a file in an editor."""
        path = self.path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        path.chmod(mode)
        return path

    def does(
        self,
        tool: str,
        name: str,
        act: Callable[[Path], object],
        *,
        agent: Run | None = None,
        **given: object,
    ) -> Entry:
        """A tool call with its hooks around `act`; returns the entry that it made."""
        run = agent or self.agent
        path = self.path(name)
        call = run.next_id()
        tool_input = {"file_path": str(path), **given}
        run.tool("PreToolUse", tool, tool_input, tool_use_id=call)
        act(path)
        run.tool("PostToolUse", tool, tool_input, tool_use_id=call, tool_response={"filePath": str(path)})
        return self.newest()

    def puts(self, name: str, content: bytes, *, tool: str = "Edit", agent: Run | None = None) -> Entry:
        """The agent's tool leaves exactly these bytes in a file (its mode stays, or is the umask's)."""

        def write(path: Path) -> None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)

        return self.does(tool, name, write, agent=agent)

    def runs(self, command: str) -> Entry:
        """The agent runs a shell command, and everything that it did is one entry."""
        workspace = self.operations.workspace_for(self.folder, register=False)
        self.rows()  # what came before is recorded before
        turn_id = str(self.agent.extra.get("prompt_id", "t1"))
        entry = record_command(self.operations.ledger, workspace, command, utc_now(), turn_id=turn_id)
        self._known.add(entry.seq_id)
        return entry

    def removes(self, name: str) -> Entry:
        """The agent's file tool takes the file away."""
        return self.does("Edit", name, os.unlink)

    # -- the ledger --------------------------------------------------------------------------------

    def rows(self) -> Sequence[Entry]:
        """Every entry of this workspace, oldest first."""
        self.operations.drain(wait=10)
        workspace = self.operations.workspace_for(self.folder, register=False)
        query = LedgerQuery(workspace_id=workspace.id, limit=10_000)
        return tuple(reversed(self.operations.find(query)))

    def newest(self) -> Entry:
        """The agent's entry that was not there before."""
        fresh = [
            row for row in self.rows() if row.record.origin is Origin.AGENT and row.seq_id not in self._known
        ]
        assert len(fresh) == 1, fresh
        self._known.add(fresh[0].seq_id)
        return fresh[0]

    def now(self, entry: Entry) -> Entry:
        return self.operations.entry(entry.seq_id)

    def set(self, key: str, value: int | bool) -> None:
        """Change a setting of the workspace."""
        workspace = self.operations.workspace_for(self.folder, register=False)
        self.operations.set_setting(workspace.id, key, value)

    def state(self, entry: Entry) -> EntryState:
        return self.now(entry).state

    # -- undo --------------------------------------------------------------------------------------

    def plan(self, *entries: Entry, hunks: tuple[int, ...] | None = None) -> UndoPlan:
        return self.operations.plan(UndoRequest(tuple(entry.seq_id for entry in entries), hunks))

    def undo(
        self, *entries: Entry, hunks: tuple[int, ...] | None = None, consents: Collection[str] = ()
    ) -> UndoResult:
        """Undo these entries and check everything that an undo promises."""
        return self.carry_out(self.plan(*entries, hunks=hunks), consents)

    def redo(self, *entries: Entry, consents: Collection[str] = ()) -> UndoResult:
        return self.carry_out(self.operations.plan_redo([entry.seq_id for entry in entries]), consents)

    def carry_out(self, plan: UndoPlan, consents: Collection[str] = ()) -> UndoResult:
        """Apply a plan that must succeed; what it did not name stays as it was.

        `consents` must be exactly what the plan asks for; a review may be carried out with its own.
        """
        said = (plan.outcome, plan.entries[0].reason, plan.conflicts)
        assert plan.outcome is Outcome.UNDONE or (plan.outcome is Outcome.REVIEW and consents), said
        assert {consent.key for consent in plan.consents} == set(consents)
        before, rows = sights(self.around), self.rows()
        result = self.operations.apply(plan, consents)
        assert result.outcome is Outcome.UNDONE, result
        written = {f"{self.folder.name}/{write.path}" for write in plan.writes}
        after = sights(self.around)
        for name in before.keys() | after.keys():
            grew = any(each.startswith(name + "/") for each in written)
            assert name in written or grew or before.get(name) == after.get(name), name
        self._check_rows(rows, result)
        return result

    def _check_rows(self, rows: Sequence[Entry], result: UndoResult) -> None:
        fresh = {row.seq_id: row for row in self.rows()[len(rows) :]}
        undone = [each for each in result.results if each.outcome is Outcome.UNDONE]
        assert set(fresh) == {each.undo_seq_id for each in undone}
        for each in undone:
            row = fresh[SeqId(each.undo_seq_id or 0)]
            assert (row.record.origin, row.record.reverses) == (Origin.UNDO, each.seq_id)
            assert row.record.actor.kind == "person"
            told = {(path.path, path.before_sha256, path.after_sha256) for path in each.paths}
            kept = {
                (change.path, change.before.sha256, change.after.sha256)
                for change in row.record.changes
                if change.after.kind is not FileKind.DIRECTORY or change.path in {path for path, _, _ in told}
            }  # and the folders that had to be made
            assert told == kept
        self._check_disk(result)

    def _check_disk(self, result: UndoResult) -> None:
        """A result's last word on a path is what the disk says."""
        last = {path.path: path.after_sha256 for each in result.results for path in each.paths}
        for name, digest in last.items():
            path = self.path(name)
            if path.is_symlink():
                assert digest == sha(os.readlink(os.fsencode(path)))
            else:
                assert digest == (sha(path.read_bytes()) if path.is_file() else None)

    def changes_nothing(self, *entries: Entry, hunks: tuple[int, ...] | None = None) -> UndoPlan:
        """Try an undo that must not be carried out: planned and applied, it leaves disk and ledger alone."""
        before, rows = sights(self.around), self.rows()
        plan = self.plan(*entries, hunks=hunks)
        assert not plan.can_apply, plan.outcome
        result = self.operations.apply(plan)
        assert result.outcome is plan.outcome
        assert all(each.undo_seq_id is None for each in result.results)
        assert sights(self.around) == before
        assert self.rows() == rows
        return plan

    def already_so(self, *entries: Entry) -> UndoPlan:
        """Undo what is gone already: the disk stays as it is, and each entry is closed by a row without changes."""
        before, rows = sights(self.around), self.rows()
        plan = self.plan(*entries)
        assert (plan.outcome, plan.writes) == (Outcome.ALREADY_UNDONE, ())
        result = self.operations.apply(plan)
        assert sights(self.around) == before
        fresh = self.rows()[len(rows) :]
        assert [row.record.reverses for row in fresh] == [each.seq_id for each in result.results]
        assert [row.seq_id for row in fresh] == [each.undo_seq_id for each in result.results]
        assert all(row.record.changes == () for row in fresh)
        assert {self.state(entry) for entry in entries} == {EntryState.UNDONE}
        return plan

    def conflict(self, *entries: Entry) -> Conflict:
        """Try an undo that must meet a conflict, and return it."""
        plan = self.changes_nothing(*entries)
        assert plan.outcome is Outcome.CONFLICT, (plan.outcome, plan.entries[0].reason)
        return plan.conflicts[0]

    def terminal(self, *args: str, stdin: str = "", cwd: Path | None = None) -> Answer:
        """The program in a process of its own, in the workspace."""
        return sulcus(*args, cwd=cwd or self.folder, stdin=stdin, home=self.home.root)
