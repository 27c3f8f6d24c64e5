"""VS Code's chat sessions -> one Transcript: the calls that the model made, and what only the editor tells.

A session keeps the calls' arguments and answers with each request, and no state of any file. A request that was
sent again in another form has taken its place. Times are the request's: the calls in it are in order.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sulcus_panel.core.capture.adapter import ToolCall, ToolKind
from sulcus_panel.core.capture.harnesses.copilot_vscode.journal import read_kept
from sulcus_panel.core.capture.harnesses.copilot_vscode.parts import (
    TerminalRun,
    editor_calls,
    path_in_uri,
    terminal_runs,
)
from sulcus_panel.core.capture.harnesses.copilot_vscode.toolset import (
    PATCH,
    READ,
    TERMINAL,
    as_applied,
    exit_code,
    given_of,
    has_failed,
    is_as_asked,
    named_path,
    own_id,
    patch_text,
    tool_calls,
    whole_text,
)
from sulcus_panel.core.capture.past.patch_files import asked_files
from sulcus_panel.core.capture.past.path_map import comparable
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
from sulcus_panel.core.capture.payload import JsonObject, model_of, number_of, object_of, objects_of, text_of

EPOCH = datetime.fromtimestamp(0, UTC)
_FOLDERS = re.compile(r"workspace with the following folders:\s*\n- (\S.*?)\s*(?:\n|$)")
_LAST_MOMENT = 253_000_000_000_000


def read_chats(paths: Sequence[Path], folders: Sequence[str] = ()) -> Transcript:
    """Everything that these files say; `folders` are the workspaces' that the places of the files tell."""
    chats: list[_Chat] = []
    problems: list[str] = []
    order = 0
    for place, path in enumerate(paths):
        kept = read_kept(path)
        problems += kept.problems
        if kept.state:
            told = folders[place] if place < len(folders) else ""
            chat = _Chat(text_of(kept.state, "sessionId") or path.stem, str(path), order, told)
            chat.take(kept.state)
            order = chat.order
            chats.append(chat)
    return Transcript.in_order(
        (call for one in chats for call in one.calls),
        (prompt for one in chats for prompt in one.prompts),
        (one.facts() for one in chats),
        problems,
    )


@dataclass(slots=True)
class _Chat:
    """One session under way."""

    session: str
    transcript: str
    order: int
    cwd: str
    model: str = ""
    """Which one the request that is being read was sent to."""
    first: datetime = EPOCH
    last: datetime = EPOCH
    calls: list[Call] = field(default_factory=list)
    prompts: list[Prompt] = field(default_factory=list)

    def take(self, state: JsonObject) -> None:
        """The whole session."""
        requests = objects_of(state, "requests")
        told = path_in_uri(text_of(state, "workingDirectory"))
        self.cwd = self.cwd or told or next((found for one in requests if (found := _folder(one))), "")
        self.first = self.last = _moment(number_of(state, "creationDate")) or EPOCH
        for number, request in enumerate(requests, 1):
            self._take_request(request, number)

    def facts(self) -> SessionFacts:
        """The session as a whole."""
        cwds = (self.cwd,) if self.cwd else ()
        return SessionFacts(self.session, None, self.transcript, self.first, self.last, cwds)

    def _take_request(self, request: JsonObject, number: int) -> None:
        self.last = max(self.last, _moment(number_of(request, "timestamp")) or self.last)
        self.model = model_of(request)
        text = "" if request.get("isSystemInitiated") is True else _words(request.get("message"))
        self.prompts.append(Prompt(self._stamp(), text, number))
        response = objects_of(request, "response")
        runs = terminal_runs(response)
        covered: set[str] = set()
        for call in self._asked(request, runs):
            if isinstance(call, FileCall):
                covered.update(
                    comparable(path) for path in (call.applied.path, call.applied.moved_to) if path
                )
            self.calls.append(call)
        for run in runs:
            if run.ran and run.call.command:
                self.calls.append(CommandCall(self._stamp(), run.call, run.exit_code))
        for edited in editor_calls(text_of(request, "requestId") or f"request_{number}", response):
            if comparable(edited.path) not in covered:
                adds = edited.kind is ToolKind.WRITE
                self.calls.append(FileCall(self._stamp(), edited, None, False, (), adds=adds))
        elapsed = number_of(object_of(object_of(request, "result"), "timings"), "totalElapsed")
        if elapsed is not None and 0 <= elapsed < 10**10:
            self.last += timedelta(milliseconds=elapsed)

    def _asked(self, request: JsonObject, runs: list[TerminalRun]) -> Iterator[Call]:
        """The model's calls; a terminal's run that is one of them is taken out of `runs`."""
        told = object_of(object_of(request, "result"), "metadata")
        answers = told.get("toolCallResults")
        for one in objects_of(told, "toolCallRounds"):
            self.last = max(self.last, _moment(number_of(one, "timestamp")) or self.last)
            for call in objects_of(one, "toolCalls"):
                call_id = text_of(call, "id")
                if isinstance(answers, dict) and call_id not in answers:
                    continue  # it was begun and did not end
                answer = _words(answers.get(call_id)) if isinstance(answers, dict) else ""
                yield from self._call(call, answer, runs)

    def _call(self, asked: JsonObject, told: str, runs: list[TerminalRun]) -> Iterator[Call]:
        tool, given = text_of(asked, "name"), given_of(asked.get("arguments"))
        call_id = own_id(text_of(asked, "id"))
        if tool == TERMINAL:
            yield from self._command(next(iter(tool_calls(tool, given, call_id)), None), told, runs)
        elif has_failed(told):
            return
        elif tool == READ:
            if path := named_path(given):
                yield ReadCall(self._stamp(), path, whole_text(told))
        elif tool == PATCH:
            for file in asked_files(tool, patch_text(given), call_id, self._stamp()):
                yield replace(_mended(file, told), stamp=self._stamp())
        else:
            for call in tool_calls(tool, given, call_id):
                if call.kind is ToolKind.MCP:
                    yield CommandCall(self._stamp(), call, None)
                    continue
                adds = call.kind is ToolKind.WRITE
                yield FileCall(self._stamp(), as_applied(call, told), None, False, (), adds=adds)

    def _command(self, call: ToolCall | None, told: str, runs: list[TerminalRun]) -> Iterator[CommandCall]:
        if call is None:
            return
        run = next((one for one in runs if call.command in (one.asked, one.call.command)), None)
        if run is None:
            if not has_failed(told):
                yield CommandCall(self._stamp(), call, exit_code(told))
            return
        runs.remove(run)
        if run.ran:
            code = run.exit_code if run.exit_code is not None else exit_code(told)
            yield CommandCall(self._stamp(), replace(call, command=run.call.command), code)

    def _stamp(self) -> Stamp:
        self.order += 1
        return Stamp(self.last, self.order, self.session, "", self.cwd, "", self.model)


def _mended(file: FileCall, told: str) -> FileCall:
    """A patch's file without the patch's words, where the answer says that these were changed before."""
    if is_as_asked(told):
        return file
    return replace(file, applied=as_applied(file.applied, told), chunks=(), is_exact=False)


def _folder(request: JsonObject) -> str:
    """The workspace's folder, as the model was told it, or as the response's links stand in it."""
    told = object_of(object_of(request, "result"), "metadata")
    for key in ("renderedGlobalContext", "renderedUserMessage"):
        found = _FOLDERS.search(_words(told.get(key)))
        if found:
            return found[1]
    bases = (text_of(object_of(one, "baseUri"), "path") for one in objects_of(request, "response"))
    return next((base.rstrip("/") for base in bases if len(base) > 1), "")


def _words(value: object) -> str:
    """All words of a message or an answer: texts, parts, or the tree in which the model was shown them."""
    found: list[str] = []
    todo: list[object] = [value]
    while todo:
        one = todo.pop()
        if isinstance(one, str):
            found.append(one)
        elif isinstance(one, list):
            todo += reversed(one)
        elif isinstance(one, dict):
            text = one.get("text")
            if isinstance(text, str):
                found.append("\n" + text if one.get("lineBreakBefore") and found else text)
            else:
                todo += reversed(
                    [one[key] for key in ("parts", "content", "value", "node", "children") if key in one]
                )
    return "".join(found)


def _moment(milliseconds: int | None) -> datetime | None:
    """A time since 1970, None where it is none of this era."""
    if milliseconds is None or not 0 < milliseconds < _LAST_MOMENT:
        return None
    return EPOCH + timedelta(milliseconds=milliseconds)
