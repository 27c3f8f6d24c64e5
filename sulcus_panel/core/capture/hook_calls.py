"""What a harness's hook payload names: files to look at, a shell command. Part of hook.py, which loads it.

The same rules hold as there: built-in modules alone, nothing printed. All harnesses share one reading, for their
payloads differ in where the tool's name and input stand and in how a path is called, not in what they mean; so
one that runs another's hooks is understood as well. Which harness that is says `caller_of`, here and in the
recorder. Whether a tool did anything is the adapter's matter: what is looked at in vain costs one more file.
"""

import sys

if sys.platform == "win32":
    import nt as system
else:
    import posix as system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

MAX_NAMED, MAX_PATH = 500, 4096
SHARED = frozenset(("claude-code", "copilot-cli", "copilot-vscode"))
"""Whose hooks others run."""
WRITES_LATE = frozenset(("copilot-vscode",))
"""Who may say that a call ended before it has written; see hook_late.py."""
FILE_TOOLS = frozenset(
    (
        # Claude Code and, by its names, Copilot CLI; Cursor and OpenCode spell some of them otherwise
        *("Write", "Edit", "MultiEdit", "NotebookEdit", "StrReplace", "Delete", "EditNotebook"),
        *("apply_patch", "ApplyPatch", "applyPatch", "patch", "write", "edit", "multiedit"),
        # Gemini CLI, Cline
        *("write_file", "replace", "write_to_file", "new_file", "replace_in_file", "editor", "delete_file"),
        # Copilot CLI, VS Code
        *("create", "str_replace", "str_replace_editor", "insert", "create_file", "replace_string_in_file"),
        *("multi_replace_string_in_file", "insert_edit_into_file", "edit_notebook_file", "editFiles"),
        *("create_new_jupyter_notebook", "search_replace"),
    )
)
SHELL_TOOLS = frozenset(
    (
        *("Bash", "PowerShell", "Shell", "bash", "powershell", "shell", "local_shell", "exec_command"),
        *("run_shell_command", "run_in_terminal", "execute_command", "run_commands", "run_terminal_cmd"),
    )
)
WINDSURF_TOOLS = {"write_code": "edit", "run_command": "shell", "mcp_tool_use": "mcp"}
BEFORE = frozenset(
    (
        *("PreToolUse", "preToolUse", "BeforeTool", "tool.execute.before", "beforeShellExecution"),
        *("beforeMCPExecution", "pre_run_command", "pre_write_code", "pre_mcp_tool_use"),
    )
)
AFTER = frozenset(
    (
        *("PostToolUse", "PostToolUseFailure", "postToolUse", "postToolUseFailure", "AfterTool"),
        *("tool.execute.after", "tool.execute.error", "afterShellExecution", "afterMCPExecution"),
        *("afterFileEdit", "post_run_command", "post_write_code", "post_mcp_tool_use"),
    )
)
SESSION = frozenset(("SessionStart", "sessionStart", "session.created", "TaskStart"))
END = frozenset(
    (
        *("Stop", "SubagentStop", "SessionEnd", "UserPromptSubmit", "stop", "subagentStop", "sessionEnd"),
        *("beforeSubmitPrompt", "userPromptSubmit", "userPromptSubmitted", "agentStop", "BeforeAgent"),
        *("AfterAgent", "TaskComplete", "TaskCancel", "agent_end", "agent_abort", "agent_error"),
        *("prompt_submit", "session_shutdown", "session.idle", "session.deleted", "chat.message"),
        *("pre_user_prompt", "post_cascade_response", "post_cascade_response_with_transcript"),
    )
)
"""By then every call of the agent has ended, or never will."""
WHOLE_END = frozenset(("SessionEnd", "sessionEnd", "session_shutdown", "session.deleted"))
MOMENTS = {"before": BEFORE, "after": AFTER, "session": SESSION, "end": END}
NAME_KEYS = ("hook_event_name", "hookEventName", "hookName", "agent_action_name")
UNNAMED_END = ("prompt", "stopReason", "reason")
IDS = (
    ("session_id", "sessionId", "conversation_id", "trajectory_id", "taskId"),
    ("agent_id",),
    ("tool_use_id",),
)
FILE_EVENTS = ("afterFileEdit", "afterTabFileEdit")
SHELL_EVENTS = ("beforeShellExecution", "afterShellExecution")
PATH_KEYS = ("file_path", "filePath", "path", "notebook_path", "absolute_path", "target_file")
MOVE_KEYS = ("old_path", "new_path", "newPath", "source", "destination", "move_path")
LIST_KEYS = ("replacements", "edits", "files", "paths", "changes")
PATCH_KEYS = ("command", "cmd", "input", "patch", "patchText", "patch_text", "diff")
FOLDER_KEYS = ("workdir", "working_directory", "dir_path", "directory", "cwd")
COMMAND_KEYS = ("command", "command_line", "cmd", "commands")
PATCH_LINES = ("*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: ")


class ScannerContext:
    """What CPython's C scanner reads its options from, as json.JSONDecoder would set them."""

    strict = False
    object_hook = None
    object_pairs_hook = None
    array_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float


def parse_json(text: str) -> object:
    """The JSON value of `text`; the C scanner alone, because the json module costs an interpreter's start."""
    try:
        scanner = part_in_c("_json").make_scanner(ScannerContext)
    except (ImportError, AttributeError, TypeError):
        return __import__("json").loads(text, strict=False)
    return scanner(text.lstrip(" \t\r\n\ufeff"), 0)[0]


def part_in_c(name: str) -> "Any":
    """A module of the library in C. Where it is a file of its own, a search for it takes longer than to load it."""
    if name in sys.builtin_module_names or name in sys.modules:
        return __import__(name)
    try:
        import _imp
        from _frozen_importlib import ModuleSpec

        folder = next(path for path in sys.path if path.endswith("lib-dynload"))
        file = f"{folder}/{name}{_imp.extension_suffixes()[0]}"
        module = _imp.create_dynamic(ModuleSpec(name, None, origin=file))
        _imp.exec_dynamic(module)
    except (ImportError, StopIteration):
        return __import__(name)
    sys.modules[name] = module
    return module


def call_of(event: object) -> tuple[str, object]:
    """The tool that an event names and its input, a dict or a patch's text; "" where it names none."""
    if not isinstance(event, dict):
        return "", None
    tool: object = event.get("tool_name", event.get("toolName"))
    given: object = event.get("tool_input", event.get("toolArgs"))
    name = event.get("hook_event_name")
    if name in FILE_EVENTS:  # Cursor
        return "edit", event
    if name in SHELL_EVENTS:
        return "shell", event
    if tool is None:
        tool, given = _nested_call(event)
    if isinstance(given, str) and given.lstrip()[:1] == "{":  # Copilot CLI: JSON inside a string
        given = _opened(given)
    return (tool, given) if isinstance(tool, str) else ("", None)


def _opened(text: str) -> object:
    """The value inside the string, or the string where it is no JSON after all."""
    try:
        return parse_json(text)
    except (StopIteration, ValueError, RecursionError, SystemError):
        return text


def _nested_call(event: dict[str, object]) -> tuple[object, object]:
    """The call of a payload that puts it one level deeper: Cline's and Windsurf's."""
    part = event.get("preToolUse") or event.get("postToolUse")
    if isinstance(part, dict):
        return part.get("toolName", part.get("tool")), part.get("parameters")
    action, told = event.get("agent_action_name"), event.get("tool_info")
    if not isinstance(action, str) or not isinstance(told, dict):
        return None, None
    return WINDSURF_TOOLS.get(action.partition("_")[2]), told.get("mcp_tool_arguments", told)


def files_named_by(event: object) -> list[str]:
    """The files that an event's call is about, absolute, each once, in the call's order; MAX_NAMED at most."""
    tool = call_of(event)[0]
    changes = tool in SHELL_TOOLS or tool in FILE_TOOLS or tool[:3].lower() == "mcp"
    return all_named_by(event) if changes else []


def all_named_by(event: object) -> list[str]:
    """The same for every tool, one that only reads too."""
    tool, given = call_of(event)
    if tool in SHELL_TOOLS:
        named = [path for text in _texts_of(given) for path in named_in_patch(text)]
    else:
        named = _named_in(given)
    where = placer(event)
    whole = [path for path in named if 0 < len(path) <= MAX_PATH][:MAX_NAMED]
    return list(dict.fromkeys(map(where, whole)))


def placer(event: object) -> "Callable[[str], str]":
    """Make names absolute as an event means them."""
    folders, roots = _folders_of(event, call_of(event)[1])
    return lambda path: absolute(path, folders, roots)


def command_of(event: object) -> str | None:
    """The shell command that an event is about, None for every other event."""
    tool, given = call_of(event)
    if tool not in SHELL_TOOLS:
        return None
    if not isinstance(given, dict):
        return given if isinstance(given, str) else None
    for key in COMMAND_KEYS:
        value = given.get(key)
        if isinstance(value, list):
            value = " ".join(word for word in value if isinstance(word, str))
        if value and isinstance(value, str):
            return value
    return None


def _texts_of(given: object) -> list[str]:
    """Every text of a call in which a patch stands."""
    values = [given]
    if isinstance(given, dict):
        values = []
        for key in PATCH_KEYS:
            value = given.get(key)
            values += value if isinstance(value, list) else [value]
    return [text for text in values if isinstance(text, str) and "*** " in text]


def _named_in(given: object) -> list[str]:
    """The paths in a file tool's input, as they are written there."""
    paths = [path for text in _texts_of(given) for path in named_in_patch(text)]
    if not isinstance(given, dict):
        return paths
    paths = [*_own_paths(given), *paths]
    for key in LIST_KEYS:
        several = given.get(key)
        for one in several if isinstance(several, list) else ():
            if isinstance(one, dict):
                paths += _own_paths(one)
            elif isinstance(one, str) and key in ("files", "paths"):
                paths.append(one)
    return paths


def _own_paths(given: dict[str, object]) -> list[str]:
    """What a call, or one of its parts, names itself: its file, and where that comes from or goes."""
    names = [value for key in PATH_KEYS if isinstance(value := given.get(key), str) and value][:1]
    return names + [value for key in MOVE_KEYS if isinstance(value := given.get(key), str) and value]


def named_in_patch(text: str) -> list[str]:
    """The files of a patch in the `*** Begin Patch` grammar, moves included; none in any other text."""
    if "*** Begin Patch" not in text:
        return []
    lines = [line for line in text.split("\n") if line[:4] == "*** "]
    return [line[len(start) :].strip() for line in lines for start in PATCH_LINES if line.startswith(start)]


def _folders_of(event: object, given: object) -> tuple[list[str], list[str]]:
    """Where relative names start: the call's own folder, then the run's; else one of the workspace's roots."""
    found: list[object] = []
    roots: list[object] = []
    if isinstance(given, dict):
        found += [given.get("workdir"), given.get("dir_path")]
    if isinstance(event, dict):
        found.append(event.get("cwd"))
        for key in ("workspace_roots", "workspaceRoots"):
            several = event.get(key)
            roots += several if isinstance(several, list) else ()
    return _texts(found), _texts(roots)


def _texts(values: list[object]) -> list[str]:
    return [value for value in values if isinstance(value, str) and value]


def absolute(path: str, folders: list[str], roots: list[str]) -> str:
    """`path` below these folders, each relative to the next, or below the root where it stands, else the first."""
    for folder in folders:
        if not is_absolute(path):
            path = folder.rstrip("/") + "/" + path
    if is_absolute(path):
        return path
    places = [root.rstrip("/") + "/" + path for root in roots]
    for place in places if len(places) > 1 else ():
        try:
            system.lstat(place)
        except (OSError, ValueError):
            continue
        return place
    return places[0] if places else path


def is_absolute(path: str) -> bool:
    """Whether a path, of this system or of Windows, starts at a root."""
    return path[:1] in ("/", "\\") or path[1:2] == ":"


def moment_of(event: object) -> str:
    """Where a call, or a session, stands with this event: `before`, `after`, `session`, `end`, else nothing."""
    if not isinstance(event, dict):
        return ""
    if name := _name_of(event):
        return next((moment for moment, names in MOMENTS.items() if name in names), "")
    if "toolName" in event:  # Copilot CLI in camel case names no event
        return "after" if "toolResult" in event or "error" in event else "before"
    return "end" if any(key in event for key in UNNAMED_END) else ""


def _name_of(event: dict[str, object]) -> str:
    return next(iter(_texts([event.get(key) for key in NAME_KEYS])), "")


def ended_of(event: object) -> tuple[str, str | None]:
    """The run whose calls an event ends, and its agent; None for all agents. No run: it ends nobody's."""
    if not isinstance(event, dict) or moment_of(event) != "end":
        return "", None
    run, agent = (next(iter(_texts([event.get(key) for key in keys])), "") for keys in IDS[:2])
    name = _name_of(event)
    if name in ("SubagentStop", "subagentStop") and not agent:
        return "", None
    is_whole = name in WHOLE_END or (not name and "reason" in event)
    return run, None if is_whole else agent


def folder_of(event: object) -> str:
    """Where the event's command works: its own folder, its run's `cwd`, or a workspace's first root; else ""."""
    folders, roots = _folders_of(event, None)
    tool, given = call_of(event)
    told = [given.get(key) for key in FOLDER_KEYS] if tool in SHELL_TOOLS and isinstance(given, dict) else []
    places = [*folders, *roots][:1]
    for own in _texts(told)[:1]:
        return without_dots(absolute(own, places, []))
    if not places and tool[:3].lower() == "mcp":  # Windsurf names no folder: that of a file has to do
        files = [path for path in all_named_by(event) if is_absolute(path)][:1]
        places = [path[: max(path.rfind("/"), path.rfind("\\"), 1)] for path in files]
    return next(iter(places), "")


def without_dots(path: str) -> str:
    """An absolute path without `.` and `..`, by its letters alone."""
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            parts = parts[: max(len(parts) - 1, 1)]
        elif part != ".":
            parts.append(part)
    return "/".join(parts) or "/"


def is_mcp(event: object) -> bool:
    """Whether the event is about another server's tool, which may do anything to files."""
    return call_of(event)[0][:3].lower() == "mcp" or (
        isinstance(event, dict) and str(event.get("hook_event_name")).endswith("MCPExecution")
    )


def key_of(event: object) -> str:
    """What an event's call is known by before and after it: session, agent, and its id, else its own words."""
    if not isinstance(event, dict):
        return ""
    found = [next(iter(_texts([event.get(key) for key in keys])), "") for keys in IDS]
    return "\0".join([*found, "" if found[-1] else command_of(event) or ""])


def caller_of(harness: str, event: "Mapping[str, object]") -> str:
    """The harness whose event this is, where `harness` names the hook that was started."""
    if harness not in SHARED:
        return harness
    if "cursor_version" in event:
        return "cursor"
    told = _texts([event.get("transcript_path"), event.get("transcriptPath")])
    transcript = told[0].replace("\\", "/") if told else ""
    own = _owner(transcript) or (_stranger(event, transcript) if harness == "claude-code" else "")
    return own or harness


def _owner(transcript: str) -> str:
    """Whose transcript lies there, "" where that does not tell."""
    if "workspaceStorage" in transcript or "github.copilot" in transcript.lower():
        return "copilot-vscode"
    return "copilot-cli" if "/.copilot/" in transcript else ""


def _stranger(event: "Mapping[str, object]", transcript: str) -> str:
    """Who says what Claude Code never says: its keys have no capitals, and it tells a transcript but no time."""
    if "hookEventName" in event:
        return "copilot-vscode"
    return "copilot-cli" if "timestamp" in event and not transcript else ""


def writes_late(event: object, harness: str) -> bool:
    """Whether who sent this may send its Post before the file is written."""
    return isinstance(event, dict) and caller_of(harness, event) in WRITES_LATE


def without_mail(payload: bytes, event: object) -> bytes:
    """The payload without the person's mail address, which Cursor puts into every event."""
    if not isinstance(event, dict) or not isinstance(event.get("user_email"), str):
        return payload
    key = b'"user_email"'
    at = payload.find(key)
    while at >= 0:
        start = payload.find(b'"', at + len(key))
        end = start + 1
        while payload[end : end + 1] not in (b'"', b""):
            end += 2 if payload[end : end + 1] == b"\\" else 1
        if start > 0 and not payload[at + len(key) : start].strip(b" \t\r\n:"):
            payload = payload[: start + 1] + payload[end:]
        at = payload.find(key, at + len(key))
    return payload
