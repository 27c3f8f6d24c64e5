"""JSON with comments and trailing commas, parsed with positions, so that a person's file is edited as text.

Adding and removing an element changes the characters of that element and its comma; every other character,
comments and key order among them, stays as it was written.
"""

import json
import re
from dataclasses import dataclass

_SPACE = re.compile(r"(?:[ \t\r\n]|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_SCALAR = re.compile(r"-?\d[\d.eE+-]*|true|false|null")
_INDENT = re.compile(r'\n([ \t]+)"')
_SAME_LINE_COMMENT = re.compile(r"[ \t]*(?://[^\r\n]*|/\*[^\n]*?\*/)")
MAX_DEPTH = 100


@dataclass(frozen=True, slots=True)
class Element:
    """A member of an object (with its key) or an item of an array; `comma` is where the one behind it is."""

    key: str
    start: int
    node: "Node"
    comma: int | None


@dataclass(frozen=True, slots=True)
class Node:
    """A value with its place: `text[start:end]`."""

    value: object
    start: int
    end: int
    elements: tuple[Element, ...] = ()

    def member(self, key: str) -> "Node | None":
        """The value under this key of an object, the last one where a key stands twice."""
        return next((element.node for element in reversed(self.elements) if element.key == key), None)


def parse(text: str) -> Node:
    """The document; ValueError names line and column of what is no JSON."""
    node = _Parser(text).value(_skip(text, 0), 0)
    rest = _skip(text, node.end)
    if rest != len(text):
        raise _error(text, rest)
    return node


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text

    def value(self, at: int, depth: int) -> Node:
        first = self._text[at : at + 1]
        if depth > MAX_DEPTH:
            raise _error(self._text, at)
        if first in ("{", "["):
            return self._container(at, first, depth)
        found = _STRING.match(self._text, at) or _SCALAR.match(self._text, at)
        if found is None:
            raise _error(self._text, at)
        try:
            return Node(json.loads(found[0], strict=False), at, found.end())
        except ValueError:
            raise _error(self._text, at) from None

    def _container(self, start: int, opening: str, depth: int) -> Node:
        text, closing = self._text, "}" if opening == "{" else "]"
        elements: list[Element] = []
        at = _skip(text, start + 1)
        while text[at : at + 1] != closing:
            if elements and elements[-1].comma is None:
                raise _error(text, at)
            element = self._element(at, opening, depth)
            elements.append(element)
            at = _skip(text, element.node.end if element.comma is None else element.comma + 1)
        value: object = [element.node.value for element in elements]
        if opening == "{":
            value = {element.key: element.node.value for element in elements}
        return Node(value, start, at + 1, tuple(elements))

    def _element(self, at: int, opening: str, depth: int) -> Element:
        key, start = "", at
        if opening == "{":
            name = _STRING.match(self._text, at)
            if name is None:
                raise _error(self._text, at)
            key = str(self.value(at, depth).value)
            at = _skip(self._text, name.end())
            if self._text[at : at + 1] != ":":
                raise _error(self._text, at)
            at = _skip(self._text, at + 1)
        node = self.value(at, depth + 1)
        behind = _skip(self._text, node.end)
        return Element(key, start, node, behind if self._text[behind : behind + 1] == "," else None)


def add_element(text: str, container: Node, key: str | None, value: object, depth: int) -> str:
    """`text` with one more member or item at the end of `container`, which is `depth` levels deep."""
    unit, newline = indent_of(text), "\r\n" if "\r\n" in text else "\n"
    inner, outer = newline + unit * (depth + 1), newline + unit * depth
    added = json.dumps(value, indent=unit, ensure_ascii=False).replace("\n", inner)
    if key is not None:
        added = f"{json.dumps(key, ensure_ascii=False)}: {added}"
    if not container.elements:
        rest = text[container.start + 1 : container.end - 1]
        kept = rest.rstrip() + outer if rest.strip() else outer
        return f"{text[: container.start + 1]}{inner}{added}{kept}{text[container.end - 1 :]}"
    last = container.elements[-1]
    behind = last.node.end if last.comma is None else last.comma + 1
    comment = _SAME_LINE_COMMENT.match(text, behind)
    place = comment.end() if comment else behind
    comma = "," if last.comma is None else ""
    closing = "" if "\n" in text[place : container.end] else outer
    return f"{text[:behind]}{comma}{text[behind:place]}{inner}{added}{closing}{text[place:]}"


def remove_element(text: str, container: Node, index: int) -> str:
    """`text` without one element, its comma and the blanks around; comments between elements stay."""
    element = container.elements[index]
    if index + 1 < len(container.elements):
        assert element.comma is not None
        end = element.comma + 1
        end += len(text[end:]) - len(text[end:].lstrip())
        return text[: element.start] + text[end:]
    end = element.node.end if element.comma is None else element.comma + 1
    before = text[: element.start].rstrip()
    if index > 0:
        comma = container.elements[index - 1].comma
        assert comma is not None
        if element.comma is None:
            before = before[:comma] + before[comma + 1 :]
    return before + text[end:]


def indent_of(text: str) -> str:
    """One level of indentation as the file has it, else two blanks."""
    found = _INDENT.search(text)
    return found[1] if found else "  "


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _error(text: str, at: int) -> ValueError:
    line = text.count("\n", 0, at) + 1
    column = at - (text.rfind("\n", 0, at) + 1) + 1
    return ValueError(f"line {line}, column {column}")
