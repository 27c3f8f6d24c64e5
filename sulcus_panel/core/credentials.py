"""Does a text hold a key, and how is a command shown that gives one away? Pure.

A key is found by the shape that its issuer made to be found, never by guess: what holds one is not kept. A command
that is shown may lose a word too many.
"""

import functools
import re
from collections.abc import Callable

_SHAPES = (
    (b"AKIA", rb"\bAKIA[0-9A-Z]{16}\b"),
    (b"ASIA", rb"\bASIA[0-9A-Z]{16}\b"),
    (b"gh", rb"\bgh[pousr]_[A-Za-z0-9]{36,251}\b"),
    (b"github_pat_", rb"\bgithub_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}\b"),
    (b"glpat-", rb"\bglpat-[A-Za-z0-9_-]{20,}"),
    (b"xox", rb"\bxox[abeprs]-[A-Za-z0-9-]{10,}"),
    (b"sk_live_", rb"\bsk_live_[A-Za-z0-9]{24,}"),
    (b"rk_live_", rb"\brk_live_[A-Za-z0-9]{24,}"),
    (b"sk-ant-", rb"\bsk-ant-[A-Za-z0-9_-]{80,}"),
    (b"sk-proj-", rb"\bsk-proj-[A-Za-z0-9_-]{40,}"),
    (b"AIza", rb"\bAIza[0-9A-Za-z_-]{35}\b"),
    (b"npm_", rb"\bnpm_[A-Za-z0-9]{36}\b"),
    (b"pypi-", rb"\bpypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{50,}"),
    (b"PRIVATE KEY", rb"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----\r?\n(?:[^-\n]*\n){2,}"),
)
"""What every such key has in it, quick to look for, and its whole shape."""

HIDDEN = "•••"
_VALUE = r"""("[^"\n]{1,500}"|'[^'\n]{1,500}'|(?!\$)[^\s"';&|]{1,500})"""
_NAME = (
    r"(?:pass(?:word|wd|phrase)?|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credentials?)"
)
_GIVEN_AWAY = (
    rf"(?i)\b(\w{{0,40}}{_NAME}\w{{0,20}}[\"']?\s?[=:]\s?){_VALUE}",
    rf"(?i)((?<=\s)--?[\w-]{{0,40}}{_NAME}(?:=|\s+))(?!-){_VALUE}",
    rf"((?<=\s)(?:-u|--user)(?:=|\s+)[\"']?[^\s:\"']{{1,200}}:){_VALUE}",
    r"(\b(?:mysql|mysqldump|mariadb)\b[^\n;&|]{0,500}\s-p)([^\s;&|]{1,200})",
    r"(\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@]{0,200}:)([^\s/@]{1,500})(?=@)",
    r"(?i)(\b(?:authorization:\s*)?(?:bearer|basic|token)\s+)([A-Za-z0-9._~+/=-]{16,2000})",
    r"(\b)(eyJ[\w-]{10,2000}\.[\w-]{10,4000}\.[\w-]{5,2000})",
)
"""What stands before a secret, and the secret: by name, by option, in a URL, in a header."""

Search = Callable[[bytes], object]


@functools.cache
def _shapes() -> tuple[tuple[bytes, Search], ...]:
    return tuple((mark, re.compile(shape).search) for mark, shape in _SHAPES)


@functools.cache
def _any_mark() -> Search:
    return re.compile(b"|".join(re.escape(mark) for mark, _ in _SHAPES)).search


def holds_a_key(data: bytes) -> bool:
    """Say whether a key of a known issuer, or a private key with a body, stands in the text."""
    if not _any_mark()(data):  # one look instead of many at what has none, at every record
        return False
    for mark, search in _shapes():  # noqa: SIM110 - twice as fast as any(), at every record
        if mark in data and search(data):
            return True
    return False


@functools.cache
def _given_away() -> tuple[re.Pattern[str], ...]:
    keys = [shape.decode("ascii") for _, shape in _SHAPES]
    return (*(re.compile(f"(){key}") for key in keys), *(re.compile(shape) for shape in _GIVEN_AWAY))


def redacted(text: str) -> str:
    """Return the text as it may be shown: what looks like a secret in it gives way to three dots."""
    for shape in _given_away():
        text = shape.sub(lambda found: found[1] + HIDDEN, text)
    return text
