"""One rollout's records -> what its thread did, whatever generation wrote them.

A call may be told twice: as the model asked for it and was answered, and as Codex itself saw it end (events,
items). The second counts where it is there. The JavaScript of Code Mode is never read: its calls are items too.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from sulcus_panel.core.capture.adapter import ToolCall, ToolKind
from sulcus_panel.core.capture.harnesses.codex.asked import (
    Asked,
    arguments_of,
    done,
    patch_folder,
    patch_of,
    read_asked,
)
from sulcus_panel.core.capture.harnesses.codex.changes import told_files
from sulcus_panel.core.capture.harnesses.codex.messages import (
    folder_in,
    joined,
    message_text,
    path_of,
    request_in,
)
from sulcus_panel.core.capture.harnesses.codex.shell import (
    MCP,
    PATCH,
    SHELL,
    Ending,
    ending_of,
    shell_line,
    shell_words,
)
from sulcus_panel.core.capture.past.records import Call, CommandCall, Prompt, ReadCall, SessionFacts, Stamp
from sulcus_panel.core.capture.payload import (
    NOTHING,
    JsonObject,
    model_of,
    number_of,
    object_of,
    objects_of,
    text_of,
)

MAX_KEPT = 4096
"""Of an answer's text: enough to tell how the call ended."""

_UUID_7 = re.compile(r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}(?=-7)")
"""Codex's ids begin with the time at which they were given."""
_NOT_THE_AGENTS = ("usershell", "unifiedexecinteraction")
"""Commands that the person typed, and lines that went to one that ran already."""


@dataclass(slots=True)
class Thread:
    """One rollout under way; `name` is the id in its file's name, for one that does not tell its own."""

    name: str
    transcript: str
    thread_id: str = ""
    root: str = ""
    """The session that the thread belongs to: a subagent's parent's."""
    cwd: str = ""
    turn: str = ""
    model: str = ""
    order: int = 0
    _first: datetime | None = None
    _last: datetime | None = None
    _cwds: dict[str, None] = field(default_factory=dict)
    _asked: dict[str, Asked] = field(default_factory=dict)
    _answers: dict[str, tuple[Stamp, Ending]] = field(default_factory=dict)
    _told: dict[str, tuple[Call, ...]] = field(default_factory=dict)
    _reads: list[ReadCall] = field(default_factory=list)
    _prompts: list[tuple[Stamp, str]] = field(default_factory=list)
    _messages: list[tuple[Stamp, str]] = field(default_factory=list)

    def take(self, record: JsonObject, at: datetime) -> None:
        """Take in one record."""
        payload, kind = object_of(record, "payload"), text_of(record, "type")
        if not payload:
            if not kind and "id" in record:
                self._meta(record)
            elif kind:
                self._item(record, at)
        elif kind == "session_meta":
            self._meta(payload)
        elif kind == "turn_context":
            self._context(payload)
        elif kind == "response_item" and not self._is_anothers(payload):
            self._item(payload, at)
        elif kind == "event_msg":
            if text_of(payload, "type") in ("task_started", "turn_started"):
                self.turn = text_of(payload, "turn_id") or self.turn
            if not self._is_anothers(payload):
                self._event(payload, at)
        self._first = self._first or at
        self._last = at

    def calls(self) -> Iterator[Call]:
        """Everything that was done, each call once; their stamps' orders rise over the whole thread."""
        codes = self._late_codes()
        for call_id, asked in self._asked.items():
            if call_id not in self._told and call_id in self._answers:
                stamp, ending = self._answers[call_id]
                ending = replace(ending, exit_code=codes.get(call_id, ending.exit_code))
                yield from self._numbered(done(call_id, asked, stamp, ending))
        for told in self._told.values():
            yield from self._numbered(told)
        yield from self._reads

    def prompts(self) -> tuple[Prompt, ...]:
        """What was asked for; where no event tells it, the messages that are no instructions."""
        found = self._prompts or self._messages
        return tuple(Prompt(stamp, text, number) for number, (stamp, text) in enumerate(found, 1))

    def facts(self) -> SessionFacts | None:
        """The session, None for a rollout without a record."""
        if self._first is None or self._last is None:
            return None
        own, root = self._names()
        parent = root if own != root else None
        return SessionFacts(own, parent, self.transcript, self._first, self._last, tuple(self._cwds))

    def _is_anothers(self, told: JsonObject) -> bool:
        """Whether a record is of the thread that this one was forked from: another's, or from before its time."""
        thread = text_of(told, "thread_id")
        if thread and self.thread_id and thread != self.thread_id:
            return True
        turn, own = _UUID_7.match(text_of(told, "turn_id") or self.turn), _UUID_7.match(self.thread_id)
        return turn is not None and own is not None and turn[0].lower() < own[0].lower()

    def _names(self) -> tuple[str, str]:
        own = self.thread_id or self.name
        return own, self.root or own

    def _meta(self, meta: JsonObject) -> None:
        """The head of the file; a fork repeats that of the thread it came from, which is not its own."""
        if self.thread_id:
            return
        self.thread_id = text_of(meta, "id")
        source = object_of(object_of(meta, "source"), "subagent")
        parent = text_of(object_of(source, "thread_spawn"), "parent_thread_id")
        parent = parent or text_of(meta, "parent_thread_id")
        own = text_of(meta, "session_id")
        self.root = own if own and own != self.thread_id else parent
        self._move_to(text_of(meta, "cwd"))

    def _context(self, context: JsonObject) -> None:
        self.turn = text_of(context, "turn_id") or self.turn
        self.model = model_of(context) or self.model
        self._move_to(text_of(context, "cwd"))

    def _move_to(self, cwd: str) -> None:
        if cwd:
            self.cwd = cwd
            self._cwds[cwd] = None

    def _stamp(self, at: datetime, told: JsonObject = NOTHING, cwd: str = "") -> Stamp:
        own, root = self._names()
        passed = object_of(told, "internal_chat_message_metadata_passthrough")
        turn = text_of(told, "turn_id") or text_of(passed, "turn_id") or self.turn
        return Stamp(
            at, self._next(), root, own if own != root else "", joined(self.cwd, cwd), turn, self.model
        )

    def _next(self) -> int:
        self.order += 1
        return self.order

    def _leave_room(self, patch: str) -> None:
        """A patch has a part for each of its files, and none has more of them than marked lines."""
        self.order += patch.count("*** ")

    @staticmethod
    def _numbered(calls: tuple[Call, ...]) -> Iterator[Call]:
        """A call's parts one behind the other, in the room that was left for them."""
        for number, one in enumerate(calls):
            yield replace(one, stamp=replace(one.stamp, order=one.stamp.order + number))

    def _item(self, item: JsonObject, at: datetime) -> None:
        call_id = text_of(item, "call_id") or text_of(item, "id")
        match text_of(item, "type"):
            case "function_call":
                self._ask(call_id, text_of(item, "name"), arguments_of(item), self._stamp(at, item))
            case "custom_tool_call":
                given = {"input": item.get("input")} if text_of(item, "name") == PATCH else NOTHING
                self._ask(call_id, text_of(item, "name"), given, self._stamp(at, item))
            case "local_shell_call":
                action = object_of(item, "action")
                given = {"command": action.get("command"), "workdir": action.get("working_directory")}
                self._ask(call_id, "local_shell", given, self._stamp(at, item))
            case "function_call_output" | "custom_tool_call_output" | "local_shell_call_output":
                if call_id in self._asked:
                    ending = ending_of(item.get("output"))
                    ending = replace(ending, text=ending.text[:MAX_KEPT])
                    self._answers[call_id] = (self._stamp(at, item), ending)
                    self._leave_room(patch_of(self._asked[call_id]))
            case "message" if text_of(item, "role") == "user":
                self._message(message_text(item), self._stamp(at, item))

    def _ask(self, call_id: str, name: str, given: JsonObject, stamp: Stamp) -> None:
        asked = read_asked(name, given, stamp)
        if asked is not None and call_id:
            self._asked[call_id] = asked

    def _message(self, text: str, stamp: Stamp) -> None:
        self._move_to(folder_in(text))
        request = request_in(text)
        if request:
            self._messages.append((stamp, request))

    def _event(self, event: JsonObject, at: datetime) -> None:
        match text_of(event, "type"):
            case "user_message":
                self._prompt(text_of(event, "message"), self._stamp(at, event))
            case "patch_apply_end":
                self._patched(text_of(event, "call_id"), event, self._stamp(at, event))
            case "exec_command_end":
                self._ran(text_of(event, "call_id"), event, self._event_stamp(event, at, event))
            case "mcp_tool_call_end":
                invocation, result = object_of(event, "invocation"), object_of(event, "result")
                answered = object_of(result, "Ok") if "Ok" in result else None
                self._called(text_of(event, "call_id"), invocation, answered, self._stamp(at, event))
            case "item_completed":
                self._completed(object_of(event, "item"), event, at)

    def _completed(self, item: JsonObject, event: JsonObject, at: datetime) -> None:
        item_id = text_of(item, "id")
        match text_of(item, "type"):
            case "UserMessage":
                texts = (text_of(part, "text") for part in objects_of(item, "content"))
                self._prompt("".join(texts), self._stamp(at, event))
            case "FileChange":
                self._patched(item_id, item, self._stamp(at, event))
            case "CommandExecution":
                self._ran(item_id, item, self._event_stamp(item, at, event))
            case "McpToolCall":
                is_done = text_of(item, "status") == "completed"
                self._called(
                    item_id, item, object_of(item, "result") if is_done else None, self._stamp(at, event)
                )

    def _event_stamp(self, told: JsonObject, at: datetime, event: JsonObject) -> Stamp:
        return self._stamp(at, event, path_of(text_of(told, "cwd")))

    def _prompt(self, text: str, stamp: Stamp) -> None:
        request = request_in(text)
        if request is not None:
            self._prompts.append((stamp, request))

    def _patched(self, call_id: str, told: JsonObject, stamp: Stamp) -> None:
        """A patch as Codex saw it end; one that failed or was declined changed nothing."""
        status = text_of(told, "status")
        applied = status == "completed" if status else told.get("success", True) is True
        asked = self._asked.get(call_id)
        own = stamp if asked is None else replace(stamp, cwd=patch_folder(asked))
        changes = object_of(told, "changes")
        self._told[call_id] = told_files(changes, patch_of(asked), call_id, own) if applied else ()
        self.order += len(changes)

    def _ran(self, call_id: str, told: JsonObject, stamp: Stamp) -> None:
        """A command as Codex saw it end, and the files that it read."""
        words = shell_words(told.get("command"))
        source = text_of(told, "source").replace("_", "").lower()
        status = text_of(told, "status")
        if source in _NOT_THE_AGENTS or status == "declined" or not words:
            self._told.setdefault(call_id, ())
            return
        code = number_of(told, "exit_code")
        call = ToolCall(SHELL, ToolKind.COMMAND, call_id, command=shell_line(words))
        self._told[call_id] = (CommandCall(stamp, call, code),)
        if code == 0:
            for one in objects_of(told, "parsed_cmd"):
                if text_of(one, "type") == "read" and (path := text_of(one, "path")):
                    own = replace(stamp, order=self._next())
                    self._reads.append(ReadCall(own, path, None))

    def _called(self, call_id: str, asked: JsonObject, answered: JsonObject | None, stamp: Stamp) -> None:
        """A call of another server's tool; one that failed has no answer, or says so in it."""
        server, tool = text_of(asked, "server"), text_of(asked, "tool")
        if (
            answered is None
            or answered.get("isError") is True
            or answered.get("is_error") is True
            or not tool
        ):
            return
        name = f"{MCP}{server}__{tool}"
        call = ToolCall(name, ToolKind.MCP, call_id, given=json.dumps(asked.get("arguments")))
        self._told[call_id] = (CommandCall(stamp, call, None),)

    def _late_codes(self) -> Mapping[str, int]:
        """The exit codes of commands that still ran when they were answered, from what was said to them later."""
        running = {end.session: call for call, (_, end) in self._answers.items() if end.session}
        late: dict[str, int] = {}
        for call_id, asked in self._asked.items():
            answer = self._answers.get(call_id)
            if asked.session in running and answer is not None and answer[1].exit_code is not None:
                late[running[asked.session]] = answer[1].exit_code
        return late
