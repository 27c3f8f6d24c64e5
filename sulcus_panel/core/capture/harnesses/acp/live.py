"""What an ACP agent did, from the notes that the tee took of its conversation (`conversation.py`).

A difference in a tool call may be a fragment and its `oldText` may be missing for a file that was there: it is
taken for the file's text only where the file, as it was seen, proves it.
"""

import shlex
from collections.abc import Sequence
from dataclasses import replace

from sulcus_panel.core.capture.adapter import (
    CaptureEvent,
    FileRead,
    Ignored,
    PromptSubmitted,
    Scene,
    SessionEnded,
    SessionStarted,
    TextEdit,
    ToolCall,
    ToolFailed,
    ToolFinished,
    ToolKind,
    ToolStarted,
    TurnEnded,
    part_id,
)
from sulcus_panel.core.capture.harnesses.acp import conversation as acp
from sulcus_panel.core.capture.payload import (
    JsonObject,
    block_text,
    number_of,
    object_of,
    objects_of,
    optional_text,
    text_of,
)
from sulcus_panel.core.capture.spool import Sighting, SpoolEvent, bad_event
from sulcus_panel.core.model import FileKind

COMMAND = "execute"
_CODES = ("exitCode", "exit_code")


class AcpAgent:
    """The adapter for `acp`."""

    harness = "acp"
    actor = "ACP agent"

    def read(self, event: SpoolEvent) -> tuple[CaptureEvent, ...]:
        """The event in our words; BadPayload where it has no name."""
        name = text_of(event.payload, "event")
        if not name:
            raise bad_event(event.name, "it has no event")
        return _read(name, event) or (Ignored(_scene(event), name),)


def _scene(event: SpoolEvent) -> Scene:
    payload = event.payload
    session, cwd, turn = (text_of(payload, key) for key in ("session_id", "cwd", "turn"))
    return Scene(event.name, event.at, event.harness, session, cwd, turn=turn)


def _read(name: str, event: SpoolEvent) -> tuple[CaptureEvent, ...]:
    payload, scene = event.payload, _scene(event)
    found: CaptureEvent | None = None
    match name:
        case acp.CALL:
            return tuple(_call_events(scene, event))
        case acp.WRITE:
            found = _write(scene, event)
        case acp.READ:
            path = text_of(object_of(payload, "params"), "path")
            found = FileRead(scene, path) if path and payload.get("failed") is not True else None
        case acp.TERMINAL | acp.EXIT:
            found = _terminal(name, scene, payload)
        case acp.PROMPT if payload.get("answered") is True:
            found = TurnEnded(scene)
        case acp.PROMPT:
            found = PromptSubmitted(scene, block_text(object_of(payload, "params").get("prompt")))
        case acp.NEW | acp.LOAD:
            found = SessionStarted(scene)
        case acp.END:
            found = SessionEnded(scene)
    return (found,) if found is not None else ()


def _write(scene: Scene, event: SpoolEvent) -> CaptureEvent:
    """A file that the agent has the editor write."""
    payload = event.payload
    given = object_of(payload, "params")
    call = ToolCall(
        acp.WRITE,
        ToolKind.WRITE,
        text_of(payload, "call_id"),
        text_of(given, "path"),
        optional_text(given, "content"),
    )
    if payload.get("answered") is not True:
        return ToolStarted(scene, call, event.sighting)
    if payload.get("failed") is True:
        return ToolFailed(scene, call, event.sighting)
    return ToolFinished(scene, call, event.sighting)


def _terminal(name: str, scene: Scene, payload: JsonObject) -> CaptureEvent:
    """A command that the agent has the editor run."""
    given, result = object_of(payload, "params"), object_of(payload, "result")
    words = [text_of(given, "command"), *_words(given.get("args"))]
    # A command without arguments is a line for the shell.
    command = shlex.join(words) if len(words) > 1 else words[0]
    scene = replace(scene, cwd=text_of(given, "cwd") or scene.cwd)
    call = ToolCall(acp.TERMINAL, ToolKind.COMMAND, text_of(payload, "call_id"), command=command)
    if name == acp.TERMINAL:
        return ToolStarted(scene, call, None)
    status = object_of(result, "exitStatus") or result
    if payload.get("failed") is True:
        return ToolFailed(scene, call, None)
    output = text_of(result, "output")
    return ToolFinished(scene, call, None, exit_code=number_of(status, "exitCode"), output=output)


def _words(value: object) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _call_events(scene: Scene, event: SpoolEvent) -> list[CaptureEvent]:
    known, call_id = object_of(event.payload, "call"), text_of(event.payload, "call_id")
    kind, status = text_of(known, "kind"), text_of(known, "status")
    tool = text_of(object_of(object_of(known, "_meta"), "claudeCode"), "toolName") or kind or "tool"
    seen = () if event.sighting is None else (event.sighting, *event.others)
    if kind == "move" and len(seen) == 2:
        return [_move_event(scene, known, ToolCall(tool, ToolKind.EDIT, call_id), seen)]
    if seen:
        parts = [number for _, number in _files(event.payload)]
        return [
            _file_event(scene, known, _file_call(known, one, tool, part_id(call_id, part)), one)
            for one, part in zip(seen, parts, strict=False)
        ]
    if kind == COMMAND:
        command = _command_event(scene, known, tool, call_id)
        return [command] if command is not None else []
    if kind == "read" and status == "completed":
        paths = [text_of(one, "path") for one in objects_of(known, "locations")]
        return [FileRead(scene, path) for path in paths if path]
    return []


def _files(payload: JsonObject) -> list[tuple[str, int]]:
    """The files of a note, each with its number within the call."""
    listed = payload.get("files")
    found = [one for one in listed if isinstance(one, list)] if isinstance(listed, list) else []
    return [
        (one[0], one[1])
        for one in found
        if len(one) == 2 and isinstance(one[0], str) and isinstance(one[1], int)
    ]


def _file_call(known: JsonObject, seen: Sighting, tool: str, call_id: str) -> ToolCall:
    if text_of(known, "kind") == "delete":
        return ToolCall(tool, ToolKind.DELETE, call_id, seen.path)
    edits = _edits(known, seen.path)
    return ToolCall(tool, ToolKind.EDIT, call_id, seen.path, edits=edits if all(e.old for e in edits) else ())


def _edits(known: JsonObject, path: str) -> tuple[TextEdit, ...]:
    return tuple(
        TextEdit(text_of(one, "oldText"), text_of(one, "newText"))
        for one in acp.diffs_of(known)
        if text_of(one, "path") == path
    )


def _file_event(scene: Scene, known: JsonObject, call: ToolCall, seen: Sighting) -> CaptureEvent:
    status = text_of(known, "status")
    edits = _edits(known, call.path)
    text = _text(seen)
    if status not in acp.ENDED:
        # The agent does not wait for us: what it has written already was not seen before.
        is_late = text is not None and bool(edits) and _is_done(text, edits)
        return Ignored(scene, "written already") if is_late else ToolStarted(scene, call, seen)
    if status == "failed":
        return ToolFailed(scene, call, seen, block_text(_told(known)))
    only = edits[0] if len(edits) == 1 else None
    if only is None or text is None or not only.old:
        return ToolFinished(scene, call, seen)
    if text == only.new:
        whole = replace(call, kind=ToolKind.WRITE, content=only.new, edits=())
        return ToolFinished(scene, whole, seen, original=only.old)
    original = text.replace(only.new, only.old) if only.new and text.count(only.new) == 1 else None
    return ToolFinished(scene, call, seen, original=original)


def _move_event(scene: Scene, known: JsonObject, call: ToolCall, seen: Sequence[Sighting]) -> CaptureEvent:
    """A file that gets another name, by both of them; which is the new one the files tell."""
    one, other = seen
    call, status = replace(call, path=one.path, moved_to=other.path), text_of(known, "status")
    if status not in acp.ENDED:
        is_late = one.own.state.kind is FileKind.ABSENT and other.own.state.kind is not FileKind.ABSENT
        return Ignored(scene, "moved already") if is_late else ToolStarted(scene, call, one, other)
    if status == "failed":
        return ToolFailed(scene, call, one, block_text(_told(known)), moved=other)
    return ToolFinished(scene, call, one, moved=other)


def _is_done(text: str, edits: tuple[TextEdit, ...]) -> bool:
    """Whether a file already is as the differences would leave it."""
    if len(edits) == 1 and text == edits[0].new:
        return True
    return all(edit.old and edit.new in text and edit.old not in text for edit in edits)


def _text(seen: Sighting) -> str | None:
    side = seen.own if seen.behind is None else seen.behind
    try:
        return side.content.decode() if side.content is not None else None
    except UnicodeDecodeError:
        return None


def _told(known: JsonObject) -> list[JsonObject]:
    return [object_of(one, "content") for one in objects_of(known, "content")]


def _command_event(scene: Scene, known: JsonObject, tool: str, call_id: str) -> CaptureEvent | None:
    """A command that the agent runs itself; one that the editor runs is told by its terminal."""
    if any(one.get("type") == "terminal" for one in objects_of(known, "content")):
        return None
    given, result = object_of(known, "rawInput"), object_of(known, "rawOutput")
    words = _words(given.get("command"))
    command = text_of(given, "command", "cmd") or (shlex.join(words) if words else "")
    command = command or text_of(known, "title").strip("`")
    if not command:
        return None
    scene = replace(scene, cwd=text_of(given, "cwd", "workdir") or scene.cwd)
    call = ToolCall(tool, ToolKind.COMMAND, call_id, command=command)
    status, output = text_of(known, "status"), block_text(_told(known))
    code = next((found for key in _CODES if (found := number_of(result, key)) is not None), None)
    if status == "failed":
        return ToolFailed(scene, call, None, output, code)
    if status == "completed":
        return ToolFinished(scene, call, None, exit_code=code, output=output)
    return ToolStarted(scene, call, None)
