"""Rollouts in Codex's shape of 2026, written by a test line by line as Codex itself appends them."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

THREAD = "0197d500-0000-7000-8000-000000000001"
TURN = "0197d600-0000-7000-8000-000000000001"

Json = dict[str, object]


class Rollout:
    """One thread's file below a Codex home; every record is a second later than the one before."""

    def __init__(self, home: Path, cwd: Path | str, *, start: datetime, thread: str = THREAD) -> None:
        folder = home / "sessions" / f"{start:%Y}" / f"{start:%m}" / f"{start:%d}"
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / f"rollout-{start:%Y-%m-%dT%H-%M-%S}-{thread}.jsonl"
        self.cwd = str(cwd)
        self.thread = thread
        self.now = start
        self._call = 0
        self.record(
            "session_meta", {"id": thread, "cwd": self.cwd, "cli_version": "0.147.0", "source": "cli"}
        )
        self.event("task_started", turn_id=TURN)

    def record(self, kind: str, payload: Json) -> None:
        self.now += timedelta(seconds=1)
        stamp = self.now.astimezone(UTC).isoformat().replace("+00:00", "Z")
        self.text(json.dumps({"timestamp": stamp, "type": kind, "payload": payload}) + "\n")

    def text(self, text: str) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(text)

    def event(self, kind: str, **more: object) -> None:
        self.record("event_msg", {"type": kind, **more})

    def prompt(self, text: str) -> None:
        self.item("UserMessage", content=[{"type": "text", "text": text}])

    def item(self, kind: str, **more: object) -> str:
        self._call += 1
        item_id = f"exec-{self.thread[:8]}-{self._call:04d}"
        item = {"type": kind, "id": item_id, **more}
        self.event("item_completed", thread_id=self.thread, turn_id=TURN, item=item)
        return item_id

    def changed(self, **files: Mapping[str, object]) -> str:
        """A patch as Code Mode applies it, by what it did to each file of the folder."""
        changes = {f"{self.cwd}/{path}": change for path, change in files.items()}
        return self.item("FileChange", changes=changes, status="completed")

    def update(self, path: str, diff: str, to: str | None = None) -> str:
        where = f"{self.cwd}/{to}" if to else None
        return self.changed(**{path: {"type": "update", "unified_diff": diff, "move_path": where}})

    def add(self, path: str, content: str) -> str:
        return self.changed(**{path: {"type": "add", "content": content}})

    def ran(self, command: str, code: int = 0) -> str:
        words, cwd = ["/bin/zsh", "-lc", command], f"file://{self.cwd}"
        return self.item("CommandExecution", command=words, cwd=cwd, status="completed", exit_code=code)
