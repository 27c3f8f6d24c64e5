"""A workspace on a real disk with a real ledger: agents work in it, a person interferes, a test undoes."""

import os
import shutil
import stat
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from sulcus_panel.core.diff import carry_texts, count_lines, diff_hunks
from sulcus_panel.core.disk import look
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import (
    PERSON,
    ActionType,
    Actor,
    ActorKind,
    Change,
    DiskFile,
    Entry,
    FileKind,
    LedgerPath,
    NewEntry,
    Origin,
    Provenance,
    SeqId,
    Sha256,
)
from sulcus_panel.core.undo.apply import Hands, apply_undo
from sulcus_panel.core.undo.facts import gather_facts
from sulcus_panel.core.undo.fs import FileSystem
from sulcus_panel.core.undo.model import Resolution, UndoPlan, UndoRequest, UndoResult
from sulcus_panel.core.undo.plan import plan_undo
from tests.support.clock import FakeClock, counting_ids
from tests.support.ledgers import appended

L10 = b"".join(b"line %d\n" % n for n in range(1, 11))
AGENT = Actor("claude-code", ActorKind.AGENT)

Made = bytes | None
"""A file's new bytes, None for its removal."""


def edited(data: bytes, **lines: str) -> bytes:
    """Change lines by number: edited(L10, _3="three") changes the third."""
    parts = data.split(b"\n")
    for key, text in lines.items():
        parts[int(key[1:]) - 1] = text.encode()
    return b"\n".join(parts)


class Bench:
    """One workspace below a folder of the test."""

    def __init__(self, folder: Path, clock: FakeClock | None = None, *, busy_ms: int = 5000) -> None:
        self.root = folder / "project"
        self.root.mkdir(exist_ok=True)
        self.clock = clock or FakeClock()
        self.home = DataHome(folder / "data")
        self.ledger = Ledger.open(self.home, clock=self.clock, busy_ms=busy_ms)
        self.workspace = self.ledger.add_workspace(str(self.root))
        self.ids = counting_ids("undo")

    def close(self) -> None:
        self.ledger.close()

    # The disk

    def put(self, path: str, data: bytes, mode: int | None = None) -> None:
        """Write a file as a person's editor would, recorded by nobody."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
        if mode is not None:
            target.chmod(mode)

    def read(self, path: str) -> bytes | None:
        """A file's bytes, None where there is none."""
        target = self.root / path
        return target.read_bytes() if target.exists() else None

    def picture(self) -> dict[str, tuple[int, bytes]]:
        """Everything below the root: mode and bytes (or link text) by path."""
        seen: dict[str, tuple[int, bytes]] = {}
        for folder, folders, names in os.walk(self.root):
            for name in (*names, *folders):
                place = os.path.join(folder, name)
                if name in folders and not os.path.islink(place):
                    continue
                status = os.lstat(place)
                is_link = stat.S_ISLNK(status.st_mode)
                data = os.fsencode(os.readlink(place)) if is_link else Path(place).read_bytes()
                seen[os.path.relpath(place, self.root)] = (status.st_mode, data)
        return seen

    def damage(self, data: bytes) -> None:
        """Spoil the snapshot of these bytes, as a disk does that forgets."""
        with self.ledger.write():
            found = (bytes.fromhex(digest(data)),)
            assert self.ledger._db.run("UPDATE snapshot SET data = x'00' WHERE sha256 = ?", found)

    # Agents at work

    def look(self, path: str) -> DiskFile:
        return look(str(self.root), LedgerPath(path))

    def agent(self, data: Made = None, path: str = "a.txt", *, mode: int | None = None) -> SeqId:
        """One recorded edit of one file: written, looked at before and after, appended."""
        return self.turn({path: data}, {path: mode})

    def turn(self, files: dict[str, Made], modes: dict[str, int | None] | None = None) -> SeqId:
        """One entry that changes several files at once."""
        before = {path: self.look(path) for path in files}
        for path, data in files.items():
            if data is None:
                (self.root / path).unlink()
            else:
                self.put(path, data, (modes or {}).get(path))
        files_seen = {path: (was, self.look(path)) for path, was in before.items()}
        return self.record(files_seen)

    def link(self, path: str, target: str) -> SeqId:
        """An agent replaces a path by a symbolic link."""
        was = self.look(path)
        place = self.root / path
        if os.path.lexists(place):
            place.unlink()
        os.symlink(target, place)
        return self.record({path: (was, self.look(path))})

    def record(
        self,
        files: dict[str, tuple[DiskFile, DiskFile]],
        *,
        command: str = "",
        carry: bool = False,
        binary: bool = False,
        session_id: str = "s1",
        intent: str = "make it better",
    ) -> SeqId:
        """Append an entry with these before- and after-images; `binary` files have no hunks then."""
        self.clock.advance(1)
        contents: dict[Sha256, bytes] = {}
        for pair in files.values():
            for file in pair:
                if file.state.sha256 is not None and file.content is not None:
                    contents[file.state.sha256] = file.content
        entry = NewEntry(
            uid=self.ids(),
            at=self.clock(),
            harness="claude-code",
            actor=AGENT,
            origin=Origin.AGENT,
            action_type=ActionType.RUN_COMMAND if command else ActionType.FILE_EDIT,
            tool_name="Bash" if command else "Edit",
            target_path=LedgerPath(next(iter(files), "")),
            summary="an edit",
            provenance=Provenance.OBSERVED,
            session_id=session_id,
            turn_id="t1",
            intent=intent,
            changes=tuple(_change(path, *pair, carry=carry, binary=binary) for path, pair in files.items()),
            command=command or None,
        )
        return appended(self.ledger, self.workspace.id, entry, contents=contents).seq_id

    # Undo

    def plan(
        self, *seq_ids: int, hunks: Sequence[int] | None = None, how: Resolution = Resolution.KEEP
    ) -> UndoPlan:
        chosen = None if hunks is None else tuple(hunks)
        request = UndoRequest(tuple(SeqId(seq) for seq in seq_ids), chosen, how)
        return plan_undo(gather_facts(self.ledger, self.workspace, request, self.clock()))

    def apply(self, plan: UndoPlan, fs: FileSystem | None = None) -> UndoResult:
        self.clock.advance(1)
        return apply_undo(self.ledger, self.workspace, plan, self.hands(fs))

    def hands(self, fs: FileSystem | None = None) -> Hands:
        """The person's, over the real file system or another."""
        return Hands(PERSON, self.ids, self.clock, fs or FileSystem())

    def undo(self, *seq_ids: int, hunks: Sequence[int] | None = None) -> UndoResult:
        return self.apply(self.plan(*seq_ids, hunks=hunks))

    def entry(self, seq_id: int) -> Entry:
        return self.ledger.entry(SeqId(seq_id))

    def clear(self) -> None:
        """Remove every file, for a history that starts anew."""
        for child in self.root.iterdir():
            shutil.rmtree(child) if child.is_dir() and not child.is_symlink() else child.unlink()


def _change(path: str, was: DiskFile, now: DiskFile, *, carry: bool, binary: bool) -> Change:
    kinds = {was.state.kind, now.state.kind}
    has_none = binary and any(b"\0" in (side.content or b"") for side in (was, now))
    hunks = (
        ()
        if has_none or kinds - {FileKind.FILE, FileKind.ABSENT}
        else diff_hunks(was.content or b"", now.content or b"")
    )
    if carry:
        hunks = carry_texts(hunks, was.content or b"", now.content or b"")
    plus, minus = count_lines(hunks)
    return Change(LedgerPath(path), was.state, now.state, hunks, plus, minus)


def digest(data: bytes) -> str:
    return sha256(data).hexdigest()
