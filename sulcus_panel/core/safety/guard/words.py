"""A text as its words, where sh, bash, dash, zsh and shlex read all of it alike; else the code that says why not.

Known are blanks, bare words of few characters, '…' and "…" of literal characters. Nothing expands, nothing escapes.
"""

import re
import unicodedata
from dataclasses import dataclass

from sulcus_panel.core.safety.guard.verdict import Refused

MOST_WORDS = 64
MOST_PIECES = 64

_BLANKS = re.compile(r"[ \t]*")
_BARE = re.compile(r"[A-Za-z0-9_@%+=:,./-]+")
_FOREIGN = re.compile(r"[^\x00-\x7f]+")
_SINGLE = re.compile(r"'([^']*)'")
_DOUBLE = re.compile(r'"([^"]*)"')
_ACTIVE = re.compile(r"[$`\\!]")
_ASSIGNS = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\+?=")
_INSIDE = "~!^"
_WHY = {
    **dict.fromkeys(";&|", "syntax.compound"),
    **dict.fromkeys("<>", "syntax.redirect"),
    **dict.fromkeys("()", "syntax.group"),
    **dict.fromkeys("*?[]{}~!^=", "syntax.expand"),
    "`": "syntax.subst",
    "#": "syntax.comment",
    "\\": "syntax.quote",
    "'": "syntax.quote",
    '"': "syntax.quote",
}


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a text; `unsure` where some shell under some option reads one of them otherwise."""

    argv: tuple[str, ...]
    unsure: bool


def read_words(text: str) -> Words:
    """Return the words of `text`, the program first; raise Refused where they could be read in two ways."""
    argv: list[str] = []
    unsure = False
    at = _skip(_BLANKS, text, 0)
    while at < len(text):
        if len(argv) == MOST_WORDS:
            raise Refused("limit.words")
        word, end, doubt = _program(text, at) if not argv else _word(text, at)
        argv.append(word)
        unsure = unsure or doubt
        at = _skip(_BLANKS, text, end)
    if not argv:
        raise Refused("syntax.empty")
    return Words(tuple(argv), unsure)


def _skip(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found else at


def _program(text: str, at: int) -> tuple[str, int, bool]:
    """The first word: never quoted, never an assignment, ASCII only."""
    assigns = _ASSIGNS.match(text, at)
    try:
        word, end, unsure = _word(text, at)
    except Refused as refused:
        if assigns and refused.code in {"syntax.quote", "syntax.expand"}:
            raise Refused("syntax.assign") from None
        raise
    if assigns:
        raise Refused("syntax.assign")
    if word != text[at:end]:
        raise Refused("syntax.quote")
    if not word.isascii():
        raise Refused("unicode.word")
    return word, end, unsure


def _word(text: str, start: int) -> tuple[str, int, bool]:
    """One word from `start`: its value, where it ends, whether it is unsure."""
    parts: list[str] = []
    unsure = False
    at = start
    while at < len(text) and text[at] not in " \t":
        value, end = _part(text, at)
        if not end:
            if at == start or text[at] not in _INSIDE:
                raise Refused(_why(text, at))
            value, end, unsure = text[at], at + 1, True
        # zsh puts a program's path for a word that begins with an equals sign.
        if text[at] == "=" and not any(parts):
            raise Refused(_why(text, at))
        if len(parts) == MOST_PIECES:
            raise Refused("limit.pieces")
        parts.append(value)
        at = end
    return "".join(parts), at, unsure


def _part(text: str, at: int) -> tuple[str, int]:
    """A run of plain characters or one quoted piece: its value and its end, 0 where there is none."""
    if found := _BARE.match(text, at):
        return found[0], found.end()
    if found := _FOREIGN.match(text, at):
        if not found[0].isalnum() and any(
            unicodedata.category(char)[0] not in "LMN" for char in set(found[0])
        ):
            raise Refused("syntax.char")
        return found[0], found.end()
    found = _SINGLE.match(text, at) or _DOUBLE.match(text, at)
    if not found:
        return "", 0
    body = found[0][1:-1]
    if "\t" in body:
        raise Refused("syntax.control")
    if text[at] == '"' and (active := _ACTIVE.search(body)):
        raise Refused(_why(body, active.start()))
    return body, found.end()


def _why(text: str, at: int) -> str:
    """The code of the character at `at`, by what a shell would do with it."""
    char, after = text[at], text[at + 1 : at + 2]
    if char == "$":
        return _dollar(text[at:])
    if char in "<>=" and after == "(":
        return "syntax.procsub"
    if char == "&" and after == ">":
        return "syntax.redirect"
    if char == "{" and after in {"", " ", "\t"}:
        return "syntax.compound"
    return _WHY[char]


def _dollar(text: str) -> str:
    inside = text[: text.find("}")] if text.startswith("${") else text[:2]
    return "syntax.subst" if "$(" in inside or "`" in inside else "syntax.expand"
