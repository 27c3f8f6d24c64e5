"""Files to look at again when a turn ends, for a harness that says "done" before it has written. Part of hook.py.

VS Code may send its Post before the file is written, so the hook remembers which files a turn's calls named and
looks once more at its Stop. That is done here and not by the recorder, which may come hours later: what stands in
the file by then proves nothing about the turn. Only such a harness's hooks load this file. See hook_calls.py for
the rules.
"""

import sys

if sys.platform == "win32":
    import nt as system
else:
    import posix as system

MAX_REMEMBERED = 1 << 20
POST = ("PostToolUse", "postToolUse")
STOP = ("Stop", "agentStop")
SUBAGENT_STOP = ("SubagentStop", "subagentStop")
FLAGS = getattr(system, "O_CLOEXEC", 0) | getattr(system, "O_BINARY", 0) | getattr(system, "O_NOFOLLOW", 0)


def paths_to_look_at(folder: str, harness: str, event: dict[str, object], named: list[str]) -> list[str]:
    """The files that an event names, and at a turn's end those of its calls. `folder` holds the memory."""
    name = event.get("hook_event_name") or event.get("hookEventName")
    session = event.get("session_id") or event.get("sessionId")
    if name not in POST + STOP + SUBAGENT_STOP or not isinstance(session, str):
        return named
    key = "".join(letter for letter in session if letter.isalnum() or letter in "-_")[:100]
    memory = f"{folder}/{harness}-{key}"
    if name in POST:
        remember(memory, named)
        return named
    return list(dict.fromkeys([*named, *recall(memory, forget=name in STOP)]))


def remember(memory: str, named: list[str]) -> None:
    """Add these files to the session's; without room for them the turn is looked at as every other's is."""
    data = b"".join(path.encode("utf-8", "surrogateescape") + b"\0" for path in named)
    if not data:
        return
    try:
        handle = system.open(memory, FLAGS | system.O_WRONLY | system.O_CREAT | system.O_APPEND, 0o600)
    except OSError:
        return
    try:
        system.write(handle, data)
    except OSError:
        pass
    finally:
        system.close(handle)


def recall(memory: str, *, forget: bool) -> list[str]:
    """The files of the session's turn; `forget`: it is over with this, while a subagent's end leaves it open."""
    try:
        handle = system.open(memory, FLAGS | system.O_RDONLY)
    except OSError:
        return []
    try:
        data = system.read(handle, MAX_REMEMBERED)
    except OSError:
        data = b""
    finally:
        system.close(handle)
    try:
        if forget:
            system.unlink(memory)
    except OSError:
        pass
    return [path.decode("utf-8", "surrogateescape") for path in data.split(b"\0")[:-1] if path]
