"""How a foreign string is shown: on one line, with nothing in it that a screen or a terminal would obey."""

import unicodedata
from collections.abc import Iterator

MAX_COMBINING = 4


def escaped(text: str) -> str:
    """Return the text with what is not UTF-8 in it as escapes of its bytes, so that JSON can carry it."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def plain(text: str, limit: int = 2000) -> str:
    """Return `text` as one line of harmless characters: the unprintable is escaped, the long is cut."""
    shown = text[:limit]
    harmless = shown if shown.isascii() and shown.isprintable() else "".join(_escape(shown))
    left = len(text) - len(shown)
    return f"{harmless}… {left:,} more" if left else harmless


def _escape(text: str) -> Iterator[str]:
    combining = 0
    for char in text:
        combining = combining + 1 if unicodedata.combining(char) else 0
        if char.isprintable() and combining <= MAX_COMBINING:
            yield char
        elif char in _SHORT:
            yield _SHORT[char]
        else:
            code = ord(char)
            yield (
                f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
            )


_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
