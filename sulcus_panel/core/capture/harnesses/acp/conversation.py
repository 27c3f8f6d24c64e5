"""What an editor and an agent say to each other -> what is to be spooled, and which files to look at then. Pure.

A response has to be seen beside its request, a tool call beside all that was told of it before; only who heard
the whole conversation can do that, so each note holds all that the adapter needs.
Source: the protocol's schema (agentclientprotocol/agent-client-protocol).
"""

import json
from dataclasses import dataclass, field
from typing import TypeVar

from sulcus_panel.core.capture.payload import NOTHING, JsonObject, object_of, objects_of, text_of

MAX_OPEN = 10_000
"""So many requests or calls may be open at once; the oldest gives way."""

WRITE, READ = "fs/write_text_file", "fs/read_text_file"
TERMINAL, EXIT, OUTPUT = "terminal/create", "terminal/wait_for_exit", "terminal/output"
RELEASE = "terminal/release"
PROMPT, CANCEL = "session/prompt", "session/cancel"
UPDATE, PERMISSION = "session/update", "session/request_permission"
NEW, LOAD = "session/new", "session/load"
TOLD_OF_CALLS = ("tool_call", "tool_call_update")
ENDED = ("completed", "failed")
CALL = "call"
"""The event of a tool call; all others bear the name of their method."""
END = "end"

_OPENING = (NEW, LOAD, "session/resume", "session/fork")
_AWAITED = (*_OPENING, PROMPT, WRITE, READ, TERMINAL, EXIT, OUTPUT)
_OF_FILES = ("edit", "delete", "move")
_Key = TypeVar("_Key")
_Value = TypeVar("_Value")
_MERGED = ("title", "kind", "status", "content", "locations", "rawInput", "rawOutput", "_meta")


@dataclass(frozen=True, slots=True)
class Note:
    """One event: what the adapter gets, and the files to look at for it, in their order."""

    payload: JsonObject
    paths: tuple[str, ...] = ()
    looks: bool = False
    """It is about a command: the hook is to look at the whole tree."""


@dataclass(slots=True)
class _Session:
    cwd: str = ""
    turn: str = ""
    is_replayed: bool = False
    """The agent tells again what happened before."""


@dataclass(frozen=True, slots=True)
class _Request:
    method: str
    params: JsonObject
    number: int


@dataclass(slots=True)
class _Call:
    """What is known of a tool call by now."""

    known: dict[str, object] = field(default_factory=dict)
    paths: list[str] = field(default_factory=list)
    is_told: bool = False
    """Its command is on record as started."""
    has_ended: bool = False


class Conversation:
    """One connection. `connection` is unique for ever: ids of requests begin anew with each."""

    def __init__(self, connection: str) -> None:
        self._connection = connection
        self._sessions: dict[str, _Session] = {}
        self._requests: dict[tuple[bool, str], _Request] = {}
        self._calls: dict[tuple[str, str], _Call] = {}
        self._terminals: dict[tuple[str, str], _Request] = {}
        self._count = 0

    @property
    def awaits_deed(self) -> bool:
        """Whether the agent waits for what the editor does to files: a write, or a command's end."""
        return any(one.method in (WRITE, EXIT, OUTPUT) for one in tuple(self._requests.values()))

    def hear(self, message: JsonObject, *, from_agent: bool) -> tuple[Note, ...]:
        """What one message means."""
        method, params = text_of(message, "method"), object_of(message, "params")
        if not method:
            return self._answered(message, from_agent=from_agent)
        request = _Request(method, params, self._number())
        if "id" in message and method in _AWAITED:
            _keep(self._requests, (from_agent, _key(message["id"])), request)
        if from_agent:
            return self._from_agent(request)
        return self._from_editor(request)

    def end(self) -> tuple[Note, ...]:
        """The connection is over, and with it what was open."""
        return tuple(self._note(session, END) for session in self._sessions)

    def _number(self) -> int:
        self._count += 1
        return self._count

    def _from_editor(self, request: _Request) -> tuple[Note, ...]:
        name = text_of(request.params, "sessionId")
        session = self._session(name)
        if request.method == LOAD:
            session.is_replayed = True
        if request.method in _OPENING and name:
            session.cwd = text_of(request.params, "cwd") or session.cwd
        if request.method == PROMPT:
            session.turn = f"{self._connection}#{request.number}"
            return (self._note(name, PROMPT, params=request.params),)
        return (self._note(name, CANCEL),) if request.method == CANCEL else ()

    def _from_agent(self, request: _Request) -> tuple[Note, ...]:
        name, params = text_of(request.params, "sessionId"), request.params
        match request.method:
            case "session/update":
                update = object_of(params, "update")
                told = text_of(update, "sessionUpdate") in TOLD_OF_CALLS
                return self._call(name, update) if told and not self._session(name).is_replayed else ()
            case "session/request_permission":
                return self._call(name, object_of(params, "toolCall"))
            case "fs/write_text_file":
                path = text_of(params, "path")
                note = self._note(name, WRITE, params=params, call_id=self._call_id("write", request))
                return (Note(note.payload, (path,)),) if path else ()
            case "terminal/create":
                return (self._of_command(name, TERMINAL, request),)
        if request.method == RELEASE:
            return self._exited(name, text_of(params, "terminalId"), NOTHING, is_over=True)
        return ()

    def _answered(self, message: JsonObject, *, from_agent: bool) -> tuple[Note, ...]:
        request = self._requests.pop((not from_agent, _key(message.get("id"))), None)
        if request is None:
            return ()
        result, failed = object_of(message, "result"), "error" in message
        name = text_of(request.params, "sessionId")
        if request.method in _OPENING:
            return self._opened(request, text_of(result, "sessionId") or name, failed=failed)
        if request.method == PROMPT:
            return (self._note(name, PROMPT, result=result, answered=True),)
        if request.method in (EXIT, OUTPUT):
            return self._exited(name, text_of(request.params, "terminalId"), result, is_over=False)
        if request.method == TERMINAL:
            return self._started(name, request, text_of(result, "terminalId"))
        note = self._note(
            name,
            request.method,
            params=request.params,
            result=result,
            failed=failed,
            answered=True,
            call_id=self._call_id("write", request),
        )
        return (Note(note.payload, (text_of(request.params, "path"),) if request.method == WRITE else ()),)

    def _opened(self, request: _Request, name: str, *, failed: bool) -> tuple[Note, ...]:
        session = self._session(name)
        session.is_replayed = False
        if failed or not name:
            return ()
        session.cwd = text_of(request.params, "cwd") or session.cwd
        return (self._note(name, request.method),)

    def _started(self, name: str, request: _Request, terminal: str) -> tuple[Note, ...]:
        if terminal:
            _keep(self._terminals, (name, terminal), request)
            return ()
        return (self._of_command(name, EXIT, request, failed=True),)

    def _exited(self, name: str, terminal: str, result: JsonObject, *, is_over: bool) -> tuple[Note, ...]:
        """A command's end, told once: by who waits for it, who reads its output, or who lets go of it."""
        status = object_of(result, "exitStatus") or result
        has_ended = is_over or "exitCode" in status or "signal" in status
        request = self._terminals.get((name, terminal))
        if request is None or not has_ended:
            return ()
        del self._terminals[name, terminal]
        return (self._of_command(name, EXIT, request, result=result),)

    def _of_command(self, name: str, event: str, request: _Request, **more: object) -> Note:
        """A command's start or end: the tree around it is to be looked at."""
        call_id = self._call_id("run", request)
        note = self._note(name, event, params=request.params, call_id=call_id, **more)
        return Note({**note.payload, **_for_hook(event, request.params, call_id)}, looks=True)

    def _call(self, name: str, update: JsonObject) -> tuple[Note, ...]:
        """A tool call is told of: the files that it names for the first time are looked at, at its end all."""
        call_id = text_of(update, "toolCallId")
        if not call_id:
            return ()
        call = self._calls.get((name, call_id)) or _Call()
        if call.has_ended:
            return ()
        _keep(self._calls, (name, call_id), call)
        call.known.update({key: update[key] for key in _MERGED if update.get(key) is not None})
        fresh = [path for path in dict.fromkeys(_paths(call.known)) if path not in call.paths]
        call.paths += fresh
        call.has_ended = text_of(call.known, "status") in ENDED
        starts = text_of(call.known, "kind") == "execute" and not call.is_told
        if not (call.has_ended or fresh or starts):
            return ()
        call.is_told = call.is_told or starts
        wanted = call.paths if call.has_ended else fresh
        files = [[path, call.paths.index(path)] for path in wanted]
        note = self._note(name, CALL, call=dict(call.known), call_id=call_id, files=files)
        if call.has_ended:
            call.known.clear()
        return (Note(note.payload, tuple(wanted)),)

    def _session(self, name: str) -> _Session:
        return self._sessions.setdefault(name, _Session()) if name else _Session()

    def _call_id(self, what: str, request: _Request) -> str:
        return f"{what}-{self._connection}-{request.number}"

    def _note(self, name: str, event: str, **more: object) -> Note:
        session = self._session(name)
        payload = {"event": event, "session_id": name, "cwd": session.cwd, "turn": session.turn, **more}
        return Note(payload)


def _for_hook(event: str, params: JsonObject, call_id: str) -> JsonObject:
    """A command in the words that the hook knows; with a variable set for it, it is never taken for a reader."""
    given, args = params.get("env"), params.get("args")
    names = [f"{text_of(one, 'name')}=" for one in objects_of(params, "env")] if given else []
    words = [one for one in args if isinstance(one, str)] if isinstance(args, list) else []
    command = " ".join([*names, text_of(params, "command"), *words])
    told = {"command": command, "cwd": text_of(params, "cwd")}
    moment = "PreToolUse" if event == TERMINAL else "PostToolUse"
    return {"hook_event_name": moment, "tool_name": "shell", "tool_input": told, "tool_use_id": call_id}


def diffs_of(call: JsonObject) -> list[JsonObject]:
    """The differences that a call shows, each with its path."""
    found = [one for one in objects_of(call, "content") if one.get("type") == "diff"]
    return [one for one in found if text_of(one, "path")]


def _paths(call: JsonObject) -> list[str]:
    """The files that a call changes, as far as it says."""
    named = [text_of(one, "path") for one in diffs_of(call)]
    if text_of(call, "kind") in _OF_FILES:
        named += [text_of(one, "path") for one in objects_of(call, "locations")]
    return [path for path in named if path]


def _keep(kept: dict[_Key, _Value], key: _Key, value: _Value) -> None:
    if len(kept) >= MAX_OPEN and key not in kept:
        del kept[next(iter(kept))]
    kept[key] = value


def _key(request_id: object) -> str:
    return json.dumps(request_id)
