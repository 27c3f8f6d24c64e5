"""Tell the agent, once, that its work was undone: claim the notice that waits and print it. Part of hook.py.

`service/telling.py` leaves one small file for each session that must learn of an undo (notices.py: what is in
it). The hook of that session's next event which may carry context takes it by a rename, so that of two hooks at
once one has it. Only where such a file waits is this one loaded. How the events are known: docs/harnesses.md.
"""

import sys

if sys.platform == "win32":
    import nt as system
else:
    import posix as system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

EVENTS = {
    "claude-code": (
        *("PreToolUse", "PostToolUse", "PostToolUseFailure", "UserPromptSubmit", "SessionStart"),
    ),
    "codex": ("PostToolUse", "UserPromptSubmit", "SessionStart"),
    "gemini": ("AfterTool", "BeforeAgent", "SessionStart"),
}
"""The events after which each of these puts a hook's additional context before its model."""
MAX_NOTICE = 32 << 10
HEX = frozenset("0123456789abcdef")
FLAGS = system.O_RDONLY
for _flag in ("O_CLOEXEC", "O_BINARY", "O_NOFOLLOW", "O_NONBLOCK"):
    FLAGS |= getattr(system, _flag, 0)


def told(calls: "dict[str, Any]", event: "dict[str, object]", harness: str, notice: str) -> str:
    """Print the notice where this event may carry it; its name, or "" where nothing was printed."""
    name = event.get("hook_event_name")
    if name not in EVENTS.get(harness, ()) or calls["caller_of"](harness, event) != harness:
        return ""
    claimed = f"{notice}.{system.getpid()}-{system.urandom(4).hex()}"
    system.rename(notice, claimed)
    try:
        uid, text = parts_of(read(claimed), calls)
        words = f'"hookEventName":"{name}","additionalContext":{text}'
        system.write(1, ('{"hookSpecificOutput":{' + words + "}}").encode("ascii"))
    finally:
        try:
            system.unlink(claimed)
        except OSError:
            pass  # it goes after a day; nobody else looks for it under this name
    return uid


def read(path: str) -> str:
    """What a notice's file holds; a link is not followed, and nothing is waited for."""
    handle = system.open(path, FLAGS)
    try:
        return system.read(handle, MAX_NOTICE).decode("ascii")
    finally:
        system.close(handle)


def parts_of(content: str, calls: "dict[str, Any]") -> tuple[str, str]:
    """A notice's name and its text as JSON has it. Raises ValueError where it is not as it was written."""
    uid, _, text = content.partition("\n")
    text = text.rstrip("\n")
    if not uid or set(uid) - HEX or "\n" in text or not isinstance(calls["parse_json"](text), str):
        raise ValueError("not a notice")
    return uid, text
