"""Did a file stop making sense? Python, JSON and TOML that parsed before a merge and do not after it.

Such a result is exact to the byte and still not what anybody wants: it goes to a person's eye.
"""

import ast
import json
import re
import warnings
from collections.abc import Callable

from sulcus_panel.core.diff.shared_ends import shared_head, shared_tail

STATEMENT = re.compile(
    rb"^(?:(?:def|class|async|import|from|while|try|with)\b|@|[A-Za-z_][A-Za-z0-9_]* = )", re.MULTILINE
)
"""Where a statement begins that rests on none before it, and that no bracket holds (as they hold `name=`)."""


def stops_parsing(path: str, before: bytes, after: bytes) -> bool:
    """Say whether a file of a known kind parsed before and does not after; unknown kinds never do."""
    suffix = path[path.rfind(".") :].lower() if "." in path else ""
    parse = _PARSERS.get(suffix)
    if parse is None or (parse is _python and _same_but_for_a_statement(before, after)):
        return False
    return not _parses(parse, after) and _parses(parse, before)


def _python(data: bytes) -> object:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(data)


def _toml(data: bytes) -> object:
    import tomllib  # here, for few undos are of such a file

    return tomllib.loads(data.decode())


_PARSERS: dict[str, Callable[[bytes], object]] = {
    ".py": _python,
    ".pyi": _python,
    ".json": json.loads,
    ".toml": _toml,
}


def _parses(parse: Callable[[bytes], object], data: bytes) -> bool:
    try:
        parse(data)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return False
    return True


def _last_statement(source: bytes, end: int) -> int:
    """Return where the last statement before a place begins, 0 where none does."""
    at = end
    while at > 0:
        at = source.rfind(b"\n", 0, at) + 1
        if STATEMENT.match(source, at, end):
            return at
        at -= 1
    return 0


def _same_but_for_a_statement(before: bytes, after: bytes) -> bool:
    """Say whether two sources differ only within whole statements that parse both ways: quick in a long file.

    A long string may hold anything that looks like a statement, so that one with its quotes is not trusted.
    """
    short = min(len(before), len(after))
    head = shared_head(before, after, short)
    tail = shared_tail(before, after, short - head)
    start = _last_statement(before, head)
    following = STATEMENT.search(before, len(before) - tail + 1)
    rest = len(before) - following.start() if following else 0
    parts = before[start : len(before) - rest], after[start : len(after) - rest]
    if any(b'"""' in part or b"'''" in part for part in parts):
        return False
    return all(_parses(_python, part) for part in parts)
