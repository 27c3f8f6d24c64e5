"""A small ACP editor: starts an agent, asks it for things, writes files and runs commands for it."""

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.support.terminal import environment

AGENT = Path(__file__).parent / "acp_agent.py"


@dataclass
class Editor:
    """One connection with the agent, through the panel where `between` says so."""

    folder: Path
    """Where the agent's own record of both directions goes."""
    cwd: Path
    between: bool = True
    home: Path | None = None
    heard: bytearray = field(default_factory=bytearray)
    said: bytearray = field(default_factory=bytearray)

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        ours: Sequence[str] = [sys.executable, "-m", "sulcus_panel", "acp", "--"] if self.between else []
        agent = [sys.executable, str(AGENT), str(self.folder / "heard"), str(self.folder / "said")]
        self.process = subprocess.Popen(
            [*ours, *agent],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(self.home),
        )
        self._terminals = 0
        self._next = 0

    def open(self) -> None:
        """A session in the folder."""
        self._ask("initialize", protocolVersion=1)
        self._ask("session/new", cwd=str(self.cwd), mcpServers=[])

    def prompt(self, *deeds: str) -> None:
        """One turn."""
        text = "\n".join(deeds)
        self._ask("session/prompt", sessionId="session-1", prompt=[{"type": "text", "text": text}])

    def tell(self, *deeds: str) -> None:
        """A turn whose end is not waited for."""
        params = {"sessionId": "session-1", "prompt": [{"type": "text", "text": "\n".join(deeds)}]}
        self._send({"id": "last", "method": "session/prompt", "params": params})

    def read_until(self, part: bytes) -> None:
        """Take in lines until one holds this."""
        while part not in self._line():
            pass

    def close(self) -> tuple[int, bytes]:
        """Say no more; the exit code and what came on stderr."""
        out, err = self.process.communicate(timeout=60)
        self.heard += out
        return self.process.returncode, err

    def _ask(self, method: str, **params: object) -> None:
        self._next += 1
        self._send({"id": self._next, "method": method, "params": params})
        while True:
            message = self._message()
            if message.get("id") == self._next and "method" not in message:
                return
            if "id" in message:
                self._send({"id": message["id"], "result": self._do(message)})

    def _do(self, message: dict[str, Any]) -> object:
        params = message["params"]
        match message["method"]:
            case "fs/write_text_file":
                Path(params["path"]).write_bytes(params["content"].encode())
                return None
            case "terminal/create":
                self._terminals += 1
                done = subprocess.run([params["command"], *params["args"]], cwd=params["cwd"], check=False)
                self._code = done.returncode
                return {"terminalId": f"t{self._terminals}"}
            case "terminal/wait_for_exit":
                return {"exitCode": self._code, "signal": None}
        return {}

    def _send(self, message: dict[str, object]) -> None:
        data = json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n"
        self.said += data
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def _message(self) -> dict[str, Any]:
        while True:
            try:
                value = json.loads(self._line())
            except ValueError:
                continue
            if isinstance(value, dict):
                return value

    def _line(self) -> bytes:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, "the agent said no more"
        self.heard += line
        return line
