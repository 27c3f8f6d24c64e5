"""Syntax colours as data: a whole text lexed to classes of characters, line by line, on a worker.

The lexer is chosen by the file's name only: guessing by content costs more than lexing. No Qt in here.
"""

import posixpath
import time
from collections.abc import Callable, Iterator
from enum import IntEnum
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pygments.lexer import Lexer
    from pygments.token import _TokenType

MAX_CHARS = 1_500_000
"""Longer texts stay uncoloured."""
MAX_LINE = 20_000
"""Texts with a longer line stay uncoloured: generated, and slow to lex."""
TIME_LIMIT = 6.0
"""Seconds after which lexing gives up."""


class TokenClass(IntEnum):
    """What a theme has a colour for."""

    KEYWORD = 0
    STRING = 1
    COMMENT = 2
    NUMBER = 3
    NAME = 4
    BUILTIN = 5
    MARKUP = 6


SyntaxSpan = tuple[int, int, TokenClass]
"""Start and length in characters of the line, and what stands there."""
SyntaxLines = tuple[tuple[SyntaxSpan, ...], ...]
"""The spans of each line of a text, lines ending at LF only."""


def lex(
    path: str,
    text: str,
    *,
    max_chars: int = MAX_CHARS,
    time_limit: float = TIME_LIMIT,
    clock: Callable[[], float] = time.monotonic,
) -> SyntaxLines:
    """Return the coloured spans of every line of `text`.

    Empty where there is no lexer for the name, or where the text is too long or takes more than
    `time_limit` seconds: a text is coloured as a whole or not at all.
    """
    if not text or len(text) > max_chars or max(map(len, text.split("\n"))) > MAX_LINE:
        return ()
    lexer = _lexer_for(posixpath.basename(path))
    if lexer is None:
        return ()
    deadline = clock() + time_limit
    lines: list[tuple[SyntaxSpan, ...]] = []
    current: list[SyntaxSpan] = []
    column = 0
    # Lexers know LF only; a CR keeps its place as a blank, so columns still agree.
    for count, (kind, value) in enumerate(_tokens(lexer, text.replace("\r", " "))):
        if count % 1024 == 0 and clock() > deadline:
            return ()
        for part_number, part in enumerate(value.split("\n")):
            if part_number:
                lines.append(tuple(current))
                current, column = [], 0
            if part and kind is not None:
                _add(current, column, len(part), kind)
            column += len(part)
    lines.append(tuple(current))
    return tuple(lines)


def _lexer_for(name: str) -> "Lexer | None":
    # Imported here: the registry costs a tenth of a second that a window without a diff need not pay.
    from pygments.lexers import get_lexer_for_filename
    from pygments.util import ClassNotFound

    try:
        return get_lexer_for_filename(name)
    except ClassNotFound:
        return None


def _tokens(lexer: "Lexer", text: str) -> Iterator[tuple[TokenClass | None, str]]:
    # Unprocessed: get_tokens() would strip blank lines and expand nothing we want expanded.
    for _, kind, value in lexer.get_tokens_unprocessed(text):
        yield _class_of(kind), value


def _add(spans: list[SyntaxSpan], start: int, length: int, kind: TokenClass) -> None:
    """Append a span, joined to its neighbour where both are of one class."""
    if spans:
        last_start, last_length, last_kind = spans[-1]
        if last_kind is kind and last_start + last_length == start:
            spans[-1] = (last_start, last_length + length, kind)
            return
    spans.append((start, length, kind))


@cache
def _class_of(token: "_TokenType") -> TokenClass | None:
    from pygments.token import Comment, Generic, Keyword, Name, Number, Operator, String

    table = (
        (Comment, TokenClass.COMMENT),
        (Keyword.Constant, TokenClass.NUMBER),
        (Keyword.Type, TokenClass.BUILTIN),
        (Keyword, TokenClass.KEYWORD),
        (Operator.Word, TokenClass.KEYWORD),
        (String, TokenClass.STRING),
        (Number, TokenClass.NUMBER),
        (Name.Function, TokenClass.NAME),
        (Name.Class, TokenClass.NAME),
        (Name.Tag, TokenClass.NAME),
        (Name.Builtin, TokenClass.BUILTIN),
        (Name.Decorator, TokenClass.BUILTIN),
        (Name.Attribute, TokenClass.BUILTIN),
        (Name.Exception, TokenClass.BUILTIN),
        (Generic.Heading, TokenClass.MARKUP),
        (Generic.Subheading, TokenClass.MARKUP),
        (Generic.Strong, TokenClass.MARKUP),
        (Generic.Emph, TokenClass.MARKUP),
    )
    return next((kind for parent, kind in table if token[: len(parent)] == parent), None)
