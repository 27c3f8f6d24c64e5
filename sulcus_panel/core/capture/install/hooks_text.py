"""A config's text with our hooks, and without them. Pure: text in, text out.

Every harness but two keeps `hooks` as an object with a list for every event; a list holds hooks, or groups of them
under a matcher. Others' hooks, keys, comments and their order are not touched. Ours are known by the launcher's
mark or the hook's path, so that a second installation replaces the first, wherever the package has moved to.
"""

from collections.abc import Iterator, Mapping

from sulcus_panel.core.capture.install.hook_command import is_ours
from sulcus_panel.core.capture.install.jsonc import Node, add_element, parse, remove_element
from sulcus_panel.core.errors import SulcusError

JsonObject = Mapping[str, object]

COMMAND_KEYS = ("command", "exec", "bash", "powershell", "linux", "osx", "windows", "commandWindows")
"""Under which of its keys a hook says what is run; `args` is a list of further words."""


def hook_groups(matchers: Mapping[str, str | None], hook: JsonObject) -> dict[str, JsonObject]:
    """A group with this one hook for every event, under the event's matcher where it has one."""
    return {
        event: {"hooks": [hook]} if matcher is None else {"matcher": matcher, "hooks": [hook]}
        for event, matcher in matchers.items()
    }


def install_text(text: str | None, wanted: Mapping[str, JsonObject], head: JsonObject | None = None) -> str:
    """The config with our hooks; the same text where they stand already. None: there is no file.

    `wanted` is what stands in the list of each event, `head` what the file must have beside `hooks`.
    """
    mark = "\ufeff" if text is not None and text.startswith("\ufeff") else ""
    body = (text or "").removeprefix("\ufeff")
    if not body.strip():
        body = "{}\n"
    if stand_already(body, wanted, head):
        return text if text is not None else body
    body = _without_ours(body)
    for key, value in (head or {}).items():
        root = parse_settings(body)
        if root.member(key) is None:
            body = add_element(body, root, key, value, 0)
    for event, element in wanted.items():
        body = _add(body, event, element)
    return mark + body


def uninstall_text(text: str) -> str:
    """The config without our hooks, and without the containers that they leave empty."""
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    return mark + _without_ours(text.removeprefix("\ufeff"))


def stand_already(text: str, wanted: Mapping[str, JsonObject], head: JsonObject | None = None) -> bool:
    """Whether exactly these hooks of ours stand in the text, each once."""
    root = parse_settings(text)
    found = our_places(root)
    if sorted(event for event, _ in found) != sorted(wanted):
        return False
    return all(root.member(key) is not None for key in head or ()) and dict(found) == dict(wanted)


def _add(text: str, event: str, element: JsonObject) -> str:
    root = parse_settings(text)
    hooks = root.member("hooks")
    if hooks is None:
        return add_element(text, root, "hooks", {event: [element]}, 0)
    listed = hooks.member(event)
    if listed is None:
        return add_element(text, hooks, event, [element], 1)
    return add_element(text, listed, None, element, 2)


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
            for listed_at, listed in enumerate(event.node.elements):
                if _only_ours(listed.node):
                    yield event.node, listed_at
                hooks = listed.node.member("hooks")
                for hook_at, hook in enumerate(hooks.elements if hooks else ()):
                    if hooks is not None and _is_ours(hook.node.value):
                        yield hooks, hook_at


def _only_ours(node: Node) -> bool:
    """Whether every hook below is ours, and there is one; of `hooks`, an event's list, a group or a hook."""
    value = node.value
    if isinstance(value, dict) and "hooks" in value:
        hooks = value["hooks"]
        return isinstance(hooks, list) and bool(hooks) and all(_is_ours(hook) for hook in hooks)
    if _is_ours(value):
        return True
    if isinstance(value, dict) and words_of(value):
        return False
    return bool(node.elements) and all(_only_ours(element.node) for element in node.elements)


def our_places(root: Node) -> list[tuple[str, JsonObject]]:
    """Event and element of its list for each of our hooks."""
    found: list[tuple[str, JsonObject]] = []
    hooks = root.member("hooks")
    for event in hooks.elements if hooks else ():
        for listed in event.node.elements:
            value = listed.node.value
            if isinstance(value, dict):
                inner = value.get("hooks")
                ours = [one for one in (value, *(inner if isinstance(inner, list) else ())) if _is_ours(one)]
                found += [(event.key, value)] * len(ours)
    return found


def _is_ours(hook: object) -> bool:
    return isinstance(hook, dict) and is_ours(words_of(hook))


def words_of(hook: JsonObject) -> tuple[str, ...]:
    """The words of the command line, or lines, that a hook stands for."""
    arguments = hook.get("args")
    words = [*(hook.get(key) for key in COMMAND_KEYS), *(arguments if isinstance(arguments, list) else ())]
    return tuple(word for word in words if isinstance(word, str))


def parse_settings(text: str) -> Node:
    """The config, nothing in a blank file; SulcusError where it is not JSON or hooks are misplaced."""
    body = text.removeprefix("\ufeff")
    try:
        root = parse(body if body.strip() else "{}")
    except ValueError as error:
        raise SulcusError(
            "The settings file is not JSON", str(error), "Mend it or move it away, then try again."
        ) from error
    hooks = root.value.get("hooks", {}) if isinstance(root.value, dict) else None
    if not isinstance(hooks, dict) or not all(isinstance(listed, list) for listed in hooks.values()):
        raise SulcusError(
            "The settings file is not what its program expects",
            "`hooks` must be an object with a list for every event",
            "Mend it or move it away, then try again.",
        )
    return root
