"""A harness at work, as far as hooks see it: real hook processes, a real spool, real files."""

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sulcus_panel.core.capture.install.hook_command import hook_command

Payload = Mapping[str, object]


REPLIES: Mapping[str, bytes] = {"gemini": b"{}", "cursor": b"{}", "cline": b'{"cancel":false}'}
"""What a harness is told on stdout; every other one is told nothing."""


def run_hook(
    payload: Payload | bytes, spool: Path, *, harness: str = "claude-code", **environment: str
) -> None:
    """One hook process, which must end well and say exactly what its harness wants to hear."""
    assert heard_from_hook(payload, spool, harness=harness, **environment) == REPLIES.get(harness, b"")


def heard_from_hook(
    payload: Payload | bytes, spool: Path, *, harness: str = "claude-code", **environment: str
) -> bytes:
    """What one hook process says, which must end well whatever that is."""
    data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    variables = {key: value for key, value in os.environ.items() if key != "SULCUS_HOME"}
    done = subprocess.run(
        hook_command(harness, spool),
        input=data,
        capture_output=True,
        env={**variables, **environment},
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout


def is_notice(said: bytes, event: str) -> bool:
    """Whether this tells an agent that its work was undone, and nothing else."""
    told = json.loads(said)
    context = told.get("hookSpecificOutput", {})
    return list(told) == ["hookSpecificOutput"] and (
        set(context) == {"hookEventName", "additionalContext"}
        and context["hookEventName"] == event
        and context["additionalContext"].startswith("Sulcus Panel: the undo of ")
    )


@dataclass
class Run:
    """One session of Claude Code in a folder; every method is a tool call with its hooks."""

    folder: Path
    spool: Path
    session: str = "s1"
    extra: dict[str, object] = field(default_factory=dict)
    calls: int = 0

    def event(self, name: str, **fields: object) -> None:
        common = {"session_id": self.session, "cwd": str(self.folder), "hook_event_name": name}
        waits = any((self.spool.parent / "notices").glob("*"))
        said = heard_from_hook({**common, **self.extra, **fields}, self.spool)
        assert not said or (waits and is_notice(said, name))

    def tool(self, name: str, tool: str, given: Payload, **fields: object) -> None:
        self.event(name, tool_name=tool, tool_input=given, **fields)

    def next_id(self) -> str:
        self.calls += 1
        return f"toolu_{self.calls}"

    def prompt(self, text: str, **fields: object) -> None:
        self.event("UserPromptSubmit", prompt=text, **fields)

    def read(self, name: str) -> None:
        self.tool(
            "PostToolUse", "Read", {"file_path": str(self.folder / name)}, tool_response={"type": "text"}
        )

    def write(self, name: str, content: bytes) -> None:
        """Pre, the write, Post."""
        path = self.folder / name
        given = {"file_path": str(path), "content": content.decode()}
        call = self.next_id()
        kind = "update" if path.exists() else "create"
        self.tool("PreToolUse", "Write", given, tool_use_id=call)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        self.tool("PostToolUse", "Write", given, tool_use_id=call, tool_response={"type": kind, **given})

    def edit(self, name: str, old: str, new: str, *, call: str | None = None) -> None:
        """Pre, the edit, Post."""
        path = self.folder / name
        given = {"file_path": str(path), "old_string": old, "new_string": new}
        fields = {"tool_use_id": call or self.next_id()}
        self.tool("PreToolUse", "Edit", given, **fields)
        path.write_bytes(path.read_bytes().replace(old.encode(), new.encode(), 1))
        self.tool("PostToolUse", "Edit", given, tool_response=edit_answer(path, old, new), **fields)

    def bash(self, command: str, *, error: str = "", **fields: object) -> None:
        given = {"command": command}
        call = self.next_id()
        self.tool("PreToolUse", "Bash", given, tool_use_id=call)
        if error:
            self.tool("PostToolUseFailure", "Bash", given, tool_use_id=call, error=error, **fields)
        else:
            answer = {"stdout": "secret output", "stderr": "", "interrupted": False}
            self.tool("PostToolUse", "Bash", given, tool_use_id=call, tool_response=answer, **fields)

    def stop(self) -> None:
        self.event("Stop", stop_hook_active=False)


def edit_answer(path: Path, old: str, new: str, original: str | None = None) -> Payload:
    return {"filePath": str(path), "oldString": old, "newString": new, "originalFile": original}


def spooled(spool: Path) -> Sequence[Path]:
    folder = spool / "new"
    return sorted(folder.iterdir()) if folder.is_dir() else []
