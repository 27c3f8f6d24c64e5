"""A real workspace with a real ledger, filled a line at a time: session, turn, entry.

    build = LedgerBuilder.make(tmp_path)
    build.session("claude-code")
    build.turn("Harden the webhook")
    entry = build.write("src/app.py", "one\\ntwo\\n")

Every entry is also carried out on disk, so that an undo finds what it expects.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sulcus_panel.core.capture.changes import ABSENT_SIDE, build_change, file_side
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.ledger.sessions import SessionSeen
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import (
    ActionType,
    Actor,
    ActorKind,
    Change,
    DiskFile,
    Entry,
    LedgerPath,
    NewEntry,
    Origin,
    Provenance,
    Sha256,
    Workspace,
)
from tests.support.clock import FakeClock, counting_ids
from tests.support.ledgers import appended

CLAUDE = Actor("Claude Code", ActorKind.AGENT)

TOOLS = {
    ActionType.FILE_CREATE: "Write",
    ActionType.FILE_WRITE: "Write",
    ActionType.FILE_EDIT: "Edit",
    ActionType.FILE_DELETE: "Bash",
    ActionType.RUN_COMMAND: "Bash",
}


@dataclass
class LedgerBuilder:
    """Acts as an agent in `root` and records it in `ledger`; a second passes with each entry."""

    ledger: Ledger
    home: DataHome
    root: Path
    workspace: Workspace
    clock: FakeClock
    harness: str = "claude-code"
    session_id: str = "session-1"
    turn_id: str = "turn-0"
    intent: str = ""
    actor: Actor = CLAUDE
    read: tuple[LedgerPath, ...] = ()

    def __post_init__(self) -> None:
        self._new_uid = counting_ids("uid")
        self._new_session = counting_ids("session")
        self._new_turn = counting_ids("turn")

    @classmethod
    def make(cls, folder: Path, clock: FakeClock | None = None) -> "LedgerBuilder":
        """Return a builder over `folder`/work and a ledger in `folder`/ledger, to be closed by the test."""
        clock = clock or FakeClock()
        home = DataHome(folder / "ledger")
        home.ensure()
        root = folder / "work"
        root.mkdir(exist_ok=True)
        ledger = Ledger.open(home, clock=clock)
        return cls(ledger, home, root, ledger.add_workspace(str(root)), clock)

    def session(self, harness: str = "claude-code", session_id: str = "") -> str:
        """Begin another run; returns its id."""
        self.harness = harness
        self.session_id = session_id or self._new_session()
        self.ledger.touch_session(self.workspace.id, SessionSeen(harness, self.session_id, self.clock()))
        return self.session_id

    def turn(self, intent: str, turn_id: str = "") -> str:
        """Begin another turn with this prompt; returns its id."""
        self.intent = intent
        self.turn_id = turn_id or self._new_turn()
        self.read = ()
        return self.turn_id

    def reads(self, *paths: str) -> None:
        """Have read these files: later entries of the turn are derived from them."""
        self.read += tuple(LedgerPath(path) for path in paths)

    def write(self, path: str, text: str | bytes, *, origin: Origin = Origin.AGENT) -> Entry:
        """Write a file; created when it was not there, edited when it was."""
        before = self._look(path)
        action = ActionType.FILE_EDIT if before.content is not None else ActionType.FILE_CREATE
        self.outside(path, text)
        return self._record(path, action, (self._change(path, before),), origin=origin)

    def delete(self, path: str) -> Entry:
        """Delete a file."""
        before = self._look(path)
        (self.root / path).unlink()
        return self._record(path, ActionType.FILE_DELETE, (self._change(path, before),))

    def command(
        self, command: str, writes: Mapping[str, str | bytes] | None = None, exit_code: int = 0
    ) -> Entry:
        """Run a command that wrote these files."""
        built = []
        for path, text in (writes or {}).items():
            before = self._look(path)
            self.outside(path, text)
            built.append(self._change(path, before))
        return self._record("", ActionType.RUN_COMMAND, tuple(built), command=command, exit_code=exit_code)

    def outside(self, path: str, text: str | bytes) -> None:
        """Write a file without recording it: what a person does behind the ledger's back."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode() if isinstance(text, str) else text)

    def _look(self, path: str) -> DiskFile:
        file = self.root / path
        return file_side(file.read_bytes(), file.stat().st_mode & 0o7777) if file.exists() else ABSENT_SIDE

    def _change(self, path: str, before: DiskFile) -> tuple[Change, Mapping[Sha256, bytes]]:
        settings = self.ledger.settings(self.workspace.id)
        return build_change(LedgerPath(path), before, self._look(path), settings)

    def _record(
        self,
        path: str,
        action: ActionType,
        built: tuple[tuple[Change, Mapping[Sha256, bytes]], ...],
        *,
        origin: Origin = Origin.AGENT,
        command: str | None = None,
        exit_code: int | None = None,
    ) -> Entry:
        contents = {sha: data for _, kept in built for sha, data in kept.items()}
        self.clock.advance(1)
        entry = NewEntry(
            uid=self._new_uid(),
            at=self.clock(),
            harness=self.harness,
            actor=self.actor,
            origin=origin,
            action_type=action,
            tool_name=TOOLS[action],
            target_path=LedgerPath(path),
            summary=command or f"{action} {path}",
            provenance=Provenance.OBSERVED,
            session_id=self.session_id,
            turn_id=self.turn_id,
            intent=self.intent,
            changes=tuple(change for change, _ in built),
            command=command,
            cwd=str(self.root) if command else None,
            exit_code=exit_code,
            derived_from=self.read,
        )
        return appended(self.ledger, self.workspace.id, entry, contents=contents)
