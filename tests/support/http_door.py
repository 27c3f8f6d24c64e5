"""The HTTP door as agents find it: a real `serve`, tokens of every kind, clients over port and socket."""

import json
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from sulcus_panel.core.access import ALL_SCOPES, Scope
from sulcus_panel.core.ledger.home import DataHome
from sulcus_panel.core.model import ActorKind
from sulcus_panel.service.http import runtime
from sulcus_panel.service.operations import Operations
from tests.support.terminal import environment

AGENT = "/api/v1/agent"
LEDGER = f"{AGENT}/ledger"
SECONDS = 60


@dataclass
class Door:
    """A server that listens."""

    process: "subprocess.Popen[bytes]"
    home: DataHome
    here: runtime.Runtime

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.here.port}"

    def client(self, key: str = "", **options: Any) -> httpx.Client:
        """A client that comes with this key."""
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        return httpx.Client(base_url=self.url, headers=headers, timeout=SECONDS, trust_env=False, **options)

    def key(
        self,
        name: str = "bot",
        kind: ActorKind = ActorKind.AGENT,
        scopes: Sequence[Scope] = tuple(ALL_SCOPES),
    ) -> str:
        """A new token."""
        return make_key(self.home, name, kind, scopes)

    def operations(self) -> Operations:
        """The same ledger by another door."""
        return Operations.open(self.home)

    def raw(self, data: bytes, *, then: bytes = b"") -> bytes:
        """Send bytes as they are; all that comes back until the server ends it."""
        with socket.create_connection(("127.0.0.1", self.here.port), timeout=SECONDS) as line:
            line.sendall(data)
            if then:
                line.sendall(then)
            return read_all(line)


def read_all(line: socket.socket) -> bytes:
    """All that comes until the other side ends it."""
    parts = []
    try:
        while part := line.recv(65_536):
            parts.append(part)
    except ConnectionResetError:
        pass
    return b"".join(parts)


def make_key(
    home: DataHome,
    name: str = "bot",
    kind: ActorKind = ActorKind.AGENT,
    scopes: Sequence[Scope] = tuple(ALL_SCOPES),
) -> str:
    """A new token of this ledger."""
    with Operations.open(home) as operations:
        return operations.tokens.make(name, kind, scopes)[0]


@contextmanager
def serving(root: Path, *words: str) -> Iterator[Door]:
    """Run `sulcus-panel serve` over the data folder `root` until the block ends; it must end cleanly."""
    home = DataHome(root)
    command = [sys.executable, "-m", "sulcus_panel", "serve", "--json", *(words or ("--port", "0"))]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(root)
    ) as process:
        try:
            yield Door(process, home, _told(process))
        finally:
            killed = process.poll() is not None
            process.send_signal(signal.SIGTERM)
            _, complaints = process.communicate(timeout=SECONDS)
        if not killed:
            assert (process.returncode, b"Traceback" in complaints) == (0, False), complaints.decode()


def _told(process: "subprocess.Popen[bytes]") -> runtime.Runtime:
    """Where the server says that it listens."""
    text = b""
    assert process.stdout is not None
    for line in process.stdout:
        text += line
        if line.startswith(b"}"):
            break
    else:
        assert process.stderr is not None
        raise AssertionError(process.stderr.read().decode())
    found: Mapping[str, Any] = json.loads(text)
    return runtime.Runtime(found["pid"], "", found["port"], found["socket"])


def an_edit(**changed: object) -> dict[str, Any]:
    """A record's body as the seeds have it."""
    body: dict[str, Any] = {
        "session_id": "s-1",
        "harness": "codex",
        "namespace": "payments-rails",
        "action_type": "file_edit",
        "tool_name": "apply_patch",
        "target_path": "src/a.py",
        "summary": "Answer two",
        "pre_state": {"existed": True, "content": "return 1\n"},
        "post_state": {"existed": True, "content": "return 2\n"},
        "diff_hunks": [{"start_line": 1, "target_excerpt": "return 1", "replacement_excerpt": "return 2"}],
    }
    return body | changed
