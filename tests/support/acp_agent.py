"""A small ACP agent, run as a program: does what the prompt says, and keeps all that it was sent and said.

`python acp_agent.py HEARD SAID`: the files in which the very bytes of both directions are kept.
"""

import json
import os
import sys
from pathlib import Path


class Agent:
    """One connection, until the editor closes it or a prompt says `leave`."""

    def __init__(self, heard: Path, said: Path) -> None:
        self._heard = heard.open("wb", buffering=0)
        self._said = said.open("wb", buffering=0)
        self._next = 0
        self.session = "session-1"
        self.cwd = ""

    def say(self, data: bytes) -> None:
        self._said.write(data)
        while data:
            data = data[os.write(1, data) :]

    def send(self, message: dict[str, object]) -> None:
        self.say(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def hear(self) -> dict[str, object]:
        line = sys.stdin.buffer.readline()
        self._heard.write(line)
        if not line:
            raise SystemExit(0)
        found: dict[str, object] = json.loads(line)
        return found

    def ask(self, method: str, **params: object) -> dict[str, object]:
        self._next += 1
        self.send({"id": self._next, "method": method, "params": {"sessionId": self.session, **params}})
        return self.hear()

    def update(self, **update: object) -> None:
        self.send({"method": "session/update", "params": {"sessionId": self.session, "update": update}})

    def run(self) -> None:
        while True:
            message = self.hear()
            params = message.get("params")
            given = params if isinstance(params, dict) else {}
            result: dict[str, object] = {}
            if message.get("method") == "session/new":
                self.cwd = str(given["cwd"])
                result = {"sessionId": self.session}
            elif message.get("method") == "session/prompt":
                self.work(str(given["prompt"][0]["text"]))
                result = {"stopReason": "end_turn"}
            if "id" in message:
                self.send({"id": message["id"], "result": result})

    def work(self, text: str) -> None:
        """Each line of a prompt is one deed: a word, then its operands."""
        for line in text.split("\n"):
            word, *rest = line.split(" ")
            getattr(self, f"do_{word}")(*rest)

    def do_write(self, name: str, content: str) -> None:
        self.ask("fs/write_text_file", path=f"{self.cwd}/{name}", content=content + "\n")

    def do_edit(self, name: str, old: str, new: str) -> None:
        """An edit of its own, allowed by the editor before it is made."""
        path = Path(self.cwd, name)
        diff = {"type": "diff", "path": str(path), "oldText": old, "newText": new}
        call = {"toolCallId": f"edit {name}", "kind": "edit", "status": "pending", "content": [diff]}
        self.update(sessionUpdate="tool_call", title="Edit", **call)
        self.ask("session/request_permission", toolCall=call, options=[])
        path.write_bytes(path.read_bytes().replace(old.encode(), new.encode()))
        self.update(sessionUpdate="tool_call_update", toolCallId=f"edit {name}", status="completed")

    def do_run(self, *words: str) -> None:
        answer = self.ask("terminal/create", command=words[0], args=list(words[1:]), cwd=self.cwd)
        terminal = answer["result"]["terminalId"]  # type: ignore[index]  # the fake editor's own answer
        self.ask("terminal/wait_for_exit", terminalId=terminal)
        self.ask("terminal/release", terminalId=terminal)

    def do_babble(self, size: str) -> None:
        """What is no message, a very long line, and a message in halves."""
        self.say(b"warning: \xff\xfe not JSON\r\n\n[1, 2\n")
        self.update(sessionUpdate="agent_message_chunk", content={"type": "text", "text": "x" * int(size)})
        self.say(b'{"jsonrpc":"2.0","method":"session/up')
        self.say(b'date","params":{"sessionId":"session-1","update":{"sessionUpdate":"plan"}}}\n')

    def do_leave(self, code: str) -> None:
        self.say(b"half a line")
        sys.stderr.write("said on stderr\n")
        sys.stderr.flush()
        os._exit(int(code))

    def do_wait(self) -> None:
        """Until a signal comes."""
        self.send({"method": "_waiting"})
        sys.stdin.buffer.read()


if __name__ == "__main__":
    Agent(Path(sys.argv[1]), Path(sys.argv[2])).run()
