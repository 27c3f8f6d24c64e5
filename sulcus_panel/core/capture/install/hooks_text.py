"""Settings text with our hooks, and without them. Pure: text in, text out.

Others' hooks, keys, comments and their order are not touched. Our entries are known by the launcher's mark or
the hook's path, so that a second installation replaces the first, wherever the package has moved to.
"""

from collections.abc import Iterator, Mapping, Sequence

from sulcus_panel.core.capture.install.jsonc import Node, add_element, parse, remove_element
from sulcus_panel.core.errors import SulcusError

TIMEOUT_SECONDS = 5
MARK = "# sulcus-panel hook"
HOOK_PATH = "sulcus_panel/core/capture/hook.py"
_FILES_AND_COMMANDS = "Write|Edit|MultiEdit|NotebookEdit|Bash|PowerShell"
EVENTS: Mapping[str, str | None] = {
    "PreToolUse": _FILES_AND_COMMANDS,
    "PostToolUse": _FILES_AND_COMMANDS + "|Read",
    "PostToolUseFailure": _FILES_AND_COMMANDS,
    "UserPromptSubmit": None,
    "SessionStart": None,
    "Stop": None,
    "SubagentStop": None,
    "SessionEnd": None,
}
"""Every event that we hook, and its matcher."""


def install_text(text: str | None, argv: Sequence[str]) -> str:
    """The settings with our hooks; the same text where they stand already. None: there is no file."""
    mark = "\ufeff" if text is not None and text.startswith("\ufeff") else ""
    body = (text or "").removeprefix("\ufeff")
    if not body.strip():
        body = "{}\n"
    if _stand_already(parse_settings(body), argv):
        return text if text is not None else body
    body = _without_ours(body)
    for event, matcher in EVENTS.items():
        body = _add_group(body, event, _group(matcher, argv))
    return mark + body


def uninstall_text(text: str) -> str:
    """The settings without our hooks, and without the containers that they leave empty."""
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    return mark + _without_ours(text.removeprefix("\ufeff"))


def _group(matcher: str | None, argv: Sequence[str]) -> dict[str, object]:
    hook = {"type": "command", "command": argv[0], "args": list(argv[1:]), "timeout": TIMEOUT_SECONDS}
    return {"hooks": [hook]} if matcher is None else {"matcher": matcher, "hooks": [hook]}


def _stand_already(root: Node, argv: Sequence[str]) -> bool:
    found = list(our_places(root))
    if sorted(event for event, _ in found) != sorted(EVENTS):
        return False
    return all(group == _group(EVENTS[event], argv) for event, group in found)


def _add_group(text: str, event: str, group: dict[str, object]) -> str:
    root = parse_settings(text)
    hooks = root.member("hooks")
    if hooks is None:
        return add_element(text, root, "hooks", {event: [group]}, 0)
    groups = hooks.member(event)
    if groups is None:
        return add_element(text, hooks, event, [group], 1)
    return add_element(text, groups, None, group, 2)


def _without_ours(text: str) -> str:
    while (place := next(_removals(parse_settings(text)), None)) is not None:
        text = remove_element(text, *place)
    return text


def _removals(root: Node) -> Iterator[tuple[Node, int]]:
    """The outermost container that holds nothing but our hooks, for each of them."""
    for at, member in enumerate(root.elements):
        if member.key != "hooks":
            continue
        if _only_ours(member.node):
            yield root, at
        for event_at, event in enumerate(member.node.elements):
            if _only_ours(event.node):
                yield member.node, event_at
            for group_at, group in enumerate(event.node.elements):
                if _only_ours(group.node):
                    yield event.node, group_at
                hooks = group.node.member("hooks")
                for hook_at, hook in enumerate(hooks.elements if hooks else ()):
                    if hooks is not None and _is_ours(hook.node.value):
                        yield hooks, hook_at


def _only_ours(node: Node) -> bool:
    """Whether every hook below is ours, and there is one. Works for `hooks`, an event's list and a group."""
    value = node.value
    if isinstance(value, dict) and "hooks" in value:
        hooks = value["hooks"]
        return isinstance(hooks, list) and bool(hooks) and all(_is_ours(hook) for hook in hooks)
    return bool(node.elements) and all(_only_ours(element.node) for element in node.elements)


def our_places(root: Node) -> Iterator[tuple[str, object]]:
    """Event and group of each of our hooks."""
    hooks = root.member("hooks")
    for event in hooks.elements if hooks else ():
        for group in event.node.elements:
            listed = group.node.member("hooks")
            for hook in listed.elements if listed else ():
                if _is_ours(hook.node.value):
                    yield event.key, group.node.value


def our_hooks(root: Node) -> Iterator[dict[str, object]]:
    """Each of our hooks."""
    for _, group in our_places(root):
        listed = group["hooks"] if isinstance(group, dict) else []
        yield from (hook for hook in listed if _is_ours(hook))


def _is_ours(hook: object) -> bool:
    return any(
        MARK in word or word.replace("\\", "/").endswith("/" + HOOK_PATH)
        for word in (argv_of(hook) if isinstance(hook, dict) else ())
    )


def argv_of(hook: Mapping[str, object]) -> tuple[str, ...]:
    """The command line that a hook stands for."""
    arguments = hook.get("args")
    words = [hook.get("command"), *(arguments if isinstance(arguments, list) else ())]
    return tuple(word for word in words if isinstance(word, str))


def parse_settings(text: str) -> Node:
    """The settings, none in a blank file; SulcusError where they are not JSON or hooks are misplaced."""
    body = text.removeprefix("\ufeff")
    try:
        root = parse(body if body.strip() else "{}")
    except ValueError as error:
        raise SulcusError(
            "The settings file is not JSON", str(error), "Mend it or move it away, then try again."
        ) from error
    hooks = root.value.get("hooks", {}) if isinstance(root.value, dict) else None
    if not isinstance(hooks, dict) or not all(isinstance(groups, list) for groups in hooks.values()):
        raise SulcusError(
            "The settings file is not what Claude Code expects",
            "`hooks` must be an object with a list for every event",
            "Mend it or move it away, then try again.",
        )
    return root
