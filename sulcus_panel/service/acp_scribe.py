"""A thread that notes what an editor and an agent say: it looks at the files and leaves events in the spool.

The bytes go their way without it: whatever it cannot read, see or write, nobody waits for longer than WAIT_SECONDS.
What it misses it counts as dropped, as a hook does.
"""

import json
import os
import subprocess
import threading
import time
from collections import deque
from collections.abc import Iterable
from pathlib import Path

from sulcus_panel.core.capture import hook, hook_names
from sulcus_panel.core.capture.harnesses.acp.conversation import Conversation, Note
from sulcus_panel.core.capture.harnesses.acp.live import AcpAgent
from sulcus_panel.core.capture.install.hook_command import hook_command
from sulcus_panel.core.capture.payload import text_of
from sulcus_panel.core.capture.shell.rules import NOT_RECORDED, judged
from sulcus_panel.core.ledger.home import ENVIRONMENT

WAIT_SECONDS = 2.0
LOOK_SECONDS = 1.8
"""A look that would end after the command may have begun is given up, and the entry says so."""
END_SECONDS = 10.0
MAX_LINE = hook.MAX_PAYLOAD
MAX_BEHIND = 2 * MAX_LINE
"""More bytes than this are not held: what comes beyond is counted as dropped."""
WAITED_FOR = (b"write_text_file", b"request_permission", b"terminal")
"""What an agent's line holds before which the files must have been looked at: then the editor acts."""
DEEDS = (b"write_text_file", b"terminal")
"""What it holds where the editor's answer says that it has acted: before that is passed on, files are looked at."""


class Scribe(threading.Thread):
    """Takes lines of both directions in their order. `start()` once, `close()` at the end."""

    def __init__(self, spool: Path) -> None:
        super().__init__(name="acp-scribe", daemon=True)
        self._spool = spool.as_posix()
        self._looker = hook_command(AcpAgent.harness, spool)
        self._conversation = Conversation(os.urandom(8).hex())
        self._lines: deque[tuple[bytes, bool, threading.Event]] = deque()
        self._behind = 0
        self._lock = threading.Lock()
        self._news = threading.Event()
        self._last = 0
        self._is_over = False
        self._awaits_deed = False
        self._is_late = False
        """Somebody waited in vain: nobody waits until all is noted."""

    def line(self, line: bytes, *, from_agent: bool) -> None:
        """One whole line is about to be passed on. Returns when it may be."""
        must_wait = any(mark in line for mark in WAITED_FOR) if from_agent else self._awaits_deed
        done = threading.Event()
        with self._lock:
            if self._is_over:
                return
            if self._behind + len(line) > MAX_BEHIND:
                self._drop()
                return
            self._behind += len(line)
            self._awaits_deed = self._awaits_deed or (from_agent and any(mark in line for mark in DEEDS))
            self._lines.append((line, from_agent, done))
            self._news.set()
        if must_wait and not self._is_late:
            self._is_late = not done.wait(WAIT_SECONDS)

    def missed(self) -> None:
        """A line was too long to be noted."""
        self._drop()

    def close(self) -> None:
        """Note what is left, for END_SECONDS at most."""
        with self._lock:
            self._is_over = True
            self._news.set()
        self.join(END_SECONDS)

    def run(self) -> None:
        """Note line by line until the end."""
        has_noted_all = False
        try:
            while self._next():
                pass
            self._put_all(self._conversation.end())
            has_noted_all = True
        finally:
            if not has_noted_all:
                self._drop()
            with self._lock:
                self._is_over = True
                for _, _, done in self._lines:
                    done.set()

    def _next(self) -> bool:
        self._news.wait()
        with self._lock:
            if not self._lines:
                self._news.clear()
                return not self._is_over
            line, from_agent, done = self._lines.popleft()
        try:
            self._note(line, from_agent=from_agent)
        finally:
            done.set()
            with self._lock:
                self._behind -= len(line)
                if not self._lines:
                    self._awaits_deed = self._conversation.awaits_deed
                    self._is_late = False
        return True

    def _note(self, line: bytes, *, from_agent: bool) -> None:
        try:
            value: object = json.loads(line)
        except (ValueError, RecursionError):
            return  # not a message: an agent may print anything
        for message in value if isinstance(value, list) else [value]:
            if isinstance(message, dict):
                self._put_all(self._conversation.hear(message, from_agent=from_agent))

    def _put_all(self, notes: Iterable[Note]) -> None:
        for note in notes:
            try:
                if not (note.looks and self._has_looked(note)):
                    self._put(note)
            except (OSError, ValueError, RecursionError):
                self._drop()

    def _has_looked(self, note: Note) -> bool:
        """Let a hook look at the tree, and spool what it saw with the note: its process may part in several."""
        payload = json.dumps(note.payload).encode()
        try:
            done = subprocess.run(
                self._looker,
                input=payload,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=LOOK_SECONDS,
                env={key: value for key, value in os.environ.items() if key != ENVIRONMENT},
                check=False,
            )
        except (OSError, subprocess.SubprocessError):
            return False
        self._last = max(time.time_ns(), self._last)
        return done.returncode == 0

    def _put(self, note: Note) -> None:
        now = self._last = max(time.time_ns(), self._last + 1)
        header = {"at": str(now), "uptime": str(time.monotonic_ns()), "harness": AcpAgent.harness}
        home = self._spool.rpartition("/")[0]
        is_off, why = judged(home, text_of(note.payload, "cwd"), list(note.paths))
        payload = json.dumps(note.payload).encode()
        if is_off or why:
            payload = hook_names.names_alone(note.payload, lambda _: True)
        sections = {"payload": payload}
        for number, path in enumerate(note.paths, 1):
            prefix = f"{number}." if number > 1 else ""
            fields, link, content = _looked(path, why.get(path, ""))
            header.update({prefix + key: value for key, value in fields.items()})
            found = {"path": os.fsencode(path), "link": link, "content": content}
            sections.update({prefix + key: data for key, data in found.items()})
        name = f"{now}-{os.getpid()}-{os.urandom(4).hex()}"
        try:
            hook.write_spool(self._spool, name, hook.spool_data(header, sections))
        except OSError:
            for key in [key for key in sections if key.endswith("content")]:
                if sections.pop(key):
                    header[f"{key.removesuffix('content')}without_content"] = "1"
            hook.write_spool(self._spool, name, hook.spool_data(header, sections), times=2)

    def _drop(self) -> None:
        try:
            with (Path(self._spool) / "dropped").open("ab") as file:
                file.write(b".")
        except OSError:
            pass  # the conversation goes on even where nothing can be said about it


def _looked(path: str, why: str) -> tuple[dict[str, str], bytes, bytes]:
    """What is at a path; where its bytes may not be kept, `why` says so, and none are there."""
    if why == NOT_RECORDED:
        return {"kind": "unreadable", "reason": why}, b"", b""
    fields, link, content = hook.look(path, -1 if why else hook.MAX_CONTENT)
    return (fields | {"why": why} if why else fields), link, content
