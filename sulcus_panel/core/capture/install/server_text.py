"""A config's text with our MCP server, and without it. Pure: text in, text out; everything else stays as written.

JSON hosts keep servers as members of one object, under a key of their own; Codex keeps them as TOML tables.
"""

import json
import re
import tomllib
from collections.abc import Mapping
from typing import Any

from sulcus_panel.core.capture.install.jsonc import Node, add_element, parse, remove_element
from sulcus_panel.core.capture.mcp import OUR_SERVER
from sulcus_panel.core.errors import SulcusError

NAME = OUR_SERVER
BOM = "\ufeff"
MEND = "Mend it or move it away, then try again."
Server = Mapping[str, Any]


def json_with(text: str | None, section: str, server: Server) -> str:
    """Return the config with our server; the same text where exactly that stands. None: there is no file."""
    mark, body = _parted(text)
    if not body.strip():
        body = "{}\n"
    if _standing(body, section) == [server]:
        return text if text is not None else body
    body = _json_without(body, section, keep=True)
    root = _parsed(body, section)
    servers = root.member(section)
    if servers is None:
        return mark + add_element(body, root, section, {NAME: server}, 0)
    return mark + add_element(body, servers, NAME, server, 1)


def json_without(text: str, section: str) -> str:
    """Return the config without our server, and without the section where it holds nothing else."""
    mark, body = _parted(text)
    return mark + _json_without(body, section, keep=False)


def json_holds(text: str, section: str) -> bool:
    """Whether a server of our name stands there."""
    return bool(_standing(_parted(text)[1], section))


def _json_without(body: str, section: str, *, keep: bool) -> str:
    while True:
        root = _parsed(body, section)
        servers = root.member(section)
        at = _place(servers)
        if servers is None or at is None:
            return body
        if len(servers.elements) == 1 and not keep:
            whole = max(i for i, element in enumerate(root.elements) if element.key == section)
            return remove_element(body, root, whole)
        body = remove_element(body, servers, at)


def _place(servers: Node | None) -> int | None:
    elements = servers.elements if servers is not None else ()
    return next((at for at, element in enumerate(elements) if element.key == NAME), None)


def _standing(body: str, section: str) -> list[object]:
    servers = _parsed(body, section).member(section)
    elements = servers.elements if servers is not None else ()
    return [element.node.value for element in elements if element.key == NAME]


def _parsed(body: str, section: str) -> Node:
    try:
        root = parse(body if body.strip() else "{}")
    except ValueError as error:
        raise SulcusError("The settings file is not JSON", str(error), MEND) from error
    value = root.value
    if not isinstance(value, dict) or not isinstance(value.get(section, {}), dict):
        raise SulcusError(
            "The settings file is not what its program expects", f"`{section}` must be an object", MEND
        )
    return root


def _parted(text: str | None) -> tuple[str, str]:
    given = text or ""
    return (BOM if given.startswith(BOM) else ""), given.removeprefix(BOM)


_TABLE = re.compile(rf"""[ \t]*\[[ \t]*mcp_servers[ \t]*\.[ \t]*(?:{NAME}|"{NAME}"|'{NAME}')[ \t]*[.\]]""")
_HEADER = re.compile(r"[ \t]*\[")


def toml_with(text: str | None, section: str, server: Server) -> str:
    """Return the config with our server's table at its end; the same text where exactly that stands."""
    given = text or ""
    if toml_server(given, section) == server:
        return given
    body = toml_without(given, section)
    newline = "\r\n" if "\r\n" in body else "\n"
    gap = "" if not body.strip() else newline if body.endswith("\n") else newline * 2
    return f"{body}{gap}{newline.join(_table(section, server))}{newline}"


def toml_without(text: str, section: str) -> str:
    """Return the config without our table, and the tables below it. SulcusError where it cannot be cut out."""
    if toml_server(text, section) is None:
        return text
    left = text
    while (shorter := _without_one(left, section)) is not None:
        left = shorter
    if toml_server(left, section) is not None:
        raise SulcusError(
            "The server's entry is not written as a table", f"[{section}.{NAME}]", "Take it out by hand."
        )
    return left


def _without_one(text: str, section: str) -> str | None:
    """Return the text without one of our tables: the lines whose loss changes nothing of anybody else's."""
    lines = re.findall(r"[^\n]*\n|[^\n]+\Z", text)
    others = _others(_tables(text, section), section)
    for first, line in enumerate(lines):
        if not _TABLE.match(line):
            continue
        left = "".join(_cut(lines, first))
        try:
            if _others(_tables(left, section), section) == others:
                return left
        except SulcusError:
            pass  # a line inside of somebody's text that looks like our table
    return None


def _cut(lines: list[str], first: int) -> list[str]:
    """Leave out a table up to the next one; what is said above that one stays, and one blank line between."""
    end = next((at for at in range(first + 1, len(lines)) if _HEADER.match(lines[at])), len(lines))
    while not lines[end - 1].strip() or lines[end - 1].lstrip().startswith("#"):
        end -= 1
    before, behind = lines[:first], lines[end:]
    if before and not before[-1].strip() and not (behind and behind[0].strip()):
        before.pop()
    return before + behind


def toml_server(text: str, section: str) -> object:
    """Return what stands for our server, None where nothing does. SulcusError where the text is not TOML."""
    return _tables(text, section).get(section, {}).get(NAME)


def _tables(text: str, section: str) -> dict[str, Any]:
    try:
        found = tomllib.loads(text.removeprefix(BOM))
    except tomllib.TOMLDecodeError as error:
        raise SulcusError("The settings file is not TOML", str(error), MEND) from error
    if not isinstance(found.get(section, {}), dict):
        raise SulcusError(
            "The settings file is not what its program expects", f"`{section}` must be a table", MEND
        )
    return found


def _others(tables: dict[str, Any], section: str) -> dict[str, Any]:
    """Everything but our server, and the section where it is there for nothing else."""
    servers = {name: server for name, server in tables.get(section, {}).items() if name != NAME}
    rest = {name: value for name, value in tables.items() if name != section}
    return rest | ({section: servers} if servers else {})


def _table(section: str, server: Server) -> list[str]:
    lines = [f"[{section}.{NAME}]"]
    for key, value in server.items():
        if isinstance(value, Mapping):
            pairs = ", ".join(f"{name} = {_literal(text)}" for name, text in value.items())
            lines.append(f"{key} = {{ {pairs} }}")
        else:
            lines.append(f"{key} = {_literal(value)}")
    return lines


def _literal(value: object) -> str:
    """A text or a list of texts: TOML writes them as JSON does, but for halves of characters."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
