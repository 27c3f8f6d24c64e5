"""Gemini CLI's chats -> one Transcript: a JSON object of 2025, or lines of which the last of an id holds.

A message that went back (`$rewindTo`) was said all the same, and what its calls did to files was done: it stays.
The folder is seldom told: a hash of it is.
"""

import hashlib
import json
import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from sulcus_panel.core.capture.adapter import ToolKind
from sulcus_panel.core.capture.harnesses.gemini.toolset import (
    FILE_TOOLS,
    READ,
    display_of,
    exit_code,
    named_path,
    original_text,
    tool_call,
    was_created,
    whole_text,
    written_text,
)
from sulcus_panel.core.capture.past.json_lines import JsonLine, json_lines, told
from sulcus_panel.core.capture.past.records import (
    Call,
    CommandCall,
    FileCall,
    Prompt,
    ReadCall,
    SessionFacts,
    Stamp,
    Transcript,
)
from sulcus_panel.core.capture.payload import (
    NOTHING,
    JsonObject,
    model_of,
    object_of,
    objects_of,
    optional_text,
    text_of,
    time_of,
)
from sulcus_panel.core.capture.plain_file import open_plain
from sulcus_panel.core.safety import plain

MAX_FILE = 256 * 2**20

_NOT_A_PROMPT = re.compile(r"\s*(?:<session_context>|This is the Gemini CLI\. We are setting up|/\w+\s*$)")
_WORKSPACE = re.compile(r"Workspace Directories:\*\*\s*\n\s*- (\S.*)")
_BEFORE_IT_RAN = "[Operation Cancelled]"
_KEYS = ("sessionId", "$set", "type")
_ENDED = ("success", "error", "cancelled")


def read_chats(paths: Sequence[Path]) -> Transcript:
    """Everything that these files say. What cannot be read is a problem, not an error."""
    chats: dict[str, _Chat] = {}
    problems: list[str] = []
    for path in paths:
        problems += _read(path, chats)
    calls: list[Call] = []
    prompts: list[Prompt] = []
    order = 0
    for chat in chats.values():
        order = chat.tell(order, calls, prompts)
    return Transcript.in_order(calls, prompts, (chat.facts() for chat in chats.values()), problems)


def project_hash(folder: str) -> str:
    """What stands for a folder in the harness's own."""
    return hashlib.sha256(folder.encode("utf-8", "surrogateescape")).hexdigest()


def hash_in(path: Path) -> str:
    """The hash of the folder in which a chat took place, empty where the file does not tell."""
    try:
        with open_plain(path) as file:
            return next((text_of(record, "projectHash") for record in _records(file.read(2**20))), "")
    except OSError:
        return ""


def _records(head: bytes) -> Iterator[JsonObject]:
    """The first record of a file by its beginning; a whole object of 2025 may be longer than that."""
    line = head.partition(b"\n")[0]
    found = re.search(rb'"projectHash"\s*:\s*"([0-9a-f]{16,128})"', head)
    if line.strip() and found:
        yield {"projectHash": found[1].decode("ascii")}


@dataclass(slots=True)
class _Chat:
    """One session under way: its messages by id, in the order in which they first came."""

    session: str
    transcript: str
    project: str = ""
    started: datetime | None = None
    messages: dict[str, JsonObject] = field(default_factory=dict)

    def take(self, message: JsonObject) -> None:
        """A message, or one that came before and is now complete."""
        key = text_of(message, "id") or f"#{len(self.messages)}"
        known = self.messages.get(key)
        if known is None or "toolCalls" in message or "toolCalls" not in known:
            self.messages[key] = message

    def tell(self, order: int, calls: list[Call], prompts: list[Prompt]) -> int:
        """Add its calls and prompts; the number of the last record."""
        cwd = self.cwd()
        asked = 0
        last = self.started or datetime.fromtimestamp(0, UTC)
        for message in self.messages.values():
            order += 1
            last = time_of(message, "timestamp") or last
            stamp = Stamp(last, order, self.session, "", cwd, "", model_of(message))
            if message.get("type") == "user":
                text = _spoken(message)
                if text:
                    asked += 1
                    prompts.append(Prompt(stamp, text, asked))
            for one in objects_of(message, "toolCalls"):
                order += 1
                at = time_of(one, "timestamp") or last
                call = _call(one, replace(stamp, at=at, order=order))
                if call is not None:
                    calls.append(call)
        return order

    def cwd(self) -> str:
        """Where it took place: told in words since 2026, else the folder above a path that has the hash.

        Where the names have been changed since, it is the folder around all that the calls name: these tools
        take no other.
        """
        for message in self.messages.values():
            if told := _WORKSPACE.search(_text(message)):
                return told[1].strip()
        named = list(self._named())
        above = {folder for path in named for folder in _folders(path)}
        exact = next((folder for folder in sorted(above) if project_hash(folder) == self.project), "")
        around = posixpath.commonpath(named) if named else ""
        return exact or (around if around in above and around != "/" else "")

    def _named(self) -> Iterator[str]:
        """The folders that its calls name, and those of the files."""
        for message in self.messages.values():
            for one in objects_of(message, "toolCalls"):
                given = object_of(one, "args")
                if (path := named_path(given)).startswith("/") and text_of(one, "name") in FILE_TOOLS:
                    yield posixpath.dirname(posixpath.normpath(path))
                elif (folder := text_of(given, "path", "dir_path", "directory")).startswith("/"):
                    yield posixpath.normpath(folder)

    def facts(self) -> SessionFacts:
        """The session as a whole."""
        times = [at for one in self.messages.values() if (at := time_of(one, "timestamp"))]
        first = self.started or min(times, default=datetime.fromtimestamp(0, UTC))
        cwd = self.cwd()
        return SessionFacts(
            self.session, None, self.transcript, first, max(times, default=first), (cwd,) if cwd else ()
        )


def _folders(path: str) -> Iterator[str]:
    """The folder and those above it."""
    while len(path) > 1:
        yield path
        path = posixpath.dirname(path)


def _read(path: Path, chats: dict[str, _Chat]) -> tuple[str, ...]:
    """Take in one file; what could not be read of it."""
    name = plain(path.name)
    try:
        with open_plain(path) as file:
            if path.suffix == ".json":
                return _read_object(name, path, file.read(MAX_FILE + 1), chats)
            return _read_lines(name, path, list(json_lines(file)), chats)
    except OSError as error:
        return (f"{name}: {error.strerror or error}",)


def _read_object(name: str, path: Path, data: bytes, chats: dict[str, _Chat]) -> tuple[str, ...]:
    if len(data) > MAX_FILE:
        return (f"{name}: larger than {MAX_FILE:,} bytes",)
    try:
        whole = json.loads(data)
    except (ValueError, RecursionError):
        return (f"{name}: not a chat, it holds no whole JSON object",)
    if not isinstance(whole, dict) or not isinstance(whole.get("messages"), list):
        return (f"{name}: not a chat, it holds no messages",)
    chat = _chat(whole, path, chats)
    for message in objects_of(whole, "messages"):
        chat.take(message)
    return ()


def _read_lines(name: str, path: Path, lines: list[JsonLine], chats: dict[str, _Chat]) -> tuple[str, ...]:
    records = [line.record for line in lines if line.record is not None]
    if not any(key in record for record in records for key in _KEYS):
        return (f"{name}: not a chat, it holds no record of one",)
    chat = _chat(next((one for one in records if "sessionId" in one), NOTHING), path, chats)
    for record in records:
        if "$set" in record:
            for message in objects_of(object_of(record, "$set"), "messages"):
                chat.take(message)
        elif "type" in record:
            chat.take(record)
    return told(name, [line for line in lines if line.record is None])


def _chat(head: JsonObject, path: Path, chats: dict[str, _Chat]) -> _Chat:
    session = text_of(head, "sessionId") or path.stem
    chat = chats.setdefault(session, _Chat(session, str(path)))
    chat.project = text_of(head, "projectHash") or chat.project
    chat.started = time_of(head, "startTime") or chat.started
    return chat


def _text(message: JsonObject) -> str:
    content = message.get("content")
    if isinstance(content, str):
        return content
    return "\n".join(text_of(part, "text") for part in objects_of(message, "content"))


def _spoken(message: JsonObject) -> str:
    text = _text(message).strip()
    return "" if _NOT_A_PROMPT.match(text) else text


def _call(one: JsonObject, stamp: Stamp) -> Call | None:
    """A call that ended; one that was not allowed, or that failed on a file, did nothing."""
    status, tool, given = text_of(one, "status"), text_of(one, "name"), object_of(one, "args")
    answer, error = _answer(one)
    applied = tool_call(tool, given, text_of(one, "id"))
    if applied is not None and applied.kind is ToolKind.COMMAND:
        ran = status in _ENDED and not error.startswith(_BEFORE_IT_RAN) and (answer or status != "error")
        code = exit_code(answer) if status != "cancelled" else None
        return CommandCall(stamp, applied, code) if ran else None
    if status != "success":
        return None
    if tool == READ and (path := named_path(given)):
        return ReadCall(stamp, path, whole_text(given, answer))
    if applied is None or applied.kind is ToolKind.MCP:
        return None
    display = display_of(one.get("resultDisplay"))
    written = written_text(display)
    if written is not None:
        applied = replace(applied, kind=ToolKind.WRITE, content=written, edits=())
    return FileCall(stamp, applied, original_text(display), was_created(display, answer), ())


def _answer(one: JsonObject) -> tuple[str, str]:
    """What the model was told: of the call's end, and of its failure."""
    for part in objects_of(one, "result"):
        response = object_of(object_of(part, "functionResponse"), "response")
        if response:
            return optional_text(response, "output") or "", text_of(response, "error")
    return "", ""
