"""A shell command of an agent as one entry: everything below the root is looked at before and after it.

The recorder of commands comes later; its entries are made here by hand, in the form that it will give them.
"""

import os
import subprocess
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from sulcus_panel.core.diff import count_lines, diff_hunks
from sulcus_panel.core.disk import look
from sulcus_panel.core.ledger.store import Ledger
from sulcus_panel.core.model import (
    ABSENT,
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
    Sha256,
    Workspace,
)
from sulcus_panel.core.states import same_state
from tests.support.ledgers import appended

AGENT = Actor("claude-code", ActorKind.AGENT)
NOTHING = DiskFile(ABSENT, None)
Tree = dict[LedgerPath, DiskFile]


def tree(root: Path) -> Tree:
    """Every file, link and folder below `root`, but for repositories' own."""
    found: Tree = {}
    for here, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name != ".git"]
        for name in (*folders, *files):
            path = LedgerPath(os.path.relpath(os.path.join(here, name), root))
            found[path] = look(str(root), path)
    return found


def sh(root: Path, command: str) -> Callable[[], object]:
    """Return what runs `command` in `root`."""
    return lambda: subprocess.run(["/bin/sh", "-ec", command], cwd=root, check=True)


def record_command(
    ledger: Ledger,
    workspace: Workspace,
    command: str,
    at: datetime,
    act: Callable[[], object] | None = None,
    turn_id: str = "t1",
) -> Entry:
    """Run `command` (or let `act` stand for it) and append what it did as one entry."""
    root = Path(workspace.root or "")
    before = tree(root)
    (act or sh(root, command))()
    after = tree(root)
    paths = sorted(before.keys() | after.keys())
    pairs = {path: (before.get(path, NOTHING), after.get(path, NOTHING)) for path in paths}
    pairs = {path: pair for path, pair in pairs.items() if not same_state(pair[0].state, pair[1].state)}
    contents: dict[Sha256, bytes] = {}
    for file in (file for pair in pairs.values() for file in pair):
        if file.state.sha256 is not None and file.content is not None:
            contents[file.state.sha256] = file.content
    entry = NewEntry(
        uid=f"shell-{at.isoformat()}-{command}",
        at=at,
        harness="claude-code",
        actor=AGENT,
        origin=Origin.AGENT,
        action_type=ActionType.RUN_COMMAND,
        tool_name="Bash",
        target_path=next(iter(pairs), LedgerPath("")),
        summary=f"Ran {command}",
        provenance=Provenance.OBSERVED,
        session_id="s1",
        turn_id=turn_id,
        changes=tuple(_change(path, *pair) for path, pair in pairs.items()),
        command=command,
        cwd=str(root),
        exit_code=0,
    )
    return appended(ledger, workspace.id, entry, contents=contents)


def _change(path: LedgerPath, was: DiskFile, now: DiskFile) -> Change:
    is_text = {was.state.kind, now.state.kind} <= {FileKind.FILE, FileKind.ABSENT}
    old, new = was.content or b"", now.content or b""
    hunks = diff_hunks(old, new) if is_text and b"\0" not in old + new else ()
    plus, minus = count_lines(hunks)
    return Change(path, was.state, now.state, hunks, plus, minus)
