"""Requests that nobody means: every one must be answered, never by a 5xx, or its connection be ended."""

import json
import random
import re
import socket
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sulcus_panel.service.http.routes import DOORS
from tests.support.http_door import AGENT, LEDGER, Door, an_edit

SECONDS = 30.0
ODD: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    2**63,
    10**400,
    1.5,
    "",
    "\0",
    "\ud800",
    "../" * 50,
    "x" * 70_000,
    [],
    {},
    [[[[]]]],
    {"a": {"b": {}}},
    "💥\u202e",
    "9999-12-31T23:59:59-14:00",
)
PATHS = (
    "src/a.py",
    "x" * 300,
    "y/" * 2_000 + "z",
    "src",
    "",
    ".",
    "/etc/hosts",
    "~",
    "C:\\x",
    ".git/config",
    "a\nb",
)
LINES = (
    b"Content-Length: 5",
    b"Transfer-Encoding: chunked",
    b"Origin: null",
    b"Host: evil.example",
    b"Expect: 100-continue",
    b"Upgrade: websocket\r\nConnection: Upgrade",
    b"Authorization: Basic eDp5",
    b"Last-Event-ID: -3",
    b"X: \x01",
    b"Content-Type: text/plain",
)


class Fuzz:
    """Makes odd requests of sound ones, always the same for the same seed."""

    def __init__(self, door: Door, key: str, seed: int) -> None:
        self._door = door
        self._key = key
        self._random = random.Random(seed)
        self.counts: Counter[str] = Counter()
        root = door.home.root.parent / "fuzzed"
        root.mkdir(exist_ok=True)
        (root / "src").mkdir(exist_ok=True)
        (root / "src" / "a.py").write_text("return 2\n")
        with door.operations() as operations:
            self._spaces = ("payments-rails", operations.register(root).namespace)

    def run(self, number: int) -> None:
        """Send so many, each over a connection of its own."""
        kinds: tuple[Callable[[], bytes], ...] = (
            self._odd_values,
            self._odd_values,
            self._odd_query,
            self._odd_head,
            self._odd_bytes,
            self._odd_json,
        )
        for _ in range(number):
            data = self._random.choice(kinds)()
            status = self._answer(data)
            assert status < 500, data[:2_000]
            self.counts[f"answered {status}" if status else "ended without an answer"] += 1

    def _answer(self, data: bytes) -> int:
        """The status of the first answer; 0 where the connection was ended."""
        with socket.create_connection(("127.0.0.1", self._door.here.port), timeout=SECONDS) as line:
            try:
                line.sendall(data)
                line.shutdown(socket.SHUT_WR)
                found = re.match(rb"HTTP/1\.1 (\d{3})", line.recv(65_536))
            except (ConnectionResetError, BrokenPipeError):
                return 0
        return int(found[1]) if found else 0

    def _request(self, method: str, path: str, body: bytes | None, *lines: bytes) -> bytes:
        head = [
            f"{method} {path} HTTP/1.1".encode("utf-8", "surrogatepass"),
            b"Host: 127.0.0.1:%d" % self._door.here.port,
            b"Authorization: Bearer " + self._key.encode(),
            b"Connection: close",
            *lines,
        ]
        if body is not None:
            head += [b"Content-Type: application/json", b"Content-Length: %d" % len(body)]
        return b"\r\n".join([*head, b"", body or b""])

    def _body(self) -> tuple[str, dict[str, Any]]:
        pick = self._random
        name, seq_id = pick.choice(self._spaces), pick.randint(1, 300)
        return pick.choice(
            [
                (f"{LEDGER}/record", an_edit(namespace=name)),
                (f"{LEDGER}/record", an_edit(namespace=name, target_path=pick.choice(PATHS))),
                (f"{LEDGER}/undo", {"namespace": name, "seq_ids": [seq_id], "hunks": [1]}),
                (f"{LEDGER}/undo", {"namespace": name, "last_n": 3, "dry_run": True}),
                (f"{LEDGER}/undo", {"namespace": name, "seq_ids": [seq_id, seq_id + 1]}),
                (f"{LEDGER}/redo", {"namespace": name, "seq_ids": [seq_id]}),
                (f"{LEDGER}/config", {"namespace": "fuzzed", "max_entries": 100, "exclude": ["*.pem"]}),
            ]
        )

    def _odd_values(self) -> bytes:
        path, body = self._body()
        for _ in range(self._random.choice([0, 1, 1, 2, 3])):
            name = self._random.choice([*body, "uid", "at", "why", "input", "content_encoding", "unknown"])
            inner = body.get(name)
            odd = self._random.choice(ODD)
            if isinstance(inner, dict) and self._random.random() < 0.7:
                body[name] = {**inner, self._random.choice([*inner, "other"]): odd}
            else:
                body[name] = odd
        return self._request("POST", path, json.dumps(body).encode("utf-8", "surrogatepass"))

    def _odd_query(self) -> bytes:
        pick = self._random
        path = pick.choice([door.path for door in DOORS if not door.path.endswith("events")] + [f"{AGENT}/x"])
        path = path.replace(
            "{seq_id}",
            pick.choice([f"{pick.randint(1, 300)}"] * 8 + ["0", "-1", "x", "9" * 40, "%00", "%ff", "1%2f2"]),
        )
        fields = [
            f"namespace={pick.choice(self._spaces)}",
            "view=now",
            "view=after",
            "namespace=%00",
            "limit=0",
            "limit=9" + "9" * 30,
            "before=x",
        ]
        fields += ["drifted=maybe", "state=x", "after=-1", "query=%ff", "a=1", "&&&", "=", "path=%e2%80%ae"]
        query = "&".join(pick.sample(fields, pick.choice([0, 0, 1, 2, 4])))
        return self._request(pick.choice(["GET", "GET", "POST", "HEAD", "BREW"]), f"{path}?{query}", None)

    def _odd_head(self) -> bytes:
        path, body = self._body()
        lines = self._random.sample(LINES, self._random.randint(1, 3))
        return self._request("POST", path, json.dumps(body).encode(), *lines)

    def _odd_bytes(self) -> bytes:
        path, body = self._body()
        data = bytearray(self._request("POST", path, json.dumps(body).encode()))
        for _ in range(self._random.randint(1, 20)):
            at = self._random.randrange(len(data))
            data[at : at + self._random.randint(0, 3)] = self._random.randbytes(self._random.randint(0, 3))
        return bytes(data)

    def _odd_json(self) -> bytes:
        path, _ = self._body()
        body = self._random.choice(
            [
                b"",
                b"null",
                b"[]",
                b"{" * self._random.randint(1, 5_000),
                b'{"a":' * self._random.randint(1, 5_000),
                b'{"namespace": "x", "namespace": "y"}',
                b'{"namespace": NaN}',
                b'{"namespace": "\\ud800"}',
                b'\xef\xbb\xbf{"namespace": "x"}',
                '{"namespace": "x"}'.encode("utf-16"),
                self._random.randbytes(200),
                b'{"seq_ids": [' + b"1," * self._random.randint(1, 20_000) + b"1]}",
            ]
        )
        return self._request("POST", path, body)


def size_of(pid: int) -> tuple[int, int]:
    """Threads, and resident memory in KiB, of a process (Linux)."""
    text = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    found = {name: int(value) for name, value in re.findall(r"^(Threads|VmRSS):\s+(\d+)", text, flags=re.M)}
    return found["Threads"], found["VmRSS"]
