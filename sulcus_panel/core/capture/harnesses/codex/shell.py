"""Codex's shell calls: what was run, whether it ran, how it ended, and the patches that were given to a shell.

The same call is a list of arguments in one generation and a string in another; its end is JSON, an event, or
words above the output.
"""

import json
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from sulcus_panel.core.capture.payload import JsonObject, number_of, object_of, optional_text, text_of

SHELL = "Bash"
"""The name that Codex's hooks give to all of its shell tools; the rollouts' calls get it too."""
PATCH = "apply_patch"
MCP = "mcp__"
"""How the names of other servers' tools begin."""

_SHELLS = frozenset(("bash", "zsh", "sh", "dash", "fish", "pwsh", "powershell", "cmd"))
_SCRIPT_FLAGS = frozenset(("-lc", "-c", "-ic", "-lic", "-command", "/c"))
_PATCH_NAMES = ("apply_patch", "applypatch")
_HERE_DOCUMENT = re.compile(
    r"\A\s*(?:cd\s+(?P<cd>'[^'\n]*'|\"[^\"\n$`\\]*\"|[^\s'\"$`\\;&|<>()]+)\s*&&\s*)?(?:apply_patch|applypatch)\s*<<-?\s*"
    r"(?P<quote>['\"]?)(?P<end>\w+)(?P=quote)[ \t]*\n(?P<body>.*?)\n[ \t]*(?P=end)\s*\Z",
    re.DOTALL,
)
_EXITED = re.compile(r"^(?:Process exited with code|Exit code:) (-?\d{1,10})\s*$", re.MULTILINE)
_RUNNING = re.compile(r"^Process running with session ID (\d{1,18})\s*$", re.MULTILINE)
_CODE_IN_JSON = re.compile(r'"exit_code":\s*(-?\d{1,10})\b')
_NEVER_RAN = re.compile(
    r"\s*(?:exec_command failed for|exec command rejected|execution error: (?:Io|Spawn)|failed to parse|"
    r"unsupported (?:call|custom tool call|local shell)|.{0,200}rejected by user|"
    r".{0,80}approval policy is .{0,80}reject command|command (?:was )?rejected|Command blocked by)",
    re.DOTALL,
)
_APPLIED = "Success. Updated the following files"
OUTPUT_HEAD = 4096
"""How much of a shell's answer may stand above what the command itself printed."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How a call ended. `ran` False: it was declined or could not start. `session`: of one that still runs."""

    ran: bool
    exit_code: int | None = None
    text: str = ""
    session: str = ""


@dataclass(frozen=True, slots=True)
class ShellPatch:
    """A patch that was given to a shell, and the folder that it first went to, empty for the call's own."""

    text: str
    folder: str = ""


def shell_words(command: object) -> tuple[str, ...]:
    """A call's arguments; those of a plain string are one."""
    if isinstance(command, str):
        return (command,)
    if isinstance(command, list) and all(isinstance(word, str) for word in command):
        return tuple(command)
    return ()


def shell_line(words: Sequence[str]) -> str:
    """What was asked for, as a person would type it: the script without the shell that ran it."""
    script = _script(words)
    if script is not None:
        return script
    return words[0] if len(words) == 1 else shlex.join(words)


def shell_patch(words: Sequence[str]) -> ShellPatch | None:
    """The patch in such a call, as Codex itself recognises one: alone, or in a here-document behind a `cd`."""
    if len(words) == 2 and words[0] in _PATCH_NAMES:
        return ShellPatch(words[1])
    script = _script(words)
    if script is None and len(words) == 1:
        script = words[0]
    found = _HERE_DOCUMENT.match(script) if script is not None else None
    if found is None:
        return None
    folder = found["cd"] or ""
    return ShellPatch(found["body"], folder[1:-1] if folder[:1] in ("'", '"') else folder)


def _script(words: Sequence[str]) -> str | None:
    if len(words) < 3:
        return None
    shell = words[0].replace("\\", "/").rpartition("/")[2].lower().removesuffix(".exe")
    flags = words[1:-1]
    is_script = shell in _SHELLS and flags[-1].lower() in _SCRIPT_FLAGS
    return words[-1] if is_script and all(flag[:1] in ("-", "/") for flag in flags) else None


def ending_of(output: object) -> Ending:
    """What a call's answer says of its end: JSON with metadata, or words above the output."""
    text = _answer_text(output)
    told = _json(text)
    if told is not None:
        code = number_of(object_of(told, "metadata"), "exit_code")
        return Ending(ran=True, exit_code=code, text=text_of(told, "output"))
    if _NEVER_RAN.match(text[:OUTPUT_HEAD]):
        return Ending(ran=False, text=text)
    head, _, printed = text.partition("\nOutput:\n")
    head = head[:OUTPUT_HEAD]
    exited, running = _EXITED.search(head), _RUNNING.search(head)
    if exited is None and running is None and text.startswith("{"):
        exited = _CODE_IN_JSON.search(text[-OUTPUT_HEAD:])  # JSON that was cut in its middle
    code = int(exited[1]) if exited is not None else None
    return Ending(ran=True, exit_code=code, text=printed or text, session=running[1] if running else "")


def was_applied(ending: Ending) -> bool:
    """Whether a patch that was given to a shell, or to the tool, changed its files."""
    return ending.ran and ending.exit_code in (0, None) and ending.text.lstrip().startswith(_APPLIED)


def _answer_text(output: object) -> str:
    if isinstance(output, str):
        return output
    if isinstance(output, dict):
        return optional_text(output, "content", "output") or ""
    if isinstance(output, list):
        return "".join(text_of(block, "text") for block in output if isinstance(block, dict))
    return ""


def _json(text: str) -> JsonObject | None:
    if not text.startswith("{"):
        return None
    try:
        value = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and "metadata" in value else None
