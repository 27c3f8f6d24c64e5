"""Copilot CLI's session files (`events.jsonl`) -> one Transcript: every call that ended, with what its end tells.

A call is told by its start (what was asked for) and its end (how it went); one without an end did not happen as far
as anybody knows. A subagent's events stand in its parent's file, under the id of the call that began it.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from sulcus_panel.core.capture.adapter import ToolKind
from sulcus_panel.core.capture.harnesses.copilot_cli.toolset import (
    PATCH,
    READS,
    exit_code,
    given_of,
    is_background,
    mcp_name,
    named_path,
    shell_of,
    tool_calls,
    tool_name,
    was_refused,
    whole_text,
)
from sulcus_panel.core.capture.past.json_lines import JsonLine, json_lines, told
from sulcus_panel.core.capture.past.patch_files import asked_files
from sulcus_panel.core.capture.past.patches import read_unified
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
    JsonObject,
    model_of,
    number_of,
    object_of,
    optional_text,
    text_of,
    time_of,
)
from sulcus_panel.core.capture.plain_file import open_plain
from sulcus_panel.core.safety import plain

EVENTS = "events.jsonl"
EPOCH = datetime.fromtimestamp(0, UTC)
_OWN_WORDS = ("autopilot", "skill", "system", "agent")
"""How the source of a message begins that no person wrote."""


def read_sessions(paths: Sequence[Path]) -> Transcript:
    """Everything that these files say. What cannot be read is a problem, not an error."""
    sessions: list[Session] = []
    problems: list[str] = []
    order = 0
    for path in paths:
        session = Session(session_name(path), str(path), order)
        problems += _read(path, session)
        order = session.order
        if session.last is not None:
            sessions.append(session)
    return Transcript.in_order(
        (call for one in sessions for call in one.calls),
        (prompt for one in sessions for prompt in one.prompts),
        (facts for one in sessions for facts in one.facts()),
        problems,
    )


def session_name(path: Path) -> str:
    """The session's id by the name of its file, or of the folder in which that stands."""
    return path.parent.name if path.name == EVENTS else path.stem


@dataclass(frozen=True, slots=True)
class _Asked:
    """A call that has started."""

    tool: str
    given: JsonObject


@dataclass(slots=True)
class Session:
    """One session under way."""

    session: str
    transcript: str
    order: int = 0
    cwd: str = ""
    first: datetime | None = None
    last: datetime | None = None
    cwds: dict[str, None] = field(default_factory=dict)
    calls: list[Call] = field(default_factory=list)
    prompts: list[Prompt] = field(default_factory=list)
    _asked: dict[str, _Asked] = field(default_factory=dict)
    _running: dict[str, int] = field(default_factory=dict)
    _agents: dict[str, tuple[datetime, datetime]] = field(default_factory=dict)
    _spoken: Counter[str] = field(default_factory=Counter)

    def take(self, record: JsonObject) -> None:
        """One event."""
        kind, data = text_of(record, "type"), object_of(record, "data")
        at = time_of(record, "timestamp") or self.last or EPOCH
        self.order += 1
        self.first, self.last = self.first or at, at
        agent = text_of(data, "parentToolCallId") or text_of(record, "agentId")
        if agent:
            self._agents[agent] = (self._agents.get(agent, (at, at))[0], at)
        match kind:
            case "session.start" | "session.resume" | "session.context_changed":
                self._begin(data)
            case "user.message":
                self._hear(data, self._stamp(at, agent))
            case "tool.execution_start":
                given = given_of(data.get("arguments"))
                self._asked[text_of(data, "toolCallId")] = _Asked(_tool(data), given)
            case "tool.execution_complete":
                self._end(data, replace(self._stamp(at, agent), model=model_of(data)))

    def facts(self) -> tuple[SessionFacts, ...]:
        """The session and its subagents, as a whole."""
        first, last = self.first or EPOCH, self.last or EPOCH
        main = SessionFacts(self.session, None, self.transcript, first, last, tuple(self.cwds))
        return main, *(
            SessionFacts(agent, self.session, self.transcript, *times, tuple(self.cwds))
            for agent, times in self._agents.items()
        )

    def _stamp(self, at: datetime, agent: str) -> Stamp:
        return Stamp(at, self.order, self.session, agent, self.cwd, "")

    def _begin(self, data: JsonObject) -> None:
        self.session = text_of(data, "sessionId") or self.session
        cwd = text_of(object_of(data, "context"), "cwd") or text_of(data, "cwd")
        if cwd:
            self.cwd = cwd
            self.cwds[cwd] = None

    def _hear(self, data: JsonObject, stamp: Stamp) -> None:
        text = text_of(data, "content", "prompt")
        is_own = text_of(data, "source").startswith(_OWN_WORDS)
        self._spoken[stamp.agent] += 1
        self.prompts.append(Prompt(stamp, "" if is_own else text, self._spoken[stamp.agent]))

    def _end(self, data: JsonObject, stamp: Stamp) -> None:
        call_id = text_of(data, "toolCallId")
        asked = self._asked.pop(call_id, None)
        if asked is None:
            return
        answer = object_of(data, "result")
        told = optional_text(answer, "content") or text_of(data, "result")
        if tool_name(asked.tool, asked.given).startswith(("read_", "stop_")):
            self._hear_of_shell(told)
            return
        well = data.get("success") is not False
        found = _ended(asked, call_id, data, stamp) if well else _failed(asked, call_id, data, stamp)
        for number, call in enumerate(found):
            if isinstance(call, CommandCall) and is_background(told) and (shell := shell_of(told)):
                self._running[shell] = len(self.calls)
            self.calls.append(replace(call, stamp=replace(stamp, order=stamp.order + number)))
        self.order += max(len(found) - 1, 0)

    def _hear_of_shell(self, told: str) -> None:
        """The end of a command that ran on, as a later look at its shell tells it."""
        place, code = self._running.get(shell_of(told)), exit_code(told)
        if place is None or code is None:
            return
        call = self.calls[place]
        if isinstance(call, CommandCall):
            self.calls[place] = replace(call, exit_code=code)
            del self._running[shell_of(told)]


def _tool(data: JsonObject) -> str:
    """The tool that was called; another server's by the name that its hooks have too."""
    tool, server = text_of(data, "toolName"), text_of(data, "mcpServerName")
    own = text_of(data, "mcpToolName") or tool.removeprefix(f"{server}-")
    return mcp_name(server, own) if server else tool


def _ended(asked: _Asked, call_id: str, data: JsonObject, stamp: Stamp) -> tuple[Call, ...]:
    """What a call did that ended well."""
    tool, given = asked.tool, asked.given
    answer = object_of(data, "result")
    told = optional_text(answer, "content") or text_of(data, "result")
    name = tool_name(tool, given)
    if name in READS:
        path = named_path(given)
        return (ReadCall(stamp, path, whole_text(given, told)),) if path else ()
    if name == PATCH:
        return asked_files(tool, text_of(given, "patch", "input", "command"), call_id, stamp)
    calls = tool_calls(tool, given, call_id)
    if not calls:
        return ()
    call = calls[0]
    if call.kind is ToolKind.MCP:
        return (CommandCall(stamp, call, None),)
    if call.kind is ToolKind.COMMAND:
        return (CommandCall(stamp, call, _code(data, told)),)
    shown = read_unified(text_of(answer, "detailedContent")) if call.kind is ToolKind.EDIT else ()
    return (FileCall(stamp, call, None, False, shown, adds=call.kind is ToolKind.WRITE),)


def _failed(asked: _Asked, call_id: str, data: JsonObject, stamp: Stamp) -> tuple[Call, ...]:
    """A command that failed may have changed files all the same, unless it was not allowed."""
    error = object_of(data, "error")
    call = next(iter(tool_calls(asked.tool, asked.given, call_id)), None)
    if call is None or call.kind is not ToolKind.COMMAND:
        return ()
    told = text_of(error, "message") or text_of(object_of(data, "result"), "content")
    return () if was_refused(text_of(error, "code"), told) else (CommandCall(stamp, call, _code(data, told)),)


def _code(data: JsonObject, told: str) -> int | None:
    """A command's exit code: the last line of its answer has it, and the telemetry where it is not 0."""
    code = exit_code(told)
    measured = object_of(object_of(data, "toolTelemetry"), "metrics")
    return code if code is not None else number_of(measured, "exit_code")


def _read(path: Path, session: Session) -> tuple[str, ...]:
    """Take in one file; what could not be read of it."""
    name = plain(f"{path.parent.name}/{path.name}" if path.name == EVENTS else path.name)
    bad: list[JsonLine] = []
    known = 0
    try:
        with open_plain(path) as file:
            for line in json_lines(file):
                if line.record is None:
                    bad.append(line)
                elif "." in text_of(line.record, "type"):
                    known += 1
                    session.take(line.record)
    except OSError as error:
        return (f"{name}: {error.strerror or error}",)
    return told(name, bad) if known else (f"{name}: not a session, it holds no event of one",)
