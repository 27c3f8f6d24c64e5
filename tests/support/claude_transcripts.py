"""Transcripts in Claude Code's shape, written by a test line by line."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sulcus_panel.core.capture.harnesses.claude.live import ClaudeCode
from sulcus_panel.core.capture.harnesses.claude.runs import ClaudeRuns
from sulcus_panel.core.capture.past.entries import Importing
from sulcus_panel.core.capture.past.into_ledger import ImportedRun
from sulcus_panel.core.model import Settings

START = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)
CWD = "/home/dev/shop"

Json = dict[str, object]


class Transcript:
    """Writes records in order; every one is a second later than the one before."""

    def __init__(
        self,
        path: Path,
        *,
        session: str = "s-1",
        cwd: str = CWD,
        agent: str = "",
        prompt_ids: bool = True,
        start: datetime = START,
    ) -> None:
        self.path = path
        self.session = session
        self.cwd = cwd
        self.agent = agent
        self.prompt_ids = prompt_ids
        self.now = start
        self._prompt = 0
        self._call = 0
        path.parent.mkdir(parents=True, exist_ok=True)

    def line(self, text: str) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(text + "\n")

    def record(self, **fields: object) -> None:
        self.line(json.dumps(fields))

    def tick(self) -> str:
        self.now += timedelta(seconds=1)
        return self.now.isoformat().replace("+00:00", "Z")

    def message(self, role: str, content: object, **fields: object) -> str:
        stamp = self.tick()
        uuid = f"{self.session}-{self.agent}-{stamp}"
        envelope: Json = {
            "type": role,
            "uuid": uuid,
            "sessionId": self.session,
            "cwd": self.cwd,
            "timestamp": stamp,
            "isSidechain": bool(self.agent),
            "message": {"role": role, "content": content},
        }
        if self.agent:
            envelope["agentId"] = self.agent
        if role == "user" and self.prompt_ids and not self.agent:
            envelope["promptId"] = f"{self.session}-p{self._prompt}"
        self.record(**{**envelope, **fields})
        return uuid

    def prompt(self, text: str, **fields: object) -> str:
        self._prompt += 1
        return self.message("user", text, **fields)

    def call(
        self, tool: str, arguments: Json, result: object, *, text: str = "done", **fields: object
    ) -> str:
        self._call += 1
        call_id = f"toolu_{self.session}_{self.agent}_{self._call}"
        self.message("assistant", [{"type": "tool_use", "id": call_id, "name": tool, "input": arguments}])
        block: Json = {"type": "tool_result", "tool_use_id": call_id, "content": text}
        if fields.pop("failed", False):
            block["is_error"] = True
        self.message("user", [block], toolUseResult=result, **fields)
        return call_id

    def edit(self, path: str, old: str, new: str, original: str | None, **more: object) -> str:
        arguments: Json = {"file_path": path, "old_string": old, "new_string": new}
        result: Json = {
            "filePath": path,
            "oldString": old,
            "newString": new,
            "originalFile": original,
            **more,
        }
        return self.call("Edit", arguments, result)

    def write(self, path: str, content: str, original: str | None = None) -> str:
        kind = "create" if original is None else "update"
        result: Json = {"type": kind, "filePath": path, "content": content, "originalFile": original}
        return self.call("Write", {"file_path": path, "content": content}, result)

    def read(self, path: str, content: str, *, total: int | None = None) -> str:
        lines = content.count("\n") + 1
        file: Json = {
            "filePath": path,
            "content": content,
            "startLine": 1,
            "numLines": lines,
            "totalLines": total or lines,
        }
        return self.call("Read", {"file_path": path}, {"type": "text", "file": file})

    def bash(self, command: str, *, failed: str = "", **details: object) -> str:
        if failed:
            return self.call("Bash", {"command": command}, f"Error: {failed}", text=failed, failed=True)
        return self.call("Bash", {"command": command}, {"stdout": "", "stderr": "", **details})

    def snapshot(self, message: str, backups: dict[str, str | None], *, update: bool = False) -> None:
        stamp = self.tick()
        tracked = {
            path: {"backupFileName": blob, "version": 1, "backupTime": stamp}
            for path, blob in backups.items()
        }
        self.record(
            type="file-history-snapshot",
            messageId=message,
            isSnapshotUpdate=update,
            snapshot={"messageId": message, "timestamp": stamp, "trackedFileBackups": tracked},
        )

    def delta(self, message: str, path: str, blob: str | None) -> None:
        stamp = self.tick()
        self.record(
            type="file-history-delta",
            messageId="other",
            snapshotMessageId=message,
            timestamp=stamp,
            trackingPath=path,
            backup={"backupFileName": blob, "version": 1, "backupTime": stamp},
        )


def read_run(
    paths: Sequence[Path],
    *,
    config_dir: Path | None,
    root: str,
    recorded_root: str | None = None,
    settings: Settings | None = None,
) -> ImportedRun:
    importing = Importing(ClaudeCode(), root, recorded_root, settings or Settings())
    return ClaudeRuns().read(paths, importing, config_dir)
