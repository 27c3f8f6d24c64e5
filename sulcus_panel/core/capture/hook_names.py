"""A payload without what it says of files' contents: names, numbers and switches alone. Part of hook.py.

Loaded only where an event is about a file whose bytes may not be kept, or a folder that is not recorded; the
adapters then find a call without its texts. What a key is not known to name is left out. See hook_calls.py for the
rules.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

NAME_ENDS = (
    *("id", "name", "path", "cwd", "type", "model", "roots", "version", "mode", "status", "kind"),
    *("timestamp", "dir", "directory", "prompt", "command", "command_line"),
)
NAMES = frozenset(
    (
        *("source", "destination", "target_file", "tool", "workdir", "files", "paths", "cmd", "commands"),
        *("args", "slug", "provider", "reason", "event", "turn"),
    )
)
INSIDE = frozenset(
    (
        *("tool_input", "tool_response", "tool_info", "toolArgs", "toolResult", "tool_call", "tool_result"),
        *("input", "parameters", "params", "arguments", "mcp_tool_arguments", "mcp_context", "preToolUse"),
        *("postToolUse", "edits", "replacements", "files", "paths", "changes", "commands", "command", "args"),
        *("sessionContext", "userPromptSubmit", "workspace_roots", "workspaceRoots", "model", "call"),
        *("locations", "rawInput", "result", "_meta", "claudeCode"),
    )
)
"""Where names are looked for; whatever else has parts may be a file's."""
IN_TEXT = frozenset(("tool_input", "toolArgs", "arguments", "parameters", "mcp_tool_arguments"))
"""What may be JSON inside a string."""
PATCH_KEYS = frozenset(("command", "cmd", "input", "patch", "patchText", "patch_text", "diff"))
PATCH, PATCH_END = "*** Begin Patch", "*** End Patch"
PARTS = ("*** Add File: ", "*** Update File: ", "*** Delete File: ")
MAX_DEPTH = 12


def names_alone(event: object, is_private: "Callable[[str], bool]") -> bytes:
    """The payload as JSON; of a patch what it does to files of which `is_private` says no stays."""
    return dumped(reduced(event, "", is_private, 0) or {}).encode("ascii")


def reduced(value: object, key: str, is_private: "Callable[[str], bool]", depth: int) -> object:
    """The value without contents, None where nothing is left of it."""
    if isinstance(value, str):
        return _text(value, key, is_private, depth)
    if depth > MAX_DEPTH or (isinstance(value, dict | list) and depth and key not in INSIDE):
        return None
    if isinstance(value, dict):
        parts = {one: reduced(part, one, is_private, depth + 1) for one, part in value.items()}
        return {one: part for one, part in parts.items() if part is not None} or None
    if isinstance(value, list):
        several = [reduced(part, key, is_private, depth + 1) for part in value]
        return [part for part in several if part is not None and not _is_nameless(part)] or None
    return value


def _text(value: str, key: str, is_private: "Callable[[str], bool]", depth: int) -> str | None:
    if PATCH in value and (key in PATCH_KEYS or key in IN_TEXT):
        return without_parts(value, is_private)
    if key in IN_TEXT and value.lstrip()[:1] == "{":
        try:
            inside = reduced(_opened(value), key, is_private, depth + 1)
        except (StopIteration, ValueError, RecursionError, SystemError):
            return None
        return None if inside is None else dumped(inside)
    return value if key.lower().endswith(NAME_ENDS) or key in NAMES else None


def _opened(text: str) -> object:
    """The value inside a string; hook.py puts its own reader in this place."""
    raise ValueError(text)


def _is_nameless(part: object) -> bool:
    """Whether an item of a list says nothing without its texts: an edit that is a switch alone is none."""
    return isinstance(part, dict) and not any(isinstance(one, str | dict | list) for one in part.values())


def without_parts(text: str, is_private: "Callable[[str], bool]") -> str:
    """A patch that says of the files which are private that they are touched, and no more."""
    kept: list[str] = []
    is_in_private = False
    for line in text.split("\n"):
        start = next((mark for mark in PARTS if line.startswith(mark)), "")
        if start:
            is_in_private = is_private(line[len(start) :].strip())
        elif line.startswith(PATCH_END):
            is_in_private = False
        if start or not is_in_private or line.startswith("*** Move to: "):
            kept.append(line)
        if start == PARTS[1] and is_in_private:
            kept.append("@@")  # without a part it would be no patch
    return "\n".join(kept)


def dumped(value: object) -> str:
    """The value as JSON: the json module would cost an interpreter's start."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{dumped(str(key))}:{dumped(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(dumped, value)) + "]"
    if isinstance(value, str):
        quoted: str = __import__("_json").encode_basestring_ascii(value)
        return quoted
    if value is None or value is True or value is False:
        return {None: "null", True: "true", False: "false"}[value]
    return repr(value)
