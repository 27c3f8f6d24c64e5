"""The main job end to end on a throw-away workspace: real files, the real hook process, a real undo.

A small run (resources/demo/run.json) is played as an agent would do it: each file call is announced to the
hook, done, and reported to the hook. Then one old change is taken back out of order and the disk is looked at.
"""

import json
import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

from sulcus_panel.core.capture.install.hook_command import hook_command
from sulcus_panel.core.errors import SulcusError
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.model import PERSON, SeqId, Workspace
from sulcus_panel.core.undo.model import UndoPlan, UndoRequest, UndoResult
from sulcus_panel.service.operations import LedgerQuery, Operations

Json = dict[str, Any]

SESSION = "7d1f2c9e-5b6a-4f3d-9c1e-2a8b4d6f0e11"


@dataclass(frozen=True, slots=True)
class DemoRun:
    """What was played, and which change is to be taken back: its path, and what stood there before."""

    workspace: Workspace
    seq_id: SeqId
    path: str
    expected: bytes
    """The whole file as it must be after the undo: everything later kept."""


@dataclass(frozen=True, slots=True)
class DemoOutcome:
    """The undo as planned and done, and the file as read back afterwards."""

    run: DemoRun
    plan: UndoPlan
    result: UndoResult
    before: bytes
    after: bytes

    @property
    def verified(self) -> bool:
        """True when the disk holds exactly the file without that change."""
        return self.after == self.run.expected


def play(home: DataHome, folder: Path, script: Path) -> DemoRun:
    """Write the small project into `folder`, replay the run through the hook, and drain the spool.

    Raises SulcusError where the hook or the ledger did not do what was asked.
    """
    run: Json = json.loads(script.read_text(encoding="utf-8"))
    for name, text in run["files"].items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="")
    with Operations.open(home, actor=PERSON) as operations:
        workspace = operations.register(folder)
        harness = _Harness(home, folder)
        for step in run["steps"]:
            harness.do(step)
        operations.drain()
        step = next(step for step in run["steps"] if step.get("undo"))
        entries = operations.find(LedgerQuery(workspace_id=workspace.id, path=step["edit"], limit=100))
        if not entries:
            raise SulcusError("The hook recorded nothing", f"See {home.spool}.", "Run `sulcus-panel doctor`.")
    path = folder / step["edit"]
    expected = path.read_bytes().replace(step["new"].encode(), step["old"].encode())
    return DemoRun(workspace, min(entry.seq_id for entry in entries), step["edit"], expected)


def undo_out_of_order(home: DataHome, run: DemoRun) -> DemoOutcome:
    """Take the old change back while everything later stays, and read the file again."""
    path = Path(run.workspace.root or "") / run.path
    before = path.read_bytes()
    with Operations.open(home, actor=PERSON) as operations:
        operations.refresh_drift(run.workspace.id)
        plan = operations.plan(UndoRequest((run.seq_id,)))
        result = operations.apply(plan)
    return DemoOutcome(run, plan, result, before, path.read_bytes())


def digest(data: bytes) -> str:
    """The SHA-256 of some bytes, shortened for reading."""
    return sha256(data).hexdigest()[:16]


class _Harness:
    """Plays one agent: speaks to the hook as Claude Code does, and changes files itself."""

    def __init__(self, home: DataHome, folder: Path) -> None:
        self._command = hook_command("claude-code", home.spool)
        self._environment = dict(os.environ, SULCUS_HOME=str(home.root))
        self._folder = folder
        self._calls = count(1)
        self._turns = count(1)
        self._turn = ""

    def do(self, step: Json) -> None:
        """Play one step of the script."""
        if "prompt" in step:
            self._turn = f"turn-{next(self._turns)}"
            self._tell("UserPromptSubmit", prompt=step["prompt"])
        elif "read" in step:
            self._read(step["read"])
        elif "edit" in step:
            self._edit(step)
        elif "write" in step:
            self._write(step)
        elif "run" in step:
            self._run(step)
        elif "outside" in step:
            self._replace(step["outside"], step)
        else:
            self._tell("Stop", stop_hook_active=False)

    def _read(self, name: str) -> None:
        path = self._folder / name
        text = path.read_text(encoding="utf-8")
        shown = {"filePath": str(path), "content": text, "startLine": 1}
        self._tell(
            "PostToolUse",
            tool_name="Read",
            tool_input={"file_path": str(path)},
            tool_response={"type": "text", "file": shown},
            tool_use_id=f"toolu_demo_{next(self._calls):04}",
        )

    def _edit(self, step: Json) -> None:
        path = str(self._folder / step["edit"])
        given = {"file_path": path, "old_string": step["old"], "new_string": step["new"]}
        for said in self._around("Edit", given):
            self._replace(step["edit"], step)
            said |= {"filePath": path, "oldString": step["old"], "newString": step["new"]}

    def _write(self, step: Json) -> None:
        path = self._folder / step["write"]
        given = {"file_path": str(path), "content": step["content"]}
        for said in self._around("Write", given):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(step["content"], encoding="utf-8", newline="")
            said |= {"type": "create", "filePath": str(path), "content": step["content"]}

    def _run(self, step: Json) -> None:
        call = {
            "tool_name": "Bash",
            "tool_input": {"command": step["run"]},
            "tool_use_id": f"toolu_demo_{next(self._calls):04}",
        }
        self._tell("PreToolUse", **call)
        if step["exit"]:
            self._tell("PostToolUseFailure", error=step["error"], **call)
        else:
            self._tell("PostToolUse", tool_response={"stdout": "", "stderr": ""}, **call)

    def _around(self, tool: str, given: Json) -> Iterator[Json]:
        call = {
            "tool_name": tool,
            "tool_input": given,
            "tool_use_id": f"toolu_demo_{next(self._calls):04}",
        }
        said: Json = {}
        self._tell("PreToolUse", **call)
        yield said
        self._tell("PostToolUse", tool_response=said, **call)

    def _replace(self, name: str, step: Json) -> None:
        path = self._folder / name
        text = path.read_text(encoding="utf-8")
        if text.count(step["old"]) != 1:
            raise SulcusError("The demo's script does not fit its files", f"{name}: {step['old']!r}")
        path.write_text(text.replace(step["old"], step["new"]), encoding="utf-8", newline="")

    def _tell(self, event: str, **fields: object) -> None:
        payload = {
            "session_id": SESSION,
            "cwd": str(self._folder),
            "hook_event_name": event,
            "prompt_id": self._turn,
            **fields,
        }
        subprocess.run(
            self._command, input=json.dumps(payload).encode(), check=True, env=self._environment, timeout=30
        )
