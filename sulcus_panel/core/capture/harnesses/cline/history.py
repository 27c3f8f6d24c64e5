"""Cline's conversations -> one Transcript: the command line's sessions, and the extension's tasks.

The extension writes a file without the blank lines at its end: how a file ends is known only where the whole of
it is read later.
"""

import json
import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from sulcus_panel.core.capture.adapter import ToolCall, ToolKind
from sulcus_panel.core.capture.harnesses.cline.answers import Answer, exit_code, was_created
from sulcus_panel.core.capture.harnesses.cline.talk import Asked, Called, Shown, Talk
from sulcus_panel.core.capture.harnesses.cline.toolset import PATCH, READS, WRITES, named_paths, tool_calls
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
from sulcus_panel.core.capture.patch_calls import patch_parts
from sulcus_panel.core.capture.patch_text import PatchKind
from sulcus_panel.core.capture.payload import JsonObject, objects_of, text_of
from sulcus_panel.core.capture.plain_file import open_plain
from sulcus_panel.core.safety import plain

MAX_FILE = 256 * 2**20
_NUMBERED = re.compile(r"\s*\d+ ?[|→]")
_MENTION = re.compile(r"(?:^|\s)@/?([^\s@]+)")
_START = datetime.fromtimestamp(0, UTC)


def read_histories(paths: Sequence[Path]) -> Transcript:
    """Everything that these files say. What cannot be read is a problem, not an error."""
    calls: list[Call] = []
    prompts: list[Prompt] = []
    facts: dict[str, SessionFacts] = {}
    problems: list[str] = []
    order = 0
    for path in paths:
        talk, trouble = read_talk(path)
        problems += [trouble] if trouble else []
        if talk is None:
            continue
        session = talk.session
        teller = _Teller(talk, order)
        teller.tell()
        order = teller.order
        calls += teller.calls
        prompts += teller.prompts
        times = [one.at for one in talk.said] or [talk.start]
        cwds = (teller.cwd,) if teller.cwd else ()
        facts[session] = SessionFacts(session, None, str(path), min(times), max(times), cwds)
    return Transcript.in_order(calls, prompts, facts.values(), problems)


def read_talk(path: Path) -> tuple[Talk | None, str]:
    """The conversation in a file, and why there is none."""
    name = plain(path.name)
    data, trouble = _read_json(path)
    if trouble:
        return None, f"{name}: {trouble}"
    messages = objects_of({"it": data}, "it") if isinstance(data, list) else []
    session = session_id(path)
    if isinstance(data, dict):
        messages = objects_of(data, "messages")
        session = text_of(data, "sessionId") or session
    if not any("role" in one for one in messages):
        return None, f"{name}: not a conversation, it holds no message"
    talk = Talk(session, _started(path), _told_folder(path))
    for message in messages:
        talk.take(message)
    talk.end()
    return talk, ""


def session_id(path: Path) -> str:
    """A session's file bears its id; a task's is called alike in every folder, and the folder bears it."""
    name = path.name.removesuffix(".json").removesuffix(".messages")
    return path.parent.name if name == "api_conversation_history" else name


def folder_in(path: Path) -> str:
    """Where a file's conversation took place, empty where it does not tell."""
    talk, _ = read_talk(path)
    return folder_of(talk) if talk is not None else ""


def folder_of(talk: Talk) -> str:
    """Where it took place: as told, else the folder from which a mentioned file is named, else around all files."""
    if talk.folder:
        return talk.folder
    mentions = [found for one in talk.said if isinstance(one, Asked) for found in _MENTION.findall(one.text)]
    shown = [one.path for one in talk.said if isinstance(one, Shown)]
    for path in shown:
        for name in mentions:
            if path.endswith("/" + name):
                return path[: -len(name) - 1]
    named = [path for path in (*shown, *_named(talk)) if path.startswith("/")]
    around = (
        posixpath.commonpath([posixpath.dirname(posixpath.normpath(path)) for path in named]) if named else ""
    )
    return "" if around == "/" else around


@dataclass(slots=True)
class _Told:
    """A file's text as it was written, but for the blank lines at its end, and where the call stands."""

    place: int
    text: str


class _Teller:
    """One conversation under way."""

    def __init__(self, talk: Talk, order: int) -> None:
        self._session = talk.session
        self._talk = talk
        self._open_ends: dict[str, _Told] = {}
        self.cwd = folder_of(talk)
        self.order = order
        self.calls: list[Call] = []
        self.prompts: list[Prompt] = []

    def tell(self) -> None:
        """Take in all that was said."""
        for one in self._talk.said:
            if isinstance(one, Asked):
                self.prompts.append(Prompt(self._stamp(one.at), one.text, len(self.prompts) + 1))
            elif isinstance(one, Shown):
                self._read(one.at, one.path, one.text)
            elif one.answer is not None:
                self._call(one, one.answer)

    def _stamp(self, at: datetime) -> Stamp:
        self.order += 1
        return Stamp(at, self.order, self._session, "", self.cwd, "")

    def _read(self, at: datetime, path: str, text: str | None) -> None:
        known = self._open_ends.pop(path, None)
        if known is not None and text is not None and text.rstrip() == known.text.rstrip():
            written = self.calls[known.place]
            if isinstance(written, FileCall):
                self.calls[known.place] = replace(written, applied=replace(written.applied, content=text))
        self.calls.append(ReadCall(self._stamp(at), path, text))

    def _call(self, one: Called, answer: Answer) -> None:
        if one.tool in READS:
            paths = named_paths(one.given) if answer.is_good else ()
            for path in paths:
                self._read(one.at, path, _whole_text(answer) if len(paths) == 1 else None)
            return
        asked = tool_calls(one.tool, one.given, one.call_id)
        if asked and asked[0].kind is ToolKind.COMMAND:
            if answer.ran:
                self.calls.append(CommandCall(self._stamp(one.at), asked[0], exit_code(answer)))
            return
        if not answer.is_good or not asked or asked[0].kind is ToolKind.MCP:
            return
        if one.tool == PATCH:
            self.calls += [self._patched(part, one.at) for part in _patched_calls(one)]
            return
        self._write(asked[0], one, answer)

    def _patched(self, call: FileCall, at: datetime) -> FileCall:
        self._open_ends.pop(call.applied.path, None)
        return replace(call, stamp=self._stamp(at))

    def _write(self, call: ToolCall, one: Called, answer: Answer) -> None:
        self._open_ends.pop(call.path, None)
        created = was_created(answer)
        if created and call.content is not None and _is_windows(call.path) and "\n" in call.content:
            call = replace(call, content=None)  # it was written with that system's line ends
        if not answer.as_asked:
            call = replace(call, content=None, edits=())
        elif not answer.is_json and call.kind is ToolKind.WRITE and one.tool in (*WRITES, "replace_in_file"):
            self._open_ends[call.path] = _Told(len(self.calls), call.content or "")
            call = replace(call, content=None)
        self.calls.append(FileCall(self._stamp(one.at), call, None, created, ()))


def _patched_calls(one: Called) -> Iterator[FileCall]:
    """The files of a patch; the extension may write them with another end than asked."""
    stamp = Stamp(_START, 0, "", "", "", "")
    for part in patch_parts(PATCH, text_of(one.given, "input", "patch", "diff"), one.call_id):
        is_update = all(each.kind is PatchKind.UPDATE for each in part.patches)
        chunks = tuple(chunk for each in part.patches for chunk in each.chunks) if is_update else ()
        call = replace(part.call, content=None)
        yield FileCall(stamp, call, None, False, (), chunks=chunks, adds=call.kind is ToolKind.WRITE)


def _named(talk: Talk) -> Iterator[str]:
    for one in talk.said:
        if isinstance(one, Called):
            yield from (call.path for call in tool_calls(one.tool, one.given) if call.path)


def _whole_text(answer: Answer) -> str | None:
    """The file that a read shows, None where only a part of it is shown, or its lines are numbered."""
    text = answer.text
    is_part = answer.is_json or text.startswith("[[") or "truncated" in text[-300:] or _NUMBERED.match(text)
    return None if is_part else text


def _is_windows(path: str) -> bool:
    return path[1:2] == ":" or path.startswith("\\\\")


def _read_json(path: Path) -> tuple[object, str]:
    try:
        with open_plain(path) as file:
            data = file.read(MAX_FILE + 1)
    except OSError as error:
        return None, error.strerror or str(error)
    if len(data) > MAX_FILE:
        return None, f"larger than {MAX_FILE:,} bytes"
    try:
        return json.loads(data), ""
    except (ValueError, RecursionError):
        return None, "not a conversation, it is no whole JSON"


def _started(path: Path) -> datetime:
    """A session's id begins with the time of its start."""
    found = re.match(r"(\d{13})(?!\d)", session_id(path))
    return datetime.fromtimestamp(int(found[1]) / 1000, UTC) if found else _START


def _told_folder(path: Path) -> str:
    """What the session's own file beside the messages says of where it ran."""
    beside = path.with_name(f"{session_id(path)}.json")
    if beside == path:
        return ""
    data, _ = _read_json(beside)
    told: JsonObject = data if isinstance(data, dict) else {}
    return text_of(told, "cwd", "workspaceRoot", "workspace_root", "workspacePath")
