"""A call as the model asked for it, and what it did by its answer alone, where nothing else tells."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

from sulcus_panel.core.capture.adapter import ToolCall, ToolKind
from sulcus_panel.core.capture.harnesses.codex.messages import joined
from sulcus_panel.core.capture.harnesses.codex.shell import (
    PATCH,
    SHELL,
    Ending,
    shell_line,
    shell_patch,
    shell_words,
    was_applied,
)
from sulcus_panel.core.capture.past.patch_files import asked_files
from sulcus_panel.core.capture.past.records import Call, CommandCall, Stamp
from sulcus_panel.core.capture.patch_text import parse_patch
from sulcus_panel.core.capture.payload import NOTHING, JsonObject, number_of, text_of

COMMAND_KEYS: Mapping[str, str] = {
    "shell": "command",
    "shell_command": "command",
    "container.exec": "command",
    "local_shell": "command",
    "exec_command": "cmd",
    "unified_exec": "input",
}
"""The shell tools of all generations, and where each holds what is to be run."""
STDIN = "write_stdin"


@dataclass(frozen=True, slots=True)
class Asked:
    """One call: a command's words, a patch, or the running command that input went to."""

    stamp: Stamp
    words: tuple[str, ...] = ()
    patch: str = ""
    session: str = ""


def read_asked(name: str, given: JsonObject, stamp: Stamp) -> Asked | None:
    """The call of a tool that is recorded, None for another."""
    key = COMMAND_KEYS.get(name)
    if key is not None:
        own = joined(stamp.cwd, text_of(given, "workdir", "cwd"))
        return Asked(replace(stamp, cwd=own), shell_words(given.get(key)))
    if name == PATCH:
        return Asked(stamp, patch=text_of(given, "input", "patch", "command"))
    if name == STDIN:
        number = number_of(given, "session_id")
        return Asked(stamp, session=str(number) if number is not None else text_of(given, "session_id"))
    return None


def arguments_of(item: JsonObject) -> JsonObject:
    """A function call's arguments, which are JSON in a string."""
    given = item.get("arguments")
    if not isinstance(given, str):
        return given if isinstance(given, dict) else NOTHING
    try:
        value = json.loads(given, strict=False)
    except (ValueError, RecursionError):
        return NOTHING
    return value if isinstance(value, dict) else NOTHING


def patch_of(asked: Asked | None) -> str:
    """The patch that was asked for, by the tool itself or through a shell; else empty."""
    if asked is None or asked.patch:
        return asked.patch if asked is not None else ""
    found = shell_patch(asked.words)
    return found.text if found is not None else ""


def patch_folder(asked: Asked) -> str:
    """Where the paths of a patch begin."""
    found = shell_patch(asked.words) if not asked.patch else None
    return joined(asked.stamp.cwd, found.folder if found is not None else "")


def done(call_id: str, asked: Asked, answered: Stamp, ending: Ending) -> tuple[Call, ...]:
    """What an answered call did: nothing if it was declined, or a patch that failed."""
    stamp = replace(answered, cwd=asked.stamp.cwd)
    patch = patch_of(asked)
    if patch and parse_patch(patch) is not None:
        stamp = replace(stamp, cwd=patch_folder(asked))
        return asked_files(PATCH, patch, call_id, stamp) if was_applied(ending) else ()
    if not any(asked.words) or not ending.ran:
        return ()
    call = ToolCall(SHELL, ToolKind.COMMAND, call_id, command=shell_line(asked.words))
    return (CommandCall(stamp, call, ending.exit_code),)
